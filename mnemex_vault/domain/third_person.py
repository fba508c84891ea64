"""Sentences in the first person as another person would note them: "I prefer tea" is "Prefers tea"."""

from __future__ import annotations

import re

from mnemex_vault.domain.words_titles import ADVERBS, MODALS, PARTICIPLES, PASTS, VERBS

_SHORT = {"m": "am", "ve": "have", "d": "would", "ll": "will"}
_SUBJECT = re.compile(r"i(?:['’](m|ve|d|ll))?\s+(.+)", re.I | re.S)
_USER = re.compile(r"(?:the\s+)?user\s+(.+)", re.I | re.S)
_WE_DECIDED = re.compile(r"we(?:['’]ve|\s+have)?\s+((?:decided|agreed|chose|settled|picked)\b.+)", re.I | re.S)
_IRREGULAR = {"do": "does", "have": "has", "go": "goes"}
_NO_PASTS = frozenset({"breed", "speed", "bleed", "exceed", "proceed", "succeed", "embed", "shred"})
_ARTICLE = re.compile(r"an?\s+", re.I)


def third_person(sentence: str) -> str:
    """Return the sentence without its first-person subject; others, and other languages, come back as they are.

    >>> third_person("I always use tabs"), third_person("I'm allergic to nuts"), third_person("I gatti sono neri")
    ('always uses tabs', 'allergic to nuts', 'I gatti sono neri')
    """
    decided = _WE_DECIDED.fullmatch(sentence)
    if decided:
        return decided[1]
    user = _USER.fullmatch(sentence)
    if user:
        return _of_user(user[1]) or sentence
    own = _SUBJECT.fullmatch(sentence)
    if not own:
        return sentence
    return _predicate(f"{_SHORT[own[1].lower()]} {own[2]}" if own[1] else own[2]) or sentence


def _of_user(predicate: str) -> str | None:
    first, _, rest = predicate.partition(" ")
    word = first.lower()
    if word in ("is", "am"):
        return _being(rest)
    known = is_third(word) or word in MODALS or word in ADVERBS or word in ("has", "doesn't", "isn't") or is_past(word)
    return predicate if known else None


def _predicate(text: str) -> str | None:
    first, _, rest = text.partition(" ")
    word = first.lower().replace("’", "'")
    if word == "am":
        return _being(rest)
    if word == "have":
        return _having(rest)
    if word in ("don't", "do") and (word == "don't" or rest.startswith("not ")):
        return f"doesn't {rest.removeprefix('not ')}"
    return _plain(first, word, rest)


def _plain(first: str, word: str, rest: str) -> str | None:
    if word in ADVERBS:
        following = _predicate(rest) if rest else None
        return f"{first} {following}" if following else None
    if word in MODALS or word == "haven't" or is_past(word):
        return f"{first} {rest}".strip()
    return f"{_third(word)} {rest}".strip() if word in VERBS else None


def _being(rest: str) -> str | None:
    article = _ARTICLE.match(rest)
    return (rest[article.end() :] if article else rest) or None


def _having(rest: str) -> str:
    word, _, more = rest.partition(" ")
    if word == "got" and more:
        return f"has {more}"
    done = word != "been" and (word in PARTICIPLES or is_past(word)) and more
    return rest if done else f"has {rest}"


def is_third(word: str) -> bool:
    """Tell whether a word is a known verb in the third person."""
    return word in _THIRDS


def is_past(word: str) -> bool:
    """Tell whether a word looks like a verb in the past."""
    return word in PASTS or (word.endswith("ed") and word not in VERBS | _NO_PASTS and len(word) > 4)


def _third(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


_THIRDS = frozenset(_third(verb) for verb in VERBS)
