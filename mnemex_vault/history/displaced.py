"""What a change displaces: the text that a note had, and the file that held it.

Every displaced text is a before-image, stored once under its etag. An editor that still holds the displaced file open
may yet write into it: the file itself is kept aside for a minute, so that a late text is found and put in sight.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from mnemex_vault.disk import native
from mnemex_vault.disk.native import StepHook, no_hook
from mnemex_vault.disk.state import private_folder
from mnemex_vault.text.note import etag
from mnemex_vault.text.values import file_time

KEPT = timedelta(seconds=60)
_HELD_OPEN = 32
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
        half_written = list(self._folder.glob(".*.tmp"))
        for path in half_written:
            path.unlink(missing_ok=True)
        if removed or half_written:
            folder = os.open(self._folder, native.FOLDER_FLAGS)
            try:
                native.sync(folder)
            finally:
                os.close(folder)
        return removed


class RenameInto(Protocol):
    """Moves a file of an open folder to a path."""

    def __call__(self, source: str, target: Path, /, *, src_dir_fd: int) -> None:
        """Move the file."""


@dataclass(frozen=True, slots=True)
class Late:
    """A text that someone wrote into a displaced file; `key` names it towards the parking."""

    key: str
    path: str
    text: bytes
    written: datetime


class Parking:
    """Displaced files, by the etag of the text they were displaced with."""

    def __init__(
        self, folder: Path, images: Images, *, hook: StepHook = no_hook, rename: RenameInto = os.rename
    ) -> None:
        self._folder = private_folder(folder)
        self._images = images
        self._hook = hook
        self._rename = rename
        # files of another file system cannot be moved here: held open they stay readable while we run
        self._held: dict[str, tuple[int, str]] = {}

    def take(self, folder: int, temp: str, *, path: str, data: bytes) -> None:
        """Keep the bytes durably, then move the file out of the vault.

        A file that has another name as well (a hard link) only loses this one.
        """
        if self._images.get(etag(data)) is None:
            self._images.keep([data])
        self._hook("parking: text kept")
        if os.stat(temp, dir_fd=folder, follow_symlinks=False).st_nlink > 1:
            os.unlink(temp, dir_fd=folder)
            return
        key = f"{etag(data)}-{secrets.token_hex(4)}"
        self._note_path(key, path)
        try:
            self._rename(temp, self._folder / key, src_dir_fd=folder)
        except OSError as error:
            (self._folder / f"{key}.path").unlink()
            if error.errno == errno.ENOENT:
                return
            self._hold(folder, temp, key, path)
            return
        with suppress(OSError):
            (self._folder / key).chmod(0o600)

    def _note_path(self, key: str, path: str) -> None:
        fd = os.open(self._folder / f"{key}.path", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            native.write_all(fd, path.encode("utf-8", "surrogateescape"))
        finally:
            os.close(fd)

    def _hold(self, folder: int, temp: str, key: str, path: str) -> None:
        if len(self._held) >= _HELD_OPEN:
            fd, _ = self._held.pop(next(iter(self._held)))
            os.close(fd)
        self._held[key] = (native.open_regular(folder, temp), path)
        os.unlink(temp, dir_fd=folder)

    @property
    def in_use(self) -> bool:
        """Tell whether any file is kept aside."""
        return bool(self._keys())

    def late(self) -> Iterator[Late]:
        """Yield every text that was written into a displaced file since it was taken or accepted."""
        for key in self._keys():
            fd = self._open(key)
            if fd is None:
                continue
            try:
                text = native.read_all(fd)
                written = file_time(os.fstat(fd).st_mtime)
            finally:
                os.close(fd)
            if etag(text) != key.partition("-")[0]:
                yield Late(key, self._path_of(key), text, written)

    def accept(self, late: Late) -> None:
        """Take the late text as known, because it has been put in sight."""
        key = f"{etag(late.text)}-{secrets.token_hex(4)}"
        if late.key in self._held:
            self._held[key] = self._held.pop(late.key)
            return
        for suffix in (".path", ""):
            with suppress(FileNotFoundError):
                (self._folder / f"{late.key}{suffix}").rename(self._folder / f"{key}{suffix}")

    def expire(self, *, now: datetime) -> None:
        """Let go of the files that were displaced more than a minute ago; call it after `late`."""
        for key in self._keys():
            fd = self._open(key)
            if fd is None:
                continue
            displaced = file_time(os.fstat(fd).st_ctime)
            os.close(fd)
            if now - displaced > KEPT:
                self._drop(key)
        for path in self._folder.glob("*.path"):
            if not path.with_suffix("").exists():
                path.unlink()

    def purge(self, etags: frozenset[str]) -> None:
        """Erase the displaced files of these texts."""
        for key in self._keys():
            if key.partition("-")[0] in etags:
                self._drop(key)

    def _drop(self, key: str) -> None:
        if key in self._held:
            os.close(self._held.pop(key)[0])
            return
        (self._folder / key).unlink(missing_ok=True)
        (self._folder / f"{key}.path").unlink(missing_ok=True)

    def _keys(self) -> list[str]:
        parked = [path.name for path in self._folder.iterdir() if path.suffix != ".path"]
        return sorted(parked) + list(self._held)

    def _open(self, key: str) -> int | None:
        if key in self._held:
            return os.dup(self._held[key][0])
        try:
            return os.open(self._folder / key, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None

    def _path_of(self, key: str) -> str:
        if key in self._held:
            return self._held[key][1]
        try:
            return (self._folder / f"{key}.path").read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""
