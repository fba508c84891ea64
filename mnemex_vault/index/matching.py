"""Which notes a query is about: phrases, tags, paths and exclusions, before anything is scored."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from mnemex_vault.index.analysis import fold
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.query import Query

_EXPANSIONS = 64


def allowed(collection: Collection, query: Query) -> Callable[[int], bool] | None:
    """Return a test for the notes that phrases, filters and exclusions leave, None if they leave all."""
    required = [collection.tagged(tag) for tag in query.tags]
    required += [_with_phrase(collection, phrase) for phrase in query.phrases]
    unwanted = [collection.tagged(tag) for tag in query.excluded_tags]
    unwanted += [numbers_with(collection, term) for term in query.excluded]
    unwanted += [_with_phrase(collection, phrase) for phrase in query.excluded_phrases]
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


def terms_of(collection: Collection, query: Query) -> list[str]:
    """Return all terms that a query asks for, with what its prefixes and fuzzy words stand for in this collection."""
    begun = (term for prefix in query.prefixes for term in dict.fromkeys(collection.terms_from(prefix)))
    near = filter(collection.has, query.fuzzy)
    expanded = (*islice(begun, _EXPANSIONS), *islice(near, _EXPANSIONS))
    return list(dict.fromkeys((*query.terms, *query.date_words, *expanded)))


def _in_paths(path: str, query: Query) -> bool:
    if not (query.paths or query.excluded_paths):
        return True
    folded = fold(path)
    return all(piece in folded for piece in query.paths) and not any(p in folded for p in query.excluded_paths)


def _with_phrase(collection: Collection, phrase: tuple[str, ...]) -> set[int]:
    candidates = set.intersection(*(numbers_with(collection, term) for term in phrase))
    if len(phrase) == 1:
        return candidates
    wanted = f" {' '.join(phrase)} "
    return {number for number in candidates if wanted in collection.sequence(number)}
