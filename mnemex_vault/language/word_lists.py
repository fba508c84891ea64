"""The word lists that reading a message depends on, and their compiled form; a person may add words of their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from mnemex_vault.language.sentences import spoken_words

if TYPE_CHECKING:
    from mnemex_vault.language.names import Entity

_SECTION = re.compile(r"^\[([^\]]+)\]$", re.M)
_TOPIC = "topic "


def _read() -> dict[str, tuple[str, ...]]:
    """Read the lists of the package, by name."""
    text = (files("mnemex_vault.language") / "data" / "lists_en.txt").read_text("utf-8")
    _, *sections = _SECTION.split(text)
    return {name: _entries(body) for name, body in zip(sections[::2], sections[1::2], strict=True)}


def _entries(body: str) -> tuple[str, ...]:
    lines = " ".join(line for line in body.splitlines() if not line.startswith("#"))
    return tuple(entry.strip() for entry in lines.split(";"))


_LISTS = _read()
ORGANISATION_ENDINGS = frozenset(_LISTS["organisation_endings"])
# what stands before the name of a person
TITLES = frozenset(_LISTS["titles"])
RELATIONS = frozenset(_LISTS["relations"])
# capitalised in English without being the name of anything that a memory is about
NO_NAMES = frozenset(_LISTS["no_names"])
_TOPICS = {name.removeprefix(_TOPIC): frozenset(words) for name, words in _LISTS.items() if name.startswith(_TOPIC)}

Recogniser = Callable[[str], Iterable["Entity"]]

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NOTHING = re.compile(r"(?!)")
# where phrases in writing without spaces are kept among those by their first word
_UNSPACED_ONES = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """Literal phrases and names; phrases are matched without regard to case and only whole word by whole word."""

    save: tuple[str, ...] = _LISTS["save"]
    recall: tuple[str, ...] = _LISTS["recall"]
    reinforce: tuple[str, ...] = _LISTS["reinforce"]
    important: tuple[str, ...] = _LISTS["important"]
    critical: tuple[str, ...] = _LISTS["critical"]
    uncertain: tuple[str, ...] = _LISTS["uncertain"]
    decision: tuple[str, ...] = _LISTS["decision"]
    preference: tuple[str, ...] = _LISTS["preference"]
    standing: tuple[str, ...] = _LISTS["standing"]
    general_question: tuple[str, ...] = _LISTS["general_question"]
    hypothetical: tuple[str, ...] = _LISTS["hypothetical"]
    passing: tuple[str, ...] = _LISTS["passing"]
    technologies: tuple[str, ...] = _LISTS["technologies"]
    concepts: tuple[str, ...] = _LISTS["concepts"]
    organisations: tuple[str, ...] = _LISTS["organisations"]
    first_names: tuple[str, ...] = _LISTS["first_names"]
    topics: Mapping[str, frozenset[str]] = field(default_factory=lambda: _TOPICS, hash=False)
    added: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def extended(
        self, additions: Mapping[str, Iterable[str]], topics: Mapping[str, Iterable[str]] | None = None
    ) -> WordLists:
        """Return the lists with more words in them; raises ValueError naming the lists that do not exist."""
        known = {entry.name for entry in fields(self)} - {"topics", "added"}
        unknown = sorted(set(additions) - known)
        if unknown:
            raise ValueError(f"no such word list: {', '.join(unknown)}")
        added = {name: (*self.added.get(name, ()), *words) for name, words in additions.items()}
        longer = {name: (*getattr(self, name), *words) for name, words in additions.items()}
        merged = dict(self.topics)
        for name, words in (topics or {}).items():
            merged[name] = merged.get(name, frozenset()) | {word.casefold() for word in words}
        return replace(self, **longer, topics=merged, added={**self.added, **added})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Word lists made ready for matching; make it once and pass it on.

    `recognise` finds names that no list and no rule knows, such as a model does; it must not raise.
    """

    phrases: Mapping[str, re.Pattern[str]]
    by_first_word: Mapping[str, Sequence[tuple[str, str]]]
    technologies: Mapping[str, str]
    ambiguous: frozenset[str]
    concepts: frozenset[str]
    organisations: frozenset[str]
    first_names: frozenset[str]
    topics: Mapping[str, frozenset[str]]
    added: Mapping[str, re.Pattern[str]]
    recognise: Recogniser | None = None

    @classmethod
    def of(cls, lists: WordLists | None = None, recognise: Recogniser | None = None) -> Lexicon:
        """Compile word lists, the built-in ones by default."""
        words = lists or WordLists()
        return cls(
            phrases={name: _pattern(getattr(words, name)) for name in PHRASE_LISTS},
            by_first_word=_by_first_word({name: getattr(words, name) for name in PHRASE_LISTS}),
            technologies={name.casefold(): name for name in words.technologies},
            ambiguous=frozenset(_LISTS["ambiguous"]),
            concepts=frozenset(concept.casefold() for concept in words.concepts),
            organisations=frozenset(words.organisations),
            first_names=frozenset(words.first_names),
            topics=words.topics,
            added={name: _pattern(phrases) for name, phrases in words.added.items() if name in PHRASE_LISTS},
            recognise=recognise,
        )

    def find(self, name: str, said: str) -> str | None:
        """Return the phrase of that list that occurs first in words joined by single spaces, or None."""
        match = self.phrases[name].search(f" {said} ")
        return match[0] if match else None

    def lists_in(self, said: str) -> list[str]:
        """Return the names of the lists of which a phrase occurs in words joined by single spaces."""
        spaced = f" {said} "
        firsts = (_UNSPACED_ONES, *dict.fromkeys(said.split()))
        found = {name for first in firsts for phrase, name in self.by_first_word.get(first, ()) if phrase in spaced}
        return [name for name in PHRASE_LISTS if name in found]

    def adds(self, name: str, said: str) -> bool:
        """Tell whether a phrase that a person added to that list occurs in words joined by single spaces."""
        return name in self.added and self.added[name].search(f" {said} ") is not None

    def without(self, name: str, said: str) -> str:
        """Return the words without the phrases of that list."""
        return " ".join(self.phrases[name].sub("", f" {said} ").split())


_NAME_LISTS = frozenset({"technologies", "concepts", "organisations", "first_names", "topics", "added"})
# the built-in ones, and those of a vault or two that adds to them
_KNOWN_LISTS = 64
PHRASE_LISTS = tuple(entry.name for entry in fields(WordLists) if entry.name not in _NAME_LISTS)


@lru_cache(_KNOWN_LISTS)
def _spoken(phrases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(" ".join(spoken_words(phrase)) for phrase in phrases) - {""}


def _by_first_word(lists: Mapping[str, tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return phrases with the spaces around them and the names of their lists, by the word that they begin with."""
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, phrases in lists.items():
        for spoken in _spoken(phrases):
            if _UNSPACED.search(spoken):
                found[_UNSPACED_ONES].append((spoken, name))
            else:
                found[spoken.split()[0]].append((f" {spoken} ", name))
    return dict(found)


@lru_cache(_KNOWN_LISTS)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    spoken = _spoken(phrases)
    if not spoken:
        return _NOTHING
    # the longest first, so that the most telling phrase is reported
    ordered = sorted(spoken, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(_bounded(phrase) for phrase in ordered))


def _bounded(phrase: str) -> str:
    literal = re.escape(phrase)
    return literal if _UNSPACED.search(phrase) else rf"(?<= ){literal}(?= )"
