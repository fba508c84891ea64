"""The Whoosh index on disk: generations that are read whole, written under a lock, and made anew when damaged."""

from __future__ import annotations

import pickle
import struct
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from whoosh.index import TOC, FileIndex, LockError
from whoosh.index import IndexError as WhooshError
from whoosh.reading import SegmentReader

from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.index.collection import Snapshot, Stamp
from mnemex_vault.index.document import WeightedText
from mnemex_vault.index.postings import PostingCache, Segment, pack_note, pack_sequence
from mnemex_vault.index.storage import (
    NOTE,
    PLACES,
    SEQUENCE,
    TAGS,
    TEXT,
    CheckedStorage,
    DamagedIndex,
    make_codec,
    make_schema,
    own_folder,
)

# When segments are merged: often enough that they stay few, and never so many notes that a commit takes long.

_SMALLEST = 64
_GROWTH = 4
_TIER_LIMIT = 4
MOST_NOTES = 2_000
# a segment with fewer living notes than this is worth writing anew
_ALIVE = 0.5


def merge_in_moderation(writer: Any, segments: Sequence[Any]) -> list[Any]:
    """Whoosh's hook: add the segments to merge to the writer and return the others; empty ones go without a merge."""
    segments = [segment for segment in segments if _living(segment)]
    chosen = to_merge([(_living(segment), segment.doc_count_all()) for segment in segments])
    for index in sorted(chosen):
        reader = SegmentReader(writer.storage, writer.schema, segments[index])
        writer.add_reader(reader)
        reader.close()
    return [segment for index, segment in enumerate(segments) if index not in chosen]


def to_merge(sizes: Sequence[tuple[int, int]]) -> set[int]:
    """Return which segments to merge, given how many notes of each are alive and how many there are in all.

    >>> sorted(to_merge([(2000, 2000), (3, 3), (1, 1), (1, 1), (900, 2000), (1, 1)]))
    [1, 2, 3, 4, 5]
    >>> to_merge([(2000, 2000), (3, 3), (1, 1)])
    set()
    """
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for index, (living, _) in enumerate(sizes):
        if living < MOST_NOTES:
            tiers[_tier(living)].append(index)
    chosen: list[int] = []
    for tier in sorted(tiers):
        if len(tiers[tier]) + bool(chosen) >= _TIER_LIMIT:
            chosen += tiers[tier]
    chosen += [index for index, (living, total) in enumerate(sizes) if living < _ALIVE * total and index not in chosen]
    return _within_limit(chosen, sizes)


def _within_limit(chosen: Sequence[int], sizes: Sequence[tuple[int, int]]) -> set[int]:
    """Keep what one commit may rewrite, smallest first."""
    kept: set[int] = set()
    total = 0
    for index in sorted(chosen, key=lambda index: sizes[index][0]):
        total += sizes[index][0]
        if total > MOST_NOTES:
            break
        kept.add(index)
    return kept


def _tier(living: int) -> int:
    tier = 0
    while living >= _SMALLEST * _GROWTH**tier:
        tier += 1
    return tier


def _living(segment: Any) -> int:
    return int(segment.doc_count_all() - segment.deleted_count())


_NAME = "MAIN"
_LOCK_DELAY = 0.01
_TRIES = 10
_TRY_DELAY = 0.01
# what reading gives when the files are not what this version writes
_UNREADABLE = (
    struct.error,
    zlib.error,
    DamagedIndex,
    WhooshError,
    pickle.UnpicklingError,
    EOFError,
    ValueError,
    LookupError,
    AssertionError,
    ImportError,
    AttributeError,
    TypeError,
)
# what any look at the files may give: others write and remove them, and a disk may refuse
FAILURES = (OSError, *_UNREADABLE)


class IndexBusy(Exception):
    """Another process is committing."""


