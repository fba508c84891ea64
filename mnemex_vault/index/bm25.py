"""The formula of relevance: BM25 over weighted frequencies, for the best passage of a note.

A term adds `idf * (k1 + 1) * tf / (tf + norm)` to the score of a passage, with `norm = k1 * (1 + growth *
log2(words / passage))` for a note longer than a passage and `k1` for others, and `idf = ln(1 + (n - df + 0.5) / (df +
0.5))` (Robertson and Zaragoza 2009; frequencies weighted by field make it BM25F). A long note has many passages, and
the best of many is good by chance: therefore it grows with the logarithm of their number. In the same way a question of
many words meets a note by chance, the more words that has: for one longer than a sentence the norm of a note grows with
its length up to a passage as well.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# Where in a note its words stand: a note is cut into stretches, and two that follow each other are a passage.
#
# Which of the stretches of a note a term stands in is one number, a bit for each of them. So a long note is as good as
# its best passage, and the place of a term costs the same in every note.

STRETCH = 20
_MOST = 64
PASSAGE = 2 * STRETCH
# bits for the first and the second half of a passage
_BOTH = 3


def stretch(words: int) -> int:
    """Return how many words each stretch of a note of so many words has.

    >>> stretch(30), stretch(6400)
    (20, 100)
    """
    return max(STRETCH, -(-words // _MOST))


def most_in_a_passage(places: int) -> int:
    """Return in how many halves of a passage a term stands at most.

    >>> most_in_a_passage(0b1001), most_in_a_passage(0b0110)
    (1, 2)
    """
    return 2 if places & places >> 1 else int(places > 0)


def best_passage(terms: Sequence[tuple[float, float, int]], norm: float) -> tuple[list[float], int]:
    """Return what each term gives to the best passage of a long note, and the number of its first stretch.

    `terms` are (worth, weight, places): the worth is the most that a note can gain by a term, the weight counts what
    stands in the fields around the text and the most that any passage has of the term in the text.
    """
    tables = []
    union = 0
    for worth, weight, places in terms:
        most = most_in_a_passage(places)
        outside = weight - most if weight > most else 0.0
        # what only stands for a word counts less than once wherever it stands
        each = (weight - outside) / most if most else 0.0
        none, one, two = outside / (outside + norm), outside + each, outside + 2 * each
        first = worth * one / (one + norm)
        tables.append((places << 1, (worth * none, first, first, worth * two / (two + norm))))
        union |= places | places << 1
    best, start = -1.0, 0
    for at in _bits(union or 1):
        score = sum([table[places >> at & _BOTH] for places, table in tables])
        if score > best:
            best, start = score, at
    return [table[places >> start & _BOTH] for places, table in tables], max(0, start - 1)


def _bits(number: int) -> Iterable[int]:
    """Return which bits are set.

    >>> list(_bits(0b1010))
    [1, 3]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@dataclass(frozen=True, slots=True)
class Formula:
    """The constants of the score; `docs/benchmarks.md` names the sets on which they were chosen."""

    k1: float = 1.2
    growth: float = 0.4
    sentence: int = 16

    @property
    def gain_limit(self) -> float:
        """Return what a term of idf 1 adds to the score at most."""
        return self.k1 + 1

    def norms(self, lengths: Iterable[float]) -> array[float]:
        """Return the norms of notes of so many words."""
        known: dict[float, float] = {}
        return array("f", [known.get(n) or known.setdefault(n, self.norm(n)) for n in lengths])

    def norm(self, length: float) -> float:
        """Return what a frequency is compared with in a note of so many words."""
        return self.k1 * (1 + self.growth * math.log2(max(1.0, length / PASSAGE)))

    def verbosity(self, words: int) -> float:
        """Return how much a passage has by chance of a question of so many words.

        >>> Formula().verbosity(8), Formula().verbosity(64)
        (0.0, 2.0)
        """
        return math.log2(max(1.0, words / self.sentence))

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
