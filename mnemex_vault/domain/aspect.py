"""What a clause can tell about the speaker, and the words that it is judged by."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_facts import DATE_WORDS
from mnemex_vault.domain.words_grammar import AT_HAND, CODE_NOUNS, PASSING_NOUNS, PASSING_OBJECTS
from mnemex_vault.domain.words_titles import ADVERBS

Words = tuple[str, ...]

BETWEEN = ADVERBS | word_set("all both even ever longer finally recently lately each then")
SKIPPED = BETWEEN | word_set("a very so too quite bit little not big huge total super totally")
_NEAR = word_set("today tomorrow yesterday tonight morning noon afternoon evening midnight last may fall spring")
_BEFORE_MAY = frozenset({"of", "in", "since", "until", "by", "last", "next"})
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGES = word_set(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety
    """
)


class Aspect(StrEnum):
    """What a clause tells about the speaker."""

    LASTING = "lasting"
    PREFERENCE = "preference"
    DECISION = "decision"
    PASSING = "passing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A verb after "I" or, if `plural`, "we", and what follows it; `habit` tells that a word says how often."""

    verb: str
    after: Words
    plural: bool = False
    habit: bool = False
    negated: bool = False

    @property
    def plain(self) -> Words:
        """What follows without words such as "very" and "a"."""
        return tuple(word for word in self.after if word not in SKIPPED)

    def opens(self, words: Set[str]) -> bool:
        """Tell whether what follows begins with one of these."""
        return bool(self.after) and self.after[0] in words

    def has(self, words: Set[str], within: int | None = None) -> bool:
        """Tell whether one of these is among the first words that follow."""
        return not words.isdisjoint(self.after[:within])

    @property
    def points(self) -> bool:
        """Whether the object is only pointed at: "left it", "got that"; "left that company" names one."""
        if not self.opens(PASSING_OBJECTS):
            return False
        return self.after[0] not in ("that", "this", "these", "those", "one") or len(self.after) == 1

    @property
    def at_hand(self) -> bool:
        """Whether it is about what lies in front of both, or about whom the speaker talks to."""
        return self.points or self.has(AT_HAND | CODE_NOUNS | PASSING_NOUNS, 4) or self.has({"you", "your"}, 4)

    @property
    def dated(self) -> bool:
        """Whether it names a month or a year."""
        return is_dated(self.after)


Rule = tuple[Callable[[Told], object], Aspect | None]


def always(_told: Told) -> bool:
    """Hold for everything: the last rule of a list."""
    return True


def decided_by(rules: tuple[Rule, ...], told: Told) -> Aspect | None:
    """Return what the first rule that holds says; None if none does."""
    return next((aspect for holds, aspect in rules if holds(told)), None)


def is_dated(words: Words) -> bool:
    """Tell whether words name a month or a year, so that they tell of more than the moment.

    >>> is_dated(("in", "march")), is_dated(("since", "2019")), is_dated(("tomorrow",))
    (True, True, False)
    """
    in_may = any(word == "may" and (before in _BEFORE_MAY or before[0].isdigit()) for before, word in pairwise(words))
    return in_may or any((word in DATE_WORDS and word not in _NEAR) or _YEAR.fullmatch(word) for word in words)


def is_age(word: str) -> bool:
    """Tell whether a word may be how old somebody is.

    >>> is_age("40"), is_age("seventy"), is_age("off")
    (True, True, False)
    """
    return (word.isdigit() and len(word) < 4) or word in _AGES or word.split("-")[0] in _AGES
