"""The plan of `init` on a real vault, through the vault's own durable and exclusive writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mnemex_vault.errors import NoteNotFound, UnreadableNote, WriteFailed
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.notes.files import Files
from mnemex_vault.notes.names import name_key
from mnemex_vault.notes.paths import PathRule, fold
from mnemex_vault.notes.temp import Park
from mnemex_vault.notes.walk import walk
from mnemex_vault.vaultkit.plan import Present, Step, apply

_RULE = PathRule(suffixes=(".md", ".base"))


def look(root: Path, settings_note: str | None, catalog: Catalog | None = None) -> Present:
    """Return what the vault has; `settings_note` is the path of its settings note, if there is one.

    The names of all its files count, also of templates; `catalog` knows which names links mean.
    """
    files = Files(root, rule=_RULE)
    names = {name_key(path.rpartition("/")[2]) for path, _ in walk(root, wanted=lambda _: True, unreadable=_passed)}

    def is_spoken_for(name: str) -> bool:
        linked = catalog is not None and catalog.is_spoken_for(name_key(name.removesuffix(".md")))
        return name_key(name) in names or linked

    def read(path: str) -> str | None:
        try:
            return files.read(path)[0].decode()
        except NoteNotFound:
            return "" if _has_twin(root / path) else None
        except (UnreadableNote, UnicodeDecodeError):
            # something is there, and it is not ours
            return ""

    def has_folder(path: str) -> bool:
        try:
            return (root / path).is_dir()
        except OSError:
            # making it will say why
            return False

    return Present(has_folder=has_folder, read=read, settings_note=settings_note, is_spoken_for=is_spoken_for)


def _passed(path: str, error: OSError) -> None:
    """A folder that cannot be read has no names that anybody could link to from here."""


def _has_twin(place: Path) -> bool:
    """Tell whether a name that some file system would take for this one is there."""
    folder = place.parent
    return folder.is_dir() and any(fold(entry.name) == fold(place.name) for entry in folder.iterdir())


def write(steps: Sequence[Step], root: Path, *, park: Park) -> None:
    """Carry out the steps; what a refreshed view held goes to `park`.

    Raises NoteExists or NoteChanged if someone was quicker, WriteFailed if the disk refuses.
    """
    files = Files(root, rule=_RULE)

    def make_folder(path: str) -> None:
        try:
            with files.opened(path, make=True):
                pass
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error

    apply(
        steps,
        make_folder=make_folder,
        create=lambda path, text: files.create(path, text.encode()),
        replace=lambda path, before, text: files.replace(path, before.encode(), text.encode(), park=park),
    )
