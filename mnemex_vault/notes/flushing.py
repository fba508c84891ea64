"""When changed folders are flushed: each after its change, or each once after many."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

from mnemex_vault.notes import native

# takes an open folder in which a name came or went
Flush = Callable[[int], None]

_HELD_OPEN = 32


class FlushLater:
    """Folders that wait to be flushed, each once however many of its notes moved; close it when done."""

    def __init__(self) -> None:
        self._folders: dict[tuple[int, int], int] = {}

    def __call__(self, folder: int) -> None:
        """Remember an open folder."""
        found = os.fstat(folder)
        key = (found.st_dev, found.st_ino)
        if key in self._folders:
            return
        if len(self._folders) >= _HELD_OPEN:
            self.flush()
        self._folders[key] = os.dup(folder)

    def flush(self) -> None:
        """Flush what waits; all of it is on the disk when it returns."""
        while self._folders:
            key, folder = next(iter(self._folders.items()))
            native.sync(folder)
            del self._folders[key]
            os.close(folder)

    def close(self) -> None:
        """Let go of the folders; those that a failure left waiting are flushed as well as that goes."""
        for folder in self._folders.values():
            with suppress(OSError):
                native.sync(folder)
            os.close(folder)
        self._folders.clear()
