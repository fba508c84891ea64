"""Which lines of a body are text: markdown-it decides on code, HTML, tables and headings by its block rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt

_LINE_END = re.compile(r"\r\n|\n|\r")
# A text without any of these holds no code, HTML, math, underlined heading, heading in a quote or list, or link over
# two lines: it needs no parser. Checking is a tenth of the cost of parsing.
_MARKS = ("`", "<", "$", "\t", "\r", "~~~", "    ")
_UNUSUAL_LINE = re.compile(r"^ {0,3}(?:=+|-+) *$|^(?! {0,3}#)[ >*+\-0-9.)]*+#{1,6}(?: |$)|^[^\[\n]*\]\(", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?= |$)(.*)", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?: *\n)+")


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
    structured = any(text.find(mark, start) >= 0 for mark in _MARKS) or _UNUSUAL_LINE.search(text, start)
    return _parsed(text, start) if structured else _plain(text, start)


def _plain(text: str, start: int) -> Outline:
    """Return the outline of a text without structure, where blank lines alone part paragraphs."""
    ends = [*_BLANK_LINES.finditer(text, start)]
    starts = [start, *(match.end() for match in ends)]
    spans = tuple(zip(starts, [*(match.start() for match in ends), len(text)], strict=True))
    found = (Heading(len(match[1]), _heading_text(match[2]), match.start()) for match in _HEADING.finditer(text, start))
    return Outline(spans, tuple(found))


def _heading_text(text: str) -> str:
    """Leave out a closing row of `#`."""
    text = text.strip()
    shorter = text.rstrip("#")
    closed = not shorter or shorter[-1] == " "
    return " ".join((shorter if closed else text).split())


def _parsed(text: str, start: int) -> Outline:
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
