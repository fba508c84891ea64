"""One committed generation of the index: its segments, and which of their documents are alive."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import chain, compress

from mnemex_vault.index.bm25 import Formula
from mnemex_vault.index.document import LANGUAGE
from mnemex_vault.index.postings import Segment
from mnemex_vault.language.tongues import tongues

# so many segments tell a rare term from a common one
_JUDGED_BY = 4
# name, inode and time of the table of contents: tells a generation also from one of the same number after a rebuild
Stamp = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """Where a term occurs in one segment: the number of its first note, documents, weights, places and gains."""

    base: int
    documents: Sequence[int]
    weights: Sequence[float]
    places: Sequence[int]
    gains: Sequence[float]


@dataclass(slots=True)
class SegmentView:
    """A segment within a generation; `dead` are documents that were deleted, replaced, or staged anew since."""

    segment: Segment
    base: int
    deleted: frozenset[int]
    dead: set[int]


class Snapshot:
    """The notes of one generation, numbered from 0; not safe for several threads at once."""

    def __init__(self, segments: Sequence[tuple[Segment, frozenset[int]]], stamp: Stamp | None) -> None:
        self.stamp = stamp
        self.views: list[SegmentView] = []
        self.paths: list[str] = []
        self.numbers: dict[str, int] = {}
        self.lengths = array("f")
        self.askings = array("f")
        self._norms: array[float] | None = None
        self._hidden: set[int] = set()
        self._bases: list[int] = []
        for segment, deleted in segments:
            self._add(segment, deleted)
        self.size = len(self.paths)
        self._largest = nlargest(_JUDGED_BY, self.views, key=lambda view: len(view.segment.paths))
        self._judged = max(1, sum(len(view.segment.paths) for view in self._largest))
        self.count = len(self.numbers)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Return the languages that some of the notes are surely in, also if these notes are dead by now."""
        return tuple(code for code in tongues().by_code if self.has(LANGUAGE + code))

    def etags(self) -> dict[str, str]:
        """Return the version of each committed note."""
        etags = list(chain.from_iterable(view.segment.etags for view in self.views))
        return {path: etags[number] for path, number in self.numbers.items()}

    def etag(self, path: str) -> str | None:
        """Return the committed version of a note."""
        if path not in self.numbers:
            return None
        segment, document = self.place(path)
        return segment.etags[document]

    def hide(self, path: str) -> None:
        """Take a note out of all answers, because another version of it is staged."""
        number = self.alive(path)
        if number is not None:
            view = self._view(number)
            view.dead.add(number - view.base)
            self._hidden.add(number)
            self.count -= 1

    def alive(self, path: str) -> int | None:
        """Return the number of a note that is neither hidden nor deleted."""
        number = self.numbers.get(path)
        return None if number in self._hidden else number

    def place(self, path: str) -> tuple[Segment, int]:
        """Return in which segment a committed note is, and its number there."""
        number = self.numbers[path]
        view = self._view(number)
        return view.segment, number - view.base

    def parts(self, terms: tuple[tuple[str, float], ...], formula: Formula) -> Iterator[Part]:
        """Yield where any of these terms (term, worth) occurs in living notes."""
        for view in self.views:
            found = view.segment.any_of(terms)
            if not found.documents:
                continue
            gains = found.gains(formula, view.segment.norms(formula))
            if not view.dead:
                yield Part(view.base, found.documents, found.weights, found.places, gains)
                continue
            alive = [document not in view.dead for document in found.documents]
            documents, places = list(compress(found.documents, alive)), list(compress(found.places, alive))
            weights, gains_left = list(compress(found.weights, alive)), list(compress(gains, alive))
            yield Part(view.base, documents, weights, places, gains_left)

    def norm(self, number: int, formula: Formula) -> float:
        """Return what frequencies are compared with in a note."""
        if self._norms is None:
            self._norms = array("f", chain.from_iterable(view.segment.norms(formula) for view in self.views))
        return self._norms[number]

    def frequency(self, term: str) -> int:
        """Return in about how many notes a term occurs, judged by the largest segments, dead notes included."""
        found = sum(view.segment.frequency(term) for view in self._largest)
        return found if len(self._largest) == len(self.views) else round(found * self.size / self._judged)

    def holders(self, term: str) -> Iterator[int]:
        """Yield the numbers of the living notes that have a term."""
        for view in self.views:
            documents = view.segment.postings(term).documents
            yield from (view.base + document for document in documents if document not in view.dead)

    def tagged(self, tag: str) -> Iterator[int]:
        """Yield the numbers of the notes with a folded tag."""
        for view in self.views:
            documents = view.segment.tagged(tag).documents
            yield from (view.base + document for document in documents if document not in view.dead)

    def sequence(self, number: int) -> str:
        """Return the words of a note in order."""
        view = self._view(number)
        return view.segment.sequence(number - view.base)

    def living(self) -> set[int]:
        """Return the numbers of all notes that are neither hidden nor deleted."""
        return set(self.numbers.values()) - self._hidden

    def has(self, term: str) -> bool:
        """Tell whether any segment has a term."""
        return any(view.segment.has(term) for view in self.views)

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this, some several times."""
        for view in self.views:
            yield from view.segment.terms_from(prefix)

    def _add(self, segment: Segment, deleted: frozenset[int]) -> None:
        base = len(self.paths)
        self._bases.append(base)
        self.views.append(SegmentView(segment, base, deleted, set(deleted)))
        self.paths.extend(segment.paths)
        self.lengths.extend(segment.lengths)
        self.askings.extend(segment.askings)
        self.numbers.update({path: base + d for d, path in enumerate(segment.paths) if d not in deleted})

    def _view(self, number: int) -> SegmentView:
        return self.views[bisect_right(self._bases, number) - 1]
