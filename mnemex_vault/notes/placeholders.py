"""What a sync service leaves in the place of a note whose text it keeps elsewhere until somebody asks for it."""

from __future__ import annotations

import os

_HIDDEN = ".icloud"
_BESIDE = (".nextcloud", ".owncloud")


def note_of(name: str) -> str | None:
    """Return the name of the note that a file stands in for, None if it stands in for none.

    >>> note_of(".Tea.md.icloud"), note_of("Tea.md.nextcloud"), note_of("Tea.md")
    ('Tea.md', 'Tea.md', None)
    """
    if name.startswith(".") and name.endswith(_HIDDEN):
        return name[1 : -len(_HIDDEN)]
    return next((name.removesuffix(ending) for ending in _BESIDE if name.endswith(ending)), None)


def names_for(note: str) -> tuple[str, ...]:
    """Return the names that a file may have which stands in for the note."""
    return (f".{note}{_HIDDEN}", *(note + ending for ending in _BESIDE))


def stat_of(folder: int, note: str) -> os.stat_result:
    """Return what the system knows of a note, or else of what stands in for it; raises OSError."""
    try:
        return os.stat(note, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        found = _stand_in(folder, note)
        if found is None:
            raise
        return found


def is_elsewhere(folder: int, note: str) -> bool:
    """Tell whether something stands in for a note."""
    return _stand_in(folder, note) is not None


def _stand_in(folder: int, note: str) -> os.stat_result | None:
    for name in names_for(note):
        try:
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            continue
    return None
