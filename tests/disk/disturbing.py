"""What disturbs the work on files: people who edit, disks that fail, file systems that cannot do everything."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from mnemex_vault.disk import native
from tests.disk.conftest import Disk

STEPS_BEFORE = ["replace: temp written", "replace: temp named", "replace: compared"]


class Displaced:
    """Takes displaced files away, remembering their bytes."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def __call__(self, folder: int, temp: str, *, path: str, data: bytes) -> None:
        assert native.read_file(folder, temp) == data
        os.unlink(temp, dir_fd=folder)
        self.texts.append(data)


class Fails:
    """Raises an error of the system at a step."""

    def __init__(self, step: str) -> None:
        self.step = step

    def __call__(self, step: str) -> None:
        if step == self.step:
            raise OSError(errno.EIO, "the disk is broken")


class EditsAt:
    """Lets someone else act at a step."""

    def __init__(self, step: str, act: Callable[[], object]) -> None:
        self.step, self.act = step, act

    def __call__(self, step: str) -> None:
        if step == self.step:
            self.step = ""
            self.act()


def save_as_editor(disk: Disk, path: str, text: str, style: str) -> None:
    """Save a note in the style of an editor: `in place` or `by rename`."""
    if style == "in place":
        disk.put(path, text)
    else:
        disk.put("editor.tmp", text).rename(disk.root / path)


def across(source_folder: int, source: str, folder: int, name: str) -> None:
    """Rename as between two file systems, which fails."""
    if not os.path.sameopenfile(source_folder, folder):
        raise OSError(errno.EXDEV, "another file system")
    native.rename(source_folder, source, folder, name)
