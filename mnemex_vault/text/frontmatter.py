"""The frontmatter of a note as text: find it, read it, change some keys and leave every other byte as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import frontmatter as python_frontmatter
from frontmatter.default_handlers import BaseHandler

from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text import yaml_core
from mnemex_vault.text.keys import ID_KEY, KEY_ORDER
from mnemex_vault.text.yaml_core import Node, Style, Value

# Replace, add and remove top-level keys in the YAML text of a block; what is not asked for stays byte for byte.

_RANK = {key: position for position, key in enumerate(KEY_ORDER)}
_COLON = re.compile(r"[ \t]*:")
_SCALARS = frozenset({Style.PLAIN, Style.SINGLE, Style.DOUBLE, Style.LITERAL, Style.FOLDED})


@dataclass(frozen=True, slots=True)
class _Entry:
    """One top-level key: `start` its line, `colon` the place after its colon, `end` where its value ends."""

    key: str
    start: int
    colon: int
    end: int
    value: Node


@dataclass(frozen=True, slots=True)
class _Patch:
    start: int
    end: int
    text: str


def rank(key: str) -> int:
    """Return the place of a key in the note format; unknown ones come last."""
    return _RANK.get(key, len(_RANK))


def same(one: Value, other: Value) -> bool:
    """Tell whether two values are equal as Obsidian sees them: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    # a NaN is not equal to itself, its text is
    return one == other or repr(one) == repr(other)


def apply(source: str, root: Node | None, changes: Mapping[str, Value], *, newline: str) -> str:
    """Return the YAML text with the changes, of which None removes a key."""
    entries = {entry.key: entry for entry in _entries(source, root)}
    patches: list[_Patch] = []
    added: dict[str, Value] = {}
    for key, value in changes.items():
        entry = entries.get(key)
        if entry is None:
            if value is not None:
                added[key] = value
        elif value is None:
            patches.append(_Patch(entry.start, _line_end(source, entry.end), ""))
        elif not same(entry.value.value, value):
            patches.append(_replace(source, entry, value, newline))
    if added:
        patches.append(_insert(source, root, list(entries.values()), added, newline))
    return _patched(source, patches)


def _entries(source: str, root: Node | None) -> Iterator[_Entry]:
    if root is None or not isinstance(root.value, dict):
        return
    for name, key, value in zip(root.value, root.keys, root.children, strict=True):
        start = source.rfind("\n", 0, key.start) + 1
        colon = _COLON.match(source, key.end)
        if source[start : key.start].strip() or colon is None:
            raise UnreadableNote("", f"the key {name!r} is written in an unusual way")
        yield _Entry(name, start, colon.end(), _value_end(source, colon.end(), value), value)


def _value_end(source: str, colon: int, value: Node) -> int:
    """Return where a value ends, without the blank lines that belong to a block scalar."""
    return colon + len(source[colon : value.end].rstrip())


def _line_end(source: str, position: int) -> int:
    found = source.find("\n", position)
    return len(source) if found < 0 else found + 1


def _patched(source: str, patches: Sequence[_Patch]) -> str:
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end), reverse=True):
        source = source[: patch.start] + patch.text + source[patch.end :]
    return source


def _insert(
    source: str, root: Node | None, entries: Sequence[_Entry], added: Mapping[str, Value], newline: str
) -> _Patch:
    indent = "" if root is None else " " * (root.start - (source.rfind("\n", 0, root.start) + 1))
    ordered = sorted(added, key=rank)
    text = "".join(yaml_core.lines(key, added[key], newline) for key in ordered)
    if indent:
        text = "".join(indent + line for line in text.splitlines(keepends=True))
    place = _end_of_run(source, entries)
    return _Patch(place, place, text)


def _end_of_run(source: str, entries: Sequence[_Entry]) -> int:
    """Return the place behind our keys around the id, the end of the block without one."""
    keys = [entry.key for entry in entries]
    if ID_KEY not in keys:
        return len(source)
    last = keys.index(ID_KEY)
    while last + 1 < len(keys) and keys[last + 1] in _RANK:
        last += 1
    entry = entries[last]
    if entry.value.style in (Style.LITERAL, Style.FOLDED):
        # blank lines behind it may be part of its text
        return entry.value.end
    return _line_end(source, entry.end)


