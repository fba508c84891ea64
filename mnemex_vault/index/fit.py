"""How well a note fits a question: what it has of the words, what it lacks, and one word for both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from mnemex_vault.index.analysis import AskedWord


class Fitting(StrEnum):
    """How much of a question a note answers to; results are never dropped by it."""

    FITS = "fits"
    PARTLY = "partly"
    WEAK = "weak"


# what the chance is made of: of questions asked of their own conversation and of another one (`docs/benchmarks.md`)
_SHARE, _SCORE, _WORDS, _NONE = 6.7, 1.5, 1.2, -6.2
# at this chance 95 of 100 questions that can be answered have something that is not weak
_WEAK = 0.19
_FITS = 0.7
# what stands for a word, but is not that word
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Fit:
    """What a note has of a question and what it lacks, as it was asked.

    `share` is the part of the question that it has, each word weighted by how rare it is; a word that no note has is as
    rare as can be. `chance` is how likely the note is about what was asked, from 0 to 1. `named` tells that a name of
    the question is lacking.
    """

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    share: float = 1.0
    chance: float = 1.0
    named: bool = False

    @property
    def fitting(self) -> Fitting:
        """Return the word for it: what lacks a name that was asked for never fits."""
        if self.share >= _FITS and not self.named:
            return Fitting.FITS
        return Fitting.PARTLY if self.chance >= _WEAK else Fitting.WEAK


NO_FIT = Fit()


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare words are: the idf of each term that any note has, and that of a word which none has."""

    known: Mapping[str, float]
    unknown: float

    def of(self, word: AskedWord) -> float:
        """Return how rare a word is."""
        return self.known.get(word.term, self.unknown)


def fit(words: Iterable[AskedWord], found: Mapping[str, bool], rarity: Rarity, score: float) -> Fit:
    """Return how well a note of this score fits; `found` has the terms in it, and whether each is the word itself."""
    asked = list(words)
    if not asked:
        return NO_FIT
    whole = sum(map(rarity.of, asked))
    had = sum(rarity.of(word) * (1.0 if found[word.term] else _HALF) for word in asked if word.term in found)
    share = had / whole
    evidence = _SHARE * share + _SCORE * math.log1p(score / rarity.unknown) + _WORDS * math.log1p(len(asked)) + _NONE
    lacking = [word for word in asked if word.term not in found]
    return Fit(
        has=_written(word for word in asked if word.term in found),
        lacks=_written(lacking),
        share=share,
        chance=1 / (1 + math.exp(-evidence)),
        named=any(word.name for word in asked if not found.get(word.term)),
    )


def _written(words: Iterable[AskedWord]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.written or word.term for word in words))
