"""Moving a note so that every link to it, and every relative link in it, still means what it meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from posixpath import normpath, relpath

from mnemex_vault.disk.paths import joined
from mnemex_vault.errors import InvalidInput, NoteError
from mnemex_vault.history.steps import Change, Move, Update
from mnemex_vault.index.catalog import chosen, normalised_path, strip_target, target_key
from mnemex_vault.index.entry import Entry, linking_file, stem_of
from mnemex_vault.language.folding import name_key
from mnemex_vault.memories.store import Store
from mnemex_vault.text.file_names import is_canvas_name
from mnemex_vault.text.links import Link, in_canvas, links, rewrite
from mnemex_vault.text.note import NoteKind


def free_path(store: Store, entry: Entry, folder: str, *, stem: str | None = None, taken: Collection[str] = ()) -> str:
    """Return a path for the note in the folder, with its name if that is free; `taken` are `name_key`s of paths."""
    wanted = stem or entry.stem
    for number in range(1, 1_000):
        path = joined(folder, f"{wanted}.md" if number == 1 else f"{wanted} {number}.md")
        # a name that the note does not have yet is new in the whole vault
        elsewhere = number > 1 and store.catalog.name_taken(name_key(stem_of(path)))
        if path == entry.path or not (elsewhere or name_key(path) in taken or _occupied(store, path, entry)):
            return path
    return joined(folder, f"{wanted} {entry.memory_id}.md")


def _occupied(store: Store, path: str, entry: Entry) -> bool:
    """Tell whether something else than the note itself, spelled otherwise, lies at a path."""
    folder = path.rpartition("/")[0]
    named = [other for other in store.catalog.named(stem_of(path)) if other.path != entry.path]
    if any(name_key(other.folder) == name_key(folder) for other in named):
        return True
    return name_key(path) != name_key(entry.path) and store.vault.files.exists(path)


def plan_move(store: Store, entry: Entry, destination: str) -> list[Change]:
    """Return the steps that move a note: the move first, then only the links that would break."""
    return plan_moves(store, [(entry, destination)])


def plan_moves(store: Store, moves: Sequence[tuple[Entry, str]]) -> list[Change]:
    """Return the steps that move several notes at once: all moves first, then only the links that would break.

    A note whose links cannot be rewritten stays as it is; `left_links` names it.
    """
    prospect = Prospect(store, {entry.path: place for entry, place in moves if place != entry.path})
    steps: list[Change] = [Move(path, place) for path, place in prospect.places.items()]
    broken = [source for source in prospect.broken() if prospect.may_rewrite(source)]
    return [*steps, *(Update(prospect.place(source), prospect.rewriter(source)) for source in broken)]


def left_links(store: Store, moves: Sequence[tuple[Entry, str]]) -> tuple[Entry, ...]:
    """Return the notes, canvases and templates whose links will lead nowhere, since they cannot be rewritten."""
    prospect = Prospect(store, {entry.path: place for entry, place in moves if place != entry.path})
    notes = (source for source in prospect.broken() if not prospect.may_rewrite(source))
    return (*notes, *prospect.broken_beside_notes())


def broken_links(store: Store, entry: Entry, destination: str) -> list[str]:
    """Return the paths of the other notes that a move would have to rewrite."""
    broken = Prospect(store, {entry.path: destination}).broken()
    return [source.path for source in broken if source.path != entry.path and source.searchable]


class Prospect:
    """The vault as it will be when notes have moved to new places, and what that means for links."""

    def __init__(self, store: Store, places: Mapping[str, str]) -> None:
        self.places = places
        self._store = store
        self._files = store.vault.files
        self._catalog = store.catalog
        self._arriving: defaultdict[str, list[str]] = defaultdict(list)
        for place in places.values():
            self._arriving[name_key(stem_of(place))].append(place)

    def place(self, source: Entry) -> str:
        """Return where a note will lie."""
        return self.places.get(source.path, source.path)

    def broken(self) -> list[Entry]:
        """Return the notes with links that would no longer lead where they lead now."""
        return [source for source in self._concerned() if self._breaks(source)]

    def _breaks(self, source: Entry) -> bool:
        return any(self._may_break(source, target) for target in self._store.link_targets(source))

    def broken_beside_notes(self) -> Iterator[Entry]:
        """Yield the canvases and templates with links that would no longer lead where they lead now."""
        for path, data, fingerprint in self._store.vault.linking_files() if self.places else ():
            source = linking_file(path, fingerprint)
            if self._leads_to_moved(source, data.decode("utf-8", "replace")):
                yield source

    def _leads_to_moved(self, source: Entry, text: str) -> bool:
        shown, targets = in_canvas(text) if is_canvas_name(source.path) else ([], [each.target for each in links(text)])
        return any(path in self.places for path in shown) or any(self._destination(source, each) for each in targets)

    def may_rewrite(self, source: Entry) -> bool:
        """Tell whether the links of a note can be given new targets without anything else in it changing."""
        if source.kind is NoteKind.FOREIGN or not self._store.may_write(source.path):
            return False
        try:
            self.rewriter(source)(self._store.note(source).text)
        except (NoteError, InvalidInput):
            return False
        return self._store.vault.may_change(source.path)

    def _concerned(self) -> list[Entry]:
        found: dict[str, Entry] = {}
        for path, place in self.places.items():
            moved = self._catalog.get(path)
            mentioning = [each for name in {stem_of(path), stem_of(place)} for each in self._catalog.mentioning(name)]
            found |= {each.path: each for each in ([moved] if moved else []) + mentioning}
        names = {name_key(stem_of(path)) for path in (*self.places, *self.places.values())}
        for each in self._catalog.unsearchable():
            if any(target_key(target) in names for target in self._store.link_targets(each)):
                found[each.path] = each
        return [found[path] for path in sorted(found)]

    def _may_break(self, source: Entry, target: str) -> bool:
        return self._destination(source, target) is not None or (
            source.path in self.places and "/" in strip_target(target)
        )

    def _destination(self, source: Entry, target: str) -> str | None:
        """Return the place to which a link must be pointed anew, None if it goes on leading there."""
        meant = self._catalog.resolve(target, source=source.path)
        if meant is None:
            return None
        destination = self.place(meant)
        return None if self._resolve(target, self.place(source)) == destination else destination

    def _resolve(self, target: str, source: str) -> str | None:
        wanted = strip_target(target)
        if not wanted:
            return source
        name = stem_of(wanted)
        staying = [each.path for each in self._catalog.named(name) if each.path not in self.places]
        return chosen([*staying, *self._arriving.get(name_key(name), ())], wanted, source)

    def rewriter(self, source: Entry) -> Callable[[str], str]:
        """Return the change of a note's text that keeps its links alive."""

        def new_target(link: Link) -> str | None:
            if self._is_relative(source, link):
                return self._relative(link, source)
            destination = self._destination(source, link.target)
            return None if destination is None else self._pointed(link, source, destination)

        return partial(rewrite, new_target=new_target)

    def _is_relative(self, source: Entry, link: Link) -> bool:
        """Tell whether a link of a note that changes its folder counts from there: `../x`, `[x](sub/y.pdf)`."""
        target = link.target
        if source.folder == self.place(source).rpartition("/")[0]:
            return False
        if target.startswith(("./", "../")):
            return True
        return link.form == "markdown" and "/" in target and self._is_there(normalised_path(target, source.path))

    def _is_there(self, path: str) -> bool:
        try:
            return self._files.exists(path)
        except NoteError:
            return False

    def _relative(self, link: Link, source: Entry) -> str | None:
        """Return the way from the note's new folder, None if the link says that already."""
        meant = self._catalog.resolve(link.target, source=source.path)
        goal = normalised_path(link.target, source.path) if meant is None else self.place(meant)
        way = _relpath(_with_ending(goal, link), self.place(source))
        return None if way == normpath(link.target) else way

    def _pointed(self, link: Link, source: Entry, destination: str) -> str:
        """Return a new target in the form of the old one if that is clear, else the path from the root."""
        place = self.place(source)
        whole = _with_ending(destination, link)
        way = _relpath(whole, place)
        name = whole.rpartition("/")[2]
        if "/" not in link.target:
            forms = [name, way if link.form == "markdown" else whole]
        else:
            forms = [way if link.form == "markdown" or link.target.startswith(".") else whole]
        return next((form for form in forms if self._resolve(form, place) == destination), whole)


def _with_ending(path: str, link: Link) -> str:
    """Return a path with `.md` if the link has it; the path of another kind of file stays as it is."""
    if not path.lower().endswith(".md") or link.target.lower().endswith(".md"):
        return path
    return path[: -len(".md")]


def _relpath(path: str, source: str) -> str:
    return relpath(path, source.rpartition("/")[0] or ".")
