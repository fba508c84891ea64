"""Links, tags and headings of a note: find them, and give links a new target with everything else verbatim."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.notes import frontmatter
from mnemex_vault.notes.blocks import Heading
from mnemex_vault.notes.scanner import WIKILINK, Findings, Link, scan, wikilink
from mnemex_vault.notes.yaml_core import Node, Style, parse

_UNLINKABLE = re.compile(r"[\[\]|#\n\r]")
_ENCODED = re.compile(r"[\x00-\x20\x7f%()<>\\#\"]")
_COMMENT = re.compile(r"(?:^|(?<=\s))#", re.MULTILINE)
_QUOTES = {Style.SINGLE: "'", Style.DOUBLE: '"'}


def findings(text: str) -> Findings:
    """Return links, tags and headings of the body."""
    block = frontmatter.split(text)
    return scan(text, block.body_start if block else 0)


def links(text: str) -> list[Link]:
    """Return the links of frontmatter and body, in the order of the text.

    >>> [(link.target, link.heading, link.alias) for link in links("[[A#B|c]] `[[no]]` [t](a%20b.md)")]
    [('A', '#B', 'c'), ('a b.md', '', 't')]
    """
    return [*frontmatter_links(text), *findings(text).links]


def tags(text: str) -> list[str]:
    r"""Return the inline tags of the body without `#`, each as often as it stands there.

    >>> tags("#one, #two/three #1984 [x](y#z) `#no` \\#no")
    ['one', 'two/three']
    """
    return findings(text).tags


def headings(text: str) -> list[Heading]:
    """Return the headings of the body."""
    return findings(text).headings


def rewrite(text: str, new_target: Callable[[Link], str | None]) -> str:
    """Return the text with the targets that `new_target` gives, unencoded; None leaves a link as it is.

    Raises UnreadableNote if a link is to change and the frontmatter cannot be parsed before or after it, InvalidInput
    for a target that cannot stand in a link of this form.
    """
    changes = [(link, target) for link in links(text) if (target := new_target(link)) is not None]
    if not changes:
        return text
    frontmatter.read(text)
    parts: list[str] = []
    position = 0
    for link, target in sorted(changes, key=lambda change: change[0].target_span):
        parts += [text[position : link.target_span[0]], _written(link, target)]
        position = link.target_span[1]
    result = "".join([*parts, text[position:]])
    frontmatter.read(result)
    return result


def frontmatter_links(text: str) -> list[Link]:
    """Return the wikilinks in the frontmatter, quoted or not; comments are left out."""
    block = frontmatter.split(text)
    if block is None or text.find("[[", block.start, block.end) < 0:
        return []
    quotes = _Quotes(text, block)
    found: list[Link] = []
    for match in WIKILINK.finditer(text, block.start, block.end):
        quote = quotes.around(match.start(), match.end())
        if quote != "#" and (link := wikilink(match, in_frontmatter=True, quote=quote)):
            found.append(_unquoted(link, text))
    return found


class _Quotes:
    """Knows in which quotation marks a place of the frontmatter stands."""

    def __init__(self, text: str, block: frontmatter.Block) -> None:
        self._text = text
        self._block = block
        self._leaves: list[Node] | None = None

    def around(self, start: int, end: int) -> str:
        """Return the quotation mark, "" for none, "#" in a comment."""
        line_start = self._text.rfind("\n", 0, start) + 1
        before, after = self._text[start - 1], self._text[end : end + 1]
        # a value that is one quoted link, the usual case, needs no parsing
        if before == after and before in "'\"" and self._text.find("#", line_start, start) < 0:
            return before
        if self._leaves is None:
            self._leaves = self._parsed()
        place = start - self._block.start
        index = bisect_right(self._leaves, place, key=lambda node: node.start) - 1
        if index >= 0 and place < self._leaves[index].end:
            return _QUOTES.get(self._leaves[index].style, "")
        return "#" if _COMMENT.search(self._text, line_start, start) else ""

    def _parsed(self) -> list[Node]:
        try:
            root = parse(self._text[self._block.start : self._block.end])
        except UnreadableNote:
            return []
        return sorted(_leaves(root), key=lambda node: node.start) if root else []


def _leaves(node: Node) -> Iterator[Node]:
    if not node.children:
        yield node
    for child in (*node.keys, *node.children):
        yield from _leaves(child)


def _unquoted(link: Link, text: str) -> Link:
    """Return the link with its target as YAML reads it."""
    raw = text[link.target_span[0] : link.target_span[1]]
    if link.quote == "'" and "''" in raw:
        return replace(link, target=raw.replace("''", "'"))
    if link.quote == '"' and "\\" in raw:
        return replace(link, target=_unescaped(raw))
    return link


def _unescaped(raw: str) -> str:
    try:
        root = parse(f'"{raw}"')
    except UnreadableNote:
        return raw
    return str(root.value) if root else raw


def _written(link: Link, target: str) -> str:
    if link.form == "markdown":
        return _ENCODED.sub(lambda match: f"%{ord(match[0]):02X}", target)
    if _UNLINKABLE.search(target):
        raise InvalidInput("target", f"{target!r} cannot stand in a wikilink")
    if link.quote == "'":
        return target.replace("'", "''")
    return json.dumps(target, ensure_ascii=False)[1:-1] if link.quote == '"' else target


__all__ = ["Heading", "Link", "findings", "frontmatter_links", "headings", "links", "rewrite", "tags"]
