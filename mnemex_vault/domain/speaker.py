"""Whether a clause states something lasting about the person who speaks, or theirs (I, we, my, our).

A small grammar: who the clause is about, and whether its verb tells a state, a habit or a change of life rather than
the moment. English only; other languages say nothing here.
"""

from __future__ import annotations

from mnemex_vault.domain.predicates import SKIPPED, Aspect, Words, aspect_of_person
from mnemex_vault.domain.third_person import is_past, is_third
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_entities import RELATIONS
from mnemex_vault.domain.words_grammar import AT_HAND, IMPERATIVES, LASTING_VERBS, LEADS, OPENERS, PASSING_PREDICATES

_OWNERS = frozenset({"my", "our"})
_SUBJECTS = frozenset({"i", "we"}) | _OWNERS
_COPULAS = frozenset({"is", "are", "was", "were"})
_HABIT = word_set(
    """
    always never usually normally typically generally often regularly rarely every each daily weekly mondays tuesdays
    wednesdays thursdays fridays saturdays sundays mornings evenings weekends
    """
)
AUXILIARIES = word_set("is are was were has have had will can could does do did must should would may might")
_DETERMINERS = word_set("the a an one most all everything everyone")
_STATING = word_set("is are was were does do did will can")
_FARTHEST_SUBJECT = 10


def aspect_of(clause: Words) -> Aspect | None:
    """Return what the clause tells about the speaker or theirs, None if it is about somebody or something else.

    >>> aspect_of(("my", "dog", "is", "old")), aspect_of(("i", "am", "back")), aspect_of(("rome", "is", "old"))
    (<Aspect.LASTING: 'lasting'>, <Aspect.PASSING: 'passing'>, None)
    """
    words = without_leads(clause)
    if words[:2] in (("i", "said"), ("i", "meant"), ("i", "mean")):
        words = words[3:] if words[2:3] == ("that",) else words[2:]
    if not words or words[0] in IMPERATIVES:
        return None
    at = _subject(words)
    if at is None:
        return _of_theirs(words)
    if words[at] in _OWNERS:
        return _of_possession(words[at + 1 :])
    return aspect_of_person(words[at + 1 :], plural=words[at] == "we", habit=not _HABIT.isdisjoint(words))


def without_leads(words: Words) -> Words:
    """Return the words without "ok", "actually", "no" and the like in front."""
    at = 0
    while at < len(words) and words[at] in LEADS:
        at += 1
    return words[at:]


def at_hand(words: Words, owner: int) -> bool:
    """Tell whether "my ..." at this position means something that lies in front of both, such as "my code"."""
    return any(word in AT_HAND for word in noun_phrase(words, owner))


def noun_phrase(words: Words, owner: int) -> Words:
    """Return up to three words after "my" or "our", no farther than the verb."""
    found: list[str] = []
    for word in words[owner + 1 : owner + 4]:
        if word in AUXILIARIES or word in ("'s", "to", "and", "in", "for", "of", "with", "from", "on"):
            break
        found.append(word)
    return tuple(found)


def _subject(words: Words) -> int | None:
    if words[0] in _SUBJECTS:
        return 0
    if words[1:3] in (("and", "i"), ("and", "my")):
        return 2
    if words[0] in OPENERS or words[0].isdigit() or (words[0] in _DETERMINERS and {"i", "we"} & set(words[2:4])):
        return next((at for at, word in enumerate(words[:_FARTHEST_SUBJECT]) if word in _SUBJECTS), None)
    return None


def _of_theirs(words: Words) -> Aspect | None:
    """Somebody or something else that is told to be theirs: "Clara is my sister", "Ben from our team left"."""
    for at, word in enumerate(words):
        if word in _OWNERS and not at_hand(words, at):
            related = any(noun in RELATIONS for noun in noun_phrase(words, at))
            if related or any(before in AUXILIARIES or is_third(before) for before in words[:at]) or at <= 3:
                return Aspect.LASTING
        if word in ("us", "me") and at >= 2 and words[at - 1] in ("for", "to", "with"):
            return Aspect.LASTING if words[at - 1] == "for" and _COPULAS & set(words[:at]) else None
    return None


def _of_possession(rest: Words) -> Aspect | None:
    """What follows "my" or "our"."""
    verb = next((at for at, word in enumerate(rest) if at > 0 and _is_verb(word)), None) or _likely_verb(rest)
    if verb is None:
        return None
    if rest[verb - 1] in AT_HAND:
        return Aspect.PASSING
    if any(word in ("favourite", "favourites", "preference", "preferred") for word in rest[:verb]):
        return Aspect.PREFERENCE
    told = [word for word in rest[verb + 1 :] if word not in SKIPPED]
    if rest[verb] in _STATING and told and told[0] in PASSING_PREDICATES:
        return Aspect.PASSING
    return Aspect.PASSING if rest[verb] in PASSING_PREDICATES else Aspect.LASTING


def _likely_verb(rest: Words) -> int | None:
    """An unknown word with the ending of a verb, somewhere between the noun and what follows it."""
    return next(
        (at for at, word in enumerate(rest[:-1]) if at > 0 and len(word) > 4 and word[-1] == "s" != word[-2]), None
    )


def _is_verb(word: str) -> bool:
    return word in AUXILIARIES or is_third(word) or is_past(word) or word in LASTING_VERBS or word in PASSING_PREDICATES
