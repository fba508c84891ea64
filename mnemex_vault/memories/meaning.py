"""Search by meaning, if a model is set up: vectors for the notes, and the blend with the search by words."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.errors import IndexUnavailable, MnemexError, ModelUnavailable
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.semantic import Gathered, Vectors, blended, open_model, prune
from mnemex_vault.memories.store import Store
from mnemex_vault.progress import Progress

logger = logging.getLogger(__name__)

_BATCH = 16
# so many new notes are taken in when vectors are needed, without being asked for
_ON_THE_WAY = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Backfill:
    """How many vectors of the model were to be made, how many were, and how many texts lack one after that.

    `unreadable` are the paths of notes that had to be passed over.
    """

    model: str
    wanted: int
    made: int
    left: int
    unreadable: tuple[str, ...] = ()


class Meaning:
    """Opens the model when it is first needed; `folder` gives the folder of the settings, None to search by words."""

    def __init__(self, store: Store, cache: Path, folder: Callable[[], Path | None]) -> None:
        self._store = store
        self._cache = cache
        self._folder = folder
        self._opened: tuple[Path, Vectors | ModelUnavailable] | None = None
        self._gathered: tuple[tuple[Vectors, int, int], Gathered] | None = None

    @property
    def in_use(self) -> bool:
        """Tell whether a model is set up, usable or not."""
        return self._folder() is not None

    def vectors(self) -> Vectors | None:
        """Return the vectors of the model of the settings, None without one; raises ModelUnavailable."""
        folder = self._folder()
        if folder is None:
            return None
        if self._opened is None or self._opened[0] != folder:
            self._opened = (folder, self._open(folder))
        found = self._opened[1]
        if isinstance(found, ModelUnavailable):
            raise found
        return found

    def _open(self, folder: Path) -> Vectors | ModelUnavailable:
        try:
            return Vectors(self._cache, open_model(folder))
        except ModelUnavailable as error:
            logger.warning("search goes by words alone: %s", error)
            return error

    def lacking(self) -> list[Entry]:
        """Return one note for each text that has no vector yet; raises ModelUnavailable."""
        vectors = self.vectors()
        if vectors is None:
            return []
        by_key = {entry.text_key: entry for entry in self._entries()}
        return [by_key[key] for key in vectors.lacking(by_key)]

    def backfill(
        self, *, limit: int | None = None, force: bool = False, dry_run: bool = False, progress: Progress | None = None
    ) -> Backfill | None:
        """Make the vectors that lack, or with `force` all anew, at most `limit`; None if no model is set up.

        What is made stays when the run is cut off. Raises ModelUnavailable, and IndexUnavailable when the vectors
        cannot be kept.
        """
        with _kept():
            vectors = self.vectors()
            if vectors is None:
                return None
            by_key = {entry.text_key: entry for entry in self._entries()}
            lacking = vectors.lacking(by_key)
            entries = [by_key[key] for key in (by_key if force else lacking)][:limit]
            if dry_run:
                return Backfill(model=vectors.model.name, wanted=len(entries), made=0, left=len(lacking))
            vectors.keep_only(by_key)
            made, unreadable = self._make(vectors, entries, progress)
            left = len(vectors.lacking(by_key))
        return Backfill(
            model=vectors.model.name, wanted=len(entries), made=made, left=left, unreadable=tuple(unreadable)
        )

    def _make(self, vectors: Vectors, entries: Sequence[Entry], progress: Progress | None) -> tuple[int, Sequence[str]]:
        made, unreadable = 0, list[str]()
        for start in range(0, len(entries), _BATCH):
            batch = entries[start : start + _BATCH]
            texts = dict(self._texts(batch))
            if texts:
                vectors.add(texts)
            made += len(texts)
            unreadable += [entry.path for entry in batch if entry.text_key not in texts]
            if progress:
                progress(min(start + _BATCH, len(entries)), len(entries))
        return made, unreadable

    def prune(self) -> None:
        """Erase the vectors of texts that are gone, of every model that was ever in use; raises IndexUnavailable."""
        keys = [entry.text_key for entry in self._entries()]
        with _kept():
            prune(self._cache, keys)
            if self._opened is not None and isinstance(self._opened[1], Vectors):
                self._opened[1].keep_only(keys)

    def nearness(self, entries: Mapping[str, Entry]) -> Gathered | None:
        """Return how near the texts of these notes are to each other, None unless a model has a vector of each."""
        try:
            vectors = self.vectors()
            if vectors is None or not entries:
                return None
            self._make_few(vectors)
            found = vectors.gathered({name: entry.text_key for name, entry in entries.items()})
        except (ModelUnavailable, sqlite3.Error, OSError) as error:
            logger.info("memories are compared by words: %s", error)
            return None
        return found if len(found) == len(entries) else None

    def blend(self, question: str, words: Mapping[str, float]) -> Mapping[str, float]:
        """Return the scores by words with a share of meaning in them; those by words alone without a usable model."""
        try:
            vectors = self.vectors()
            if vectors is None or not question.strip():
                return words
            every = self._every(vectors)
            found = every.cosines(vectors.model.vectors([question])[0], words) if len(every) else {}
        except (ModelUnavailable, sqlite3.Error, OSError) as error:
            logger.info("search goes by words alone: %s", error)
            return words
        return blended(words, found) if found else words

    def _every(self, vectors: Vectors) -> Gathered:
        """Return the vectors of all notes by path, gathered anew when a note or a vector has changed."""
        revision = self._store.catalog.revision
        if self._gathered is None or self._gathered[0] != (vectors, revision, vectors.version):
            self._make_few(vectors)
            state = (vectors, revision, vectors.version)
            self._gathered = (state, vectors.gathered({entry.path: entry.text_key for entry in self._entries()}))
        return self._gathered[1]

    def _make_few(self, vectors: Vectors) -> None:
        """Make the vectors that lack if these are few, such as those of what was saved since the last time."""
        lacking = self.lacking()
        if 0 < len(lacking) <= _ON_THE_WAY and (texts := dict(self._texts(lacking))):
            vectors.add(texts)

    def _entries(self) -> list[Entry]:
        return [entry for entry in self._store.catalog if entry.searchable and entry.text_key]

    def _texts(self, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
        for entry in entries:
            try:
                yield entry.text_key, f"{entry.title}\n{self._store.content(entry)}"
            except MnemexError:
                continue


@contextmanager
def _kept() -> Iterator[None]:
    """Say in our own words that the file of vectors, or its disk, refuses."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise IndexUnavailable(f"the vectors cannot be kept: {reason}") from error
