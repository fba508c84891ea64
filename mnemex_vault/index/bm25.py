"""The formula of relevance: BM25 over weighted frequencies.

A term adds `idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average))` to the score of a note, with
`idf = ln(1 + (n - df + 0.5) / (df + 0.5))` (Robertson and Zaragoza 2009; frequencies weighted by field make it BM25F).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Formula:
    """The constants of the score, tuned on conversations that no published figure is measured on.

    `asking` is the discount on a note that consists of questions only: it is seldom the answer.
    """

    k1: float = 1.2
    b: float = 0.1
    asking: float = 0.5


@dataclass(frozen=True, slots=True)
class Saturation:
    """How the frequency of a term turns into a part of the score, in a collection with a given average length."""

    factor: float
    constant: float
    slope: float
    asking: float

    @classmethod
    def of(cls, formula: Formula, average: float) -> Saturation:
        """Return it for an average length, taken to two digits so that values can be kept while notes come and go."""
        rounded = float(f"{average:.2g}") or 1.0
        return cls(formula.k1 + 1, formula.k1 * (1 - formula.b), formula.k1 * formula.b / rounded, formula.asking)

    def gain(self, frequency: float, length: float, asking: float) -> float:
        """Return what a term of idf 1 adds to the score of a note, given its length and its share of questions."""
        worth, norm = self.shape(length, asking)
        return worth * frequency / (frequency + norm)

    def shape(self, length: float, asking: float) -> tuple[float, float]:
        """Return the two values by which a note turns a frequency f into a gain, `worth * f / (f + norm)`."""
        return self.factor * (1 - self.asking * asking), self.constant + self.slope * length

    def gains(
        self, documents: Iterable[int], weights: Iterable[float], lengths: Sequence[float], askings: Sequence[float]
    ) -> array[float]:
        """Return the gains of all documents of a posting list."""
        factor, constant, slope, discount = self.factor, self.constant, self.slope, self.factor * self.asking
        pairs = zip(documents, weights, strict=True)
        return array(
            "f", [(factor - discount * askings[d]) * w / (w + constant + slope * lengths[d]) for d, w in pairs]
        )


def idf(count: int, frequency: int) -> float:
    """Return what a term tells apart: much if few of the notes have it.

    >>> idf(100, 1) > idf(100, 50) > 0
    True
    """
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
