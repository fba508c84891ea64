"""What a note is for us, decided by its path, its text and its frontmatter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from mnemex_vault.notes import frontmatter
from mnemex_vault.notes.keys import ID_KEY
from mnemex_vault.notes.links import findings
from mnemex_vault.notes.values import as_checkbox, memory_id, property_tags
from mnemex_vault.notes.yaml_scalars import Value

_FOREIGN_ENDING = ".excalidraw.md"
# by these a note belongs to another plugin
FOREIGN_KEYS = ("excalidraw-plugin", "kanban-plugin")
_PRIVATE = "private"
_OUR_KEY = "mnemex"
# in frontmatter that cannot be parsed, whatever may mean private does
_MAYBE_PRIVATE = re.compile(r"(?<![\w-])private(?![\w-])|\bmnemex[\"']?[ \t]*:[ \t]*[\"']?(?:false|no|off|n|0)\b", re.I)


class NoteKind(StrEnum):
    """What a note is for us; the first that applies. `AWAY` is one whose text is not on this device."""

    AWAY = "away"
    BINARY = "binary"
    FOREIGN = "foreign"
    PRIVATE = "private"
    UNREADABLE = "unreadable"
    GENERATED = "generated"
    MEMORY = "memory"
    ORDINARY = "ordinary"


def kind_of(path: str, text: str, values: Mapping[str, Value]) -> NoteKind:
    """Return the kind of a note whose frontmatter could be read."""
    if path.lower().endswith(_FOREIGN_ENDING) or any(key in values for key in FOREIGN_KEYS):
        return NoteKind.FOREIGN
    if _says_no(values) or _has_private_tag(property_tags(values)) or _is_tagged_private(text):
        return NoteKind.PRIVATE
    ours = values.get(_OUR_KEY)
    if isinstance(ours, str) and ours.strip():
        return NoteKind.GENERATED
    return NoteKind.MEMORY if memory_id(values.get(ID_KEY)) else NoteKind.ORDINARY


def kind_of_unreadable(path: str, text: str) -> NoteKind:
    """Return the kind of a note whose text or frontmatter could not be read; in doubt it is private."""
    block = frontmatter.split(text)
    head = text[: block.end] if block else ""
    if frontmatter.is_unclosed(text):
        # what is never closed reaches to the first blank line
        head = re.split(r"\r?\n[ \t]*\r?\n", text, maxsplit=1)[0]
    if path.lower().endswith(_FOREIGN_ENDING) or any(f"{key}:" in head for key in FOREIGN_KEYS):
        return NoteKind.FOREIGN
    if _MAYBE_PRIVATE.search(head) or _is_tagged_private(text):
        return NoteKind.PRIVATE
    return NoteKind.UNREADABLE


def _says_no(values: Mapping[str, Value]) -> bool:
    return any(key.lower() == _OUR_KEY and as_checkbox(value) is False for key, value in values.items())


def _is_tagged_private(text: str) -> bool:
    # looking closely at every note would be slow; most do not have the word
    return f"#{_PRIVATE}" in text.casefold() and _has_private_tag(tuple(findings(text).tags))


def _has_private_tag(tags: tuple[str, ...]) -> bool:
    return any(tag.casefold().partition("/")[0] == _PRIVATE for tag in tags)
