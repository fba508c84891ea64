"""From the words of a question to the terms of the index that may answer them, each with a weight and a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from mnemex_vault.index.analysis import STEM, AskedWord
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.query import Query
from mnemex_vault.language.tongues import script_of, tongues

_BEGUN = 64
# an inflected form says nearly the same
_FORM = 0.9


class Kind(StrEnum):
    """How a term of the index is related to the word that was asked for; the first ones are the same word."""

    EXACT = "exact"
    FORM = "form"
    SPELLING = "spelling"
    COMPOUND = "compound"
    TYPO = "typo"
    MEANING = "meaning"

    @property
    def same(self) -> bool:
        """Tell whether it is the word itself, however it is inflected or spelled."""
        return self in (Kind.EXACT, Kind.FORM, Kind.SPELLING)


@dataclass(frozen=True, slots=True)
class Alternative:
    """A term that may stand for a word, and what share of a match by the word itself it is worth."""

    term: str
    weight: float = 1.0
    kind: Kind = Kind.EXACT


@dataclass(frozen=True, slots=True)
class Sought:
    """One word of a question with all that may stand for it; in a note only the best of them counts."""

    word: str
    alternatives: tuple[Alternative, ...]


def sought(collection: Collection, query: Query) -> list[Sought]:
    """Return what a query looks for in this collection."""
    languages = {*collection.languages(), *query.languages.sure}
    words = [_asked(collection, word, languages) for word in query.words]
    begun = (term for prefix in query.prefixes for term in dict.fromkeys(collection.terms_from(prefix)))
    near = filter(collection.has, query.fuzzy)
    terms = (*query.date_words, *islice(begun, _BEGUN), *islice(near, _BEGUN))
    words += [Sought(term, (Alternative(term),)) for term in terms]
    return list({each.word: each for each in words}.values())


def forms(collection: Collection, word: AskedWord, languages: Iterable[str]) -> Iterator[str]:
    """Yield the terms of the word and of its inflected forms."""
    yield word.term
    known = tongues()
    spoken = set(languages) & set(known.by_script.get(script_of(word.term), ()))
    for stem in collection.stems.of(word.written, sorted(spoken)):
        yield from (stem, STEM + stem)


def _asked(collection: Collection, word: AskedWord, languages: Iterable[str]) -> Sought:
    own, *others = dict.fromkeys(forms(collection, word, languages))
    return Sought(word.term, (Alternative(own), *(Alternative(other, _FORM, Kind.FORM) for other in others)))
