"""What a file carries besides its bytes."""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def copy_attributes(source: int, target: int, *, times: bool = False) -> None:
    """Give an open file the mode, owner and extended attributes of another, as far as the system allows."""
    wanted, found = os.fstat(source), os.fstat(target)
    if (wanted.st_uid, wanted.st_gid) != (found.st_uid, found.st_gid):
        with suppress(PermissionError):
            os.fchown(target, -1, wanted.st_gid)
            os.fchown(target, wanted.st_uid, -1)
    os.fchmod(target, stat.S_IMODE(wanted.st_mode))
    if hasattr(os, "listxattr"):
        _copy_extended(source, target)
    if times:
        os.utime(target, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))


def _copy_extended(source: int, target: int) -> None:
    with suppress(OSError):
        for name in os.listxattr(source):
            with suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))
