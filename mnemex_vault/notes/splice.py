"""Replace, add and remove top-level keys in the YAML text of a block; what is not asked for stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemex_vault.errors import UnreadableNote
from mnemex_vault.notes import yaml_text
from mnemex_vault.notes.keys import ID_KEY, KEY_ORDER
from mnemex_vault.notes.yaml_core import Node, Style
from mnemex_vault.notes.yaml_scalars import Value

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
    text = "".join(yaml_text.lines(key, added[key], newline) for key in ordered)
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
        return _with_scalar(source, entry, yaml_text.scalar(value, key=entry.key))
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
    return _Patch(entry.colon, end, f"{comment}{newline}{yaml_text.items(value, indent + '  ', newline)}")


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
            parts.append(yaml_text.items([new], indent, newline))
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
        return "[" + ", ".join(yaml_text.scalar(item, flow=True) for item in value) + "]"
    parts = [source[old.start : items[0].start]]
    last, position = -1, 0
    for new in value:
        found = _find(items, new, position)
        if len(parts) > 1:
            parts.append(source[items[last].end : items[found].start] if found and found == last + 1 else ", ")
        if found is None:
            parts.append(yaml_text.scalar(new, flow=True))
            last = len(items)
        else:
            parts.append(source[items[found].start : items[found].end])
            last, position = found, found + 1
    return "".join([*parts, source[items[-1].end : old.end]])
