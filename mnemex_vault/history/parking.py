"""Displaced files after a save: an editor that still holds one open may yet write into it.

Their texts are before-images already; the files themselves are kept aside for a minute, so that a late text is
found and put in sight.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from mnemex_vault.history.images import Images
from mnemex_vault.notes import native
from mnemex_vault.notes.dates import file_time
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.hooks import StepHook, no_hook
from mnemex_vault.notes.state import private_folder

KEPT = timedelta(seconds=60)
_HELD_OPEN = 32


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
