"""Whether a clause states something lasting about the person who speaks, or theirs (I, we, my, our).

A small grammar: who the clause is about, and whether its verb tells a state, a habit or a change of life rather than
the moment. English only; other languages say nothing here.
"""

from __future__ import annotations

import re

from mnemex_vault.domain.aspect import Aspect, Words
from mnemex_vault.domain.possession import OWNERS, of_possession, of_theirs
from mnemex_vault.domain.predicates import aspect_of_person
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import IMPERATIVES, KIN, LEADS, OPENERS

_PERSONS = frozenset({"i", "we"})
_SUBJECTS = _PERSONS | OWNERS
_HABIT = word_set(
    """
    always never usually normally typically generally often regularly rarely every each daily weekly mondays tuesdays
    wednesdays thursdays fridays saturdays sundays mornings evenings weekends easily everything
    """
)
_DETERMINERS = word_set("the a an one most all everything everyone")
_FARTHEST_SUBJECT = 10
_ANNOUNCEMENT = re.compile(
    r"(?:i (?:said|meant|mean)"
    r"|i (?:should|must|have to|want to|forgot to|wanted to|need to) "
    r"(?:mention|say|add|admit|tell you|point out|confess)(?: up ?front| first| quickly)?"
    r"|(?:that|this) is how|it is (?:not|no longer|still|also)? ?true|(?:let )?the (?:record show|fact is|truth is)) "
    r"(?:that )?(?=(?:i|we|my|our) )"
)
_SINCE = frozenset({"since", "ever", "because", "due", "thanks", "nowadays", "currently", "lately"})
_BARE = frozenset({("used", "to"), ("moved", "to"), ("allergic", "to"), ("got", "married"), ("grew", "up")})
_BARE_VERBS = word_set("quit married divorced retired graduated adopted")
# "look, ..." opens a sentence, "look through ..." asks for something
_NO_LEADS = frozenset(
    {("look", word) for word in ("through", "at", "up", "for", "into", "in", "back")}
    | {("note", "that"), ("thing", "is"), ("no", "longer")}
)


def aspect_of(clause: Words) -> Aspect | None:
    """Return what the clause tells about the speaker or theirs, None if it is about somebody or something else.

    >>> aspect_of(("my", "dog", "is", "old")), aspect_of(("i", "am", "back")), aspect_of(("rome", "is", "old"))
    (<Aspect.LASTING: 'lasting'>, <Aspect.PASSING: 'passing'>, None)
    """
    words = _with_subject(_without_announcement(without_leads(clause)))
    if not words or words[0] in IMPERATIVES:
        return None
    at = _subject(words)
    if at is None:
        # "Dad" without a word before it is the speaker's
        return of_possession(words) if words[0] in KIN else of_theirs(words)
    if words[at] in OWNERS:
        return of_possession(words[at + 1 :])
    since = words[0] in _SINCE and at > 0
    habit = since or not _HABIT.isdisjoint(words) or (words[0] == "from" and at > 1)
    return aspect_of_person(words[at + 1 :], plural=words[at] == "we", habit=habit)


def without_leads(words: Words) -> Words:
    """Return the words without "ok", "actually", "no" and the like in front."""
    at = 0
    while at < len(words) and words[at] in LEADS and words[at : at + 2] not in _NO_LEADS:
        at += 1
    return words[at:]


def _without_announcement(words: Words) -> Words:
    """Leave out "I said that", "I should mention that", "it is no longer true that" in front of what is said."""
    match = _ANNOUNCEMENT.match(f"{' '.join(words)} ")
    return words[len(match[0].split()) :] if match else words


def _with_subject(words: Words) -> Words:
    """Write out the "I" that is left out in chats: "used to smoke", "quit in 2019", "allergic to nuts"."""
    if words[:2] in _BARE or (len(words) > 1 and words[0] in _BARE_VERBS):
        return ("i", "am", *words) if words[0] == "allergic" else ("i", *words)
    return words


def _first(words: Words, subjects: frozenset[str]) -> int | None:
    return next((at for at, word in enumerate(words[:_FARTHEST_SUBJECT]) if word in subjects), None)


def _subject(words: Words) -> int | None:
    if words[0] in _SUBJECTS:
        return 0
    if words[1:3] in (("and", "i"), ("and", "my")):
        return 2
    if words[0] in OPENERS or words[0].isdigit() or (words[0] in _DETERMINERS and {"i", "we"} & set(words[2:4])):
        return _first(words, _PERSONS) or _first(words, OWNERS)
    return None
