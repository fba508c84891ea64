"""What a person types to mean a memory: its id, its title, or the path of its note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import typer

from mnemex_vault.cli.failures import FAILED, advice
from mnemex_vault.errors import MnemexError, NotPossible, VaultUnavailable

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.console import Console
    from mnemex_vault.index.entry import Entry

T = TypeVar("T")
_ENDING = ".md"
_SHOWN = 5


def identify(app: App, name: str, *, working_folder: Path, ordinary: bool = False) -> str:
    """Return the id that a name stands for; a name that says nothing is returned as it is.

    With `ordinary` a note that is no memory is meant as well. Raises InvalidInput if several are meant.
    """
    from mnemex_vault.index.entry import NOTE_PREFIX

    if name.startswith(NOTE_PREFIX) or app.store.catalog.by_id(name) is not None:
        return name
    found = [entry for entry in _meant(app, name, working_folder) if entry.searchable and app.store.may_read(entry)]
    meant = {entry.item_id: entry.path for entry in found if entry.is_memory or ordinary}
    if len(meant) > 1:
        choice = ", ".join(f"{each} ({path})" for each, path in meant.items())
        raise NotPossible("", f"{name!r} means {len(meant)} notes; give one of the ids: {choice}")
    if not found:
        meant = {NOTE_PREFIX + entry.path: entry.path for entry in _meant(app, name, working_folder) if entry.is_away}
    if found and not meant:
        raise NotPossible("", f"{found[0].path} is a note and no memory; mnemex adopt makes it one")
    return next(iter(meant), name)


def names_a_note(app: App, name: str, *, working_folder: Path) -> bool:
    """Tell whether a name is the id, title or path of a note of the vault."""
    return app.store.catalog.by_id(name) is not None or bool(_meant(app, name, working_folder))


def _meant(app: App, name: str, working_folder: Path) -> list[Entry]:
    catalog = app.store.catalog
    path = path_in_vault(name, root=app.root, working_folder=working_folder)
    entry = catalog.get(path) or catalog.get(path + _ENDING)
    if entry:
        return [entry]
    named = catalog.named(name, aliases=True) or catalog.titled(name)
    # the very spelling goes before names that differ in case
    return ([each for each in named if name in (each.stem, *each.aliases, each.property_title)] or named)[:_SHOWN]


def path_in_vault(text: str, *, root: Path, working_folder: Path) -> str:
    """Return the path of a note as the vault has it: from an absolute path, one from the working folder, or as given.

    >>> path_in_vault("/notes/Work/Plan.md", root=Path("/notes"), working_folder=Path("/"))
    'Work/Plan.md'
    """
    place = Path(text)
    candidates = [place] if place.is_absolute() else [working_folder / place] if _exists(working_folder / place) else []
    for candidate in candidates:
        for base in (root, root.resolve()):
            if candidate.is_relative_to(base):
                return candidate.relative_to(base).as_posix()
    return text


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """What became of several names: what was done, and why it could not be for the others."""

    done: Sequence[T]
    failed: Sequence[tuple[str, MnemexError]]

    def tell(self, console: Console) -> None:
        """Say why each of the others was left, and end with exit code 1; one name alone fails as ever."""
        if not self.done and len(self.failed) == 1:
            raise self.failed[0][1]
        for name, error in self.failed:
            console.fail(f"{name}: {advice(error)}")
        if self.failed:
            raise typer.Exit(FAILED)


def identified(app: App, names: Iterable[str], *, working_folder: Path) -> list[str]:
    """Return the ids of the memories that are named, each once; raises for a name that means none."""
    ids = [identify(app, name, working_folder=working_folder) for name in names]
    for memory_id in ids:
        app.store.memory_entry(memory_id)
    return list(dict.fromkeys(ids))


def each_of(names: Iterable[str], verb: Callable[[str], T]) -> Done[T]:
    """Do something for each; one for which it cannot be done holds no other up."""
    done: list[T] = []
    failed: list[tuple[str, MnemexError]] = []
    for name in names:
        try:
            done.append(verb(name))
        except VaultUnavailable:
            raise
        except MnemexError as error:
            failed.append((name, error))
    return Done(done, failed)
