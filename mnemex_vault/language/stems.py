"""Words that are one word: inflected forms, by a table, a language's own endings or Snowball, and other spellings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from mnemex_vault.language.folding import fold
from mnemex_vault.language.tongues import Tongue, tongues

# Inflected forms of a word joined: by a table of each language, by its own endings, and by Snowball.

# shorter words have no endings to lose, longer ones are no words
_LENGTHS = range(3, 50)
_MEMO_SIZE = 200_000


@cache
def maker() -> str:
    """Return what makes the stems, with its version: others make others.

    >>> maker().startswith(("snowballstemmer", "pystemmer"))
    True
    """
    # snowballstemmer uses PyStemmer where it is installed
    for package in ("pystemmer", "snowballstemmer"):
        try:
            return package + version(package)
        except PackageNotFoundError:
            continue
    return "unknown"


# under this name the modules of snowballstemmer are imported one by one: the package imports those of all languages
_SINGLE = "mnemex_vault_snowball"


def _stemmer(language: str) -> Any:
    """Return the stemmer of a language by its English name: the quick one where it is installed."""
    if find_spec("Stemmer") is not None:
        return import_module("Stemmer").Stemmer(language)
    spec = find_spec("snowballstemmer")
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError("snowballstemmer")
    if _SINGLE not in sys.modules:
        package = ModuleType(_SINGLE)
        package.__path__ = list(spec.submodule_search_locations)
        sys.modules[_SINGLE] = package
    return getattr(import_module(f"{_SINGLE}.{language}_stemmer"), f"{language.title()}Stemmer")()


class Stems:
    """Stems of all languages, remembered; one thread at a time, since a stemmer has a state."""

    def __init__(self) -> None:
        self._memo: dict[tuple[str, str], str] = {}
        self._stemmers: dict[str, Any] = {}

    def of(self, word: str, codes: Iterable[str]) -> tuple[str, ...]:
        """Return the folded stems of a word as it is written in lower case, one for each language, without repetition.

        >>> Stems().of("häuser", ["de"]), Stems().of("children", ["en"]), Stems().of("canções", ["pt", "pt"])
        (('haus',), ('child',), ('canca',))
        """
        if len(word) not in _LENGTHS or not word.isalpha():
            return (fold(word),)
        return tuple(dict.fromkeys(self._stem(word, code) for code in codes))

    def _stem(self, word: str, code: str) -> str:
        key = (code, word)
        known = self._memo.get(key)
        if known is None:
            if len(self._memo) >= _MEMO_SIZE:
                self._memo.clear()
            known = self._memo[key] = self._made(word, tongues().by_code[code])
        return known

    def _made(self, word: str, tongue: Tongue) -> str:
        word = tongue.families.get(fold(word), word)
        for old, new in tongue.endings:
            if word.endswith(old) and len(word) > len(old) + 1:
                word = word.removesuffix(old) + new
                break
        if not tongue.stemmer:
            return fold(word)
        if tongue.code not in self._stemmers:
            self._stemmers[tongue.code] = _stemmer(tongue.stemmer)
        return fold(str(self._stemmers[tongue.code].stemWord(word))) or fold(word)


# Other spellings of a word, by the regular classes in which a language knows two of them.

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