def _replace(source: str, entry: _Entry, value: Value, newline: str) -> _Patch:
    old = entry.value
    if not isinstance(value, list):
        return _with_scalar(source, entry, yaml_core.scalar(value, key=entry.key))
    if old.style is Style.FLOW_LIST:
        return _Patch(old.start, old.end, _flow_list(source, old, value))
    if not value:
        return _with_scalar(source, entry, "[]")
    if old.style is Style.BLOCK_LIST:
        return _block_list(source, entry, value, newline)
    return _with_new_list(source, entry, value, newline)


def _with_scalar(source: str, entry: _Entry, text: str) -> _Patch:
    old = entry.value
    if old.style in _SCALARS and entry.end > entry.colon:
        return _Patch(old.start, entry.end, text)
    if old.style in (Style.FLOW_LIST, Style.FLOW_MAP):
        return _Patch(old.start, old.end, text)
    # what stands on the line of the key, a comment, stays; the lines of a block list or map go
    rest = source[entry.colon : _line_end(source, entry.colon)]
    return _Patch(entry.colon, max(_line_end(source, entry.end), entry.colon), f" {text}{rest}")


def _with_new_list(source: str, entry: _Entry, value: list[Value], newline: str) -> _Patch:
    """Put a block list where a scalar or map was, a comment behind it onto the line of the key."""
    indent = source[entry.start : entry.colon]
    indent = indent[: len(indent) - len(indent.lstrip())]
    end = _line_end(source, entry.end)
    comment = source[entry.end : end].rstrip()
    return _Patch(entry.colon, end, f"{comment}{newline}{yaml_core.items(value, indent + '  ', newline)}")


def _block_list(source: str, entry: _Entry, value: list[Value], newline: str) -> _Patch:
    """Keep the lines of items that stay, and all comments between them."""
    old = entry.value.children
    starts = [_item_start(source, item) for item in old]
    ends = [_line_end(source, _value_end(source, item.start, item)) for item in old]
    nexts = [*starts[1:], ends[-1]]
    first = starts[0]
    indent = source[first : source.index("-", first)]
    parts: list[str] = []
    position = 0
    for new in value:
        found = _find(old, new, position)
        if found is None:
            parts.append(yaml_core.items([new], indent, newline))
            continue
        parts.extend(source[ends[skipped] : nexts[skipped]] for skipped in range(position, found))
        parts.append(source[starts[found] : nexts[found]])
        position = found + 1
    parts.extend(source[ends[skipped] : nexts[skipped]] for skipped in range(position, len(old)))
    return _Patch(first, ends[-1], "".join(parts))


def _item_start(source: str, item: Node) -> int:
    dash = source.rfind("-", 0, item.start)
    return source.rfind("\n", 0, dash) + 1


def _find(old: Sequence[Node], value: Value, position: int) -> int | None:
    return next((index for index in range(position, len(old)) if same(old[index].value, value)), None)


def _flow_list(source: str, old: Node, value: list[Value]) -> str:
    """Keep the text of items that stay, and what stands between neighbours that stay."""
    items = old.children
    if not items or not value:
        return "[" + ", ".join(yaml_core.scalar(item, flow=True) for item in value) + "]"
    parts = [source[old.start : items[0].start]]
    last, position = -1, 0
    for new in value:
        found = _find(items, new, position)
        if len(parts) > 1:
            parts.append(source[items[last].end : items[found].start] if found and found == last + 1 else ", ")
        if found is None:
            parts.append(yaml_core.scalar(new, flow=True))
            last = len(items)
        else:
            parts.append(source[items[found].start : items[found].end])
            last, position = found, found + 1
    return "".join([*parts, source[items[-1].end : old.end]])


BOM = "\ufeff"
_OPENING = re.compile(r"\ufeff?---(\r?\n)")
_CLOSING = re.compile(r"^---(?:\r?\n|\Z)", re.MULTILINE)
_FIRST_BREAK = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class Block:
    """Where the frontmatter lies: its YAML is `text[start:end]`, the body `text[body_start:]`."""

    start: int
    end: int
    body_start: int
    newline: str
    has_bom: bool


def split(text: str) -> Block | None:
    r"""Return where the frontmatter lies, None if there is none or it is never closed.

    >>> split("---\na: 1\n---\nbody")
    Block(start=4, end=9, body_start=13, newline='\n', has_bom=False)
    """
    opening = _OPENING.match(text)
    if not opening:
        return None
    closing = _CLOSING.search(text, opening.end())
    if not closing:
        return None
    return Block(opening.end(), closing.start(), closing.end(), opening[1], text.startswith(BOM))