class CommittedIndex:
    """Reads and writes the index in one folder; `rebuilt` tells that a damaged one had to be emptied."""

    def __init__(self, folder: Path, cache: PostingCache, *, lock_timeout: float) -> None:
        self.rebuilt = False
        self._folder = folder
        self._cache = cache
        self._lock_timeout = lock_timeout
        self._lock = threading.RLock()
        self._schema = make_schema()
        self._storage: CheckedStorage | None = None
        self._stamp: Stamp | None = None
        self._identity = ""
        self._segments: dict[str, Segment] = {}
        self._generation: list[tuple[Segment, frozenset[int]]] = []

    def load(self, known: Snapshot | None = None) -> Snapshot:
        """Return the present generation: `known` itself if it still is, else a new one with nothing hidden.

        Raises IndexUnavailable if the folder cannot be used.
        """
        with self._lock:
            try:
                storage = self._open()
                stamp = self._present(storage)
                if stamp is None or stamp != self._stamp:
                    self._generation = self._read_or_recover(storage)
            except FAILURES as error:
                raise unavailable(error) from error
            if known is not None and known.stamp == self._stamp:
                return known
            return Snapshot(self._generation, self._stamp)

    def commit(self, batch: Mapping[str, WeightedText | None], known: Snapshot | None = None) -> None:
        """Write these versions, and removals where there is None; `known` saves time if it is the present generation.

        Raises IndexBusy, IndexUnavailable, and one of FAILURES; nothing is committed then.
        """
        # most of what a server stages another one has committed by then: that needs no turn to write
        if not _changes(self.load(known), batch):
            return
        with self._writer() as writer:
            snapshot = self.load(known)
            changes = _changes(snapshot, batch)
            if not changes:
                return
            offsets = _offsets(writer.segments)
            for path in changes:
                if path in snapshot.numbers:
                    segment, document = snapshot.place(path)
                    writer.delete_document(offsets[segment.id] + document)
            for text in changes.values():
                if text is not None:
                    writer.add_document(**_fields(text))
            writer.commit(mergetype=merge_in_moderation)

    def clear(self) -> None:
        """Begin with an empty index; raises IndexUnavailable."""
        with self._lock:
            try:
                storage = self._open()
                with self._write_lock(storage):
                    self._generation = self._begin(storage)
            except FAILURES as error:
                raise unavailable(error) from error

    def forget(self) -> None:
        """Read the present generation anew at the next look: files of the one in memory are gone or damaged."""
        with self._lock:
            self._stamp = None
            self._segments = {}

    @property
    def overtaken(self) -> bool:
        """Tell whether there is another generation by now than the one that was read last."""
        with self._lock, suppress(*FAILURES):
            return self._present(self._open()) != self._stamp
        return False

    def mend(self) -> None:
        """Begin with an empty index if a file of the present generation is not what was written.

        No other process writes meanwhile, so that a healthy index stays. Raises IndexUnavailable.
        """
        with self._lock:
            self.forget()
            try:
                storage = self._open()
                with self._write_lock(storage):
                    self._check_files(storage)
            except FAILURES as error:
                raise unavailable(error) from error

    def _check_files(self, storage: CheckedStorage) -> None:
        try:
            toc = TOC.read(storage, _NAME, schema=self._schema)
            storage.check({segment.segment_id() for segment in toc.segments})
        except (FileNotFoundError, *_UNREADABLE):
            self.rebuilt = self.rebuilt or storage.holds_data()
            self._generation = self._begin(storage)

    def retain_cache(self) -> None:
        """Let go of the postings of segments that are no more."""
        self._cache.retain(set(self._segments))

    @property
    def identity(self) -> str:
        """Return what tells this index from one that was made before or after it; "" while nothing was read."""
        return self._identity

    def _open(self) -> CheckedStorage:
        if self._storage is None or not self._folder.is_dir():
            own_folder(self._folder)
            self._storage = CheckedStorage(self._folder)
        return self._storage

    @contextmanager
    def _writer(self) -> Iterator[Any]:
        self.load()
        try:
            index = FileIndex(self._open(), schema=self._schema, indexname=_NAME)
            writer = index.writer(timeout=self._lock_timeout, delay=_LOCK_DELAY, compound=False, codec=make_codec())
        except (LockError, FileNotFoundError, *_UNREADABLE) as error:
            # what is unreadable now is found out and repaired by the next look at the index
            raise IndexBusy from error
        try:
            yield writer
        finally:
            _give_up(writer)

    def _present(self, storage: CheckedStorage) -> Stamp | None:
        """Return what tells the present generation from others, also from one of the same number after a rebuild."""
        number = TOC._latest_generation(storage, _NAME)
        if number < 0:
            return None
        name = TOC._filename(_NAME, number)
        try:
            status = (self._folder / name).stat()
        except FileNotFoundError:
            return (name, 0, 0)
        return (name, status.st_ino, status.st_mtime_ns)

    def _read_or_recover(self, storage: CheckedStorage) -> list[tuple[Segment, frozenset[int]]]:
        try:
            return self._read(storage)
        except _UNREADABLE:
            with self._write_lock(storage):
                return self._recover(storage)

    def _read(self, storage: CheckedStorage) -> list[tuple[Segment, frozenset[int]]]:
        for _ in range(_TRIES):
            stamp = self._present(storage)
            try:
                toc = TOC.read(storage, _NAME, schema=self._schema)
                generation = [(self._segment(storage, s), frozenset(s.deleted_docs())) for s in toc.segments]
            except (FileNotFoundError, *_UNREADABLE) as error:
                # a writer has removed this generation, or taken it off the manifest, in the meantime
                if not isinstance(error, FileNotFoundError) and self._present(storage) == stamp:
                    raise
                time.sleep(_TRY_DELAY)
                continue
            self._stamp = stamp
            self._identity = storage.identity()
            self._segments = {segment.id: segment for segment, _ in generation}
            return generation
        raise DamagedIndex("files are missing")

    def _segment(self, storage: CheckedStorage, segment: Any) -> Segment:
        known = self._segments.get(segment.segment_id())
        return known or Segment(storage, segment, self._cache)

    def _recover(self, storage: CheckedStorage) -> list[tuple[Segment, frozenset[int]]]:
        """Look again, since another process may have been faster; then begin with an empty index."""
        try:
            return self._read(storage)
        except _UNREADABLE:
            self.rebuilt = self.rebuilt or storage.holds_data()
            return self._begin(storage)

    def _begin(self, storage: CheckedStorage) -> list[tuple[Segment, frozenset[int]]]:
        storage.clear()
        storage.identify()
        self._segments = {}
        self._stamp = None
        FileIndex.create(storage, self._schema, _NAME)
        return self._read(storage)

    @contextmanager
    def _write_lock(self, storage: CheckedStorage) -> Iterator[None]:
        lock = storage.lock(f"{_NAME}_WRITELOCK")
        until = time.monotonic() + max(self._lock_timeout, 1.0)
        while not lock.acquire():
            if time.monotonic() > until:
                raise IndexUnavailable("another process is writing to the index, which is not readable now")
            time.sleep(_LOCK_DELAY)
        try:
            yield
        finally:
            lock.release()


