"""The word lists that reading a message depends on, and their compiled form; a person may add words of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from mnemex_vault.domain import words_entities, words_phrases, words_topics
from mnemex_vault.domain.spoken import spoken_words

if TYPE_CHECKING:
    from mnemex_vault.domain.entities import Entity

Recogniser = Callable[[str], Iterable["Entity"]]

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """Literal phrases and names; phrases are matched without regard to case and only whole word by whole word."""

    save: tuple[str, ...] = words_phrases.SAVE_PHRASES
    recall: tuple[str, ...] = words_phrases.RECALL_PHRASES
    reinforce: tuple[str, ...] = words_phrases.REINFORCE_PHRASES
    important: tuple[str, ...] = words_phrases.IMPORTANT_PHRASES
    critical: tuple[str, ...] = words_phrases.CRITICAL_PHRASES
    uncertain: tuple[str, ...] = words_phrases.UNCERTAIN_PHRASES
    decision: tuple[str, ...] = words_phrases.DECISION_WORDS
    preference: tuple[str, ...] = words_phrases.PREFERENCE_WORDS
    standing: tuple[str, ...] = words_phrases.STANDING_PHRASES
    general_question: tuple[str, ...] = words_phrases.GENERAL_QUESTIONS
    hypothetical: tuple[str, ...] = words_phrases.HYPOTHETICAL
    passing: tuple[str, ...] = words_phrases.PASSING_TIMES
    technologies: tuple[str, ...] = words_entities.TECHNOLOGY_NAMES
    concepts: tuple[str, ...] = tuple(sorted(words_entities.CONCEPTS))
    organisations: tuple[str, ...] = tuple(sorted(words_entities.ORGANISATIONS))
    first_names: tuple[str, ...] = tuple(sorted(words_entities.FIRST_NAMES))
    topics: Mapping[str, frozenset[str]] = field(default_factory=lambda: words_topics.TOPICS, hash=False)
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
            technologies={name.casefold(): name for name in words.technologies},
            ambiguous=words_entities.AMBIGUOUS_NAMES,
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

    def adds(self, name: str, said: str) -> bool:
        """Tell whether a phrase that a person added to that list occurs in words joined by single spaces."""
        return name in self.added and self.added[name].search(f" {said} ") is not None

    def without(self, name: str, said: str) -> str:
        """Return the words without the phrases of that list."""
        return " ".join(self.phrases[name].sub("", f" {said} ").split())


_NAME_LISTS = frozenset({"technologies", "concepts", "organisations", "first_names", "topics", "added"})
PHRASE_LISTS = tuple(entry.name for entry in fields(WordLists) if entry.name not in _NAME_LISTS)


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    spoken = {" ".join(spoken_words(phrase)) for phrase in phrases} - {""}
    if not spoken:
        return _NOTHING
    # the longest first, so that the most telling phrase is reported
    ordered = sorted(spoken, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(_bounded(phrase) for phrase in ordered))


def _bounded(phrase: str) -> str:
    literal = re.escape(phrase)
    return literal if _UNSPACED.search(phrase) else rf"(?<= ){literal}(?= )"
