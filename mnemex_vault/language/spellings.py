"""Other spellings of a word, by the regular classes in which a language knows two of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mnemex_vault.language.folding import fold
from mnemex_vault.language.tongues import tongues

_SHORTEST = 4


@lru_cache(maxsize=10_000)
def spelled(word: str, code: str) -> tuple[str, ...]:
    """Return what a word may be spelled like instead in a language, folded; most of it is no word.

    >>> spelled("colours", "en"), spelled("müller", "de")
    (('colors',), ('mueller',))
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return ()
    pairs = tongues().by_code[code].spellings
    found = dict.fromkeys(fold(other) for pair in pairs for other in _replaced(word, *pair))
    found.pop(fold(word), None)
    return tuple(found)


def _replaced(word: str, one: str, other: str) -> Iterator[str]:
    """Yield the word with the second for the first at each of its places, and at all of them."""
    if one.endswith("$"):
        if word.endswith(one[:-1]) and len(word) > len(one):
            yield word.removesuffix(one[:-1]) + other.rstrip("$")
        return
    pieces = word.split(one)
    yield from (one.join(pieces[:place]) + other + one.join(pieces[place:]) for place in range(1, len(pieces)))
    if len(pieces) > 2:
        yield other.join(pieces)