def unavailable(error: BaseException) -> IndexUnavailable:
    """Say in our own words what went wrong with the files."""
    reason = error.strerror if isinstance(error, OSError) else ""
    return IndexUnavailable(reason or f"it cannot be read ({type(error).__name__})")


def _give_up(writer: Any) -> None:
    """Take back what a writer has not committed and free the lock, even if the disk refuses."""
    if writer.is_closed:
        return
    try:
        writer.cancel()
    except FAILURES:
        writer.writelock.release()


def _changes(snapshot: Snapshot, batch: Mapping[str, WeightedText | None]) -> dict[str, WeightedText | None]:
    """Return what of a batch is not committed as it is."""
    return {path: text for path, text in batch.items() if snapshot.etag(path) != (text.etag if text else None)}


def _offsets(segments: list[Any]) -> dict[str, int]:
    """Return the number of the first document of each segment, as the writer counts."""
    offsets: dict[str, int] = {}
    base = 0
    for segment in segments:
        offsets[segment.segment_id()] = base
        base += segment.doc_count_all()
    return offsets


def _fields(text: WeightedText) -> dict[str, object]:
    return {
        TEXT: [(term, weight, PLACES.pack(text.places.get(term, 0))) for term, weight in text.terms.items()],
        TAGS: [(tag, 1.0, b"") for tag in text.tags],
        NOTE: pack_note(text),
        SEQUENCE: pack_sequence(text),
    }
