"""Which memory folders the running processes of a vault go by: two that disagree would undo each other's work."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from mnemex_vault.notes.state import private_folder
from mnemex_vault.notes.vault import Layout


class LayoutClaims:
    """A file for each layout in use, locked by every process that uses it; a lock ends with its process."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._mine: Path | None = None
        self._fd: int | None = None

    def claim(self, layout: Layout) -> None:
        """Tell the other processes which folders this one goes by; without a writable disk nobody is told."""
        text = json.dumps(asdict(layout), sort_keys=True)
        path = self._folder / f"{sha256(text.encode()).hexdigest()[:16]}.json"
        if path == self._mine:
            return
        self.release()
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(fd, fcntl.LOCK_SH)
            os.pwrite(fd, text.encode(), 0)
            self._mine, self._fd = path, fd

    def release(self) -> None:
        """Let go, as the end of the process does."""
        if self._fd is not None:
            os.close(self._fd)
        self._mine = self._fd = None

    def other(self) -> Layout | None:
        """Return the folders of another running process if they are not ours."""
        with contextlib.suppress(OSError):
            for path in sorted(self._folder.glob("*.json")):
                if path != self._mine and (found := _in_use(path)) is not None:
                    return found
        return None


def _in_use(path: Path) -> Layout | None:
    """Return the layout if some process holds it."""
    with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return Layout(**json.loads(path.read_text("utf-8")))
        finally:
            os.close(fd)
    return None
