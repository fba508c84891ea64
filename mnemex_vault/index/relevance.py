"""How well the text of each note answers a question, term by term."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import Sought, guessed, meant, sought
from mnemex_vault.index.query import Query
from mnemex_vault.index.snapshot import Part

_FITTING = 0.5


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

    def within(self, wanted: Sequence[int]) -> Iterator[tuple[int, float, int]]:
        """Yield the weights and places in the wanted notes, which are ascending and few as compared to the postings."""
        for part in self.parts:
            documents, base, size = part.documents, part.base, len(part.documents)
            first = bisect_left(wanted, base)
            last = bisect_right(wanted, base + documents[-1]) if size else first
            place = 0
            for number in wanted[first:last]:
                place = bisect_left(documents, number - base, place)
                if place < size and documents[place] == number - base:
                    yield number, part.weights[place], part.places[place]


def look_up(collection: Collection, words: Iterable[Sought]) -> list[TermHits]:
    """Return where each word occurs, without those that occur nowhere."""
    return [hits for word in words if (hits := _hits(collection, word))]


def answers(collection: Collection, query: Query) -> tuple[list[TermHits], dict[int, float]]:
    """Return where the words of a query occur, and the score of each note that has any of them.

    Words that occur nowhere are looked for under what may be meant; names only if nothing else fits. What means nearly
    the same is asked for only where half of the words occur nowhere and no note fits by the others.
    """
    words = sought(collection, query)
    hits = look_up(collection, words)
    found = scores(hits)
    occurring = {hit.term for hit in hits}
    lacking = {word.word: word.asked.name for word in words if word.asked and word.word not in occurring}
    share = _share(hits, found, len(lacking))
    unclear = {term for term, name in lacking.items() if not name or share < _FITTING}
    if unclear:
        words = guessed(collection, query, words, unclear)
    if not lacking:
        return hits, found
    if share < _FITTING and len(lacking) * 2 >= len(query.words):
        words = meant(collection, query, words, lacking.keys())
    hits = look_up(collection, words)
    return hits, scores(hits)


def _share(hits: Sequence[TermHits], found: Mapping[int, float], lacking: int) -> float:
    """Return how much of what is asked for the best note has, by how rare the words are.

    A word that is lacking counts as the rarest of the others.
    """
    if not found:
        return 0.0
    best = max(found, key=found.__getitem__)
    held = sum(hit.idf for hit in hits if any(hit.within([best])))
    asked = sum(hit.idf for hit in hits) + lacking * max(hit.idf for hit in hits)
    return held / asked


def _hits(collection: Collection, word: Sought) -> TermHits | None:
    """Look up all that may stand for a word; forms of the word itself are as rare as they are together."""
    own = [each for each in word.alternatives if each.kind.same and " " not in each.term]
    parts = tuple(collection.parts(tuple((each.term, each.weight) for each in own))) if own else ()
    others = [each for each in word.alternatives if each not in own]
    if not others:
        return TermHits(word, _rarity(collection, parts), parts) if parts else None
    valued = [(each.weight, found) for each in others if (found := tuple(collection.parts(((each.term, 1.0),))))]
    if parts:
        valued.append((1.0, parts))
    if not valued:
        return None
    rarity = _rarity(collection, parts) if parts else max(_rarity(collection, found) for _, found in valued)
    worths = [(weight * min(1.0, _rarity(collection, found) / rarity), found) for weight, found in valued]
    return TermHits(word, rarity, _best(worths, collection.formula.k1 + 1))


def _rarity(collection: Collection, parts: Iterable[Part]) -> float:
    return idf(collection.count, sum(len(part.documents) for part in parts))


def _best(valued: Iterable[tuple[float, Iterable[Part]]], most: float) -> tuple[Part, ...]:
    """Return the best of several terms for each note, as if they were one."""
    by_base: dict[int, list[tuple[float, Part]]] = {}
    for worth, parts in valued:
        for part in parts:
            by_base.setdefault(part.base, []).append((worth, part))
    return tuple(_merged(base, listed, most) for base, listed in sorted(by_base.items()))


def _merged(base: int, listed: list[tuple[float, Part]], most: float) -> Part:
    """Return the best of several terms in one segment; `most` is what a note can gain by a word at most."""
    best: dict[int, tuple[float, int, float]] = {}
    # the longest list is taken over as it is
    for worth, part in sorted(listed, key=lambda each: (each[0] < 1, -len(each[1].documents))):
        if not best and worth == 1.0:
            best.update(zip(part.documents, zip(part.weights, part.places, part.gains, strict=True), strict=True))
            continue
        rows = zip(part.documents, part.weights, part.places, part.gains, strict=True)
        for document, weight, placed, gain in rows:
            if document not in best or gain * worth > best[document][2]:
                best[document] = _discounted(weight, gain / most, worth), placed, gain * worth
    documents = sorted(best)
    weights, places, gains = (list(column) for column in zip(*(best[each] for each in documents), strict=True))
    return Part(base, documents, weights, places, gains)


def _discounted(weight: float, share: float, worth: float) -> float:
    """Return the frequency that gains a share of what a frequency does; `share` is that gain as part of the greatest.

    >>> round(_discounted(2.0, 0.5, 0.5), 2)
    0.67
    """
    if worth == 1.0:
        return weight
    norm = weight * (1 / share - 1)
    return norm * share * worth / (1 - share * worth)


def scores(hits: Iterable[TermHits]) -> dict[int, float]:
    """Return the score of each note that has any of the terms; a long note has as much at most."""
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
