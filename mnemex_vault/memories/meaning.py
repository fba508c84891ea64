"""Search by meaning, if a model is set up: vectors for the notes, and the blend with the search by words."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from mnemex_vault.errors import MnemexError, ModelUnavailable
from mnemex_vault.index.embedding import open_model
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.reconcile import Progress
from mnemex_vault.index.semantic import Vectors, blended, prune
from mnemex_vault.memories.store import Store

logger = logging.getLogger(__name__)

_BATCH = 16
# so many new notes are taken in by a search itself, without being asked for
_ON_THE_WAY = 8


class Meaning:
    """Opens the model when it is first needed; `folder` gives the folder of the settings, None to search by words."""

    def __init__(self, store: Store, cache: Path, folder: Callable[[], Path | None]) -> None:
        self._store = store
        self._cache = cache
        self._folder = folder
        self._opened: tuple[Path, Vectors | ModelUnavailable] | None = None

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

    def backfill(self, *, limit: int | None = None, progress: Progress | None = None) -> int:
        """Make the vectors that lack, at most `limit`; return how many were made. Raises ModelUnavailable."""
        vectors = self.vectors()
        if vectors is None:
            return 0
        vectors.keep_only(entry.text_key for entry in self._entries())
        entries = self.lacking()[:limit]
        made = 0
        for start in range(0, len(entries), _BATCH):
            texts = dict(self._texts(entries[start : start + _BATCH]))
            if texts:
                vectors.add(texts)
            made += len(texts)
            if progress:
                progress(min(start + _BATCH, len(entries)), len(entries))
        return made

    def prune(self) -> None:
        """Erase the vectors of texts that are gone, of every model that was ever in use."""
        keys = [entry.text_key for entry in self._entries()]
        prune(self._cache, keys)
        if self._opened is not None and isinstance(self._opened[1], Vectors):
            self._opened[1].keep_only(keys)

    def blend(self, question: str, words: Mapping[str, float]) -> Mapping[str, float]:
        """Return the scores by words with a share of meaning in them; those by words alone without a usable model."""
        try:
            vectors = self.vectors()
            if vectors is None or not question.strip():
                return words
            lacking = list(islice(self.lacking(), _ON_THE_WAY + 1))
            if 0 < len(lacking) <= _ON_THE_WAY and (texts := dict(self._texts(lacking))):
                vectors.add(texts)
            entries = self._entries()
            by_key = vectors.cosines(question, [entry.text_key for entry in entries])
        except (ModelUnavailable, sqlite3.Error, OSError) as error:
            logger.info("search goes by words alone: %s", error)
            return words
        if not by_key:
            return words
        return blended(words, {e.path: by_key[e.text_key] for e in entries if e.text_key in by_key})

    def _entries(self) -> list[Entry]:
        return [entry for entry in self._store.catalog if entry.searchable and entry.text_key]

    def _texts(self, entries: list[Entry]) -> Iterator[tuple[str, str]]:
        for entry in entries:
            try:
                yield entry.text_key, f"{entry.title}\n{self._store.content(entry)}"
            except MnemexError:
                continue
