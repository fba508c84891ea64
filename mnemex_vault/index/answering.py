"""A question put to one collection: its scores, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import sought
from mnemex_vault.index.matching import allowed
from mnemex_vault.index.query import Query
from mnemex_vault.index.reasons import Reasons, reasons
from mnemex_vault.index.relevance import look_up, scores
from mnemex_vault.index.surroundings import ContextWeights, Neighbours, in_context


class Explains(Protocol):
    """What can tell the reasons of the scores that it gave: an index, or notes that were read instead of one."""

    def explain(
        self, query: Query, paths: Iterable[str], *, neighbours: Neighbours | None = None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of."""
        ...


class Scanned:
    """Notes that were read for one question, because the index could not answer."""

    def __init__(self, collection: Collection, context: ContextWeights) -> None:
        self._collection = collection
        self._context = context

    def relevance(self, query: Query, *, neighbours: Neighbours | None = None) -> dict[str, float]:
        """Return the raw score of every note that matches."""
        return self._collection.by_path(scored(self._collection, query, neighbours, self._context))

    def explain(
        self, query: Query, paths: Iterable[str], *, neighbours: Neighbours | None = None
    ) -> dict[str, Reasons]:
        """Return what the scores of these notes are made of."""
        return explained(self._collection, query, paths, neighbours, self._context)


def scored(
    collection: Collection, query: Query, neighbours: Neighbours | None, context: ContextWeights
) -> dict[int, float]:
    """Return the raw score of every note that matches; a query that only filters gives 1 to each that passes."""
    test = allowed(collection, query)
    if not query.asks:
        every = collection.all() if query.filters else ()
        return dict.fromkeys(every if test is None else filter(test, every), 1.0)
    hits = look_up(collection, sought(collection, query))
    found = scores(hits)
    if found and neighbours is not None:
        found = in_context(collection, hits, found, neighbours, context)
    return found if test is None else {number: score for number, score in found.items() if test(number)}


def explained(
    collection: Collection,
    query: Query,
    paths: Iterable[str],
    neighbours: Neighbours | None,
    context: ContextWeights,
) -> dict[str, Reasons]:
    """Return what the scores of these notes are made of."""
    hits = look_up(collection, sought(collection, query))
    numbers = {number: path for path in paths if (number := collection.number(path)) is not None}
    surroundings = (neighbours, context) if neighbours is not None else None
    found = reasons(collection, hits, scores(hits), numbers, surroundings)
    return {path: found[number] for number, path in numbers.items()}
