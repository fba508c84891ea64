"""Several texts as one that says every distinct sentence once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mnemex_vault.domain.facts import sentence_key
from mnemex_vault.domain.sentences import Block, Kind, blocks, split_sentences
from mnemex_vault.domain.words import word_set

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
# tables, nested or indented lines and HTML lose their sense when lines are taken out
_STRUCTURED = re.compile(r"^(?:\s*\||[ \t]+\S|\s*<|\s{0,3}(?:`{3}|~{3})|\s*(?:-{3,}|={3,})\s*$)", re.M)
_POINTING = word_set("he him his she her hers it its they them their theirs this that these those there then")
_WORD = re.compile(r"[^\W\d_]+")


def merged_text(texts: Iterable[str]) -> str:
    r"""Return the texts in order, each sentence, list item and code block only where it is first said.

    A sentence that leans on the one before it ("She likes it"), on a heading or on an introduction ending in a colon
    counts as the same only where these are the same too.

    >>> merged_text(["Anna likes tea. Ben rides.", "anna likes tea! Cleo sings."])
    'Anna likes tea. Ben rides.\n\nCleo sings.'
    """
    seen: set[tuple[str, ...]] = set()
    kept: list[str] = []
    for text in texts:
        kept += _new_paragraphs(text, seen)
    return "\n\n".join(kept)


class _Outline:
    """The headings above a place in a text; each is told when something new below it is, or when it is new itself."""

    def __init__(self, seen: set[tuple[str, ...]]) -> None:
        self._seen = seen
        self._path: list[Block] = []
        self._told = 0

    @property
    def keys(self) -> tuple[str, ...]:
        return ("#", *(sentence_key(block.text) for block in self._path))

    def enter(self, heading: Block) -> list[str]:
        """Go below another heading; return the lines of the one left, if they were never told."""
        lines = self.leave()
        while self._path and self._path[-1].level >= heading.level:
            self._path.pop()
        self._told = min(self._told, len(self._path))
        self._path.append(heading)
        return lines

    def leave(self) -> list[str]:
        return self.tell() if self._told < len(self._path) and self.keys not in self._seen else []

    def tell(self) -> list[str]:
        lines = [block.raw for block in self._path[self._told :]]
        self._told = len(self._path)
        self._seen.add(self.keys)
        return lines


def _new_paragraphs(text: str, seen: set[tuple[str, ...]]) -> Iterator[str]:
    outline = _Outline(seen)
    for paragraph in _paragraphs(text):
        first = next(blocks(paragraph), None)
        if first is not None and first.kind is Kind.HEADING:
            yield from outline.enter(first)
            continue
        new = _new_part(paragraph, outline.keys, seen)
        if new:
            yield from outline.tell()
            yield new
    yield from outline.leave()


def _paragraphs(text: str) -> Iterator[str]:
    """Parts between blank lines, each heading a part of its own; a code block is never divided."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        heading = not fence and _HEADING.match(line)
        if lines and (heading or not (line.strip() or fence)):
            yield "\n".join(lines)
            lines = []
        if heading:
            yield line
        elif line.strip() or fence:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _new_part(paragraph: str, headings: tuple[str, ...], seen: set[tuple[str, ...]]) -> str:
    if _STRUCTURED.search(paragraph):
        return paragraph if _is_new((*headings, paragraph), seen) else ""
    kept = []
    introduction = ""
    for block in blocks(paragraph):
        new = _new_block(block, (*headings, introduction if block.kind is Kind.ITEM else ""), seen)
        if new:
            kept.append(new)
        if block.kind is not Kind.ITEM:
            introduction = sentence_key(block.text) if block.text.endswith((":", "：")) else ""
    return "\n".join(kept)


def _new_block(block: Block, context: tuple[str, ...], seen: set[tuple[str, ...]]) -> str:
    said = split_sentences(block.text)
    new = []
    before = ""
    for sentence in said:
        key = sentence_key(sentence)
        leans_on = before if _POINTING & {word.lower() for word in _WORD.findall(sentence)} else ""
        if not key or _is_new((*context, leans_on, key), seen):
            new.append(sentence)
        before = key
    if len(new) == len(said):
        return block.raw
    marker = block.raw[: block.raw.find(block.text[:1])] if block.kind is Kind.ITEM else ""
    return marker + " ".join(new) if new else ""


def _is_new(key: tuple[str, ...], seen: set[tuple[str, ...]]) -> bool:
    if key in seen:
        return False
    seen.add(key)
    return True
