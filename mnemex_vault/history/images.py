"""Before-images: texts that a change displaced, each stored once under its etag."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from mnemex_vault.notes import native
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.state import private_folder

# more texts than this are flushed with one call
_FLUSHED_ALONE = 8
_ETAG = re.compile(r"[0-9a-f]{32}")


class Images:
    """A folder of texts; a text whose bytes no longer give its etag does not count as there."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)

    def keep(self, texts: Iterable[bytes], *, flush: bool = True) -> None:
        """Store these texts; when it returns they are on the disk, unless that is not asked for."""
        wanted = {etag(text): text for text in texts}
        if not wanted:
            return
        folder = os.open(self._folder, native.FOLDER_FLAGS)
        try:
            missing = {name: text for name, text in wanted.items() if self.get(name) is None}
            self._keep_all(folder, missing, flush=flush)
            if flush:
                native.sync(folder)
        finally:
            os.close(folder)

    def _keep_all(self, folder: int, missing: Mapping[str, bytes], *, flush: bool) -> None:
        temps = {name: f".{name}-{secrets.token_hex(4)}.tmp" for name in missing}
        together = len(missing) > _FLUSHED_ALONE
        try:
            for name, temp in temps.items():
                native.write_new(folder, temp, missing[name], flush=flush and not together)
            if flush and together:
                native.sync_files(folder, list(temps.values()))
            for name, temp in temps.items():
                os.rename(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            for temp in temps.values():
                with suppress(OSError):
                    os.unlink(temp, dir_fd=folder)
            raise

    def get(self, name: str) -> bytes | None:
        """Return the text with this etag, or None; anything that is no etag, a path for example, is not looked for."""
        if not _ETAG.fullmatch(name):
            return None
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
