"""A question put to one collection: which notes it is about, their scores, and what these are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import nsmallest
from typing import Protocol

from mnemex_vault.index.analysis import STEM, AskedWord
from mnemex_vault.index.bm25 import idf, stretch
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import Kind, forms
from mnemex_vault.index.query import Query
from mnemex_vault.index.relevance import ContextWeights, Neighbours, Scale, TermHits, Weighed, answers, in_context
from mnemex_vault.language.folding import fold

# Which notes a query is about: phrases, tags, paths and exclusions, before anything is scored.


def allowed(collection: Collection, query: Query) -> Callable[[int], bool] | None:
    """Return a test for the notes that phrases, filters and exclusions leave, None if they leave all."""
    required = [collection.tagged(tag) for tag in query.tags]
    languages = {*collection.languages(), *query.languages.sure}
    required += [_with_phrase(collection, phrase, languages) for phrase in query.phrases]
    unwanted = [collection.tagged(tag) for tag in query.excluded_tags]
    unwanted += [_with_word(collection, word, languages) for word in query.excluded]
    unwanted += [_with_phrase(collection, phrase, languages) for phrase in query.excluded_phrases]
    if not (required or unwanted or query.paths or query.excluded_paths):
        return None
    inside = set.intersection(*required) if required else None
    outside = set().union(*unwanted)

    def test(number: int) -> bool:
        if number in outside or (inside is not None and number not in inside):
            return False
        return _in_paths(collection.path(number), query)

    return test


def numbers_with(collection: Collection, term: str) -> set[int]:
    """Return the notes that have a term."""
    return set(collection.holders(term))


def _with_word(collection: Collection, word: AskedWord, languages: Set[str]) -> set[int]:
    return set().union(*(numbers_with(collection, term) for term in forms(collection, word, languages)))


def _in_paths(path: str, query: Query) -> bool:
    if not (query.paths or query.excluded_paths):
        return True
    folded = fold(path)
    return all(piece in folded for piece in query.paths) and not any(p in folded for p in query.excluded_paths)


def _with_phrase(collection: Collection, phrase: Sequence[AskedWord], languages: Set[str]) -> set[int]:
    """Return the notes that have these words one after the other, each in any of its forms."""
    candidates = set.intersection(*(_with_word(collection, word, languages) for word in phrase))
    if len(phrase) == 1:
        return candidates
    wanted = [set(forms(collection, word, languages)) for word in phrase]

    def stands_for(word: str, accepted: Set[str]) -> bool:
        return word in accepted or (
            bool(word) and not accepted.isdisjoint(forms(collection, AskedWord(word, word), languages))
        )

    def has(number: int) -> bool:
        words = collection.sequence(number).split(" ")
        starts = range(len(words) - len(wanted) + 1)
        return any(all(map(stands_for, words[start : start + len(wanted)], wanted)) for start in starts)

    return set(filter(has, candidates))


# How well a note fits a question: what it has of the words, what it lacks, and one word for both.


class Fitting(StrEnum):
    """How much of a question a note answers to; results are never dropped by it."""

    FITS = "fits"
    PARTLY = "partly"
    WEAK = "weak"


# what the chance is made of: of questions asked of their own conversation and of another one (`docs/benchmarks.md`)
_SHARE, _SCORE, _WORDS, _NONE = 6.7, 1.5, 1.2, -6.2
# the best of more notes than these fits a question by chance, the more the more there are
_CROWD, _BY_CHANCE = 400, 0.4
# at this chance 95 of 100 questions that can be answered have something that is not weak
_WEAK = 0.19
_FITS = 0.7
# what stands for a word, but is not that word
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Fit:
    """What a note has of a question and what it lacks, as it was asked.

    `share` is the part of the question that it has, each word weighted by how rare it is; a word that no note has is as
    rare as can be. `chance` is how likely the note is about what was asked, from 0 to 1. `names` are those of the
    question that are lacking: words with a capital, be it that of a sentence.
    """

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    share: float = 1.0
    chance: float = 1.0
    names: tuple[str, ...] = ()

    @property
    def fitting(self) -> Fitting:
        """Return the word for it: what lacks a name that was asked for never fits."""
        if self.share >= _FITS and not self.names:
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
    # how rare a word is that no note has grows with the logarithm of their number
    evidence -= _BY_CHANCE * max(0.0, rarity.unknown - idf(_CROWD, 0))
    lacking = [word for word in asked if word.term not in found]
    return Fit(
        has=_written(word for word in asked if word.term in found),
        lacks=_written(lacking),
        share=share,
        chance=1 / (1 + math.exp(-evidence)),
        names=_written(word for word in asked if word.name and not found.get(word.term)),
    )


def _written(words: Iterable[AskedWord]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.written or word.term for word in words))


# Why a note is found: what its words add to its score, and what the talk around it.


@dataclass(frozen=True, slots=True)
class TermMatch:
    """How a word of a question contributes: its idf, and what it adds to the score of the best passage.

    `found` is the term of the index that stands for it in the note, `kind` how that is related to the word.
    """

    term: str
    found: str
    kind: Kind
    idf: float
    score: float

    @property
    def shown(self) -> str:
        """Return the word, and what stands for it if that is another one.

        >>> TermMatch("dentits", "dentist", Kind.TYPO, 1.0, 1.0).shown
        'dentits as dentist'
        """
        return self.term if self.kind in (Kind.EXACT, Kind.FORM) else f"{self.term} as {self.found.removeprefix(STEM)}"


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a raw score is the sum of: `text`, of which `terms` tells each part, and what the talk around it adds.

    Both are what the session of the note leaves them. `begins` is where in the text the best passage begins, from 0 to
    1, and `fit` how well the note fits the question.
    """

    terms: tuple[TermMatch, ...] = ()
    text: float = 0.0
    talk: float = 0.0
    begins: float = 0.0
    fit: Fit = NO_FIT

    @property
    def total(self) -> float:
        """Return the raw score."""
        return self.text + self.talk


