"""Words within words: compounds that are written as one, told by the words of the vault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from mnemex_vault.index.analysis import STEM
from mnemex_vault.index.collection import Collection
from mnemex_vault.language.tongues import tongues

# a compound whose other part is no word of the vault only resembles one
_LIKENESS = 0.7
_MOST = 24
_SHORTEST_PART = 4
_SHORTEST_REST = 3
_LINKS = ("", "s", "n", "en", "e", "es", "er", "ns", "ens")


def compounds_with(collection: Collection, word: str, languages: Set[str]) -> list[tuple[str, float]]:
    """Return the longer words that begin with a word, or end with it in any form, and how surely each is a compound.

    Only languages that write compounds as one word have any.
    """
    codes = _codes(languages)
    if not codes or not word.isalpha() or len(word) < _SHORTEST_PART:
        return []
    found: dict[str, float] = {}
    own = {word, *collection.stems.of(word, codes)}
    for part in own:
        if len(part) >= _SHORTEST_PART:
            for longer, place in _holding(collection, part):
                sure = _sureness(collection, longer, place, (part, own), codes)
                found[longer] = max(sure, found.get(longer, 0.0))
    best = sorted(
        (longer for longer in found if found[longer]), key=lambda longer: (-found[longer], len(longer), longer)
    )
    return [(longer, found[longer]) for longer in best[:_MOST]]


def parts_of(collection: Collection, whole: str, languages: Set[str]) -> tuple[str, ...]:
    """Return the two words of the vault that make up a compound, the last as short as can be, if it is one."""
    codes = _codes(languages)
    if not codes:
        return ()
    for place in range(len(whole) - _SHORTEST_REST, _SHORTEST_REST - 1, -1):
        first = next(_words(collection, _without_link(whole[:place]), codes), None)
        last = next(_words(collection, [whole[place:]], codes), None)
        if first and last:
            return first, last
    return ()


def _codes(languages: Iterable[str]) -> list[str]:
    known = tongues().by_code
    return sorted(code for code in languages if known[code].compounds)


def _holding(collection: Collection, part: str) -> Iterator[tuple[str, int]]:
    for vocabulary in collection.vocabularies:
        yield from vocabulary.holding(part)


def _sureness(
    collection: Collection, longer: str, place: int, found: tuple[str, Set[str]], codes: Sequence[str]
) -> float:
    """Return how surely a longer word is a compound with a word at one of its ends, from 0 to 1.

    `found` is what was found at this place of it, with all forms of the word.
    """
    part, own = found
    if place == 0:
        rest = longer[len(part) :]
        first = False
        if not own.isdisjoint(collection.stems.of(longer, codes)):
            return 0.0
    elif not own.isdisjoint((longer[place:], *collection.stems.of(longer[place:], codes))):
        rest = longer[:place]
        first = True
    else:
        return 0.0
    if len(rest) < _SHORTEST_REST:
        return 0.0
    bare = _without_link(rest) if first else _without_link(rest, before=True)
    return 1.0 if any(_words(collection, bare, codes)) else _LIKENESS


def _without_link(part: str, *, before: bool = False) -> Iterator[str]:
    """Yield a part of a compound as it is, and without a sound that may link it with the other part."""
    if before:
        return (part[len(link) :] for link in _LINKS if part.startswith(link))
    return (part.removesuffix(link) for link in _LINKS if part.endswith(link))


def _words(collection: Collection, candidates: Iterable[str], codes: Sequence[str]) -> Iterator[str]:
    """Yield those that are words of the vault, or forms of one."""
    for word in candidates:
        if len(word) >= _SHORTEST_REST:
            stems = (word, *collection.stems.of(word, codes))
            if any(collection.has(term) for stem in stems for term in (stem, STEM + stem)):
                yield word
