"""The vault on a real disk, its journal and the children that die, as the tests of files have them."""

from __future__ import annotations

from tests.disk.conftest import crash_points, disk, files, in_child, means

__all__ = ["crash_points", "disk", "files", "in_child", "means"]
