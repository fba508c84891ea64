"""Going through the files of a vault, quickly and without following a link."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from mnemex_vault.errors import VaultUnavailable

Unreadable = Callable[[str, OSError], None]


def walk(
    root: Path,
    *,
    start: str = "",
    wanted: Callable[[str], bool],
    excluded: Collection[str] = (),
    unreadable: Unreadable | None = None,
    left_out: Callable[[str], None] | None = None,
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield path and entry of every regular file below `start` with a wanted name; dot folders are left out.

    A folder that cannot be read is told to `unreadable`; without that, and for the root always, it raises
    VaultUnavailable, so that it is never taken for an empty one. A folder or wanted file whose name cannot be opened
    is told to `left_out`.
    """
    pending = [start + "/" if start else ""]
    while pending:
        prefix = pending.pop()
        for entry in _entries(root, prefix, unreadable):
            name = entry.name
            if not is_openable(name):
                if left_out and (wanted(name) or _is(entry.is_dir)):
                    left_out(prefix + name)
                continue
            if wanted(name) and _is(entry.is_file):
                yield prefix + name, entry
            elif not name.startswith(".") and _is(entry.is_dir) and prefix + name not in excluded:
                pending.append(f"{prefix}{name}/")


def is_openable(name: str) -> bool:
    r"""Tell whether a name is text, and without the backslash that Obsidian would take for a folder.

    >>> is_openable("Tea.md"), is_openable("a\\b.md"), is_openable("bad\udcff.md")
    (True, False, False)
    """
    if name.isascii():
        return "\\" not in name
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return "\\" not in name


def _is(kind: Callable[..., bool]) -> bool:
    """Tell whether an entry is of a kind; one that does not tell is taken for it: opening it will say what is wrong."""
    try:
        return kind(follow_symlinks=False)
    except OSError:
        return True


def _entries(root: Path, prefix: str, unreadable: Unreadable | None) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(f"{root}/{prefix}") as entries:
            return list(entries)
    except OSError as error:
        # a path that is too long for the system never was one of a known note
        if prefix and error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
            return []
        if not prefix or unreadable is None:
            raise VaultUnavailable(root, f"{prefix or 'the vault'} cannot be read: {error.strerror}") from error
        unreadable(prefix.rstrip("/"), error)
        return []
