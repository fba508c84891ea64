"""The frontmatter of a note as text: find it, read it, change some keys and leave every other byte as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import frontmatter as python_frontmatter
from frontmatter.default_handlers import BaseHandler

from mnemex_vault.errors import UnreadableNote
from mnemex_vault.notes import splice, yaml_core, yaml_text
from mnemex_vault.notes.yaml_core import Node, Style
from mnemex_vault.notes.yaml_scalars import Value

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
    edited = splice.apply(source, root, changes, newline=block.newline)
    if edited == source:
        return text
    _verify(root, edited, changes)
    return text[: block.start] + edited + text[block.end :]


def compose(values: Mapping[str, Value], body: str, *, newline: str = "\n") -> str:
    """Return a new note with these keys, in the order of the note format, before the body as it is."""
    ordered = sorted(values, key=splice.rank)
    written = "".join(yaml_text.lines(key, values[key], newline) for key in ordered)
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
        elif key not in expected or not splice.same(expected[key], value):
            expected[key] = yaml_text.normalise(value)
    result = parse_map(edited)
    found = result.value if result is not None and isinstance(result.value, dict) else {}
    if found.keys() != expected.keys() or any(not splice.same(found[key], expected[key]) for key in expected):
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


__all__ = ["Block", "Value", "compose", "edit", "is_unclosed", "newline_of", "read", "split"]
