"""What a person types to mean a memory: its id, its title, or the path of its note."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.errors import NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry

_ENDING = ".md"
_SHOWN = 5


def identify(app: App, name: str, *, working_folder: Path, ordinary: bool = False) -> str:
    """Return the id that a name stands for; a name that says nothing is returned as it is.

    With `ordinary` a note that is no memory is meant as well. Raises InvalidInput if several are meant.
    """
    from mnemex_vault.memories.collection import item_id
    from mnemex_vault.memories.store import NOTE_PREFIX

    if name.startswith(NOTE_PREFIX) or app.store.catalog.by_id(name) is not None:
        return name
    found = [entry for entry in _meant(app, name, working_folder) if entry.searchable and app.store.may_read(entry)]
    meant = {item_id(entry): entry.path for entry in found if entry.is_memory or ordinary}
    if len(meant) > 1:
        choice = ", ".join(f"{each} ({path})" for each, path in meant.items())
        raise NotPossible("", f"{name!r} means {len(meant)} notes; give one of the ids: {choice}")
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
    named = catalog.named(name, aliases=True)
    # the very spelling goes before names that differ in case
    return ([each for each in named if name in (each.stem, *each.aliases)] or named)[:_SHOWN]


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
