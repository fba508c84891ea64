"""What a short sentence states, word by word: what two of them have in common can then be compared without a language.

A sentence is no statement if it asks, or is too long to say one thing: unsure means none.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import islice

from mnemex_vault.language.dates import span
from mnemex_vault.language.folding import fold
from mnemex_vault.language.intent import asks
from mnemex_vault.language.stems import Stems
from mnemex_vault.language.tongues import script_of, tongues

_STEMMED_AS = {"latin": ("en", "de"), "cyrillic": ("ru",), "greek": ("el",), "arabic": ("ar",)}
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_LOOKED_AT = 4_000
_MOST_SENTENCES = 30
_LONGEST = 320
_MOST_WORDS = 45
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:[.:,'’-][^\W_]+)*")
# what stands before the first word of a sentence, if anything does
_ENDS = frozenset(("", *".!?:。！？"))
# around a number so many words tell what it is the number of
_BEFORE, _AFTER = 14, 11
# what is over by two words, or by the ending of the sentence
_OVER = re.compile(r"\bused to\b|(?:ました|でした|だった|ていた|[았었였했갔왔]\w{0,3})[。.!]?$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")
_FIRST_PERSON = frozenset(
    {"i", "my", "me", "we", "our", "us", "ich", "mein", "meine", "wir", "unser", "je", "mon", "ma", "yo", "mi"}
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a statement; `marks` are the cues that it is."""

    stem: str
    plain: str
    function: bool
    number: bool
    name: bool
    marks: frozenset[str]


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence that states one thing; `stems` are those of the words that mean something by themselves.

    What is worked out of its words is kept, since a statement is compared with many others.
    """

    words: tuple[Word, ...]
    first_person: bool
    stems: frozenset[str]
    over: bool = False

    def marked(self, cue: str) -> bool:
        """Tell whether one of its words is such a cue."""
        return cue in self.marks

    @cached_property
    def marks(self) -> frozenset[str]:
        """Return the cues that its words are."""
        return frozenset().union(*(word.marks for word in self.words))

    @cached_property
    def telling(self) -> tuple[Word, ...]:
        """Return the words that mean something by themselves; all of them if there is none."""
        return tuple(word for word in self.words if not word.function) or self.words

    @cached_property
    def told(self) -> frozenset[str]:
        """Return the stems of the telling words."""
        return frozenset(word.stem for word in self.telling)

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """Return the stems of all words in order."""
        return tuple(word.stem for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the stems of what looks like a name."""
        return frozenset(word.stem for word in self.words if word.name)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Return the stems of what has digits."""
        return frozenset(word.stem for word in self.words if word.number)

    @cached_property
    def several(self) -> frozenset[str]:
        """Return the stems of what is true of several things at once."""
        return frozenset(word.stem for word in self.words if "several" in word.marks)


def statement_of(text: str) -> Statement | None:
    """Return what a text states, None if it is no single statement.

    >>> [word.stem for word in statement_of("Our office is in Riga.").words if not word.function]
    ['offic', 'riga']
    """
    said = _said(text)
    return _statement(said) if said else None


def _said(text: str) -> str | None:
    """Return the text in one line if it is a single statement."""
    said = " ".join(text.split())
    if not said or len(said) > _LONGEST or asks(said):
        return None
    return said if 0 < len(_WORD.findall(said)) <= _MOST_WORDS else None


def _statement(said: str) -> Statement:
    return _stated(said, list(_WORD.finditer(said)))


def _stated(said: str, found: Sequence[re.Match[str]]) -> Statement:
    begins = [said[: match.start()].rstrip()[-1:] in _ENDS for match in found]
    written = [_POSSESSIVE.sub("", match[0]) for match in found]
    words = tuple(_word(word, first) for word, first in zip(written, begins, strict=True))
    stems = frozenset(word.stem for word in words if not word.function)
    first_person = any(word.plain in _FIRST_PERSON for word in words)
    over = any("over" in word.marks for word in words) or _OVER.search(said) is not None
    return Statement(words, first_person=first_person, stems=stems, over=over)


@lru_cache(maxsize=20_000)
def _word(written: str, begins: bool) -> Word:
    """Return a word, the same one wherever it stands, since memories are made of few words; `begins` a sentence."""
    plain, known = fold(written.lower()), tongues().of_word
    return Word(
        stem=_stem(written.lower()),
        plain=plain,
        function=plain in known or (len(plain) == 1 and plain.isascii() and plain.isalpha()),
        number=any(map(str.isdigit, plain)),
        name=written[:1].isupper() and not begins and plain not in known,
        marks=frozenset(cue for cue, members in _cues().items() if plain in members),
    )


def statements_of(text: str) -> tuple[Statement, ...]:
    """Return what a text states: by itself if it is one statement, else its sentences that are."""
    return tuple(map(_statement, _all_said(text)))


def states_several(text: str) -> bool:
    """Tell whether `statements_of` returns more than one, without a look at their words."""
    return len(list(islice(_all_said(text), 2))) > 1


def _all_said(text: str) -> Iterator[str]:
    whole = _said(text)
    parts = _SENTENCE_END.split(text[:_LOOKED_AT])[:_MOST_SENTENCES] if whole is None else (whole,)
    return filter(None, map(_said, parts))


def figures_of(text: str) -> tuple[Statement, ...]:
    """Return what a text says around its numbers, however long its sentences are.

    >>> [" ".join(word.plain for word in each.words) for each in figures_of("Since May it has 52 pages. Good night.")]
    ['since may it has 52 pages']
    """
    found = (each for part in _SENTENCE_END.split(text[:_LOOKED_AT]) for each in _around_figures(part))
    return tuple(islice(found, _MOST_SENTENCES))


def _around_figures(sentence: str) -> Iterator[Statement]:
    words = list(_WORD.finditer(sentence))
    end = 0
    for at, match in enumerate(words):
        # what stands close together is said of one thing
        if at >= end and any(map(str.isdigit, match[0])):
            end = at + _AFTER
            yield _stated(sentence, words[max(0, at - _BEFORE) : end])


def asks_of_the_past(question: str, *, year: int) -> bool:
    """Tell whether a question is about how something was, by its words or by a year that is over.

    >>> asks_of_the_past("Where was our office before?", year=2026), asks_of_the_past("Where is our office?", year=2026)
    (True, False)
    """
    words = [fold(match[0].lower()) for match in _WORD.finditer(question)]
    over = any(len(word) == 4 and word.isdecimal() and 1900 < int(word) < year for word in words)
    return over or not _cues()["asks_past"].isdisjoint(words)


def is_over(statement: Statement) -> bool:
    """Tell whether a statement says how something was, and not how it is."""
    return statement.over and not statement.marked("changed")


def stated_day(text: str, today: date) -> date | None:
    """Return the first day of the time that is over at which a text says that something was or changed, if it says so.

    >>> today = date(2026, 5, 3)
    >>> stated_day("In 2019 I lived in Oslo.", today), stated_day("My birthday is 3 March 1985.", today)
    (datetime.date(2019, 1, 1), None)
    """
    statement = statement_of(text)
    if statement is None or not (statement.over or any(map(statement.marked, ("past", "was", "changed")))):
        return None
    named = span(text, today)
    return named[0] if named is not None and named[1] <= today else None


def asks_of_the_present(question: str, *, year: int) -> bool:
    """Tell whether a question is about how something is: it asks neither of the past nor in the past tense.

    >>> asks_of_the_present("Where do I live?", year=2026), asks_of_the_present("Where did I live?", year=2026)
    (True, False)
    """
    words = {fold(match[0].lower()) for match in _WORD.finditer(question)}
    past = _cues()["was"] | _cues()["over"]
    return not asks_of_the_past(question, year=year) and past.isdisjoint(words) and _OVER.search(question) is None


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that mean something by themselves."""
    words = (match[0].lower() for match in _WORD.finditer(text[:_LONGEST]))
    return frozenset(_stem(_POSSESSIVE.sub("", word)) for word in words if fold(word) not in tongues().of_word)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """Return a stem that is the same in whatever sentence the word stands, whichever language that seems to be in."""
    codes = _STEMMED_AS.get(script_of(word), ())
    return min(_stems().of(word, codes) or (fold(word),), key=len)


@cache
def _stems() -> Stems:
    return Stems()


@cache
def _cues() -> dict[str, frozenset[str]]:
    text = (files("mnemex_vault.language") / "data" / "cues.toml").read_text("utf-8")
    return {cue: frozenset(members.split()) for cue, members in tomllib.loads(text).items()}


@cache
def version_weights() -> Mapping[str, Mapping[str, float]]:
    """Return what each feature of two statements weighs for each relation between them; learned, read once."""
    found: dict[str, dict[str, float]] = json.loads(
        (files("mnemex_vault.language") / "data" / "versions.json").read_text("utf-8")
    )
    return found
