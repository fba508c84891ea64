"""Many notes moved one after the other: their folders are flushed once each, and their names read once in a while."""

from __future__ import annotations

import os
from contextlib import suppress

from mnemex_vault.disk import native
from mnemex_vault.disk.names import FolderKey, key_of
from mnemex_vault.language.folding import name_key

_HELD_OPEN = 32
# so many moves rest on one look at the names of a folder
_KNOWN_FOR = 200


class Batch:
    """What the moves of one operation share; close it when done."""

    def __init__(self) -> None:
        self._waiting: dict[FolderKey, int] = {}
        self._names: dict[FolderKey, dict[str, str]] = {}
        self._moves = 0

    def names(self, folder: int) -> dict[str, str]:
        """Return what a folder holds, by the folded names; others may have added some since it was looked at."""
        key = key_of(folder)
        if key not in self._names:
            self._names[key] = {name_key(name): name for name in os.listdir(folder)}
        return self._names[key]

    def moved(self, source_folder: int, name: str, folder: int, new_name: str) -> None:
        """Take note of a move: both folders are to be flushed."""
        self._moves += 1
        if self._moves % _KNOWN_FOR == 0:
            self._names.clear()
        self._names.get(key_of(source_folder), {}).pop(name_key(name), None)
        if key_of(folder) in self._names:
            self._names[key_of(folder)][name_key(new_name)] = new_name
        self.changed(folder)
        self.changed(source_folder)

    def changed(self, folder: int) -> None:
        """Take note of an open folder that is to be flushed."""
        key = key_of(folder)
        if key in self._waiting:
            return
        if len(self._waiting) >= _HELD_OPEN:
            self.flush()
        self._waiting[key] = os.dup(folder)

    def flush(self) -> None:
        """Flush what waits; all of it is on the disk when it returns."""
        while self._waiting:
            key, folder = next(iter(self._waiting.items()))
            native.sync(folder)
            del self._waiting[key]
            os.close(folder)

    def close(self) -> None:
        """Let go of the folders; those that a failure left waiting are flushed as well as that goes."""
        for folder in self._waiting.values():
            with suppress(OSError):
                native.sync(folder)
            os.close(folder)
        self._waiting.clear()
