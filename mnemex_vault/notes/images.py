"""Before-images: texts that a change displaced, each stored once under its etag."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from mnemex_vault.notes import native
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.state import private_folder


class Images:
    """A folder of texts; a text whose bytes no longer give its etag does not count as there."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)

    def keep(self, texts: Iterable[bytes]) -> None:
        """Store these texts; when it returns they are on the disk."""
        texts = list(texts)
        if not texts:
            return
        folder = os.open(self._folder, native.FOLDER_FLAGS)
        try:
            for text in texts:
                self._keep_one(folder, text)
            native.sync(folder)
        finally:
            os.close(folder)

    def _keep_one(self, folder: int, text: bytes) -> None:
        name = etag(text)
        if self.get(name) is None:
            temp = f".{name}-{secrets.token_hex(4)}.tmp"
            native.write_new(folder, temp, text)
            os.rename(temp, name, src_dir_fd=folder, dst_dir_fd=folder)

    def get(self, name: str) -> bytes | None:
        """Return the text with this etag, or None."""
        try:
            data = (self._folder / name).read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            return None
        return data if etag(data) == name else None

    def sizes(self) -> dict[str, int]:
        """Return the bytes that each text takes, by etag."""
        with os.scandir(self._folder) as entries:
            return {entry.name: entry.stat().st_size for entry in entries if not entry.name.startswith(".")}

    def remove(self, names: Iterable[str]) -> int:
        """Erase these texts and whatever a crash left half written; return how many texts there were."""
        removed = 0
        for name in names:
            with suppress(FileNotFoundError):
                (self._folder / name).unlink()
                removed += 1
        for path in self._folder.glob(".*.tmp"):
            path.unlink(missing_ok=True)
        folder = os.open(self._folder, native.FOLDER_FLAGS)
        try:
            native.sync(folder)
        finally:
            os.close(folder)
        return removed
