"""Moving a note so that every link to it, and every relative link in it, still means what it meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from posixpath import relpath

from mnemex_vault.index.catalog import strip_target
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.links import rewrite
from mnemex_vault.notes.names import name_key
from mnemex_vault.notes.operation import Change, Move, Update
from mnemex_vault.notes.scanner import Link


def free_path(store: Store, entry: Entry, folder: str, *, stem: str | None = None, taken: Collection[str] = ()) -> str:
    """Return a path for the note in the folder that nothing occupies or has `taken`, keeping its name if possible."""
    wanted = stem or entry.stem
    for number in range(1, 1_000):
        path = f"{folder}/{wanted}.md" if number == 1 else f"{folder}/{wanted} {number}.md"
        if path == entry.path or not (path in taken or _occupied(store, path)):
            return path
    return f"{folder}/{wanted} {entry.memory_id}.md"


def _occupied(store: Store, path: str) -> bool:
    folder = path.rpartition("/")[0]
    named = store.catalog.named(stem_of(path))
    return any(name_key(other.folder) == name_key(folder) for other in named) or store.vault.files.exists(path)


def plan_move(store: Store, entry: Entry, destination: str) -> list[Change]:
    """Return the steps that move a note: the move first, then only the links that would break."""
    return plan_moves(store, [(entry, destination)])


def plan_moves(store: Store, moves: Sequence[tuple[Entry, str]]) -> list[Change]:
    """Return the steps that move several notes at once: all moves first, then only the links that would break."""
    moves = [(entry, destination) for entry, destination in moves if destination != entry.path]
    places = {entry.path: destination for entry, destination in moves}
    steps: list[Change] = [Move(entry.path, destination) for entry, destination in moves]
    for entry, destination in moves:
        if any("/" in target for target in entry.links):
            own = _relative_links(entry, destination)
            steps.append(Update(destination, partial(rewrite, new_target=own)))
        for source in _broken(store, entry, destination):
            place = places.get(source.path, source.path)
            steps.append(Update(place, _rewriter(store, source, place, entry, destination)))
    return steps


def broken_links(store: Store, entry: Entry, destination: str) -> list[str]:
    """Return the paths of the other notes that a move would have to rewrite."""
    return [source.path for source in _broken(store, entry, destination)]


def _broken(store: Store, entry: Entry, destination: str) -> list[Entry]:
    return [
        source
        for source in store.catalog.linking_to(entry)
        if any(_breaks(store, target, source, entry, destination) for target in source.links)
    ]


def _rewriter(store: Store, source: Entry, place: str, entry: Entry, destination: str) -> Callable[[str], str]:
    """Return the change of a note that links to a moved one; `place` is where the linking note lies by then."""

    def new_target(link: Link) -> str | None:
        if not _breaks(store, link.target, source, entry, destination):
            return None
        return _target(link, place, destination, bare=_stays_unique(store, entry, destination))

    return partial(rewrite, new_target=new_target)


def _breaks(store: Store, target: str, source: Entry, entry: Entry, destination: str) -> bool:
    """Tell whether a link to the note would no longer lead to it from `source`."""
    if store.catalog.resolve(target, source=source.path) != entry:
        return False
    wanted = strip_target(target)
    if name_key(stem_of(wanted)) != name_key(stem_of(destination)):
        return True
    if "/" not in wanted:
        # a name that several notes bear only meant this one because it lay beside the source
        return len(store.catalog.named(entry.stem)) > 1 and source.folder != destination.rpartition("/")[0]
    key = name_key(destination[: -len(".md")])
    absolute = not wanted.startswith(".") and (key == name_key(wanted) or key.endswith("/" + name_key(wanted)))
    return not absolute


def _stays_unique(store: Store, entry: Entry, destination: str) -> bool:
    others = [other for other in store.catalog.named(stem_of(destination)) if other.path != entry.path]
    return not others


def _target(link: Link, source: str, destination: str, *, bare: bool) -> str:
    """Return the new target in the form of the old one: bare, relative or from the root; with its ending."""
    ending = ".md" if link.target.lower().endswith(".md") else ""
    path = destination[: -len(".md")]
    if link.form == "markdown":
        folder = source.rpartition("/")[0]
        relative = relpath(path, folder or ".")
        return (relative if "/" in link.target or not bare else stem_of(destination)) + ending
    if "/" not in link.target and bare:
        return stem_of(destination) + ending
    return path + ending


def _relative_links(entry: Entry, destination: str) -> Callable[[Link], str | None]:
    """Return what becomes of the moved note's own links that are relative to its folder."""
    before = entry.folder
    after = destination.rpartition("/")[0]

    def new_target(link: Link) -> str | None:
        target = link.target
        relative = target.startswith(".") or (link.form == "markdown" and "/" in target)
        if not relative or ":" in target or before == after:
            return None
        moved = relpath(relpath(f"{before}/{target}", "."), after or ".")
        return moved if moved != target else None

    return new_target
