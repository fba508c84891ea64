"""A question put to one collection: its scores, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from heapq import nsmallest
from typing import Protocol

from mnemex_vault.index.collection import Collection
from mnemex_vault.index.matching import allowed
from mnemex_vault.index.query import Query
from mnemex_vault.index.reasons import Reasons, reasons
from mnemex_vault.index.relevance import answers
from mnemex_vault.index.surroundings import ContextWeights, Neighbours, Scale, in_context

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
        return collection.by_path(in_context(scale, scale.found))

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
