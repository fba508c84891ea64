"""What would keep a memory from standing alone in a year: pronouns without a name, relative dates."""

from __future__ import annotations

import re

from mnemex_vault.language.sentences import Kind, blocks, plain_text, split_sentences
from mnemex_vault.language.tongues import spoken_in
from mnemex_vault.language.words import ADVERBS, EMPTY, MODALS

_LOOK_AT = 20_000
_MOST = 5
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NAME = re.compile(r"(?<=\w )[A-Z]\w*")
_PEOPLE = frozenset({"he", "him", "his", "she", "her", "hers", "they", "them", "their", "theirs"})
_OPENING = re.compile(
    r"(it|this|that|these|those)\s+(?:is|was|are|were|has|have|had|does|did|should|must|can|will|works?|runs?|uses?)\b",
    re.I,
)
# "it is important that ..." points at what follows
_POINTS_AHEAD = re.compile(r"it(?:['’]s|\s+(?:is|was))\s+(?:\w+\s+){1,3}(?:that|to)\b", re.I)
_DETERMINERS = frozenset(
    {"my", "our", "the", "a", "an", "your", "every", "each", "some", "both", "all", "two", "three", "many", "most"}
)
_INITIAL = (
    EMPTY
    | ADVERBS
    | MODALS
    | {"after", "although", "because", "before", "during", "since", "today", "until", "yesterday", "tomorrow"}
)

_UNIT = r"(?:day|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|semester|term|sprint)"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBER = r"(?:\d{1,3}|a|an|one|two|three|four|five|six|a\s+few|a\s+couple\s+of)"
_RELATIVE = re.compile(
    r"\b(?:(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)|tomorrow|yesterday|today|tonight"
    rf"|(?:next|last|this|coming|past)\s+(?:{_UNIT}|{_WEEKDAY}|morning|afternoon|evening|night)"
    rf"|in\s+{_NUMBER}\s+(?:hours?|{_UNIT}s?)|{_NUMBER}\s+(?:hours?|{_UNIT}s?)\s+ago|the\s+other\s+day"
    rf"|{_WEEKDAY})(?!\w)"
    r"|明天|昨天|今天|后天|明日|昨日|今日|내일|어제|오늘|(?<!\w)(?:übermorgen|vorgestern|demain|avant-hier|mañana\s+por)(?!\w)",
    re.I,
)
_HABIT = re.compile(
    rf"\b(?:every|each|on|most)\s+(?:\w+\s+)?{_WEEKDAY}s\b|\b(?:every|each)\s+(?:other\s+)?{_WEEKDAY}\b", re.I
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_ABSOLUTE = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTHS}|{_MONTHS}\s+\d{{1,2}}\b"
    r"|\d{1,2}月\d{1,2}日",
    re.I,
)


def hints(content: str) -> tuple[str, ...]:
    """Return up to five short sentences about what a reader would not understand in a year.

    >>> hints("He arrives tomorrow."), hints("Anna arrives on 2026-05-01; she is my sister.")
    (("'he' has no name", "'tomorrow' has no date"), ())
    """
    said = [
        sentence
        for block in blocks(content[:_LOOK_AT])
        if block.kind is not Kind.CODE
        for sentence in split_sentences(plain_text(_without_code(block.text)))
    ]
    found = [f"'{word}' has no name" for word in _nameless(said)] if _may_be_english(said) else []
    found += [f"'{phrase}' has no date" for phrase in _undated(said)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _may_be_english(said: list[str]) -> bool:
    """Tell whether the words for persons and times are those of English: "her" is another word elsewhere."""
    # a name inside a sentence, such as Go, is no word of a language
    best = spoken_in(_NAME.sub(" ", " ".join(said))).best
    return not best or "en" in best


def _without_code(text: str) -> str:
    return re.sub(r"`[^`]*`", " Code ", text)


def _nameless(said: list[str]) -> list[str]:
    """Pronouns that come before anything they could stand for."""
    found = []
    opening = _OPENING.match(said[0]) if said else None
    if opening and not _POINTS_AHEAD.match(said[0]):
        found.append(opening[1].lower())
    for sentence in said:
        found_here, named = _pronouns(sentence)
        found += found_here
        if named:
            break
    return found


def _pronouns(sentence: str) -> tuple[list[str], bool]:
    found = []
    tokens = _WORD.findall(sentence)
    for position, token in enumerate(tokens):
        word = re.split(r"['’]", token.lower())[0]
        if word in _PEOPLE:
            found.append(word)
        elif _names(tokens, position, word):
            return found, True
    return found, False


def _names(tokens: list[str], position: int, word: str) -> bool:
    """Tell whether this word may be what a later pronoun stands for."""
    if tokens[position][0].isupper() and word != "i":
        return position > 0 or word not in _INITIAL
    before = tokens[position - 1].lower() if position else ""
    return before in _DETERMINERS or (word.endswith("s") and len(word) > 4 and word not in _INITIAL)


def _undated(said: list[str]) -> list[str]:
    found = []
    for sentence in said:
        if _ABSOLUTE.search(sentence):
            continue
        found += [_as_written(match[0]) for match in _RELATIVE.finditer(_HABIT.sub(" ", sentence))]
    return found


def _as_written(phrase: str) -> str:
    return phrase.capitalize() if re.fullmatch(_WEEKDAY, phrase, re.I) else phrase.lower()
