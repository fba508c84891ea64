"""Which paths inside a vault may be opened at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from mnemex_vault.errors import PathOutsideVault
from mnemex_vault.notes.name_key import name_key


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
    folded = fold(path) + "/"
    names = (folder.strip("/") for folder in folders)
    return any(not name or folded.startswith(fold(name) + "/") for name in names)


def fold(name: str) -> str:
    r"""Return what two names share that some file system would take for one: case and Unicode form do not count.

    >>> fold("Caf\u00e9.md") == fold("CAFE\u0301.MD")
    True
    """
    if name.isascii():
        return name.lower()
    return name_key(name)
