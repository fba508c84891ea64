"""What every note is, in memory: by path, by memory id, by name, by session, and who links to whom."""

from __future__ import annotations

import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import partial

from mnemex_vault.domain.decay import Pauses, Span, day_of
from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.index.entry import Entry, as_copy, stem_of
from mnemex_vault.language.folding import name_key
from mnemex_vault.text.file_names import is_conflict_copy

_NO_PATHS: frozenset[str] = frozenset()


class PathsBy:
    """Paths by a key. Nearly all keys have one path, and a set of one would take more memory than all else of it."""

    def __init__(self) -> None:
        self._found: dict[str, str | set[str]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def of(self, key: str) -> Set[str]:
        """Return the paths of a key."""
        found = self._found.get(key, _NO_PATHS)
        return {found} if isinstance(found, str) else found

    def add(self, key: str, path: str) -> None:
        """Add a path to those of a key."""
        found = self._found.setdefault(key, path)
        if isinstance(found, set):
            found.add(path)
        elif found != path:
            self._found[key] = {found, path}

    def discard(self, key: str, path: str) -> None:
        """Forget a path of a key, if it is one."""
        found = self._found.get(key)
        if isinstance(found, set):
            found.discard(path)
        if found in (path, set()):
            del self._found[key]


class Catalog:
    """All entries and the maps over them; safe to read while another thread changes it."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._lock = threading.RLock()
        self._by_path: dict[str, Entry] = {}
        self._by_id = PathsBy()
        self._by_name = PathsBy()
        self._by_alias = PathsBy()
        self._by_title = PathsBy()
        self._by_session = PathsBy()
        self._by_content = PathsBy()
        self._linked_from = PathsBy()
        self._by_kind = PathsBy()
        self._by_tag = PathsBy()
        self._doubled: set[str] = set()
        self._spans: Counter[Span] = Counter()
        self._pauses: tuple[int, Pauses] = (-1, Pauses())
        self._superseding: set[str] = set()
        self._superseded: tuple[int, Mapping[str, str]] = (-1, {})
        self.revision = 0
        for entry in entries:
            self.put(entry)

    def __len__(self) -> int:
        return len(self._by_path)

    def __contains__(self, path: str) -> bool:
        return path in self._by_path

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter(list(self._by_path.values()))

    def get(self, path: str) -> Entry | None:
        """Return the entry of a path."""
        return self._by_path.get(path)

    def put(self, entry: Entry) -> None:
        """Add or replace an entry."""
        with self._lock:
            self.remove(entry.path)
            self._by_path[entry.path] = entry
            for index, key in self._keys(entry):
                index.add(key, entry.path)
            self._note_double(entry.memory_id)
            self._count_span(entry, 1)
            if any(relation.type is RelationType.SUPERSEDES for relation in entry.relations):
                self._superseding.add(entry.path)
            self.revision += 1

    def remove(self, path: str) -> Entry | None:
        """Forget a path; return what was known of it."""
        with self._lock:
            entry = self._by_path.pop(path, None)
            if entry is None:
                return None
            for index, key in self._keys(entry):
                index.discard(key, path)
            self._count_span(entry, -1)
            self._superseding.discard(path)
            self._note_double(entry.memory_id)
            self.revision += 1
            return entry

    def _count_span(self, entry: Entry, count: int) -> None:
        if entry.usage is not None:
            span = _span(entry.usage)
            self._spans[span] += count
            if not self._spans[span]:
                del self._spans[span]

    def _note_double(self, memory_id: str | None) -> None:
        if memory_id is not None and len(self._by_id.of(memory_id)) > 1:
            self._doubled.add(memory_id)
        elif memory_id is not None:
            self._doubled.discard(memory_id)

    def candidates(self, tiers: Iterable[Tier], *, ordinary: bool = False) -> set[str]:
        """Return the paths of the memories of these tiers that answer to their ids, with all other notes if asked."""
        kinds = [tier.value for tier in tiers] + (["ordinary"] if ordinary else [])
        with self._lock:
            found = set().union(*(self._by_kind.of(kind) for kind in kinds))
            for memory_id in () if ordinary else self._doubled:
                found.difference_update(copy.path for copy in self.copies(memory_id)[1:])
        return found

    def _keys(self, entry: Entry) -> Iterator[tuple[PathsBy, str]]:
        yield self._by_name, name_key(entry.stem)
        yield self._by_kind, _kind_key(entry)
        for alias in entry.aliases:
            yield self._by_alias, name_key(alias)
        if entry.property_title:
            yield self._by_title, name_key(entry.property_title)
        if entry.memory_id:
            yield self._by_id, entry.memory_id
        if entry.is_memory:
            yield self._by_content, entry.content_key
        if entry.session:
            yield self._by_session, entry.session
        if entry.searchable:
            yield from ((self._by_tag, tag) for tag in entry.tags)
        for target in entry.links:
            yield self._linked_from, target_key(target)

    def tags(self) -> frozenset[str]:
        """Return the tags of all searchable notes, spelled as they are."""
        with self._lock:
            return frozenset(self._by_tag)

    def tag_count(self, tag: str) -> int:
        """Return how many searchable notes have a tag, spelled like this."""
        return len(self._by_tag.of(tag))

    def bearing(self, tag: str) -> frozenset[str]:
        """Return the paths of the searchable notes with a tag, spelled like this."""
        with self._lock:
            return frozenset(self._by_tag.of(tag))

    def unsearchable(self) -> list[Entry]:
        """Return the notes whose text is never found: generated ones and those that are no notes, by path."""
        with self._lock:
            return [self._by_path[path] for path in sorted(self._by_kind.of("other"))]

    def memories(self, *tiers: Tier) -> list[Entry]:
        """Return the memories of the tiers (all if none is named), one for each id, by path."""
        with self._lock:
            paths = self.candidates(tiers or Tier)
            return [self._by_path[path] for path in sorted(paths)]

    def by_id(self, memory_id: str) -> Entry | None:
        """Return the note that answers to the id: of several copies always the same one."""
        with self._lock:
            entries = [self._by_path[path] for path in self._by_id.of(memory_id)]
        return min(entries, key=_copy_order, default=None)

    def copies(self, memory_id: str) -> list[Entry]:
        """Return all notes that carry the id, the one that answers to it first."""
        with self._lock:
            entries = [self._by_path[path] for path in self._by_id.of(memory_id)]
        return sorted(entries, key=_copy_order)

    def is_primary(self, entry: Entry) -> bool:
        """Tell whether this note answers to its id."""
        if entry.memory_id is None or len(self._by_id.of(entry.memory_id)) < 2:
            return True
        return self.by_id(entry.memory_id) == entry

    def as_shown(self, entry: Entry) -> Entry:
        """Return the entry, as that of an ordinary note if another note answers to the id that it carries."""
        return entry if self.is_primary(entry) else as_copy(entry)

    def duplicate_ids(self) -> dict[str, list[Entry]]:
        """Return ids that several notes carry."""
        with self._lock:
            return {memory_id: self.copies(memory_id) for memory_id in sorted(self._doubled)}

    def same_content(self, content_key: str) -> list[Entry]:
        """Return the live memories whose content has this key."""
        with self._lock:
            entries = [self._by_path[path] for path in self._by_content.of(content_key)]
        return [entry for entry in entries if entry.tier is not Tier.ARCHIVED and self.is_primary(entry)]

    def session(self, name: str) -> list[Entry]:
        """Return the notes of a session in the order in which they were saved."""
        with self._lock:
            entries = [self._by_path[path] for path in self._by_session.of(name)]
        return sorted(entries, key=_session_order)

    def name_taken(self, key: str) -> bool:
        """Tell whether a file name or alias with this `name_key` exists anywhere."""
        return key in self._by_name or key in self._by_alias

    def is_spoken_for(self, key: str) -> bool:
        """Tell whether a note has this `name_key` as its name or alias, or a link means a note of this name."""
        return self.name_taken(key) or bool(self._linked_from.of(key))

    def named(self, name: str, *, aliases: bool = False) -> list[Entry]:
        """Return the notes with this file name (or alias)."""
        key = name_key(name)
        with self._lock:
            paths = set(self._by_name.of(key))
            if aliases:
                paths |= self._by_alias.of(key)
            return sorted((self._by_path[path] for path in paths), key=lambda entry: entry.path)

    def titled(self, title: str) -> list[Entry]:
        """Return the notes that the property `title` calls this."""
        with self._lock:
            paths = sorted(self._by_title.of(name_key(title)))
            return [self._by_path[path] for path in paths]

    def resolve(self, target: str, *, source: str = "") -> Entry | None:
        """Return the note a link target means, seen from the note at `source`; None if absent or ambiguous."""
        wanted = strip_target(target)
        if not wanted:
            return self.get(source)
        path = chosen([entry.path for entry in self.named(stem_of(wanted))], wanted, source)
        return None if path is None else self.get(path)

    def pauses(self) -> Pauses:
        """Return in which times no memory was used, as far as the memories tell."""
        with self._lock:
            revision, found = self._pauses
            if revision != self.revision:
                found = Pauses.between(self._spans)
                self._pauses = (self.revision, found)
            return found

    def superseded(self) -> Mapping[str, str]:
        """Return the paths of memories that another, live one supersedes, with the path of that one."""
        with self._lock:
            revision, found = self._superseded
            if revision != self.revision:
                found = self.superseded_by(_is_live)
                self._superseded = (self.revision, found)
            return found

    def superseded_by(self, counts: Callable[[Entry], bool]) -> Mapping[str, str]:
        """Return the paths of memories that one which counts supersedes, with the path of that one."""
        with self._lock:
            found = dict(self._supersessions(counts))
            for path in self._newest_in_circles(found):
                del found[path]
            return found

    def circles(self) -> list[list[Entry]]:
        """Return the memories that replace each other in a circle, each circle with its newest first."""
        with self._lock:
            links = dict(self._supersessions(_is_live))
            return [[self._by_path[path] for path in circle] for circle in self._circles(links)]

    def _newest_in_circles(self, links: Mapping[str, str]) -> list[str]:
        """Return of each circle the memory that is not replaced: what was said last holds."""
        return [circle[0] for circle in self._circles(links)]

    def _circles(self, links: Mapping[str, str]) -> list[list[str]]:
        done: set[str] = set()
        found = []
        for start in sorted(links):
            walked: list[str] = []
            path: str | None = start
            while path is not None and path not in done and path not in walked:
                walked.append(path)
                path = links.get(path)
            if path in walked:
                circle = walked[walked.index(path or "") :]
                found.append(sorted(circle, key=self._said, reverse=True))
            done.update(walked)
        return found

    def _said(self, path: str) -> tuple[float, int]:
        entry = self._by_path[path]
        created = entry.usage.created.timestamp() if entry.usage else 0.0
        return created, entry.fingerprint.mtime_ns

    def _supersessions(self, counts: Callable[[Entry], bool]) -> Iterator[tuple[str, str]]:
        for path in sorted(self._superseding):
            entry = self._by_path[path]
            if not counts(entry):
                continue
            for relation in entry.relations:
                if relation.type is RelationType.SUPERSEDES:
                    old = self.resolve(relation.target, source=path)
                    if old is not None and old.path != path:
                        yield old.path, path

    def linking_to(self, entry: Entry) -> list[Entry]:
        """Return the notes with a link that resolves to this one, itself excluded."""
        with self._lock:
            sources = [self._by_path[path] for path in self._linked_from.of(name_key(entry.stem))]
        return sorted(
            (source for source in sources if source.path != entry.path and self._links(source, entry)),
            key=lambda source: source.path,
        )

    def mentioning(self, name: str) -> list[Entry]:
        """Return the notes with a link by this name, whatever note it means."""
        with self._lock:
            sources = [self._by_path[path] for path in self._linked_from.of(name_key(name))]
        return sorted(sources, key=lambda source: source.path)

    def _links(self, source: Entry, entry: Entry) -> bool:
        targets = (target for target in source.links if target_key(target) == name_key(entry.stem))
        return any(self.resolve(target, source=source.path) == entry for target in targets)


def _span(usage: Usage) -> Span:
    first, last = day_of(usage.created), day_of(usage.last_used)
    return min(first, last), last, usage.days_used


def _kind_key(entry: Entry) -> str:
    if entry.is_memory:
        return entry.tier.value
    return "ordinary" if entry.searchable else "other"


def strip_target(target: str) -> str:
    """Return a link target without heading, block and `.md`.

    >>> strip_target("Folder/Note.md#Heading"), strip_target("Note#^block")
    ('Folder/Note', 'Note')
    """
    bare = target.partition("#")[0].strip()
    return bare[:-3] if bare.lower().endswith(".md") else bare


def target_key(target: str) -> str:
    """Return the key of the note name in a link target."""
    return name_key(strip_target(target).rpartition("/")[2])


def chosen(paths: Sequence[str], wanted: str, source: str) -> str | None:
    """Return which of the notes with the right name a link means, seen from the note at `source`; None if unclear.

    A note whose name is spelled as in the link goes before those that differ in case.

    >>> chosen(["Work/Plan.md", "Home/Plan.md"], "Plan", "Home/List.md"), chosen(["A/P.md", "B/P.md"], "P", "List.md")
    ('Home/Plan.md', None)
    >>> chosen(["docker.md", "Docker.md"], "Docker", "List.md"), chosen(["docker.md", "Docker.md"], "DOCKER", "List.md")
    ('Docker.md', None)
    """
    candidates = _by_suffix(paths, wanted, source) if "/" in wanted else paths
    if len(candidates) > 1:
        candidates = _by_spelling(candidates, wanted) or candidates
    if len(candidates) > 1:
        folder = source.rpartition("/")[0]
        beside = [path for path in candidates if path.rpartition("/")[0] == folder]
        candidates = beside if len(beside) == 1 else candidates
    return candidates[0] if len(candidates) == 1 else None


def _by_spelling(paths: Sequence[str], wanted: str) -> Sequence[str]:
    """Narrow down to the very spelling of a link, else to the same letters in another normal form."""
    end = wanted.rpartition("../")[2].removeprefix("./").lstrip("/")

    def spelled(form: Callable[[str], str]) -> list[str]:
        return [path for path in paths if f"/{form(path[:-3])}".endswith(f"/{form(end)}")]

    return spelled(str) or spelled(partial(unicodedata.normalize, "NFC"))


def _by_suffix(paths: Sequence[str], wanted: str, source: str) -> Sequence[str]:
    """Narrow down by path: relative to the source's folder, from the root, or as the end of the path."""
    absolute = name_key(normalised_path(wanted, source) if wanted.startswith((".", "/")) else wanted)
    exact = [path for path in paths if name_key(path[:-3]) == absolute]
    return exact or [path for path in paths if name_key(path[:-3]).endswith("/" + absolute)]


def normalised_path(wanted: str, source: str) -> str:
    """Return the path of a link that counts from the folder of `source`, or from the root after a slash.

    >>> normalised_path("../Home/./Plan", "Work/List.md"), normalised_path("/Plan", "Work/List.md")
    ('Home/Plan', 'Plan')
    """
    parts = [] if wanted.startswith("/") else source.split("/")[:-1]
    for part in wanted.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _copy_order(entry: Entry) -> tuple[bool, bool, bool, int, str]:
    return (
        is_conflict_copy(entry.path),
        not entry.is_memory,
        entry.tier is Tier.ARCHIVED,
        len(entry.stem),
        entry.path,
    )


def _session_order(entry: Entry) -> tuple[bool, datetime | None, str]:
    created = entry.usage.created if entry.usage else None
    return (created is None, created, entry.path)


# What notes tell of each other, for the ranking: who was saved next to whom in the same session.


class CatalogNeighbours:
    """Sessions of the catalog, kept as long as the catalog does not change."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._revision = -1
        self._sessions: dict[str, tuple[Sequence[str], Mapping[str, int]]] = {}

    def session_of(self, path: str) -> str | None:
        """Return the session in which a note was saved."""
        entry = self._catalog.get(path)
        return entry.session if entry else None

    def session(self, name: str) -> Sequence[str]:
        """Return the notes of a session in the order in which they were saved."""
        return self._session(name)[0]

    def place(self, path: str) -> int:
        """Return the place of a note in its session."""
        return self._session(self.session_of(path) or "")[1].get(path, 0)

    def next_to(self, path: str) -> Sequence[str]:
        """Return the notes right before and right after one in its session."""
        name = self.session_of(path)
        if name is None:
            return ()
        paths, place = self.session(name), self.place(path)
        return [*paths[max(0, place - 1) : place], *paths[place + 1 : place + 2]]

    def _session(self, name: str) -> tuple[Sequence[str], Mapping[str, int]]:
        if self._revision != self._catalog.revision:
            self._revision, self._sessions = self._catalog.revision, {}
        found = self._sessions.get(name)
        if found is None:
            paths = [entry.path for entry in self._catalog.session(name) if entry.searchable]
            found = self._sessions[name] = (paths, {path: place for place, path in enumerate(paths)})
        return found


def _is_live(entry: Entry) -> bool:
    return entry.tier is not Tier.ARCHIVED
