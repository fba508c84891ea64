"""Links, tags and headings of a note: found in one pass, and links given a new target with everything else verbatim."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import unquote

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.language.tags import NEVER_IN_TAGS
from mnemex_vault.text import frontmatter
from mnemex_vault.text.blocks import Heading, outline
from mnemex_vault.text.yaml_core import Node, Style, parse

# One pass over the text of a note that finds links and tags, in linear time.
#
# Code spans, math, HTML comments and `%%comments%%` are not text, except that the links in a comment of one line
# count; a backslash takes the meaning of the next character.

Form = Literal["wiki", "markdown"]

# a target ends at the first pipe, in tables an escaped one; what follows may hold single brackets
WIKILINK = re.compile(r"\[\[([^\[\]|\n\r]*)(?:\|((?:[^\[\]\n\r]|\](?!\])|\[(?!\[))*+))?\]\]")
_DESTINATION = re.compile(
    r"\([ \t\n]*+(?:<([^<>\n]*+)>|((?:[^\s()<>\\]|\\.|\([^\s()<>]*\))*+))"
    r"(?:[ \t\n]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t\n]*+\)"
)
_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//")
_SPECIAL = re.compile(r"[\\`$%<\[\]#]")
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_BRACKETS = re.compile(r"\[+")
_BACKTICKS = re.compile(r"`+")
_MATH_END = re.compile(r"(?<![\s\\])\$(?![0-9])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(rf"#([^{NEVER_IN_TAGS}]+)")


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a note: `text[start:end]`, with the place of its target as `target_span`.

    `target` is decoded and without heading, empty for a link within the note; `heading` begins with `#` or is empty.
    """

    start: int
    end: int
    target: str
    heading: str
    alias: str | None
    embed: bool
    form: Form
    in_frontmatter: bool
    target_span: tuple[int, int] = field(repr=False, default=(0, 0))
    quote: str = field(repr=False, default="")


@dataclass(slots=True)
class Findings:
    """What one pass found, in the order of the text."""

    links: list[Link] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)


def scan(text: str, start: int = 0) -> Findings:
    """Return the links, inline tags and headings of `text[start:]`."""
    if any(mark in text for mark in ("#", "[[", "](")) or _UNDERLINE.search(text, start):
        return _Scanner(text).run(start)
    return Findings()


