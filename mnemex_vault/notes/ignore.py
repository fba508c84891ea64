"""Which files of a vault are notes to us."""

from __future__ import annotations

import re

_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{1,16})?$"  # Syncthing
    r"|\([^()]*conflicted copy[^()]*\)( ?\(?\d{1,3}\)?)?$",  # Obsidian Sync, Dropbox, Nextcloud, and our own
    re.IGNORECASE,
)
_NOT_NOTES = ".excalidraw.md"
# hidden files, and what office programs and Syncthing put beside a file while they write it
_FOREIGN_TEMP = (".", "~$", "~syncthing~")


def is_conflict_copy(path: str) -> bool:
    """Tell whether a sync tool, or we, put a second version of a note here.

    >>> is_conflict_copy("Work/Tea.sync-conflict-20260102-120000-ABCDEFG.md"), is_conflict_copy("Tea.md")
    (True, False)
    """
    if "conflict" not in path.lower():
        return False
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() == "md" and _CONFLICT_COPY.search(stem) is not None


def is_note_name(name: str) -> bool:
    """Tell whether a file of this name is a note of any kind, a conflict copy included."""
    lowered = name.lower()
    return lowered.endswith(".md") and not lowered.startswith(_FOREIGN_TEMP) and not lowered.endswith(_NOT_NOTES)
