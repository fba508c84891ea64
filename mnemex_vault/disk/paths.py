"""Paths inside a vault: which may be opened, all that are there, which are one to some system or a sync service."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from mnemex_vault.errors import NoteExists, PathOutsideVault, VaultUnavailable
from mnemex_vault.language.folding import name_key

# Which paths inside a vault may be opened at all.


@dataclass(frozen=True, slots=True)
class PathRule:
    """What may be opened: files with one of these suffixes, and dot folders only if named here."""

    suffixes: tuple[str, ...] = (".md",)
    hidden: tuple[str, ...] = ()

    def parts(self, path: str) -> tuple[str, ...]:
        """Split a vault-relative path of a file; raises PathOutsideVault.

        >>> PathRule().parts("Memories/Short-term/Tea.md")
        ('Memories', 'Short-term', 'Tea.md')
        """
        parts = self.folder_parts(path)
        if not parts or not parts[-1].lower().endswith(self.suffixes) or parts[-1].startswith("."):
            raise PathOutsideVault(path)
        return parts

    def folder_parts(self, path: str) -> tuple[str, ...]:
        """Split a vault-relative path of a folder, "" being the vault itself; raises PathOutsideVault."""
        if not path:
            return ()
        parts = tuple(path.split("/"))
        if not _is_text(path) or any(_leads_astray(part) for part in parts):
            raise PathOutsideVault(path)
        if any(part.startswith(".") for part in self._below_hidden(path)):
            raise PathOutsideVault(path)
        return parts

    def _below_hidden(self, path: str) -> list[str]:
        for folder in self.hidden:
            if path == folder or path.startswith(folder + "/"):
                return path[len(folder) :].split("/")
        return path.split("/")


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path and "\\" not in path


def _leads_astray(part: str) -> bool:
    """Tell whether a part is empty, climbs (also percent-encoded), or names a drive."""
    is_drive = len(part) == 2 and part[1] == ":" and part[0].isalpha()
    return not part or is_drive or unquote(part) in (".", "..")


def joined(folder: str, name: str) -> str:
    """Return the path of a name in a folder, "" being the vault itself.

    >>> joined("Work", "Plan.md"), joined("", "Plan.md")
    ('Work/Plan.md', 'Plan.md')
    """
    return f"{folder}/{name}" if folder else name


def within(path: str, folders: Iterable[str]) -> bool:
    """Tell whether a vault path lies in one of the folders, "" and "/" being the whole vault; case does not count.

    >>> within("Work/Plan.md", ["work"]), within("Workshop/Plan.md", ["Work"]), within("a.md", ["/"])
    (True, False, True)
    """
    folded = name_key(path) + "/"
    names = (folder.strip("/") for folder in folders)
    return any(not name or folded.startswith(name_key(name) + "/") for name in names)


# What a sync service leaves in the place of a note whose text it keeps elsewhere until somebody asks for it.

_HIDDEN = ".icloud"
_BESIDE = (".nextcloud", ".owncloud")


def note_of(name: str) -> str | None:
    """Return the name of the note that a file stands in for, None if it stands in for none.

    >>> note_of(".Tea.md.icloud"), note_of("Tea.md.nextcloud"), note_of("Tea.md")
    ('Tea.md', 'Tea.md', None)
    """
    if name.startswith(".") and name.endswith(_HIDDEN):
        return name[1 : -len(_HIDDEN)]
    return next((name.removesuffix(ending) for ending in _BESIDE if name.endswith(ending)), None)


def names_for(note: str) -> tuple[str, ...]:
    """Return the names that a file may have which stands in for the note."""
    return (f".{note}{_HIDDEN}", *(note + ending for ending in _BESIDE))


def stat_of(folder: int, note: str) -> os.stat_result:
    """Return what the system knows of a note, or else of what stands in for it; raises OSError."""
    try:
        return os.stat(note, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        found = _stand_in(folder, note)
        if found is None:
            raise
        return found


def is_elsewhere(folder: int, note: str) -> bool:
    """Tell whether something stands in for a note."""
    return _stand_in(folder, note) is not None


def _stand_in(folder: int, note: str) -> os.stat_result | None:
    for name in names_for(note):
        try:
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            continue
    return None


# Going through the files of a vault, quickly and without following a link.

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


# Names that some file system or sync service takes for one: no two notes of a folder may bear such.


def refuse_taken(path: str, name: str, taken: Mapping[str, str], *, besides: str | None = None) -> None:
    """Raise NoteExists if a folder holds a twin of the name, or its placeholder; `besides` does not count.

    `taken` are the names of the folder by their folded forms.
    """
    if any(name_key(placeholder) in taken for placeholder in names_for(name)):
        raise NoteExists(path)
    other = taken.get(name_key(name))
    if other is not None and other != besides:
        raise NoteExists(path.removesuffix(name) + other)
