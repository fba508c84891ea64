"""Make catalog and text index agree with the notes: one idempotent function for every occasion.

Start-up, watcher, command line and our own writes all end here. A fingerprint that agrees means that there is
nothing to do, so our own changes need no special treatment.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TypeVar

import msgspec

from mnemex_vault.disk.files import Fingerprint
from mnemex_vault.disk.safeguards import understanding
from mnemex_vault.disk.state import replace_private
from mnemex_vault.disk.vault import Layout, Vault
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteError, VaultEmptied
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.catalog_file import CatalogFile
from mnemex_vault.index.description import Reader, Reading, changed_at
from mnemex_vault.index.document import Document
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.text_index import TextIndex
from mnemex_vault.language.folding import name_key
from mnemex_vault.progress import Progress

# Telling a renamed memory folder from notes that were dragged: nothing changes tier then.

FIELDS = ("short_term", "long_term", "archive")


def renamed_folders(
    layout: Layout,
    gone: Iterable[Entry],
    arrived: Mapping[str, Fingerprint],
    *,
    exists: Callable[[str], bool],
) -> dict[str, str]:
    """Return the memory folders that now bear another name: field of the layout -> new folder.

    A folder was renamed if it is no longer there and all its notes that can be found again lie together elsewhere.
    """
    departed = list(gone)
    by_inode = {fingerprint.inode: path for path, fingerprint in arrived.items()}
    found = {}
    for name in FIELDS:
        folder = getattr(layout, name)
        below = [entry for entry in departed if name_key(entry.path).startswith(name_key(folder) + "/")]
        homes = {_home(entry, folder, by_inode.get(entry.fingerprint.inode)) for entry in below} - {None}
        if len(homes) == 1 and not exists(folder):
            found[name] = str(homes.pop())
    return found


def _home(entry: Entry, folder: str, path: str | None) -> str | None:
    """Return the folder that took the place of `folder`, judged by one note."""
    inside = entry.path[len(folder) :]
    if path is None or not name_key(path).endswith(name_key(inside)):
        return None
    return path[: -len(inside)] or None


def with_folders(layout: Layout, folders: Mapping[str, str]) -> Layout:
    """Return the layout with these folders in place of the named ones."""
    return replace(layout, **{field: folder for field, folder in folders.items() if field in FIELDS})


class RenamedFolders:
    """What is remembered of renamed folders, in a file beside the index."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> dict[str, str]:
        """Return field of the layout -> folder."""
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(self._path.read_text("utf-8"))
            return {field: str(found[field]) for field in FIELDS if field in found}
        return {}

    def keep(self, renames: Mapping[str, str], *, anew: bool = False) -> None:
        """Add these, or replace all by these."""
        known = self.load()
        wanted = dict(renames) if anew else known | dict(renames)
        if wanted == known:
            return
        with contextlib.suppress(OSError):
            replace_private(self._path, json.dumps(wanted))


logger = logging.getLogger(__name__)

T = TypeVar("T")
# a vault with fewer known notes may well lose most of them by hand
_EMPTIED_FROM = 10
_BATCH = 100
# more staged texts than these cost memory, and one commit of them takes long
_MOST_STAGED = 2_000


@dataclass(frozen=True, slots=True)
class TierChange:
    """A memory that turned up in another folder: by a tool, or dragged by the person."""

    memory_id: str
    source: str
    destination: str
    before: Tier
    after: Tier


