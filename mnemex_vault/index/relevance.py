"""How well notes answer a question: BM25 over weighted terms, term by term.

Each term adds `idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))`, with
`idf = ln(1 + (n - df + 0.5) / (df + 0.5))` (Robertson and Zaragoza 2009; the weighted frequencies make it BM25F).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mnemex_vault.index.collection import Collection
from mnemex_vault.index.snapshot import Part


@dataclass(frozen=True, slots=True)
class Formula:
    """The constants of the score, tuned on conversations that no published figure is measured on."""

    k1: float = 1.2
    b: float = 0.1


@dataclass(frozen=True, slots=True)
class TermHits:
    """A term of a question and where it occurs."""

    term: str
    idf: float
    parts: tuple[Part, ...]

    def weight_in(self, number: int) -> float:
        """Return the weighted frequency of the term in one note."""
        for base, documents, weights, _ in self.parts:
            if number - base in documents:
                return weights[documents.index(number - base)]
        return 0.0


def look_up(collection: Collection, terms: list[str]) -> list[TermHits]:
    """Return where each term occurs, without those that occur nowhere."""
    found = []
    for term in terms:
        parts = tuple(collection.parts(term))
        frequency = sum(len(documents) for _, documents, _, _ in parts)
        if frequency:
            found.append(TermHits(term, idf(collection.count, frequency), parts))
    return found


def idf(count: int, frequency: int) -> float:
    """Return what a term tells apart: much if few of the notes have it.

    >>> idf(100, 1) > idf(100, 50) > 0
    True
    """
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def scores(collection: Collection, hits: list[TermHits], formula: Formula) -> dict[int, float]:
    """Return the score of each note that has any of the terms."""
    found: dict[int, float] = {}
    get = found.get
    constant = formula.k1 * (1 - formula.b)
    slope = formula.k1 * formula.b / collection.average_length
    for hit in hits:
        factor = hit.idf * (formula.k1 + 1)
        for base, documents, weights, lengths in hit.parts:
            for document, weight in zip(documents, weights, strict=True):
                number = base + document
                gain = factor * weight / (weight + constant + slope * lengths[document])
                found[number] = get(number, 0.0) + gain
    return found


def term_score(frequency: float, hit: TermHits, length: float, average: float, formula: Formula) -> float:
    """Return what one term adds to the score of one note."""
    norm = formula.k1 * (1 - formula.b + formula.b * length / average)
    return hit.idf * frequency * (formula.k1 + 1) / (frequency + norm)
