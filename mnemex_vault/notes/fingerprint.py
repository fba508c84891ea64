"""What tells that a file changed, and reading one that does not change meanwhile."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from mnemex_vault.errors import NoteAway, UnreadableNote
from mnemex_vault.notes import native
from mnemex_vault.notes.placeholders import is_elsewhere

NOT_HERE = "it is not on this device yet"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What changes when a file changes, by all likelihood."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def from_stat(cls, found: os.stat_result) -> Fingerprint:
        """Take the fingerprint of a file."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def read_once(path: str, folder: int, name: str, limit: int, *, offloads: bool) -> tuple[bytes, Fingerprint] | None:
    """Read a file; None if it changed in between."""
    try:
        fd = native.open_regular(folder, name)
    except FileNotFoundError:
        if is_elsewhere(folder, name):
            raise NoteAway(path, NOT_HERE) from None
        raise
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableNote(path, "it is not a file")
        if found.st_size > limit:
            raise UnreadableNote(path, f"it is larger than {limit} bytes")
        if offloads and found.st_size and not found.st_blocks:
            raise NoteAway(path, NOT_HERE)
        data = native.read_all(fd)
    finally:
        os.close(fd)
    before = Fingerprint.from_stat(found)
    after = Fingerprint.from_stat(os.stat(name, dir_fd=folder, follow_symlinks=False))
    return (data, before) if before == after and len(data) == before.size else None