@dataclass(slots=True)
class Changes:
    """What a reconcile found.

    `edited` are memories whose notes changed where they are: as they were, and as they are. `again` are paths to look
    at once more when they have come to rest, `renamed` memory folders that bear another name now (field of the layout
    -> folder).
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    edited: list[tuple[Entry, Entry]] = field(default_factory=list)
    moves: list[TierChange] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


@dataclass(slots=True)
class _Course:
    """One pass over notes: what it found, memories that left their path, and entries that no file holds yet.

    `taken` are notes that an operation of ours took away, in this process or another.
    """

    now: datetime
    changes: Changes = field(default_factory=Changes)
    departed: dict[str, Entry] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    unwritten: list[str] = field(default_factory=list)


class Reconciler:
    """The bridge between vault and index; calls may come from several threads.

    Notes are looked for and read without the index `lock`, which is held note by note: a change of ours never waits for
    a first index. What another thread took over meanwhile stays, for each step compares with what was known before it.
    `departures` gives the paths from which operations took notes, also those of other processes, with their etags.
    `most_staged` texts are held in memory before they are committed and the catalog is written down. `closed` are
    folders that could not be read at the last look, with what the system said: what is known of their notes stays.
    """

    def __init__(
        self,
        vault: Vault,
        catalog: Catalog,
        file: CatalogFile,
        text: TextIndex,
        *,
        zone: Callable[[], tzinfo],
        departures: Callable[[], Mapping[str, Collection[str]]] = dict,
    ) -> None:
        self.most_staged = _MOST_STAGED
        self.closed: Mapping[str, str] = {}
        self._vault = vault
        self._catalog = catalog
        self._file = file
        self._text = text
        self._reader = Reader(vault, zone=zone)
        self._departures = departures
        self.lock = threading.RLock()
        self._filling = threading.RLock()
        self._known_before = len(catalog)
        self._removed_since = 0
        self._losses_accepted = False
        # paths whose rows the catalog's file does not have yet
        self._behind: set[str] = set()

    def reconcile(
        self,
        paths: Iterable[str] | None = None,
        *,
        now: datetime,
        progress: Progress | None = None,
        own: bool = False,
    ) -> Changes:
        """Look at these paths (files or folders), or at the whole vault, and take over what is different.

        With `own` it was a change of ours, so that what is gone is no loss; nor is what `departures` tells that an
        operation took away. Raises VaultUnavailable when the vault is missing and VaultEmptied when most notes are
        gone at once; nothing is removed then. What was taken over before `progress` raised is kept.
        """
        whole, looked_at = paths is None, [] if paths is None else list(paths)
        self._vault.check()
        known = {entry.path: entry for entry in (self._catalog if whole else self._known_below(looked_at))}
        found, closed = self._vault.find(None if whole else looked_at)
        self.closed = closed if whole else {**self.closed, **closed}
        course = _Course(now)
        with self.lock:
            self._part(found, known, course, own=own)
        try:
            self._take_over(self._different(found), course, progress=progress)
        finally:
            self._settle(course)
        if whole:
            with self.lock:
                self._known_before, self._removed_since = len(self._catalog), 0
                self._losses_accepted = False
        return course.changes

    def _part(self, found: dict[str, Fingerprint], known: dict[str, Entry], course: _Course, *, own: bool) -> None:
        """Take out what is gone, unless it was written anew since it was looked for."""
        # what lies in a folder that cannot be read is not gone
        closed = tuple(f"{folder}/" for folder in self.closed)
        missing = (path for path in known if path not in found and not path.startswith(closed))
        gone = [path for path in missing if self._catalog.get(path) is known[path]]
        if own:
            course.taken.update(gone)
        elif gone:
            departures = self._departures()
            course.taken.update(path for path in gone if known[path].etag in departures.get(path, ()))
            self._guard(found, [path for path in gone if path not in course.taken])
        course.changes.renamed = self._follow_renamed(found, gone)
        self._remove(gone, course)

    def sort_tiers(self) -> None:
        """Put every note into the tier of its folder, after the memory folders were named anew."""
        with self.lock:
            for entry in self._catalog:
                tier = self._vault.tier_of(entry.path)
                if tier is not entry.tier:
                    self._catalog.put(msgspec.structs.replace(entry, tier=tier))

    def accept_losses(self) -> None:
        """Take the present notes as all there are, however many disappeared."""
        with self.lock:
            self._losses_accepted = True

    def stage_missing(self, *, progress: Progress | None = None) -> int:
        """Give the text index what it lacks according to the catalog, and take out what is gone; return how many."""
        with self._filling:
            with self.lock:
                held = self._text.committed()
                ghosts = [path for path in held if not self._is_searchable(path)]
                missing = [each for each in self._catalog if each.searchable and held.get(each.path) != each.text_key]
                self._text.stage((), ghosts)
            for batch, done in _batches(missing):
                for entry in batch:
                    self._stage_again(entry)
                self._flush_if_many()
                if progress:
                    progress(done, len(missing))
            self._text.filled()
            return len(missing) + len(ghosts)

    def _stage_again(self, entry: Entry) -> None:
        with self._its_own_finding(entry.path, entry.fingerprint, _Course(changed_at(entry.fingerprint))):
            document = self._reader.document(entry)
            with self.lock:
                present = self._catalog.get(entry.path)
                # a note with another text by now was staged when it was taken in
                if document is not None and present is not None and present.text_key == entry.text_key:
                    self._text.stage([document])

    def document(self, entry: Entry) -> Document | None:
        """Read the text of a known note, None if it cannot be had."""
        return self._reader.document(entry)

    def refill(self) -> int:
        """Stage what an index lacks that was damaged and began anew; return how many notes."""
        with self._filling:
            return self.stage_missing() if self._text.lacking else 0

    def start_anew(self) -> None:
        """Write the catalog's file without a trace of notes that are gone, and give the text index every note again."""
        with self.lock:
            self._file.rewrite(self._catalog)
        self.stage_missing()

    def erase_others(self) -> None:
        """Erase the catalogs that other versions of the program left beside ours; raises OSError."""
        self._file.erase_others()

    def rehash(self, paths: Iterable[str], *, now: datetime) -> Changes:
        """Read these notes whatever their fingerprints say: for edits that left size and times as they were."""
        course = _Course(now)
        self._take_over(list(self._vault.find(paths)[0].items()), course, force=True)
        self._settle(course)
        return course.changes

    def _flush_if_many(self) -> None:
        """Commit before too many texts are held in memory; what cannot be committed now stays staged."""
        if self._text.pending >= self.most_staged:
            self._text.flush()

    def _is_searchable(self, path: str) -> bool:
        entry = self._catalog.get(path)
        return entry is not None and entry.searchable

    def _known_below(self, paths: Iterable[str]) -> Iterator[Entry]:
        folders = []
        for path in paths:
            entry = self._catalog.get(path)
            if entry is not None:
                yield entry
            elif not path.lower().endswith(".md"):
                folders.append(path.rstrip("/") + "/" if path else "")
        if folders:
            prefixes = tuple(folders)
            yield from (entry for entry in self._catalog if entry.path.startswith(prefixes))

    def _guard(self, found: dict[str, Fingerprint], gone: list[str]) -> None:
        """Refuse to believe that most notes are gone, unless they only moved."""
        known = max(self._known_before, len(self._catalog) + self._removed_since)
        lost = len(gone) + self._removed_since
        if self._losses_accepted or known < _EMPTIED_FROM or lost * 2 <= known:
            return
        inodes = {fingerprint.inode for path, fingerprint in found.items() if path not in self._catalog}
        lost -= sum(1 for path in gone if (entry := self._catalog.get(path)) and entry.fingerprint.inode in inodes)
        if lost * 2 > known:
            raise VaultEmptied(self._vault.root, known=known, found=known - lost)

    def _let_go(self, number: int) -> None:
        """Do not count so many notes as lost."""
        self._known_before -= number
        self._removed_since -= number

    def _follow_renamed(self, found: dict[str, Fingerprint], gone: list[str]) -> dict[str, str]:
        """Let a memory folder that was renamed stay what it was, so that nothing changes tier."""
        entries = [entry for path in gone if (entry := self._catalog.get(path))]
        arrived = {path: fingerprint for path, fingerprint in found.items() if path not in self._catalog}
        if not entries or not arrived:
            return {}
        renamed = renamed_folders(self._vault.layout, entries, arrived, exists=self._vault.has_folder)
        self._vault.layout = with_folders(self._vault.layout, renamed)
        return renamed

    def _remove(self, gone: list[str], course: _Course) -> None:
        for path in gone:
            entry = self._catalog.remove(path)
            if entry is not None:
                course.changes.removed.append(path)
                if entry.memory_id:
                    course.departed[entry.memory_id] = entry
        self._text.stage((), course.changes.removed)
        self._removed_since += len(course.changes.removed)

    def _different(self, found: dict[str, Fingerprint]) -> list[tuple[str, Fingerprint]]:
        return [(path, fingerprint) for path, fingerprint in found.items() if self._differs(path, fingerprint)]

    def _differs(self, path: str, fingerprint: Fingerprint) -> bool:
        entry = self._catalog.get(path)
        return entry is None or entry.racy or entry.fingerprint != fingerprint

    def _take_over(
        self,
        different: list[tuple[str, Fingerprint]],
        course: _Course,
        *,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        for batch, done in _batches(different):
            for path, fingerprint in batch:
                # another thread may have been faster
                if force or self._differs(path, fingerprint):
                    with self._its_own_finding(path, fingerprint, course):
                        self._take_in(path, fingerprint, course)
            if len(batch) == _BATCH and self._text.pending >= self.most_staged:
                # what is committed and written down need not be read again when the process is cut off
                self._text.flush()
                self._write_down(course)
            if progress:
                progress(done, len(different))

    @contextmanager
    def _its_own_finding(self, path: str, fingerprint: Fingerprint, course: _Course) -> Iterator[None]:
        """Make what goes wrong with one note a finding about it, so that no note keeps another from being found."""
        try:
            with understanding(path):
                yield
        except NoteError as error:
            logger.warning("%s", error)
            with self.lock:
                reading = self._reader.gave_up(path, fingerprint, self._catalog.get(path), error, now=course.now)
                if reading.entry is not None:
                    self._put(reading, reading.entry, course)

    def _take_in(self, path: str, fingerprint: Fingerprint, course: _Course) -> None:
        reading = self._reader.read(path, fingerprint, self._catalog.get(path), now=course.now)
        with self.lock:
            before = self._catalog.get(path)
            if before is not reading.before or reading.tier is not self._vault.tier_of(path):
                reading = self._reader.read(path, fingerprint, before, now=course.now)
            if reading.entry is None:
                course.changes.again.append(path)
            else:
                self._put(reading, reading.entry, course)

    def _put(self, reading: Reading, entry: Entry, course: _Course) -> None:
        before = reading.before
        self._catalog.put(entry)
        if before is None:
            course.changes.added.append(entry.path)
        elif _facts(before) != _facts(entry):
            course.changes.changed.append(entry.path)
            if before.is_memory and entry.is_memory and before.memory_id == entry.memory_id:
                course.changes.edited.append((before, entry))
        if before != entry:
            course.unwritten.append(entry.path)
        if reading.document is not None and (before is None or before.text_key != entry.text_key):
            self._text.stage([reading.document])
        if not entry.searchable and before is not None and before.searchable:
            self._text.stage((), [entry.path])

    def _settle(self, course: _Course) -> None:
        """Tell moves from removals, and write down what changed."""
        changes, departed = course.changes, course.departed
        with self.lock:
            for path in changes.added:
                entry = self._catalog.get(path)
                before = departed.get(entry.memory_id) if entry and entry.memory_id else None
                if entry and before and entry.memory_id:
                    changes.moves.append(TierChange(entry.memory_id, before.path, path, before.tier, entry.tier))
            self._removed_since -= len(changes.moves)
            moved = {move.source for move in changes.moves}
            self._let_go(sum(1 for path in changes.removed if path in course.taken and path not in moved))
            departed.clear()
            self._write_down(course, removed=changes.removed)

    def _write_down(self, course: _Course, *, removed: Iterable[str] = ()) -> None:
        """Add to the catalog's file what it lacks; what may prove to have moved waits until it is known."""
        with self.lock:
            present = [entry for path in course.unwritten if (entry := self._catalog.get(path))]
            course.unwritten = [entry.path for entry in present if entry.memory_id in course.departed]
            self._behind |= {*removed, *(entry.path for entry in present)} - set(course.unwritten)
            entries = [entry for path in sorted(self._behind) if (entry := self._catalog.get(path))]
            gone = [path for path in sorted(self._behind) if path not in self._catalog]
            try:
                if self._file.append(entries, gone, alive=len(self._catalog)):
                    self._file.rewrite(self._catalog)
                self._behind.clear()
            except (MnemexError, OSError) as error:
                # the file only saves time at the next start; another process may be writing it
                logger.warning("the catalog is written down later: %s", error)


def _batches(items: Sequence[T]) -> Iterator[tuple[Sequence[T], int]]:
    """Yield the items a batch at a time, each with how many there were up to its end."""
    for start in range(0, len(items), _BATCH):
        end = min(start + _BATCH, len(items))
        yield items[start:end], end


def _facts(entry: Entry) -> Entry:
    """Return the entry without what may differ between two readings of the same note."""
    return msgspec.structs.replace(entry, racy=False)
