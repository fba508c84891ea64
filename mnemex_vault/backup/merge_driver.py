"""A merge driver for git: bookkeeping merged exactly, texts by git itself."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC
from pathlib import Path

from mnemex_vault.errors import UnreadableNote, WriteFailed
from mnemex_vault.text.note import Note
from mnemex_vault.text.versions import Versions, aligned, with_least_base

NAME = "mnemex"
# git merge-file tells the number of conflicts, up to this, and an error by anything above
_MOST_CONFLICTS = 127
_LABELS = ("ours", "base", "theirs")


# git tells a merge what it merges by variables that end with the name of a commit
_MERGED = "GITHEAD_"

Earlier = Callable[[str], str | None]


def earlier_in_git(root: Path, environ: Mapping[str, str]) -> Earlier:
    """Return what finds the text that a memory had, wherever it lay, before both sides of the running merge parted."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""

    def earlier(memory_id: str) -> str | None:
        merged = [name.removeprefix(_MERGED) for name in environ if name.startswith(_MERGED)]
        start = git("merge-base", "HEAD", merged[0]).strip() if len(merged) == 1 else ""
        if not start:
            return None
        found = git("grep", "-l", "-z", "-F", "-e", f"memory_id: {memory_id}", start, "--", "*.md").split("\0")
        texts = [git("cat-file", "blob", name) for name in found if name]
        texts = [text for text in texts if Note.parse("", text.encode()).memory_id == memory_id]
        return texts[0] if len(texts) == 1 else None

    return earlier


def _unknown(_memory_id: str) -> None:
    """Know no earlier text."""


def merge_files(
    base: Path, ours: Path, theirs: Path, *, path: str, marker_size: int = 7, earlier: Earlier = _unknown
) -> int:
    """Merge three files into `ours`, as git asks of a driver; return the number of conflicts left in it.

    Notes that are no memories, or cannot be read, are merged as plain text. `earlier` finds what a memory was like
    when git does not see that both sides moved the same note; without it the larger counts hold.
    """
    versions = _read(base, ours, theirs)
    if versions is not None:
        try:
            versions = _with_base(path, versions, earlier)
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


def _with_base(path: str, versions: Versions, earlier: Earlier) -> Versions:
    """Return the versions of two notes that git believes to be new with what both were made of."""
    if versions.base:
        return versions
    one, other = (Note.parse(path, text.encode()).memory_id for text in (versions.ours, versions.theirs))
    if one is None or one != other:
        return versions
    known = earlier(one)
    if known is not None:
        return replace(versions, base=known)
    return with_least_base(path, versions.ours, versions.theirs, zone=UTC)


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
