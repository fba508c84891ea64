"""Names that some file system or sync service takes for one: no two notes of a folder may bear such."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mnemex_vault.errors import NoteExists
from mnemex_vault.notes.paths import fold
from mnemex_vault.notes.placeholders import names_for


def refuse_twin(path: str, folder: int, name: str, *, besides: str | None = None) -> None:
    """Raise NoteExists if an open folder holds a twin of the name, or its placeholder; `besides` does not count."""
    wanted = fold(name)
    placeholders = frozenset(map(fold, names_for(name)))
    for other in os.listdir(folder):
        # folders may hold many thousands of notes, nearly all with plain names
        folded = other.lower() if other.isascii() else fold(other)
        if folded in placeholders:
            raise NoteExists(path)
        if folded == wanted and other != besides:
            raise NoteExists(path.removesuffix(name) + other)


def refuse_taken(path: str, name: str, taken: Mapping[str, str], *, besides: str | None = None) -> None:
    """Do the same by the names of the folder, which `taken` gives by their folded forms."""
    if any(fold(placeholder) in taken for placeholder in names_for(name)):
        raise NoteExists(path)
    other = taken.get(fold(name))
    if other is not None and other != besides:
        raise NoteExists(path.removesuffix(name) + other)
