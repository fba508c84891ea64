"""Which notes a query is about: phrases, tags, paths and exclusions, before anything is scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from mnemex_vault.index.analysis import AskedWord
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import forms
from mnemex_vault.index.query import Query
from mnemex_vault.language.folding import fold


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
