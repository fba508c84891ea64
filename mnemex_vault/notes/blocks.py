"""Which lines of a body are text: markdown-it decides on code, HTML, tables and headings by its block rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1 to 6, its text as written, and where its first line starts."""

    level: int
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The text spans of a body, in order, and its headings; offsets count from the start of the whole note."""

    spans: tuple[tuple[int, int], ...]
    headings: tuple[Heading, ...]


def outline(text: str, start: int = 0) -> Outline:
    """Return where `text[start:]` is text and not code or HTML, one span for a paragraph, heading or table row."""
    body = text[start:]
    tokens = _markdown().parse(body)
    offsets = [start, *(start + match.end() for match in _LINE_END.finditer(body)), start + len(body)]
    spans: list[tuple[int, int]] = []
    headings: list[Heading] = []
    level = 0
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
        if token.type != "inline" or not token.map:
            continue
        first, last = offsets[token.map[0]], offsets[min(token.map[1], len(offsets) - 1)]
        if level:
            headings.append(Heading(level, " ".join(token.content.split()), first))
            level = 0
        if not spans or spans[-1] != (first, last):
            spans.append((first, last))
    return Outline(tuple(spans), tuple(headings))


@cache
def _markdown() -> MarkdownIt:
    # inline rules are left out: the scanner of links and tags does their part in a tenth of the time
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser.disable("reference")
