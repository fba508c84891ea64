"""Make catalog and text index agree with the notes: one idempotent function for every occasion.

Start-up, watcher, command line and our own writes all end here. A fingerprint that agrees means that there is
nothing to do, so our own changes need no special treatment.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

import msgspec

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteNotFound, UnreadableNote, VaultEmptied
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.catalog_file import CatalogFile
from mnemex_vault.index.describe import describe, unreadable
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.renames import renamed_folders, with_folders
from mnemex_vault.index.text_index import Document, TextIndex
from mnemex_vault.notes.files import Fingerprint
from mnemex_vault.notes.note import Note, NoteKind
from mnemex_vault.notes.vault import Vault

logger = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
# a vault with fewer known notes may well lose most of them by hand
_EMPTIED_FROM = 10
_BATCH = 500
# more staged texts than these cost memory, and one commit of them takes long
_MOST_PENDING = 2_000


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

    `again` are paths to look at once more when they have come to rest, `renamed` memory folders that bear another
    name now (field of the layout -> folder).
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moves: list[TierChange] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)


class Reconciler:
    """The bridge between vault and index; calls may come from several threads.

    `departures` gives the paths from which operations took notes, also those of other processes, with their etags:
    such notes are no loss.
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
        self._vault = vault
        self._catalog = catalog
        self._file = file
        self._text = text
        self._zone = zone
        self._departures = departures
        self._lock = threading.RLock()
        self._known_before = len(catalog)
        self._removed_since = 0
        self._losses_accepted = False

    def reconcile(
        self,
        paths: Iterable[str] | None = None,
        *,
        now: datetime,
        progress: Progress | None = None,
        own: bool = False,
    ) -> Changes:
        """Look at these paths (files or folders), or at the whole vault, and take over what is different.

        With `own` it was a change of ours, so that what is gone is no loss. Raises VaultUnavailable when the vault is
        missing and VaultEmptied when most notes are gone at once; nothing is removed then.
        """
        with self._lock:
            self._vault.check()
            found = dict(self._vault.scan()) if paths is None else self._found(paths)
            gone = self._gone(found, paths)
            taken = frozenset(gone) if own else self._taken(gone)
            if not own:
                self._guard(found, [path for path in gone if path not in taken])
            changes = Changes(renamed=self._follow_renamed(found, gone))
            departed = self._remove(gone, changes)
            self._take_over(self._different(found), changes, now=now, progress=progress)
            self._settle(changes, departed)
            self._let_go(taken.intersection(changes.removed) - {move.source for move in changes.moves})
            if paths is None:
                self._known_before, self._removed_since = len(self._catalog), 0
                self._losses_accepted = False
            return changes

    def sort_tiers(self) -> None:
        """Put every note into the tier of its folder, after the memory folders were named anew."""
        with self._lock:
            for entry in self._catalog:
                tier = self._vault.tier_of(entry.path)
                if tier is not entry.tier:
                    self._catalog.put(msgspec.structs.replace(entry, tier=tier))

    def accept_losses(self) -> None:
        """Take the present notes as all there are, however many disappeared."""
        with self._lock:
            self._losses_accepted = True

    def stage_missing(self, *, progress: Progress | None = None) -> int:
        """Give the text index what it lacks according to the catalog, and take out what is gone; return how many."""
        with self._lock:
            held = self._text.committed()
            ghosts = [path for path in held if not self._is_searchable(path)]
            missing = [entry for entry in self._catalog if entry.searchable and held.get(entry.path) != entry.text_key]
            self._text.stage((), ghosts)
            for start in range(0, len(missing), _BATCH):
                batch = missing[start : start + _BATCH]
                self._text.stage(document for entry in batch if (document := self._document(entry)))
                self._flush_if_many()
                if progress:
                    progress(min(start + _BATCH, len(missing)), len(missing))
            self._text.filled()
            return len(missing) + len(ghosts)

    def refill(self) -> int:
        """Stage what an index lacks that was damaged and began anew; return how many notes."""
        with self._lock:
            return self.stage_missing() if self._text.lacking else 0

    def start_anew(self) -> None:
        """Write the catalog's file without a trace of notes that are gone, and give the text index every note again."""
        with self._lock:
            self._file.rewrite(self._catalog)
            self.stage_missing()

    def rehash(self, paths: Iterable[str], *, now: datetime) -> Changes:
        """Read these notes whatever their fingerprints say: for edits that left size and times as they were."""
        with self._lock:
            changes = Changes()
            found = self._found(paths)
            self._take_over(list(found.items()), changes, now=now, progress=None)
            self._settle(changes, {})
            return changes

    def _flush_if_many(self) -> None:
        """Commit before too many texts are held in memory; what cannot be committed now stays staged."""
        if self._text.pending >= _MOST_PENDING:
            self._text.flush()

    def _is_searchable(self, path: str) -> bool:
        entry = self._catalog.get(path)
        return entry is not None and entry.searchable

    def _document(self, entry: Entry) -> Document | None:
        try:
            data, fingerprint = self._vault.files.read(entry.path)
        except MnemexError:
            return None
        now = self._at(fingerprint)
        return describe(Note.parse(entry.path, data), fingerprint, tier=entry.tier, zone=self._zone(), now=now)[1]

    def _at(self, fingerprint: Fingerprint) -> datetime:
        return datetime.fromtimestamp(max(0, fingerprint.mtime_ns) / 1e9, self._zone())

    def _found(self, paths: Iterable[str]) -> dict[str, Fingerprint]:
        found: dict[str, Fingerprint] = {}
        for path in paths:
            found.update(self._vault.look(path))
        return found

    def _gone(self, found: dict[str, Fingerprint], paths: Iterable[str] | None) -> list[str]:
        if paths is None:
            return [entry.path for entry in self._catalog if entry.path not in found]
        return [path for path in self._known_below(paths) if path not in found]

    def _known_below(self, paths: Iterable[str]) -> Iterator[str]:
        folders = []
        for path in paths:
            if path in self._catalog:
                yield path
            elif not path.lower().endswith(".md"):
                folders.append(path.rstrip("/") + "/" if path else "")
        if folders:
            prefixes = tuple(folders)
            yield from [entry.path for entry in self._catalog if entry.path.startswith(prefixes)]

    def _taken(self, gone: list[str]) -> frozenset[str]:
        """Return those of the notes that an operation took away, so that nobody lost them."""
        if not gone:
            return frozenset()
        taken = self._departures()
        return frozenset(
            path for path in gone if (entry := self._catalog.get(path)) and entry.etag in taken.get(path, ())
        )

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

    def _let_go(self, paths: frozenset[str]) -> None:
        """Do not count these notes as lost."""
        self._known_before -= len(paths)
        self._removed_since -= len(paths)

    def _follow_renamed(self, found: dict[str, Fingerprint], gone: list[str]) -> dict[str, str]:
        """Let a memory folder that was renamed stay what it was, so that nothing changes tier."""
        entries = [entry for path in gone if (entry := self._catalog.get(path))]
        arrived = {path: fingerprint for path, fingerprint in found.items() if path not in self._catalog}
        if not entries or not arrived:
            return {}
        renamed = renamed_folders(self._vault.layout, entries, arrived, exists=self._vault.has_folder)
        self._vault.layout = with_folders(self._vault.layout, renamed)
        return renamed

    def _remove(self, gone: list[str], changes: Changes) -> dict[str, Entry]:
        departed: dict[str, Entry] = {}
        for path in gone:
            entry = self._catalog.remove(path)
            if entry is not None:
                changes.removed.append(path)
                if entry.memory_id:
                    departed[entry.memory_id] = entry
        self._removed_since += len(changes.removed)
        return departed

    def _different(self, found: dict[str, Fingerprint]) -> list[tuple[str, Fingerprint]]:
        return [
            (path, fingerprint)
            for path, fingerprint in found.items()
            if (entry := self._catalog.get(path)) is None or entry.racy or entry.fingerprint != fingerprint
        ]

    def _take_over(
        self, different: list[tuple[str, Fingerprint]], changes: Changes, *, now: datetime, progress: Progress | None
    ) -> None:
        for start in range(0, len(different), _BATCH):
            documents: list[Document] = []
            for path, fingerprint in different[start : start + _BATCH]:
                self._read(path, fingerprint, changes, documents, now=now)
            self._text.stage(documents)
            self._flush_if_many()
            if progress:
                progress(min(start + _BATCH, len(different)), len(different))

    def _read(
        self, path: str, fingerprint: Fingerprint, changes: Changes, documents: list[Document], *, now: datetime
    ) -> None:
        before = self._catalog.get(path)
        tier = self._vault.tier_of(path)
        document: Document | None = None
        try:
            data, fingerprint = self._vault.files.read(path)
        except NoteNotFound:
            changes.again.append(path)
            return
        except UnreadableNote as error:
            entry = unreadable(path, fingerprint, error.reason, tier=tier, now=now)
        else:
            entry, document = describe(Note.parse(path, data), fingerprint, tier=tier, zone=self._zone(), now=now)
        if _half_written(before, entry):
            changes.again.append(path)
            return
        self._put(_keep_last_good(before, entry), document, before, changes, documents)

    def _put(
        self,
        entry: Entry,
        document: Document | None,
        before: Entry | None,
        changes: Changes,
        documents: list[Document],
    ) -> None:
        self._catalog.put(entry)
        if before is None:
            changes.added.append(entry.path)
        elif _facts(before) != _facts(entry):
            changes.changed.append(entry.path)
        if document is not None and (before is None or before.text_key != entry.text_key):
            documents.append(document)
        if document is None and before is not None and before.searchable:
            self._text.stage((), [entry.path])

    def _settle(self, changes: Changes, departed: dict[str, Entry]) -> None:
        """Tell moves from removals, and write down what changed."""
        for path in changes.added:
            entry = self._catalog.get(path)
            before = departed.get(entry.memory_id) if entry and entry.memory_id else None
            if entry and before and entry.memory_id:
                changes.moves.append(TierChange(entry.memory_id, before.path, path, before.tier, entry.tier))
        self._removed_since -= len(changes.moves)
        self._text.stage((), changes.removed)
        present = [entry for path in (*changes.added, *changes.changed) if (entry := self._catalog.get(path))]
        try:
            long = self._file.append(present, changes.removed, alive=len(self._catalog))
            if long:
                self._file.rewrite(self._catalog)
        except (MnemexError, OSError) as error:
            # the file only saves time at the next start
            logger.warning("the catalog could not be written: %s", error)


def _facts(entry: Entry) -> Entry:
    """Return the entry without what may differ between two readings of the same note."""
    return msgspec.structs.replace(entry, racy=False)


def _half_written(before: Entry | None, entry: Entry) -> bool:
    """Tell whether a good note looks broken so soon after a change that someone may still be writing it."""
    broken = entry.kind in (NoteKind.UNREADABLE, NoteKind.BINARY) or entry.etag == ""
    return broken and entry.racy and before is not None and before.kind is NoteKind.MEMORY


def _keep_last_good(before: Entry | None, entry: Entry) -> Entry:
    """Keep id and bookkeeping of a memory whose frontmatter cannot be read at present."""
    if entry.kind is not NoteKind.UNREADABLE or before is None or before.memory_id is None:
        return entry
    return msgspec.structs.replace(
        entry, memory_id=before.memory_id, usage=before.usage, relations=before.relations, session=before.session
    )
