"""The text of all notes, searchable: what is committed, what is staged, and one score over both.

Several processes may share a folder: each has its own staged notes, they commit under Whoosh's lock, and see what
the others committed by the generation of the table of contents.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import TypeVar

from mnemex_vault.domain.similarity import jaccard
from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.asking import Answering, Reasons, Scanned
from mnemex_vault.index.bm25 import Formula, idf
from mnemex_vault.index.collection import Collection, Overlay, Snapshot
from mnemex_vault.index.committed import FAILURES, CommittedIndex, IndexBusy, unavailable
from mnemex_vault.index.document import Document, FieldWeights, fields_of, weighted
from mnemex_vault.index.postings import PostingCache
from mnemex_vault.index.query import Query
from mnemex_vault.index.relevance import ContextWeights, Neighbours
from mnemex_vault.index.storage import SCHEMA_VERSION
from mnemex_vault.language.stems import Stems, maker

# Which notes say nearly what a text says: found by a few of its rarest words, told by how many words they share.
#
# The cost grows with the text and with how often its rare words occur, hardly with the number of notes.

# more of a text costs time and finds nothing else; long words are seldom common
_CHARACTERS = 400
_TERMS = 16
# from so many notes on a word tells little that the rarer ones have not told
_ENOUGH_NOTES = 600
_AT_LEAST = 3
_LOOKED_AT = 12


@dataclass(frozen=True, slots=True)
class Words:
    """The main forms of all words of a text, and the few terms to look for."""

    mains: Set[str]
    terms: tuple[str, ...]

    @classmethod
    def of(cls, text: str, analyzer: Analyzer) -> Words:
        """Return the words of a text."""
        terms = dict.fromkeys(analyzer.query_terms(text[:_CHARACTERS]))
        mains = frozenset(word.main for word in analyzer.words(text))
        return cls(mains, tuple(nlargest(_TERMS, terms, key=len)))


def alike(
    collection: Collection, words: Words, accept: Callable[[str], bool], *, threshold: float, count: int
) -> dict[str, float]:
    """Return up to `count` accepted notes whose words are at least that similar (Jaccard), the most similar first."""
    found = _candidates(collection, words.terms)
    ranked = sorted(found, key=found.__getitem__, reverse=True)
    best = list(islice((number for number in ranked if accept(collection.path(number))), _LOOKED_AT))
    similarity = {collection.path(number): jaccard(words.mains, collection.mains(number)) for number in best}
    near = sorted(
        (path for path in similarity if similarity[path] >= threshold), key=similarity.__getitem__, reverse=True
    )
    return {path: similarity[path] for path in near[:count]}


def _candidates(collection: Collection, terms: tuple[str, ...]) -> dict[int, float]:
    """Return the notes that hold the rarest of the terms, with what these weigh together."""
    found: dict[int, float] = {}
    looked_at = 0
    told = 0
    for frequency, term in sorted((collection.frequency(term), term) for term in terms):
        if looked_at + frequency > _ENOUGH_NOTES and told >= _AT_LEAST:
            break
        holders = collection.holders(term)
        looked_at += len(holders)
        told += bool(holders)
        weight = idf(collection.count, len(holders))
        for number in holders:
            found[number] = found.get(number, 0.0) + weight
    return found


_CACHED_POSTINGS = 1_500_000
# a question is overtaken by merges of others now and then, but hardly so often
_GENERATIONS = 10
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class FlushResult:
    """What a flush committed: path to etag, removed paths; `busy` or `reason` tell why it did not."""

    committed: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    busy: bool = False
    reason: str | None = None


class TextIndex:
    """Staging is searchable at once and never fails; every method may be called from any thread."""

    def __init__(
        self,
        folder: Path,
        *,
        weights: FieldWeights | None = None,
        formula: Formula | None = None,
        context: ContextWeights | None = None,
        lock_timeout: float = 0.5,
        cached_postings: int = _CACHED_POSTINGS,
    ) -> None:
        self.folder = folder / f"index-v{SCHEMA_VERSION}-{maker()}"
        self._weights = weights or FieldWeights()
        self._formula = formula or Formula()
        self._context = context or ContextWeights()
        self._questions = Answering(self._context)
        self._lock = threading.RLock()
        self._flushing = threading.Lock()
        self._analyzer = Analyzer()
        self._overlay = Overlay()
        self._index = CommittedIndex(self.folder, PostingCache(cached_postings), lock_timeout=lock_timeout)
        self._snapshot: Snapshot | None = None
        self._etags: dict[str, str] | None = None
        self._filled: str | None = None

    @property
    def lacking(self) -> bool:
        """Tell whether this or another process began the index anew since it was filled: notes are to be staged."""
        return self._filled is not None and self._filled != self._index.identity

    def filled(self) -> None:
        """Take note that all notes are committed or staged."""
        self._filled = self._index.identity

    @property
    def rebuilt(self) -> bool:
        """Tell whether a damaged index was emptied, so that all notes must be staged again."""
        return self._index.rebuilt

    @property
    def pending(self) -> int:
        """Return how many staged versions and removals are not committed."""
        return len(self._overlay)

    def stage(self, upserts: Iterable[Document], removed: Iterable[str] = ()) -> None:
        """Make versions of notes searchable, and removed ones not; nothing is written."""
        for document in upserts:
            with self._lock:
                self._put(document.path, document)
        with self._lock:
            for path in removed:
                self._put(path, None)

    def flush(self) -> FlushResult:
        """Commit what is staged; when another process is committing, or the disk refuses, it stays staged."""
        with self._flushing:
            with self._lock:
                batch, known = self._overlay.batch(), self._snapshot
            if not batch:
                return FlushResult()
            try:
                self._index.commit({path: staged.text for path, staged in batch.items()}, known)
                snapshot = self._index.load()
            except IndexBusy:
                return FlushResult(busy=True)
            except (IndexUnavailable, *FAILURES) as error:
                return FlushResult(reason=self._mended(error).reason)
            with self._lock:
                for path, staged in batch.items():
                    self._overlay.drop(path, staged)
                self._take_over(snapshot)
            return FlushResult(
                committed={path: staged.text.etag for path, staged in batch.items() if staged.text},
                removed=tuple(path for path, staged in batch.items() if staged.text is None),
            )

    def refresh(self) -> None:
        """See what other processes committed; raises IndexUnavailable."""
        with self._lock:
            self._opened()

    def committed(self) -> Mapping[str, str]:
        """Return the version of each note that is committed; raises IndexUnavailable."""
        with self._lock:
            snapshot = self._opened()
            if self._etags is None:
                self._etags = snapshot.etags()
            return self._etags

    def relevance(
        self,
        query: Query,
        *,
        neighbours: Neighbours | None = None,
        eligible: Callable[[str], bool] | None = None,
    ) -> dict[str, float]:
        """Return the raw score of every note that matches; exact for the best of those that are eligible.

        Raises IndexUnavailable, also while an index that began anew lacks notes.

        A query that only filters gives each note that passes a score of 1.
        """
        return self._asked(lambda collection: self._questions.relevance(collection, query, neighbours, eligible))

    def alike(self, text: str, accept: Callable[[str], bool], *, threshold: float, count: int) -> dict[str, float]:
        """Return accepted notes with nearly the words of a text, and how near, the most similar first.

        Raises IndexUnavailable.
        """

        def ask(collection: Collection) -> dict[str, float]:
            words = Words.of(text, self._analyzer)
            return alike(collection, words, accept, threshold=threshold, count=count)

        return self._asked(ask)

    def scanned(self, documents: Iterable[Document]) -> Scanned:
        """Return what answers as if these notes were all there are; nothing on the disk is looked at."""
        overlay = Overlay()
        for document in documents:
            with self._lock:
                text = weighted(document, self._analyzer, self._weights)
            overlay.put(document.path, text)
        return Scanned(Collection(Snapshot((), None), overlay, self._formula, Stems()), self._context)

    def explain(
        self, query: Query, paths: Iterable[str], *, neighbours: Neighbours | None = None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of; raises IndexUnavailable."""
        wanted = list(paths)
        return self._asked(lambda collection: self._questions.explain(collection, query, wanted, neighbours))

    def fields(self, document: Document) -> dict[str, tuple[str, ...]]:
        """Return in which fields of a document each of its terms occurs."""
        with self._lock:
            return fields_of(document, self._analyzer)

    def start_anew(self) -> None:
        """Erase what is committed, with every word in it; the caller stages all notes again.

        Raises IndexUnavailable.
        """
        with self._flushing, self._lock:
            self._index.clear()
            self._take_over(self._index.load())

    def erase_others(self) -> None:
        """Erase the indexes that other versions of the program left beside this one; raises OSError."""
        for folder in self.folder.parent.glob("index-*"):
            if folder != self.folder:
                shutil.rmtree(folder)

    def close(self) -> None:
        """Let go of everything in memory; what is staged and not flushed is lost."""
        with self._lock:
            self._snapshot = None
            self._etags = None
            self._questions.forget()

    def _put(self, path: str, document: Document | None) -> None:
        text = weighted(document, self._analyzer, self._weights) if document else None
        self._overlay.put(path, text)
        if self._snapshot is not None:
            self._snapshot.hide(path)

    def _opened(self) -> Snapshot:
        snapshot = self._index.load(self._snapshot)
        if snapshot is not self._snapshot:
            self._take_over(snapshot)
        return snapshot

    def _asked(self, ask: Callable[[Collection], Answer]) -> Answer:
        """Ask what is committed and staged; raises IndexUnavailable, and nothing else for files that fail.

        Another process may have removed the files of the generation in memory: then the present one is asked, and
        that again if it was overtaken meanwhile.
        """
        with self._lock:
            for _ in range(_GENERATIONS):
                try:
                    return ask(self._answering())
                except FAILURES:
                    if not self._index.overtaken:
                        break
            self._index.forget()
            self._snapshot = None
            try:
                return ask(self._answering())
            except FAILURES as error:
                raise self._mended(error) from error

    def _mended(self, error: BaseException) -> IndexUnavailable:
        """Let the index begin anew if it is damaged; return what to say meanwhile."""
        with self._lock:
            self._snapshot = None
        try:
            self._index.mend()
        except IndexUnavailable as failure:
            return failure
        return error if isinstance(error, IndexUnavailable) else unavailable(error)

    def _answering(self) -> Collection:
        collection = Collection(self._opened(), self._overlay, self._formula, self._analyzer.stems)
        if self.lacking:
            raise IndexUnavailable("it was damaged and is being made anew")
        return collection

    def _take_over(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._etags = None
        self._index.retain_cache()
        for path in self._overlay:
            snapshot.hide(path)
