"""Which notes say nearly what a text says: found by a few of its rarest words, told by how many words they share.

The cost grows with the text and with how often its rare words occur, hardly with the number of notes.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

from mnemex_vault.domain.similarity import jaccard
from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection

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
) -> list[str]:
    """Return up to `count` accepted notes whose words are at least that similar (Jaccard), the most similar first."""
    found = _candidates(collection, words.terms)
    ranked = sorted(found, key=found.__getitem__, reverse=True)
    best = list(islice((number for number in ranked if accept(collection.path(number))), _LOOKED_AT))
    similarity = {number: jaccard(words.mains, collection.mains(number)) for number in best}
    near = [number for number in best if similarity[number] >= threshold]
    return [collection.path(number) for number in sorted(near, key=similarity.__getitem__, reverse=True)[:count]]


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
