"""One committed generation of the index: its segments, and which of their documents are alive."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemex_vault.index.postings import Segment
from mnemex_vault.index.schema import TAGS, TEXT

Part = tuple[int, Sequence[int], Sequence[float], Sequence[float]]


@dataclass(slots=True)
class SegmentView:
    """A segment within a generation; `dead` are documents that were deleted, replaced, or staged anew since."""

    segment: Segment
    base: int
    deleted: frozenset[int]
    dead: set[int]


class Snapshot:
    """The notes of one generation, numbered from 0; not safe for several threads at once."""

    def __init__(self, segments: Sequence[tuple[Segment, frozenset[int]]] = ()) -> None:
        self.views: list[SegmentView] = []
        self.paths: list[str] = []
        self.numbers: dict[str, int] = {}
        self.total_length = 0.0
        self._bases: list[int] = []
        for segment, deleted in segments:
            self._add(segment, deleted)
        self.size = len(self.paths)
        self.count = len(self.numbers)

    def etags(self) -> dict[str, str]:
        """Return the version of each committed note."""
        found: dict[str, str] = {}
        for path, number in self.numbers.items():
            view = self._view(number)
            found[path] = view.segment.etags[number - view.base]
        return found

    def hide(self, path: str) -> None:
        """Take a note out of all answers, because another version of it is staged."""
        number = self.numbers.get(path)
        if number is None:
            return
        view = self._view(number)
        if number - view.base not in view.dead:
            view.dead.add(number - view.base)
            self.count -= 1
            self.total_length -= view.segment.lengths[number - view.base]

    def alive(self, path: str) -> int | None:
        """Return the number of a note that is neither hidden nor deleted."""
        number = self.numbers.get(path)
        if number is None:
            return None
        view = self._view(number)
        return None if number - view.base in view.dead else number

    def place(self, path: str) -> tuple[Segment, int]:
        """Return in which segment a committed note is, and its number there."""
        number = self.numbers[path]
        view = self._view(number)
        return view.segment, number - view.base

    def parts(self, term: str, field: str = TEXT) -> Iterator[Part]:
        """Yield (first number, documents, weights, lengths) of each segment that has a term, the living only."""
        for view in self.views:
            postings = view.segment.postings(term, field)
            documents: Sequence[int] = postings.documents
            weights: Sequence[float] = postings.weights
            if not documents:
                continue
            if view.dead:
                pairs = [pair for pair in zip(documents, weights, strict=True) if pair[0] not in view.dead]
                documents, weights = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            yield view.base, documents, weights, view.segment.lengths

    def tagged(self, tag: str) -> Iterator[int]:
        """Yield the numbers of the notes with a folded tag."""
        for base, documents, _, _ in self.parts(tag, TAGS):
            yield from (base + document for document in documents)

    def sequence(self, number: int) -> str:
        """Return the words of a note in order."""
        view = self._view(number)
        return view.segment.sequence(number - view.base)

    def length(self, number: int) -> float:
        """Return the length of a note."""
        view = self._view(number)
        return float(view.segment.lengths[number - view.base])

    def living(self) -> Iterator[int]:
        """Yield the numbers of all notes that are neither hidden nor deleted."""
        for view in self.views:
            yield from (view.base + d for d in range(len(view.segment.paths)) if d not in view.dead)

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
        self.numbers.update((path, base + d) for d, path in enumerate(segment.paths) if d not in deleted)
        lengths: array[float] = segment.lengths
        self.total_length += sum(lengths) - sum(lengths[document] for document in deleted)

    def _view(self, number: int) -> SegmentView:
        return self.views[bisect_right(self._bases, number) - 1]
