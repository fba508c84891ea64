"""How well the text of each note answers a question, term by term."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import Sought
from mnemex_vault.index.snapshot import Part


@dataclass(frozen=True, slots=True)
class TermHits:
    """A word of a question and where it, or what may stand for it, occurs."""

    word: Sought
    idf: float
    parts: tuple[Part, ...]

    @property
    def term(self) -> str:
        """Return the word."""
        return self.word.word

    def in_note(self, number: int) -> tuple[float, float] | None:
        """Return the weighted frequency in a note and what it gains by it, None if nothing occurs there."""
        for part in self.parts:
            place = bisect_left(part.documents, number - part.base)
            if place < len(part.documents) and part.documents[place] == number - part.base:
                return part.weights[place], part.gains[place]
        return None


def look_up(collection: Collection, words: Iterable[Sought]) -> list[TermHits]:
    """Return where each word occurs, without those that occur nowhere."""
    return [hits for word in words if (hits := _hits(collection, word))]


def _hits(collection: Collection, word: Sought) -> TermHits | None:
    """Look up all that may stand for a word; forms of the word itself are as rare as they are together."""
    same = tuple((each.term, each.weight) for each in word.alternatives if each.kind.same)
    parts = tuple(collection.parts(same))
    others = [each for each in word.alternatives if not each.kind.same]
    if not others:
        return TermHits(word, _rarity(collection, parts), parts) if parts else None
    valued = [(each.weight, found) for each in others if (found := tuple(collection.parts(((each.term, 1.0),))))]
    if parts:
        valued.append((1.0, parts))
    if not valued:
        return None
    rarity = _rarity(collection, parts) if parts else max(_rarity(collection, found) for _, found in valued)
    worths = [(weight * _rarity(collection, found) / rarity, found) for weight, found in valued]
    return TermHits(word, rarity, _best(worths))


def _rarity(collection: Collection, parts: Iterable[Part]) -> float:
    return idf(collection.count, sum(len(part.documents) for part in parts))


def _best(valued: Iterable[tuple[float, Iterable[Part]]]) -> tuple[Part, ...]:
    """Return the best of several terms for each note, as if they were one."""
    by_base: dict[int, list[tuple[float, Part]]] = {}
    for worth, parts in valued:
        for part in parts:
            by_base.setdefault(part.base, []).append((worth, part))
    return tuple(_merged(base, listed) for base, listed in sorted(by_base.items()))


def _merged(base: int, listed: list[tuple[float, Part]]) -> Part:
    best: dict[int, tuple[float, float]] = {}
    for worth, part in listed:
        for document, weight, gain in zip(part.documents, part.weights, part.gains, strict=True):
            if document not in best or gain * worth > best[document][1]:
                best[document] = weight * worth, gain * worth
    documents = sorted(best)
    return Part(base, documents, [best[each][0] for each in documents], [best[each][1] for each in documents])


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
