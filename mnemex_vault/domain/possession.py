"""What a clause tells of what belongs to the speaker: "my sister lives in Lyon", "Clara is my sister"."""

from __future__ import annotations

from collections.abc import Iterator

from mnemex_vault.domain.aspect import SKIPPED, Aspect, Words, is_age, is_dated
from mnemex_vault.domain.third_person import is_past, is_third
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_entities import RELATIONS
from mnemex_vault.domain.words_facts import DATE_WORDS
from mnemex_vault.domain.words_grammar import (
    AT_HAND,
    AT_HOME,
    LASTING_PROGRESS,
    LASTING_VERBS,
    LIFE_EVENTS,
    PASSING_PREDICATES,
    WORLD_NOUNS,
)
from mnemex_vault.domain.words_titles import VERBS

OWNERS = frozenset({"my", "our"})
AUXILIARIES = word_set("is are was were has have had will can could does do did must should would may might")
_COPULAS = frozenset({"is", "are", "was", "were"})
_STATING = word_set("is are was were does do did will can")
_PAST_STATES = frozenset({"was", "were", "had"})
_LIKED = frozenset({"favourite", "favourites", "preference", "preferred"})
_ADVISED = frozenset({"told", "advised", "warned"})
# what is tested here is a person
_OF_PERSONS = word_set("eye blood driving hearing tetanus pregnancy phone home postal email")
_IN_FICTION = word_set("film movie story novel book song poem game series episode play joke")
_POINTING = frozenset({"that", "this", "these", "those", "it"})
_PERSONS = word_set("he she they you your his her their")
_NOBODY = _POINTING | _PERSONS | {"there", "what", "who"}
_SUITING = word_set("work agree suit fit")
_SIMPLE_STATES = word_set(
    "had was were lived worked belonged meant loved liked hated preferred wanted needed cost owned"
)


def at_hand(words: Words, owner: int) -> bool:
    """Tell whether "my ..." at this position means something that lies in front of both, such as "my code"."""
    named = noun_phrase(words, owner)
    return any(word in AT_HAND | WORLD_NOUNS for word in named) and _OF_PERSONS.isdisjoint(named)


def noun_phrase(words: Words, owner: int) -> Words:
    """Return up to three words after "my" or "our", no farther than the verb."""
    found: list[str] = []
    for word in words[owner + 1 : owner + 4]:
        if word in AUXILIARIES or word in ("'s", "to", "and", "in", "for", "of", "with", "from", "on"):
            break
        found.append(word)
    return tuple(found)


def of_theirs(words: Words) -> Aspect | None:
    """Return what is told of somebody or something else that is theirs: "Ben from our team left"."""
    if words[0] == "the" and words[1:2] and words[1] in AT_HOME:
        return _of_home(words[1:])
    if words[0].endswith("ing") or words[:2] == ("let", "us"):
        return None
    return next(_findings(words), None)


def _of_home(words: Words) -> Aspect | None:
    """What "the kids are in school" tells; those in a film are nobody's."""
    verb = next((word for word in words[1:] if _is_verb(word)), "")
    if is_past(verb) or verb in _PAST_STATES or not _IN_FICTION.isdisjoint(words):
        return None
    return of_possession(words)


def _findings(words: Words) -> Iterator[Aspect | None]:
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word in OWNERS and not at_hand(words, at):
            yield from _of_owned(words, at)
        elif word in ("us", "me") and _involves(word, before, words):
            yield Aspect.LASTING
        elif word in ("us", "me") and at >= 2 and before in ("for", "to", "with"):
            yield Aspect.LASTING if _concerns(words, at) else None


def _involves(word: str, before: str, words: Words) -> bool:
    """Something said of several of them, or advice of somebody they have: "there are six of us"."""
    if word == "us":
        return before == "of" and not _COPULAS.isdisjoint(words)
    return before in _ADVISED and not RELATIONS.isdisjoint(words)


def _of_owned(words: Words, at: int) -> Iterator[Aspect | None]:
    related = not RELATIONS.isdisjoint(noun_phrase(words, at))
    told = any(before in AUXILIARIES or is_third(before) for before in words[:at])
    early = at <= 3 and any(_is_verb(after) for after in words[at:])
    if words[0] in _POINTING | _PERSONS and not related:
        yield None
    elif related or told or early:
        yield Aspect.LASTING


def _concerns(words: Words, at: int) -> bool:
    """Tell whether something is said to be for the speaker, or not to: "Mondays don't work for me"."""
    if words[0] in _NOBODY:
        return False
    if words[at - 1] == "for" and not _COPULAS.isdisjoint(words[:at]):
        return True
    return "not" in words[:at] and not _SUITING.isdisjoint(words[:at])


def of_possession(rest: Words) -> Aspect | None:
    """Return what the words after "my" or "our" tell."""
    verb = next((at for at, word in enumerate(rest) if at > 0 and _is_verb(word)), None) or _likely_verb(rest)
    if verb is None:
        return None
    if not _LIKED.isdisjoint(rest[:verb]):
        return Aspect.PREFERENCE
    told = tuple(word for word in rest[verb + 1 :] if word not in SKIPPED)
    return Aspect.PASSING if _passes(rest, verb, told) else Aspect.LASTING


def _passes(rest: Words, verb: int, told: Words) -> bool:
    if rest[0] in AT_HAND and rest[1] in ("in", "of", "for", "on", "from"):
        return True
    if rest[verb - 1] in AT_HAND or rest[-1] == "again" or rest[0] in WORLD_NOUNS:
        return True
    if rest[verb] in _STATING and told and (told[0] in PASSING_PREDICATES or _is_going_on(rest[verb], told)):
        return True
    if rest[verb] in ("keeps", "keep") and told and told[0].endswith("ing"):
        return True
    if told and (is_dated(told) or (rest[verb] == "turned" and is_age(told[0]))):
        return False
    return rest[verb] in PASSING_PREDICATES or _happened(rest[verb])


def _is_going_on(verb: str, told: Words) -> bool:
    """Tell whether something goes on right now; what has a date is a plan."""
    going_on = verb in _COPULAS and told[0].endswith("ing") and told[0] not in LASTING_PROGRESS | {"being"}
    return going_on and DATE_WORDS.isdisjoint(told)


def _happened(verb: str) -> bool:
    """Tell whether a verb tells what happened once, and changed nobody's life."""
    return is_past(verb) and verb not in LIFE_EVENTS | _SIMPLE_STATES


def _likely_verb(rest: Words) -> int | None:
    """An unknown word with the ending of a verb, somewhere between the noun and what follows it."""
    plural = (at for at in range(1, len(rest) - 1) if rest[at] in VERBS and rest[at - 1].endswith("s"))
    single = (at for at, word in enumerate(rest[:-1]) if at > 0 and len(word) > 4 and word[-1] == "s" != word[-2])
    return next(plural, None) or next(single, None)


def _is_verb(word: str) -> bool:
    return word in AUXILIARIES or is_third(word) or is_past(word) or word in LASTING_VERBS or word in PASSING_PREDICATES