def reasons(collection: Collection, query: Query, hits: Sequence[TermHits], number: int, weighed: Weighed) -> Reasons:
    """Return the parts of the score of a note, those that give most first."""
    matches = [_match(collection, hits[index], number, score) for index, score in weighed.terms.items() if score]
    matches.sort(key=lambda match: (-match.score, match.term))
    rarity = Rarity({hit.term: hit.idf for hit in hits}, unknown=idf(collection.count, 0))
    names = {word.term for word in query.words if word.name}
    # another form or spelling of a name may be another name
    found = {m.term: m.kind is Kind.EXACT if m.term in names else m.kind.same for m in matches}
    told = fit(query.words, found, rarity, weighed.total)
    words = int(collection.length(number))
    begins = weighed.start * stretch(words) / words if weighed.start else 0.0
    return Reasons(tuple(matches), weighed.text, weighed.talk, begins, told)


def _match(collection: Collection, hit: TermHits, number: int, score: float) -> TermMatch:
    best = max(hit.word.alternatives, key=lambda each: each.weight * collection.weight(each.term, number))
    return TermMatch(hit.term, best.term, best.kind, hit.idf, score)


# A question put to one collection: its scores, and what they are made of.

# a question has a few words, a pasted page some hundreds: more of them tell nothing new and cost time
_MOST_WORDS = 100


class Explains(Protocol):
    """What can tell the reasons of the scores that it gave: an index, or notes that were read instead of one."""

    def explain(
        self, query: Query, paths: Iterable[str], *, neighbours: Neighbours | None = None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of."""
        ...


class Answering:
    """Puts questions to a collection; remembers the last one, since who has the hits asks for their reasons next."""

    def __init__(self, context: ContextWeights) -> None:
        self._context = context
        self._last: tuple[Query, Collection, Scale] | None = None

    def relevance(
        self,
        collection: Collection,
        query: Query,
        neighbours: Neighbours | None,
        eligible: Callable[[str], bool] | None = None,
    ) -> dict[str, float]:
        """Return the raw score of every note that matches; a query that only filters gives 1 to each that passes.

        Only paths that are eligible can be hits: the scores of others are not exact.
        """
        test = allowed(collection, query)
        if not query.asks:
            every = collection.all() if query.filters else ()
            return collection.by_path(dict.fromkeys(every if test is None else filter(test, every), 1.0))
        scale = self._scale(collection, query, test, neighbours, eligible)
        return in_context(scale, collection)

    def explain(
        self, collection: Collection, query: Query, paths: Iterable[str], neighbours: Neighbours | None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of."""
        if self._last is not None and self._last[0] == query and self._last[1].is_like(collection):
            scale = self._last[2]
        else:
            scale = self._scale(collection, query, allowed(collection, query), neighbours, None)
        numbers = {number: path for path in paths if (number := collection.number(path)) is not None}
        weighed = scale.weigh(numbers)
        return {
            path: reasons(collection, telling(collection, query), scale.hits, number, weighed[number])
            for number, path in numbers.items()
        }

    def _scale(
        self,
        collection: Collection,
        query: Query,
        test: Callable[[int], bool] | None,
        neighbours: Neighbours | None,
        eligible: Callable[[str], bool] | None,
    ) -> Scale:
        hits, found = answers(collection, telling(collection, query))
        if test is not None:
            found = {number: score for number, score in found.items() if test(number)}
        scale = Scale(collection, hits, found, neighbours, self._context, eligible)
        self._last = (query, collection, scale)
        return scale

    def forget(self) -> None:
        """Let go of the last question."""
        self._last = None


def telling(collection: Collection, query: Query) -> Query:
    """Return a query with no more words than a page of text needs: of a longer one the rarest that occur."""
    if len(query.words) <= _MOST_WORDS:
        return query
    frequencies = {word: collection.frequency(word.term) for word in query.words}
    rarest = set(nsmallest(_MOST_WORDS, frequencies, key=lambda word: (not frequencies[word], frequencies[word])))
    return replace(query, words=tuple(word for word in query.words if word in rarest))


class Scanned:
    """Notes that were read for one question, because the index could not answer."""

    def __init__(self, collection: Collection, context: ContextWeights) -> None:
        self._collection = collection
        self._answering = Answering(context)

    def relevance(
        self,
        query: Query,
        *,
        neighbours: Neighbours | None = None,
        eligible: Callable[[str], bool] | None = None,
    ) -> dict[str, float]:
        """Return the raw score of every note that matches."""
        return self._answering.relevance(self._collection, query, neighbours, eligible)

    def explain(
        self, query: Query, paths: Iterable[str], *, neighbours: Neighbours | None = None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of."""
        return self._answering.explain(self._collection, query, paths, neighbours)
