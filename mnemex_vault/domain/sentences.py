"""Text taken apart: code blocks, headings, list items, statements and their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from mnemex_vault.domain.words_titles import DANGLING

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_ITEM = re.compile(r"\s*(?:>\s?)*\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:\[![\w-]+\][+-]?\s*)?")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？]+[」』）”]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|ca|no|nr|st|mr|mrs|ms|dr|prof|sr|jr|inc|ltd|fig|min|tel|ext|vol|z\.b|d\.h|bzw|usw|[^\W\d_])\.$",
    re.I,
)
# a line at least this long was probably wrapped by an editor
_WRAPPED = 60


class Kind(StrEnum):
    """What a block of text is."""

    CODE = "code"
    HEADING = "heading"
    ITEM = "item"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text; `text` is without its marker, `raw` as it stands, `level` that of a heading."""

    kind: Kind
    text: str
    raw: str
    level: int = 0


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in order; lines that an editor wrapped are one block.

    >>> [(block.kind.value, block.text) for block in blocks("# Stack\n- Go\nIt is\nfast.")]
    [('heading', 'Stack'), ('item', 'Go'), ('text', 'It is fast.')]
    """
    pending: Block | None = None
    for block in _line_blocks(text):
        if pending is not None and _continues(pending, block):
            pending = Block(pending.kind, f"{pending.text} {block.text}", f"{pending.raw}\n{block.raw}")
            continue
        if pending is not None and pending.text:
            yield pending
        pending = block
    if pending is not None and pending.text:
        yield pending


def _line_blocks(text: str) -> Iterator[Block]:
    lines = iter(text.splitlines())
    for line in lines:
        fence = _FENCE.match(line)
        if fence:
            yield _code(line, fence[1], lines)
        else:
            yield _line_block(line)


def _code(first: str, mark: str, lines: Iterator[str]) -> Block:
    body = []
    raw = [first]
    for line in lines:
        raw.append(line)
        if line.strip().startswith(mark) and not line.strip().strip(mark[0]):
            break
        body.append(line)
    return Block(Kind.CODE, "\n".join(body).strip("\n"), "\n".join(raw))


def _line_block(line: str) -> Block:
    heading = _HEADING.match(line)
    if heading:
        text, _, closing = heading[2].rstrip().rpartition(" ")
        closed = closing and not closing.strip("#")
        return Block(Kind.HEADING, text.rstrip() if closed else heading[2].strip(), line, len(heading[1]))
    if _RULE.match(line):
        return Block(Kind.TEXT, "", line)
    marker = _ITEM.match(line)
    start = marker.end() if marker else 0
    kind = Kind.ITEM if line[:start].strip() else Kind.TEXT
    return Block(kind, line[start:].strip(), line)


def _continues(block: Block, following: Block) -> bool:
    if following.kind is not Kind.TEXT or block.kind not in (Kind.TEXT, Kind.ITEM):
        return False
    if not block.text or not following.text or block.text[-1] in ".!?:;。！？":
        return False
    last_line = block.raw.rsplit("\n", 1)[-1]
    unfinished = last_line.rsplit(None, 1)[-1].lower() in DANGLING
    return unfinished or following.text[0].islower() or len(last_line) >= _WRAPPED


def split_sentences(text: str) -> list[str]:
    """Return the sentences of one statement, each with its closing mark.

    >>> split_sentences("Dr. Adams uses v1.2, e.g. at work. So do I! 私は猫が好き。犬も。")
    ['Dr. Adams uses v1.2, e.g. at work.', 'So do I!', '私は猫が好き。', '犬も。']
    """
    found = []
    start = 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text, max(start, end.end() - 12), end.end()):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def sentences(text: str) -> list[str]:
    """Return all sentences of a text; a code block counts as one."""
    found: list[str] = []
    for block in blocks(text):
        if block.kind is Kind.CODE:
            found.append(block.text)
        else:
            found.extend(split_sentences(block.text))
    return found
