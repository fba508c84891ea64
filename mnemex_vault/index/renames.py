"""Telling a renamed memory folder from notes that were dragged: nothing changes tier then."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from mnemex_vault.index.entry import Entry
from mnemex_vault.notes.files import Fingerprint
from mnemex_vault.notes.names import name_key
from mnemex_vault.notes.state import replace_private
from mnemex_vault.notes.vault import Layout

FIELDS = ("short_term", "long_term", "archive")


def renamed_folders(
    layout: Layout,
    gone: Iterable[Entry],
    arrived: Mapping[str, Fingerprint],
    *,
    exists: Callable[[str], bool],
) -> dict[str, str]:
    """Return the memory folders that now bear another name: field of the layout -> new folder.

    A folder was renamed if it is no longer there and all its notes that can be found again lie together elsewhere.
    """
    departed = list(gone)
    by_inode = {fingerprint.inode: path for path, fingerprint in arrived.items()}
    found = {}
    for field in FIELDS:
        folder = getattr(layout, field)
        below = [entry for entry in departed if name_key(entry.path).startswith(name_key(folder) + "/")]
        homes = {_home(entry, folder, by_inode.get(entry.fingerprint.inode)) for entry in below} - {None}
        if len(homes) == 1 and not exists(folder):
            found[field] = str(homes.pop())
    return found


def _home(entry: Entry, folder: str, path: str | None) -> str | None:
    """Return the folder that took the place of `folder`, judged by one note."""
    inside = entry.path[len(folder) :]
    if path is None or not name_key(path).endswith(name_key(inside)):
        return None
    return path[: -len(inside)] or None


def with_folders(layout: Layout, folders: Mapping[str, str]) -> Layout:
    """Return the layout with these folders in place of the named ones."""
    return replace(layout, **{field: folder for field, folder in folders.items() if field in FIELDS})


class RenamedFolders:
    """What is remembered of renamed folders, in a file beside the index."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> dict[str, str]:
        """Return field of the layout -> folder."""
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(self._path.read_text("utf-8"))
            return {field: str(found[field]) for field in FIELDS if field in found}
        return {}

    def keep(self, renames: Mapping[str, str], *, anew: bool = False) -> None:
        """Add these, or replace all by these."""
        known = self.load()
        wanted = dict(renames) if anew else known | dict(renames)
        if wanted == known:
            return
        with contextlib.suppress(OSError):
            replace_private(self._path, json.dumps(wanted))
