"""A file to which several processes append records, safe against a cut at any byte.

Every line is a checksum and a JSON text. A line that is not whole does not count: at the end it is a write that was
never acknowledged, and the next append takes it away; elsewhere it is counted as damaged and passed over.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar
from zlib import crc32

import msgspec

from mnemex_vault.disk import native

Record = TypeVar("Record")

_TAIL = 1 << 16


def encode_line(record: object) -> bytes:
    r"""Return the line of a record.

    >>> encode_line({"a": 1})
    b'561bacaf {"a":1}\n'
    """
    text = msgspec.json.encode(record)
    return b"%08x %b\n" % (crc32(text), text)


class AppendLog(Generic[Record]):
    """Records of one type, in the order in which they were appended."""

    def __init__(self, path: Path, record_type: Any) -> None:
        self._path = path
        self._decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(record_type)
        self._mutex = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._records: tuple[Record, ...] = ()
        self._anew = True
        self._inode = self._offset = self.damaged = 0
        self._seen: tuple[int, int, int] | None = None

    def append(self, records: Iterable[Record], *, durable: bool = True) -> None:
        """Append records in one write, on the disk when it returns if `durable`; after an OSError nothing was added."""
        lines = b"".join(encode_line(record) for record in records)
        with self._mutex, self._locked() as fd:
            end = _drop_torn_line(fd)
            try:
                native.write_all(fd, lines)
                if durable:
                    os.fdatasync(fd)
            except OSError:
                os.ftruncate(fd, end)
                raise

    def read(self) -> Sequence[Record]:
        """Return all whole records, which are kept in memory; only what was appended since the last call is read."""
        with self._mutex:
            if fresh := self._appended():
                self._records += tuple(fresh)
            return self._records

    def follow(self) -> tuple[list[Record], bool]:
        """Return what was appended since the last call, and whether it stands in place of all that was before.

        For a caller who keeps what the records come to, and never calls `read`.
        """
        with self._mutex:
            records = self._appended()
            anew, self._anew = self._anew, False
            return records, anew

    def _appended(self) -> list[Record]:
        try:
            if _version(self._path.stat()) == self._seen:
                return []
            fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if self._seen is not None:
                self._forget()
            return []
        try:
            return self._read_on(fd)
        finally:
            os.close(fd)

    def rewrite(self, keep: Callable[[Sequence[Record]], Iterable[Record]]) -> None:
        """Replace the whole content by what `keep` returns for the present records; nobody can append meanwhile."""
        with self._mutex, self._locked() as fd:
            self._forget()
            text = b"".join(encode_line(record) for record in keep(self._read_on(fd)))
            folder = os.open(self._path.parent, native.FOLDER_FLAGS)
            try:
                temp = f".{self._path.name}.tmp"
                (self._path.parent / temp).unlink(missing_ok=True)
                native.write_new(folder, temp, text)
                os.rename(temp, self._path.name, src_dir_fd=folder, dst_dir_fd=folder)
                native.sync(folder)
            finally:
                os.close(folder)
            self._forget()

    def _read_on(self, fd: int) -> list[Record]:
        found = os.fstat(fd)
        if found.st_ino != self._inode or found.st_size < self._offset:
            self._forget()
            self._inode = found.st_ino
        self._seen = _version(found)
        data = os.pread(fd, found.st_size - self._offset, self._offset)
        whole = data.rfind(b"\n") + 1
        self._offset += whole
        return list(self._decoded(data[:whole].split(b"\n")[:-1]))

    def _decoded(self, lines: Iterable[bytes]) -> Iterator[Record]:
        for line in lines:
            checksum, _, text = line.partition(b" ")
            try:
                if checksum != b"%08x" % crc32(text):
                    raise msgspec.DecodeError("wrong checksum")
                yield self._decoder.decode(text)
            except msgspec.DecodeError:
                self.damaged += 1

    @contextmanager
    def _locked(self) -> Iterator[int]:
        fd = self._open_locked()
        try:
            yield fd
        finally:
            os.close(fd)

    def _open_locked(self) -> int:
        """Open and lock the file that is there now: another process may replace it while we wait for the lock."""
        while True:
            created = not self._path.exists()
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            fcntl.flock(fd, fcntl.LOCK_EX)
            try:
                if self._path.lstat().st_ino == os.fstat(fd).st_ino:
                    if created:
                        native.sync_folder(self._path.parent)
                    return fd
            except FileNotFoundError:
                pass
            os.close(fd)


def _version(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _drop_torn_line(fd: int) -> int:
    """Cut off what follows the last line end; return the size."""
    size = end = os.fstat(fd).st_size
    if size and os.pread(fd, 1, size - 1) == b"\n":
        return size
    while end:
        start = max(0, end - _TAIL)
        cut = os.pread(fd, end - start, start).rfind(b"\n")
        if cut >= 0:
            end = start + cut + 1
            break
        end = start
    if end < size:
        os.ftruncate(fd, end)
    return end
