"""Which files of a vault are notes to us."""

from __future__ import annotations

import re

_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{1,16})?$"  # Syncthing
    r"|\([^()]*conflicted copy[^()]*\)( ?\(?\d{1,3}\)?)?$",  # Obsidian Sync, Dropbox, Nextcloud, and our own
    re.IGNORECASE,
)
# what iCloud, Google Drive, OneDrive and file managers put behind a name that is taken
_NUMBERED_COPY = re.compile(r" ?\(\d{1,3}\)| \d{1,3}| (- )?copy( \(?\d{1,3}\)?)?|-[A-Z0-9-]{1,15}", re.IGNORECASE)
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


def original_path(path: str) -> str:
    """Return the path of the note that a conflict copy was made of, by its name.

    >>> original_path("Work/Tea (Bob's conflicted copy 2026-01-02).md")
    'Work/Tea.md'
    """
    stem, dot, suffix = path.rpartition(".")
    return f"{_CONFLICT_COPY.sub('', stem).rstrip()}{dot}{suffix}"


def may_be_copy(path: str, *, original: str) -> bool:
    """Tell whether a tool may have given a copy of the original this name; only what the notes say can prove it.

    >>> may_be_copy("Tea (1).md", original="Tea.md"), may_be_copy("Tea 2.md", original="Tea.md")
    (True, True)
    >>> may_be_copy("Tea time.md", original="Tea.md"), may_be_copy("Work/Tea 2.md", original="Tea.md")
    (False, False)
    """
    (stem, _, suffix), (start, _, original_suffix) = path.rpartition("."), original.rpartition(".")
    same_kind = suffix.lower() == original_suffix.lower() and stem.startswith(start)
    return same_kind and _NUMBERED_COPY.fullmatch(stem[len(start) :]) is not None


def is_note_name(name: str) -> bool:
    """Tell whether a file of this name is a note of any kind, a conflict copy included."""
    lowered = name.lower()
    return lowered.endswith(".md") and not lowered.startswith(_FOREIGN_TEMP) and not lowered.endswith(_NOT_NOTES)
