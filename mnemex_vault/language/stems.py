"""Inflected forms of a word joined: by a table of each language, by its own endings, and by Snowball."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import snowballstemmer

from mnemex_vault.language.folding import fold
from mnemex_vault.language.tongues import Tongue, tongues

# shorter words have no endings to lose, longer ones are no words
_LENGTHS = range(3, 50)
_MEMO_SIZE = 200_000


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
            self._stemmers[tongue.code] = snowballstemmer.stemmer(tongue.stemmer)
        return fold(str(self._stemmers[tongue.code].stemWord(word))) or fold(word)
