"""The catalog on disk: a log of entries beside the text index, each line with its checksum; its age is the index's.

It only saves reading notes again at the next start. A damaged, cut or foreign line is left out: the note it
was about counts as new and is read again, so damage can cost time but never a wrong fact.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
from filelock import FileLock, Timeout

from mnemex_vault.errors import LockTimeout
from mnemex_vault.index.entry import Entry
from mnemex_vault.text.values import file_time

# The catalog on disk: a log of entries beside the text index, each line with its checksum.

FORMAT = b"mnemex-catalog 3\n"
# so long an append waits for another process: it may come later, and somebody may wait for an answer
_APPEND_SECONDS = 0.5
_REWRITE_SECONDS = 5.0
# a log this many times longer than what is alive is written anew
_SLACK = 3
_FEW = 2_000


class _Gone(msgspec.Struct, frozen=True, tag="gone"):
    path: str


_encoder = msgspec.json.Encoder()


class CatalogFile:
    """The log at `path`; several processes may append to it and replace it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(f"{path}.lock", mode=0o600)
        self._decoder = msgspec.json.Decoder(Entry | _Gone)

    def load(self) -> list[Entry]:
        """Return the entries that are alive; an unreadable file is an empty one."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return []
        if not data.startswith(FORMAT):
            return []
        alive: dict[str, Entry] = {}
        for record in self._records(data):
            if isinstance(record, Entry):
                alive[record.path] = record
            else:
                alive.pop(record.path, None)
        return list(alive.values())

    def _records(self, data: bytes) -> Iterator[Entry | _Gone]:
        for line in data.split(b"\n")[1:]:
            checksum, _, payload = line.partition(b" ")
            if not payload or checksum != _checksum(payload):
                continue
            with contextlib.suppress(msgspec.MsgspecError, ValueError):
                yield self._decoder.decode(payload)

    def append(self, entries: Iterable[Entry], removed: Iterable[str], *, alive: int) -> bool:
        """Add what changed; return whether the log has grown so long that `rewrite` is due.

        Raises LockTimeout soon when another process has the file, and OSError.
        """
        lines = [_line(_Gone(path)) for path in removed] + [_line(entry) for entry in entries]
        if not lines:
            return False
        with self._locked(_APPEND_SECONDS):
            fresh = not self._path.exists()
            with _open_private(self._path, os.O_APPEND) as file:
                # a line that another process could not finish must not swallow ours
                file.write(FORMAT if fresh else b"\n")
                file.writelines(lines)
                size = file.tell()
        average = sum(map(len, lines)) / len(lines)
        return size > _SLACK * average * (alive + _FEW)

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Replace the log by these entries, atomically."""
        temporary = self._path.with_suffix(f".{os.getpid()}.new")
        with self._locked(_REWRITE_SECONDS):
            with _open_private(temporary, os.O_TRUNC) as file:
                file.write(FORMAT)
                file.writelines(_line(entry) for entry in entries)
            temporary.replace(self._path)

    def erase_others(self) -> None:
        """Erase the files of other versions of the program, and what a killed process left; raises OSError."""
        with self._locked(_REWRITE_SECONDS):
            for path in self._path.parent.glob("catalog-*"):
                if path.name not in (self._path.name, f"{self._path.name}.lock"):
                    path.unlink()

    def extent(self) -> tuple[int, int]:
        """Return how many records the log holds, outdated ones as well, and how many bytes."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return 0, 0
        return sum(1 for line in data.split(b"\n")[1:] if line), len(data)

    @contextlib.contextmanager
    def _locked(self, seconds: float) -> Iterator[None]:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with self._lock.acquire(timeout=seconds):
                yield
        except Timeout as error:
            raise LockTimeout("catalog", seconds) from error


def _open_private(path: Path, flags: int) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o600), "wb")


def _line(record: Entry | _Gone) -> bytes:
    payload = _encoder.encode(record)
    return _checksum(payload) + b" " + payload + b"\n"


def _checksum(payload: bytes) -> bytes:
    return b"%08x" % zlib.crc32(payload)


# How old an index is, as its files tell.


def written_at(folder: Path) -> datetime | None:
    """Return when anything in the folder of an index was last written; None if there is nothing."""
    try:
        times = [file.stat().st_mtime for file in folder.iterdir() if file.is_file()]
    except OSError:
        return None
    return file_time(max(times)) if times else None
