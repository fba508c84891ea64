"""A merge driver for git: bookkeeping merged exactly, texts by git itself."""

from __future__ import annotations

import subprocess
import tempfile
from datetime import UTC
from pathlib import Path

from mnemex_vault.errors import UnreadableNote, WriteFailed
from mnemex_vault.notes.merging import Versions, aligned

NAME = "mnemex"
# git merge-file tells the number of conflicts, up to this, and an error by anything above
_MOST_CONFLICTS = 127
_LABELS = ("ours", "base", "theirs")


def merge_files(base: Path, ours: Path, theirs: Path, *, path: str, marker_size: int = 7) -> int:
    """Merge three files into `ours`, as git asks of a driver; return the number of conflicts left in it.

    Notes that are no memories, or cannot be read, are merged as plain text.
    """
    versions = _read(base, ours, theirs)
    if versions is not None:
        try:
            # times are compared and copied as they are spelled, so that the zone does not matter
            versions = aligned(path, versions, zone=UTC)
        except UnreadableNote:
            versions = None
    if versions is None:
        return _merge(ours, base, theirs, ours, marker_size)
    with tempfile.TemporaryDirectory(prefix="mnemex-merge-") as folder:
        files = [Path(folder) / name for name in _LABELS]
        for file, text in zip(files, (versions.ours, versions.base, versions.theirs), strict=True):
            file.write_bytes(text.encode())
        return _merge(files[0], files[1], files[2], ours, marker_size)


def _read(base: Path, ours: Path, theirs: Path) -> Versions | None:
    try:
        return Versions(*(file.read_bytes().decode() for file in (base, ours, theirs)))
    except UnicodeDecodeError:
        return None


def _merge(ours: Path, base: Path, theirs: Path, result: Path, marker_size: int) -> int:
    command = ["git", "merge-file", "-p", f"--marker-size={marker_size}"]
    for label in _LABELS:
        command += ["-L", label]
    done = subprocess.run([*command, str(ours), str(base), str(theirs)], capture_output=True, check=False)
    if not 0 <= done.returncode <= _MOST_CONFLICTS:
        raise WriteFailed(str(result), done.stderr.decode(errors="replace").strip() or "git merge-file failed")
    result.write_bytes(done.stdout)
    return done.returncode