def wikilink(
    match: re.Match[str], *, embed: bool = False, in_frontmatter: bool = False, quote: str = ""
) -> Link | None:
    """Return the link of a match of WIKILINK, None if it is empty."""
    inner, alias = match[1], match[2]
    if alias is not None and inner.endswith("\\"):
        inner = inner[:-1]
    path, hash_sign, heading = inner.partition("#")
    target = path.strip()
    if not target and not heading.strip():
        return None
    first = match.start(1) + len(path) - len(path.lstrip())
    return Link(
        match.start() - embed,
        match.end(),
        target,
        (hash_sign + heading).strip(),
        alias.strip() if alias is not None else None,
        embed,
        "wiki",
        in_frontmatter,
        (first, first + len(target)),
        quote,
    )


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found = Findings()
        self._hidden: list[tuple[int, int]] = []
        # the span being read, and where reading stands; a comment may carry it beyond the span
        self._start = self._end = self._position = 0
        self._brackets: list[int] = []
        self._backticks: dict[int, list[int]] | None = None
        self._math_ends: list[int] | None = None
        self._never_again: set[str] = set()
        self._comment_end = 0
        self._readers: dict[str, Callable[[int], int]] = {
            "\\": lambda at: at + 2,
            "`": self._code,
            "$": self._math,
            "%": self._comment,
            "<": self._html,
            "[": self._open,
            "]": self._close,
            "#": self._tag,
        }

    def run(self, start: int) -> Findings:
        shape = outline(self._text, start)
        self._position = start
        for first, last in shape.spans:
            self._span(first, last)
        # a link in the text of another link ends, and is found, before it
        self._found.links.sort(key=lambda link: link.start)
        self._found.headings = [heading for heading in shape.headings if not self._is_hidden(heading.start)]
        return self._found

    def _span(self, start: int, end: int) -> None:
        self._start, self._end = start, end
        self._brackets, self._backticks, self._math_ends = [], None, None
        self._position = max(self._position, start)
        readers, search = self._readers, _SPECIAL.search
        while special := search(self._text, self._position, end):
            self._position = readers[special[0]](special.start())

    def _is_hidden(self, position: int) -> bool:
        index = bisect_left(self._hidden, (position + 1, 0)) - 1
        return index >= 0 and position < self._hidden[index][1]

    def _code(self, at: int) -> int:
        if self._backticks is None:
            self._backticks = defaultdict(list)
            for run in _BACKTICKS.finditer(self._text, self._start, self._end):
                self._backticks[len(run[0])].append(run.start())
        run_end = at + 1
        while run_end < self._end and self._text[run_end] == "`":
            run_end += 1
        length = run_end - at
        same_length = self._backticks.get(length, [])
        index = bisect_left(same_length, run_end)
        return same_length[index] + length if index < len(same_length) else run_end

    def _math(self, at: int) -> int:
        if self._text.startswith("$$", at):
            return self._until("$$", at)
        if at + 1 >= self._end or self._text[at + 1].isspace():
            return at + 1
        if self._math_ends is None:
            self._math_ends = [match.start() for match in _MATH_END.finditer(self._text, self._start, self._end)]
        index = bisect_left(self._math_ends, at + 2)
        return self._math_ends[index] + 1 if index < len(self._math_ends) else at + 1

    def _comment(self, at: int) -> int:
        if not self._text.startswith("%%", at):
            return at + 1
        if at + 2 == self._comment_end:
            return at + 2
        end = self._until("%%", at)
        if end == at + 2 or "\n" in self._text[at:end]:
            return end
        # the links in a comment of one line are links, and nothing else in it is anything
        self._comment_end = end
        return at + 2

    def _html(self, at: int) -> int:
        return self._until("-->", at, opening=4) if self._text.startswith("<!--", at) else at + 1

    def _until(self, closing: str, at: int, opening: int = 2) -> int:
        """Return the place behind the closing mark, which may lie in a later paragraph."""
        after = at + opening
        if closing in self._never_again:
            return after
        found = self._text.find(closing, after)
        if found < 0:
            self._never_again.add(closing)
            return after
        self._hidden.append((at, found + len(closing)))
        return found + len(closing)

    def _open(self, at: int) -> int:
        run = _BRACKETS.match(self._text, at, self._end)
        if run is not None and run.end() - at > 2:
            # only the last two can begin a wikilink
            self._brackets.extend(range(at, run.end() - 2))
            return run.end() - 2
        match = WIKILINK.match(self._text, at, self._end)
        if match is None:
            self._brackets.append(at)
            return at + 1
        if link := wikilink(match, embed=self._is_embed(at)):
            self._found.links.append(link)
        return match.end()

    def _is_embed(self, at: int) -> bool:
        # an exclamation mark before the place where reading stood was escaped
        return at > self._position and self._text[at - 1] == "!"

    def _close(self, at: int) -> int:
        if not self._brackets:
            return at + 1
        opening = self._brackets.pop()
        match = _DESTINATION.match(self._text, at + 1, self._end)
        if match is None:
            return at + 1
        if link := self._markdown_link(match, opening, at):
            self._found.links.append(link)
        return match.end()

    def _markdown_link(self, match: re.Match[str], opening: int, at: int) -> Link | None:
        group = 1 if match[1] is not None else 2
        raw = match[group]
        if not raw or _EXTERNAL.match(raw):
            return None
        path, hash_sign, heading = raw.partition("#")
        embed = opening > self._start and self._text[opening - 1] == "!"
        span = (match.start(group), match.start(group) + len(path))
        alias = self._text[opening + 1 : at]
        target, anchor = _decoded(path), _decoded(hash_sign + heading)
        return Link(opening - embed, match.end(), target, anchor, alias, embed, "markdown", False, span)

    def _tag(self, at: int) -> int:
        if at < self._comment_end or (at > self._start and not self._text[at - 1].isspace()):
            return at + 1
        match = _TAG.match(self._text, at, self._end)
        if match is None:
            return at + 1
        name = match[1].rstrip("/")
        if name and not name.isdecimal():
            self._found.tags.append(name)
        return match.end()


def _decoded(text: str) -> str:
    return unquote(_ESCAPED.sub(r"\1", text))


# Links, tags and headings of a note: find them, and give links a new target with everything else verbatim.

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


def in_canvas(text: str) -> tuple[list[str], list[str]]:
    """Return the paths of the files that a canvas shows, and the targets of the links in its texts; of nothing else.

    >>> in_canvas('{"nodes": [{"type": "file", "file": "A/B.md"}, {"type": "text", "text": "See [[C]]"}]}')
    (['A/B.md'], ['C'])
    """
    try:
        canvas = json.loads(text)
    except (ValueError, RecursionError):
        return [], []
    nodes = canvas.get("nodes") if isinstance(canvas, dict) else None
    cards = [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []
    shown, said = ([card[key] for card in cards if isinstance(card.get(key), str)] for key in ("file", "text"))
    return shown, [link.target for each in said for link in links(each)]


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
