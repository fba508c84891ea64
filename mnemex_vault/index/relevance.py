"""How well the text of each note answers a question, term by term, and what was said around it in its session."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Protocol

from mnemex_vault.index.bm25 import PASSAGE, STRETCH, best_passage, idf
from mnemex_vault.index.collection import Collection, Part
from mnemex_vault.index.expansion import Sought, guessed, meant, sought
from mnemex_vault.index.query import Query

# How well the text of each note answers a question, term by term.

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
    telling = [hit for hit in hits if hit.word.telling]
    held = sum(hit.idf for hit in telling if any(hit.within([best])))
    asked = sum(hit.idf for hit in telling) + lacking * max(hit.idf for hit in telling)
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


def scores(hits: Sequence[TermHits]) -> dict[int, float]:
    """Return the score of each note that has any of the telling terms; a long note has as much at most."""
    telling = [hit for hit in hits if hit.word.telling]
    found = _scores(hits)
    if len(telling) < len(hits):
        by_themselves = _scores(telling)
        found = {number: score for number, score in found.items() if number in by_themselves}
    return found


def _scores(hits: Iterable[TermHits]) -> dict[int, float]:
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


# What was said around a note counts as well: a note and those before and after it in its session are one talk.
#
# Only notes that have words of the question themselves are lifted by it, and only the best notes and those beside them
# are looked at closely, so the cost does not grow with the vault.


class Neighbours(Protocol):
    """What the notes tell of each other; answers are paths, also of notes that are not indexed."""

    def session_of(self, path: str) -> str | None:
        """Return the session in which a note was saved."""

    def session(self, name: str) -> Sequence[str]:
        """Return the notes of a session in the order in which they were saved."""

    def place(self, path: str) -> int:
        """Return the place of a note in its session."""


@dataclass(frozen=True, slots=True)
class ContextWeights:
    """How much the surroundings of a note count, and how many notes are looked at closely.

    `talk` weights the words of the notes one, two, ... places before and after, `replying` besides those of a question
    right before: a reply seldom repeats it. The best session leaves its notes their
    whole score, others down to `1 / (1 + session)` of it; no note gains by a session over one that was saved alone.
    Sessions longer than `longest_session` are no conversations and are left as they are. A note of one stretch that
    only asks is worth `asking` of its score. The best `lifted` notes and those beside them are scored with their
    surroundings, the best `examined` by their best passage.
    """

    talk: tuple[float, ...] = (0.8, 0.6, 0.4, 0.2)
    replying: float = 2.0
    session: float = 0.5
    session_b: float = 0.9
    longest_session: int = 300
    asking: float = 0.5
    lifted: int = 20
    examined: int = 60


@dataclass(frozen=True, slots=True)
class Weighed:
    """The score of a note: what its best passage has, and what the talk around it adds.

    All are what the session of the note leaves. `terms` tells what each term gives to the passage, by its number among
    the hits, `start` with which stretch the passage begins.
    """

    text: float
    talk: float
    start: int
    terms: Mapping[int, float]

    @property
    def total(self) -> float:
        """Return the score."""
        return self.text + self.talk


_NOTHING = Weighed(0.0, 0.0, 0, {})
# what a note has of the terms: their numbers, weights and places
Row = list[tuple[int, float, int]]


class Scale:
    """Scores notes one by one, for a question that was looked up; `found` is what each can have by its own words."""

    def __init__(
        self,
        collection: Collection,
        hits: Sequence[TermHits],
        found: Mapping[int, float],
        neighbours: Neighbours | None,
        context: ContextWeights,
        eligible: Callable[[str], bool] | None = None,
    ) -> None:
        self._collection = collection
        self.hits = hits
        self.found = found
        self._neighbours = neighbours
        self._context = context
        self._worths = [hit.idf * collection.formula.gain_limit for hit in hits]
        self._verbosity = collection.formula.verbosity(sum(hit.word.asked is not None for hit in hits))
        self._rows: dict[int, Row] = {}
        self._lent: dict[int, list[tuple[int, float]]] = {}
        self._members: dict[str, list[int | None]] = {}
        self._around: dict[int, list[tuple[int, int]]] = {}
        self._sessions: dict[str, float] = {}
        self.best = best_of(found, collection, context.examined, eligible)
        self._look_around(self.best[: context.lifted])

    def weigh(self, numbers: Iterable[int]) -> dict[int, Weighed]:
        """Return the scores of these notes; 0 for those without any of the terms."""
        wanted = list(numbers)
        self._read(wanted)
        return {number: self._weighed(number) for number in wanted}

    def exact(self) -> dict[int, float]:
        """Return the scores of the best notes, and of those beside them that have words of their own."""
        return {number: each.total for number, each in self.weigh({*self.best, *self._around}).items()}

    def _look_around(self, lifted: Sequence[int]) -> None:
        """Read what stands around the best notes, and judge their sessions."""
        if self._neighbours is None:
            return
        names = dict.fromkeys(name for number in lifted if (name := self._session_of(number)) is not None)
        beside = {number: self._beside(number) for number in lifted}
        near = {other for around in beside.values() for _, other in around if other in self.found}
        self._around = beside | {number: self._beside(number) for number in near - beside.keys()}
        members = {name: [number for number in self._in_session(name) if number is not None] for name in names}
        whole = {name: notes for name, notes in members.items() if 1 < len(notes) <= self._context.longest_session}
        around = {other for around in self._around.values() for _, other in around}
        self._read(around.union(*whole.values()))
        self._sessions = self._judged(whole)

    def _session_of(self, number: int) -> str | None:
        return self._neighbours.session_of(self._collection.path(number)) if self._neighbours else None

    def _in_session(self, name: str) -> list[int | None]:
        """Return the notes of a session in their order, None for those that are not indexed."""
        known = self._members.get(name)
        if known is None:
            paths = self._neighbours.session(name) if self._neighbours else ()
            known = self._members[name] = list(map(self._collection.number, paths))
        return known

    def _beside(self, number: int) -> list[tuple[int, int]]:
        """Return the notes around one in its session, with their distances, negative for those before it."""
        name = self._session_of(number)
        if self._neighbours is None or name is None:
            return []
        place, reach = self._neighbours.place(self._collection.path(number)), len(self._context.talk)
        first = max(0, place - reach)
        near = enumerate(self._in_session(name)[first : place + reach + 1], first - place)
        return [(distance, other) for distance, other in near if distance and other is not None]

    def _read(self, numbers: Iterable[int]) -> None:
        wanted = sorted(set(numbers) - self._rows.keys())
        self._rows.update((number, []) for number in wanted)
        for index, hit in enumerate(self.hits):
            for number, weight, places in hit.within(wanted):
                self._rows[number].append((index, weight, places))

    def _judged(self, sessions: Mapping[str, Sequence[int]]) -> dict[str, float]:
        """Score sessions as if each were one note, as shares of the best."""
        lengths = {name: sum(map(self._collection.length, notes)) for name, notes in sessions.items()}
        average = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        sums = {name: self._sums((1.0, number) for number in notes) for name, notes in sessions.items()}
        telling = [idf(len(sums), sum(bool(s[i]) for s in sums.values())) for i in range(len(self.hits))]
        k1, b = self._collection.formula.k1, self._context.session_b
        values = {}
        for name, frequencies in sums.items():
            norm = k1 * (1 - b + b * lengths[name] / average)
            values[name] = sum(weight * f / (f + norm) for weight, f in zip(telling, frequencies, strict=True) if f)
        best = max(values.values(), default=0.0) or 1.0
        return {name: value / best for name, value in values.items()}

    def _sums(self, shares: Iterable[tuple[float, int]]) -> list[float]:
        """Return how often notes have each term together, each note with its share."""
        sums = [0.0] * len(self.hits)
        for share, number in shares:
            for index, weight, _ in self._rows[number]:
                sums[index] += share * weight
        return sums

    def _weighed(self, number: int) -> Weighed:
        row = self._rows[number]
        if not row:
            return _NOTHING
        worths, norm = self._worths, self._norm(number)
        if self._collection.length(number) > PASSAGE:
            gains, start = best_passage([(worths[i], weight, places) for i, weight, places in row], norm)
        else:
            gains, start = [worths[i] * weight / (weight + norm) for i, weight, _ in row], 0
        text, around = sum(gains), self._around.get(number)
        talk = max(0.0, self._talk(number, around) - text) / 2 if around else 0.0
        left = self._left_by_session(number) * self._left_by_asking(number)
        terms = {index: left * each for (index, _, _), each in zip(row, gains, strict=True)}
        return Weighed(left * text, left * talk, start, terms)

    def _norm(self, number: int) -> float:
        """Return what frequencies in a note are compared with, for a question of this length."""
        norm = self._collection.norm(number)
        if not self._verbosity:
            return norm
        return norm * (1 + self._verbosity * min(1.0, self._collection.length(number) / PASSAGE))

    def _talk(self, number: int, around: Iterable[tuple[int, int]]) -> float:
        """Return the score of a note and those around it as if they were one; a long one counts by its passages."""
        heard = [(distance, other) for distance, other in around if self._rows[other]]
        if not heard:
            return 0.0
        sums = [0.0] * len(self.hits)
        for share, other in ((1.0, number), *((self._heard(*each), each[1]) for each in heard)):
            for index, weight in self._lends(other):
                sums[index] += share * weight
        k1 = self._collection.formula.k1
        return sum([worth * f / (f + k1) for worth, f in zip(self._worths, sums, strict=True) if f])

    def _lends(self, number: int) -> list[tuple[int, float]]:
        """Return the frequencies of terms in a note as if it were a passage."""
        known = self._lent.get(number)
        if known is None:
            share = self._collection.formula.k1 / self._norm(number)
            known = self._lent[number] = [(index, share * weight) for index, weight, _ in self._rows[number]]
        return known

    def _heard(self, distance: int, other: int) -> float:
        """Return what share of its words a note lends to one so many places later."""
        share = self._context.talk[abs(distance) - 1]
        if distance == -1 and self._collection.length(other) <= PASSAGE:
            share += self._context.replying * self._collection.asking(other)
        return share

    def _left_by_session(self, number: int) -> float:
        name = self._session_of(number)
        if name is None or self._neighbours is None:
            return 1.0
        if not 1 < len(self._neighbours.session(name)) <= self._context.longest_session:
            return 1.0
        most = self._context.session
        return (1 + most * self._sessions.get(name, 0.0)) / (1 + most)

    def _left_by_asking(self, number: int) -> float:
        if self._collection.length(number) > STRETCH:
            return 1.0
        return 1 - self._context.asking * self._collection.asking(number)


def best_of(
    found: Mapping[int, float], collection: Collection, count: int, eligible: Callable[[str], bool] | None
) -> list[int]:
    """Return the best eligible notes; of equal ones those whose paths come first, however the index numbers them."""
    looked_at = count
    while True:
        best = _first(found, collection, looked_at)
        if eligible is not None:
            best = [number for number in best if eligible(collection.path(number))]
        if len(best) >= count or looked_at >= len(found):
            return best[:count]
        looked_at *= 8


def _first(found: Mapping[int, float], collection: Collection, count: int) -> list[int]:
    if len(found) > count:
        cut = nlargest(count, found.values())[-1]
        found = {number: score for number, score in found.items() if score >= cut}
    return sorted(found, key=lambda number: (-found[number], collection.path(number)))[:count]


def in_context(scale: Scale, collection: Collection) -> dict[str, float]:
    """Return exact scores for the best notes and those beside them; others follow behind all of the best, in order."""
    exact = scale.exact()
    lowest = min((exact[number] for number in scale.best), default=0.0)
    others = dict(scale.found)
    for number in exact:
        others.pop(number, None)
    highest = max(others.values(), default=0.0)
    share = min(1.0, lowest / highest) if highest else 1.0
    return collection.by_path(others, share) | collection.by_path(exact)