def is_unclosed(text: str) -> bool:
    """Tell whether frontmatter is opened and never closed."""
    return _OPENING.match(text) is not None and split(text) is None


def newline_of(text: str) -> str:
    """Return the line ending that the text uses first, LF if it has none."""
    found = _FIRST_BREAK.search(text)
    return found[0] if found else "\n"


def read(text: str) -> dict[str, Value]:
    r"""Return the frontmatter as Obsidian reads it, {} without one.

    Raises UnreadableNote if it cannot be parsed, is never closed or is too large.

    >>> read("---\nseen: yes\nat: 12:30\nn: 010\n---\n")
    {'seen': 'yes', 'at': '12:30', 'n': 10}
    """
    block = split(text)
    if block is None:
        if is_unclosed(text):
            raise UnreadableNote("", "the frontmatter is opened and never closed")
        return {}
    reader = _CoreYaml(text[block.start : block.end])
    values, _ = python_frontmatter.parse(text[: block.body_start], handler=reader)
    return cast("dict[str, Value]", values)


def edit(text: str, changes: Mapping[str, Value]) -> str:
    """Return the text with these top-level keys changed, None removing one, and every other byte kept.

    A missing block is put before the body. Raises UnreadableNote if the frontmatter cannot be parsed, is JSON, or
    if the change cannot be made without changing another key; InvalidInput for a value that YAML cannot hold.
    """
    block = split(text)
    if block is None:
        return _with_new_block(text, changes)
    source = text[block.start : block.end]
    root = parse_map(source)
    if root is not None and root.style is Style.FLOW_MAP:
        raise UnreadableNote("", "the frontmatter is JSON")
    edited = apply(source, root, changes, newline=block.newline)
    if edited == source:
        return text
    _verify(root, edited, changes)
    return text[: block.start] + edited + text[block.end :]


def compose(values: Mapping[str, Value], body: str, *, newline: str = "\n") -> str:
    """Return a new note with these keys, in the order of the note format, before the body as it is."""
    ordered = sorted(values, key=rank)
    written = "".join(yaml_core.lines(key, values[key], newline) for key in ordered)
    return f"---{newline}{written}---{newline}{body}"


def parse_map(source: str) -> Node | None:
    """Return the tree of a block's YAML, None if it is empty; raises UnreadableNote if it is no map."""
    root = yaml_core.parse(source)
    if root is None or root.value is None:
        return None
    if not isinstance(root.value, dict):
        raise UnreadableNote("", "the frontmatter is no list of keys")
    return root


def _with_new_block(text: str, changes: Mapping[str, Value]) -> str:
    if is_unclosed(text):
        raise UnreadableNote("", "the frontmatter is opened and never closed")
    values = {key: value for key, value in changes.items() if value is not None}
    if not values:
        return text
    bom = BOM if text.startswith(BOM) else ""
    return bom + compose(values, text[len(bom) :], newline=newline_of(text))


def _verify(root: Node | None, edited: str, changes: Mapping[str, Value]) -> None:
    """Refuse an edit that did not do exactly what was asked."""
    expected = dict(root.value) if root is not None and isinstance(root.value, dict) else {}
    for key, value in changes.items():
        if value is None:
            expected.pop(key, None)
        elif key not in expected or not same(expected[key], value):
            expected[key] = yaml_core.normalise(value)
    result = parse_map(edited)
    found = result.value if result is not None and isinstance(result.value, dict) else {}
    if found.keys() != expected.keys() or any(not same(found[key], expected[key]) for key in expected):
        raise UnreadableNote("", "the frontmatter is written in a way that cannot be changed safely")


class _CoreYaml(BaseHandler):
    """Lets python-frontmatter read one block as Obsidian does; where it lies is known already."""

    FM_BOUNDARY = _CLOSING

    def __init__(self, source: str) -> None:
        super().__init__()
        self._source = source

    def split(self, text: str) -> tuple[str, str]:  # noqa: ARG002
        return self._source, ""

    def load(self, fm: str) -> dict[str, Value]:
        root = parse_map(fm)
        return root.value if root is not None and isinstance(root.value, dict) else {}
