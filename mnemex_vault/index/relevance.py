"""How well the text of each note answers a question, term by term."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.snapshot import Part


@dataclass(frozen=True, slots=True)
class TermHits:
    """A term of a question and where it occurs."""

    term: str
    idf: float
    parts: tuple[Part, ...]

    def weight_in(self, number: int) -> float:
        """Return the weighted frequency of the term in one note."""
        for part in self.parts:
            if number - part.base in part.documents:
                return part.weights[part.documents.index(number - part.base)]
        return 0.0


def look_up(collection: Collection, terms: Iterable[str]) -> list[TermHits]:
    """Return where each term occurs, without those that occur nowhere."""
    found = []
    for term in terms:
        parts = tuple(collection.parts(term))
        frequency = sum(len(part.documents) for part in parts)
        if frequency:
            found.append(TermHits(term, idf(collection.count, frequency), parts))
    return found


def scores(hits: Iterable[TermHits]) -> dict[int, float]:
    """Return the score of each note that has any of the terms."""
    by_segment: dict[int, list[tuple[float, Part]]] = {}
    for hit in hits:
        for part in hit.parts:
            by_segment.setdefault(part.base, []).append((hit.idf, part))
    found: dict[int, float] = {}
    for base, weighted_parts in by_segment.items():
        found.update(_added(base, weighted_parts))
    return found


def _added(base: int, weighted_parts: list[tuple[float, Part]]) -> dict[int, float]:
    """Add up the gains within one segment, in a row of all its documents: the quickest way without numpy."""
    sums = [0.0] * (1 + max((max(part.documents) for _, part in weighted_parts if part.documents), default=-1))
    for idf_, part in weighted_parts:
        for document, gain in zip(part.documents, part.gains, strict=True):
            sums[document] += idf_ * gain
    return {number: score for number, score in enumerate(sums, base) if score}
