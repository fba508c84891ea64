"""The formula of relevance: BM25 over weighted frequencies, for the best passage of a note.

A term adds `idf * (k1 + 1) * tf / (tf + norm)` to the score of a passage, with `norm = k1 * (1 + growth *
log2(words / passage))` for a note longer than a passage and `k1` for others, and `idf = ln(1 + (n - df + 0.5) / (df +
0.5))` (Robertson and Zaragoza 2009; frequencies weighted by field make it BM25F). A long note has many passages, and
the best of many is good by chance: therefore it grows with the logarithm of their number.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemex_vault.index.passages import PASSAGE


@dataclass(frozen=True, slots=True)
class Formula:
    """The constants of the score; `docs/benchmarks.md` names the sets on which they were chosen."""

    k1: float = 1.2
    growth: float = 0.4

    def norms(self, lengths: Iterable[float]) -> array[float]:
        """Return the norms of notes of so many words."""
        known: dict[float, float] = {}
        return array("f", [known.get(n) or known.setdefault(n, self.norm(n)) for n in lengths])

    def norm(self, length: float) -> float:
        """Return what a frequency is compared with in a note of so many words."""
        return self.k1 * (1 + self.growth * math.log2(max(1.0, length / PASSAGE)))

    def gain(self, frequency: float, norm: float) -> float:
        """Return what a term of idf 1 adds to the score."""
        return (self.k1 + 1) * frequency / (frequency + norm)

    def gains(self, documents: Iterable[int], weights: Iterable[float], norms: Sequence[float]) -> array[float]:
        """Return the gains of all documents of a posting list."""
        factor = self.k1 + 1
        return array("f", [factor * w / (w + norms[d]) for d, w in zip(documents, weights, strict=True)])


def idf(count: int, frequency: int) -> float:
    """Return what a term tells apart: much if few of the notes have it.

    >>> idf(100, 1) > idf(100, 50) > 0
    True
    """
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
