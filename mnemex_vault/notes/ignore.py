"""Which files of a vault are notes to us."""

from __future__ import annotations

import re

from mnemex_vault.notes.temp import is_temp

_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{1,16})?$"  # Syncthing
    r"|\([^()]*conflicted copy[^()]*\)( ?\(?\d{1,3}\)?)?$",  # Obsidian Sync, Dropbox, Nextcloud, and our own
    re.IGNORECASE,
)
_NOT_NOTES = (".excalidraw.md",)


def is_conflict_copy(path: str) -> bool:
    """Tell whether a sync tool, or we, put a second version of a note here.

    >>> is_conflict_copy("Work/Tea.sync-conflict-20260102-120000-ABCDEFG.md"), is_conflict_copy("Tea.md")
    (True, False)
    """
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() == "md" and _CONFLICT_COPY.search(stem) is not None


def is_hidden(name: str) -> bool:
    """Tell whether a file or folder is left out with all that lies in it."""
    return name.startswith(".") or is_temp(name)


def is_note_name(name: str) -> bool:
    """Tell whether a file of this name is a note of any kind, a conflict copy included."""
    lowered = name.lower()
    return (
        lowered.endswith(".md")
        and not lowered.endswith(_NOT_NOTES)
        and not name.startswith((".", "~$", "~syncthing~"))
        and len(name) > len(".md")
    )
