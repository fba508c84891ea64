"""Folders and files outside the vault that are for one person alone, and when something last happened in a vault."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from mnemex_vault.disk import native
from mnemex_vault.errors import ConfigError

# Folders and files outside the vault that are for one person alone.


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter, or tighten one that is there.

    Raises ConfigError when it is a link, not a folder, or belongs to someone else.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        _check(path, found)
        if stat.S_IMODE(found.st_mode) != 0o700:
            path.chmod(0o700)
    except OSError as error:
        raise ConfigError([f"the state folder {path} cannot be used: {error.strerror}"]) from error
    return path


def write_private(path: Path, text: str, *, durable: bool = False) -> None:
    """Write a file that only its owner may read, whatever the process's mask; raises OSError."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)

    with open(path, "w", encoding="utf-8", opener=opener) as file:
        file.write(text)
        if durable:
            file.flush()
            native.sync(file.fileno())


def replace_private(path: Path, text: str, *, durable: bool = False) -> None:
    """Put such a file in the place of another at once, so that nobody reads half of it; raises OSError.

    One that is `durable` is there after a power cut as well.
    """
    temporary = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.new")
    try:
        write_private(temporary, text, durable=durable)
        temporary.replace(path)
        if durable:
            native.sync_folder(path.parent)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def keep_newest(folder: Path, most: int) -> None:
    """Remove the oldest files of a folder that holds one a conversation, beyond so many; raises OSError."""
    found = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.json")]
    for _, path in sorted(found, reverse=True)[most:]:
        path.unlink(missing_ok=True)


def _check(path: Path, found: os.stat_result) -> None:
    if is_link(found):
        raise ConfigError([f"the state folder {path} is a link"])
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigError([f"the state folder {path} is not a folder"])
    # Windows has no such numbers; a profile's folders are closed to others there
    if sys.platform != "win32" and found.st_uid != os.geteuid():
        raise ConfigError([f"the state folder {path} belongs to another user"])


def is_link(found: os.stat_result) -> bool:
    """Tell whether what `lstat` found leads elsewhere, as a symbolic link or a junction of Windows."""
    if sys.platform == "win32":
        return found.st_reparse_tag in (stat.IO_REPARSE_TAG_SYMLINK, stat.IO_REPARSE_TAG_MOUNT_POINT)
    return stat.S_ISLNK(found.st_mode)


# When something last happened in a vault, remembered in a file of the state folder; losing it costs nothing.


class Moments:
    """Names and times in one file, shared by the processes of a vault."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()

    def last(self, what: str) -> datetime | None:
        """Return when it last happened, None if that is not known."""
        with contextlib.suppress(ValueError, TypeError, KeyError):
            moment = datetime.fromisoformat(self._all()[what])
            return moment if moment.tzinfo else None
        return None

    def remember(self, what: str, at: datetime) -> None:
        """Write down that it happened then; a disk that refuses is no reason to stop."""
        self.remember_all({what: at})

    def remember_all(self, moments: Mapping[str, datetime | None]) -> None:
        """Write several down at once; None forgets one."""
        with self._mutex, contextlib.suppress(OSError):
            present = self._all()
            wanted = {name: moment.isoformat() for name, moment in moments.items() if moment is not None}
            kept = {name: moment for name, moment in present.items() if name not in moments} | wanted
            if kept != present:
                replace_private(self._path, json.dumps(kept))

    def _all(self) -> dict[str, str]:
        with contextlib.suppress(OSError, ValueError):
            return dict(json.loads(self._path.read_text("utf-8")))
        return {}
