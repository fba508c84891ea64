"""From the words of a question to the terms of the index that may answer them, each with a weight and a reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from mnemex_vault.index.analysis import STEM, AskedWord, characters_of
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.query import Query
from mnemex_vault.language.meanings import Meanings
from mnemex_vault.language.stems import spelled
from mnemex_vault.language.tongues import script_of, tongues

# Words within words: compounds that are written as one, told by the words of the vault.

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


_BEGUN = 64
# an inflected form may be another word, or another name (Jan, Jana); another spelling says quite the same
_FORM = 0.7
_SPELLED = 0.95
# what a slip may cost: the word meant is likely, not sure
_SLIPS = {1: 0.7, 2: 0.5}
_NEAREST = 5
_COMPOUND = 0.7
_PART = 0.6
_SHORTEST_SPLIT = 2
# in scripts without spaces: one character of a pair, and a pair with a part of a function word
_PIECE = 0.2
# what means nearly the same stands below what says it
_MEANT = 0.5
_NEAR = 0.35
_MOST_MEANT = 8
# a single character of a script without spaces is a part of many words
_SHORTEST_MEANT = 2
# up to here all words are looked at, above only those of the nearest groups of meanings
_FEW_WORDS = 10_000
_SHORTEST_WHOLE = 5


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
    """A term that may stand for a word, and what share of a match by the word itself it is worth.

    A term with a space in it is two words one after the other.
    """

    term: str
    weight: float = 1.0
    kind: Kind = Kind.EXACT


@dataclass(frozen=True, slots=True)
class Sought:
    """One word of a question with all that may stand for it; in a note only the best of them counts.

    What is not `telling` finds no note by itself.
    """

    word: str
    alternatives: tuple[Alternative, ...]
    asked: AskedWord | None = None
    telling: bool = True


def sought(collection: Collection, query: Query) -> list[Sought]:
    """Return what a query looks for in this collection."""
    languages = _languages(collection, query)
    words = [_asked(collection, word, languages, query.languages.of(word.term)) for word in query.words]
    words += _characters(words)
    words += [Sought(pair, (Alternative(pair, _PIECE),), telling=False) for pair in query.pieces]
    begun = (term for prefix in query.prefixes for term in dict.fromkeys(collection.terms_from(prefix)))
    words += [_nearly(collection, word, languages) for word in query.fuzzy]
    terms = (*query.date_words, *islice(begun, _BEGUN))
    words += [Sought(term, (Alternative(term),)) for term in terms]
    return list({each.word: each for each in reversed(words)}.values())[::-1]


def _characters(words: Iterable[Sought]) -> list[Sought]:
    """Return the characters of pairs as words of little weight: what means the same often has one of them."""
    characters = dict.fromkeys(each for word in words for each in characters_of(word.word))
    return [Sought(each, (Alternative(each, _PIECE),)) for each in characters]


def forms(collection: Collection, word: AskedWord, languages: Iterable[str]) -> Iterator[str]:
    """Yield the terms of the word and of its inflected forms."""
    yield word.term
    yield from (term for stem in _stems(collection, word.written, languages) for term in (stem, STEM + stem))


def guessed(collection: Collection, query: Query, words: Sequence[Sought], lacking: Set[str]) -> list[Sought]:
    """Return what is sought with more that may stand for the words that are lacking: two words, parts, or slips."""
    languages = _languages(collection, query)
    quoted = query.quoted
    more: list[Sought] = []
    for word in words:
        if word.asked is None or word.word not in lacking or word.word in quoted or not word.word.isalpha():
            more.append(word)
        elif split := tuple(_in_two(collection, word.asked)):
            more.append(_with(word, split))
        else:
            more += _in_parts(collection, _with(word, _slips(collection, word.word)), languages)
    return list({each.word: each for each in reversed(more)}.values())[::-1]


def meant(collection: Collection, query: Query, words: Sequence[Sought], lacking: Set[str]) -> list[Sought]:
    """Return what is sought with words of the vault that mean nearly the same, also in other languages.

    Names, numbers, identifiers and quoted words have no other words.
    """
    languages = _languages(collection, query)
    quoted = query.quoted

    def has(word: str) -> bool:
        if len(word) < _SHORTEST_MEANT or word in tongues().of_word:
            return False
        return collection.has(word) or any(collection.has(STEM + stem) for stem in _stems(collection, word, languages))

    more = []
    for word in words:
        asked = word.asked
        if asked is None or asked.name or word.word not in lacking or word.word in quoted or not word.word.isalpha():
            more.append(word)
            continue
        near = dict(Meanings.load().nearest(word.word, has, most=_MOST_MEANT, least=_NEAR))
        if sum(map(len, collection.vocabularies)) <= _FEW_WORDS:
            near.update(pair for vocabulary in collection.vocabularies for pair in vocabulary.akin(word.word, _NEAR))
        best = sorted(near.items(), key=lambda pair: (pair[1], pair[0]))[-_MOST_MEANT:]
        terms = {term: cosine for other, cosine in best for term in _forms_of(collection, other, languages)}
        more.append(_with(word, (Alternative(term, cosine * _MEANT, Kind.MEANING) for term, cosine in terms.items())))
    return more


def _forms_of(collection: Collection, word: str, languages: Iterable[str]) -> Iterator[str]:
    return filter(collection.has, forms(collection, AskedWord(word, word), languages))


def _languages(collection: Collection, query: Query) -> frozenset[str]:
    return frozenset({*collection.languages(), *query.languages.sure})


def _stems(collection: Collection, written: str, languages: Iterable[str]) -> tuple[str, ...]:
    known = set(tongues().by_script.get(script_of(written), ()))
    return collection.stems.of(written, sorted(known.intersection(languages)))


def _with(word: Sought, alternatives: Iterable[Alternative]) -> Sought:
    return replace(word, alternatives=(*word.alternatives, *alternatives))


def _asked(collection: Collection, word: AskedWord, languages: frozenset[str], spoken: Iterable[str]) -> Sought:
    """Return a word with its forms in all languages, and as part of compounds of those that the question may be in."""
    own, *inflected = dict.fromkeys(forms(collection, word, languages))
    alternatives = [Alternative(own), *(Alternative(form, _FORM, Kind.FORM) for form in inflected)]
    others = [whole for whole in word.joined if collection.has(whole)]
    others += [other for code in languages for other in spelled(word.written, code)]
    for other in dict.fromkeys(others):
        terms = list(forms(collection, AskedWord(other, other), languages))
        if any(map(collection.has, terms)):
            alternatives += [Alternative(term, _SPELLED, Kind.SPELLING) for term in terms]
    longer = compounds_with(collection, word.term, languages.intersection(spoken))
    alternatives += [Alternative(term, weight * _COMPOUND, Kind.COMPOUND) for term, weight in longer]
    return Sought(word.term, tuple({each.term: each for each in reversed(alternatives)}.values())[::-1], word)


def _nearly(collection: Collection, word: AskedWord, languages: frozenset[str]) -> Sought:
    """Return a word together with what is only nearly spelled like it."""
    return replace(_with(_asked(collection, word, languages, ()), _slips(collection, word.term)), asked=None)


def _slips(collection: Collection, word: str) -> Iterator[Alternative]:
    """Yield the nearest words of the notes, those with the same first letter before others, frequent ones first."""
    found: dict[str, int] = {}
    for vocabulary in collection.vocabularies:
        found.update(vocabulary.near(word))
    if any(other[0] == word[0] for other in found):
        found = {other: steps for other, steps in found.items() if other[0] == word[0]}
    nearest = min(found.values(), default=0)
    best = [other for other, steps in found.items() if steps == nearest]
    best.sort(key=lambda other: (-collection.frequency(other), other))
    yield from (Alternative(other, _SLIPS[nearest], Kind.TYPO) for other in best[:_NEAREST])


def _in_two(collection: Collection, word: AskedWord) -> Iterator[Alternative]:
    """Yield a word written as two, if both occur: `back up` for `backup`."""
    if len(word.term) < _SHORTEST_WHOLE:
        return
    for place in range(_SHORTEST_SPLIT, len(word.term) - _SHORTEST_SPLIT + 1):
        one, other = word.term[:place], word.term[place:]
        if collection.has(one) and collection.has(other) and collection.adjacent(one, other):
            yield Alternative(f"{one} {other}", 1.0, Kind.SPELLING)


def _in_parts(collection: Collection, word: Sought, languages: frozenset[str]) -> list[Sought]:
    """Return a word, and the parts of which it is a compound if they are words of the vault."""
    parts = parts_of(collection, word.word, languages)
    return [word, *(_as_part(_asked(collection, AskedWord(part, part), languages, ())) for part in parts)]


def _as_part(part: Sought) -> Sought:
    alternatives = (replace(each, weight=each.weight * _PART, kind=Kind.COMPOUND) for each in part.alternatives)
    return replace(part, alternatives=tuple(alternatives))
