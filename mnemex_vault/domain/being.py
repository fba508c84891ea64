"""What "I am ..." and "I have ..." tell."""

from __future__ import annotations

from mnemex_vault.domain.aspect import BETWEEN, SKIPPED, Aspect, Rule, Told, Words, always, decided_by
from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import (
    AT_HAND,
    CODE_NOUNS,
    LASTING_PROGRESS,
    LIFE_EVENTS,
    PASSING_NOUNS,
    PASSING_OBJECTS,
    PASSING_STATES,
    PASSING_VERBS,
)
from mnemex_vault.domain.words_predicates import (
    COMMITTED,
    DECIDED,
    LASTING_ADJECTIVES,
    NEW_STATES,
    NO_PLANS,
    NO_RESOLVE,
    NOT_A_PLACE,
    ONCE,
    OUR_PLANS,
    RESOLVED,
)
from mnemex_vault.domain.words_titles import PARTICIPLES

_LIKES = frozenset({"fan", "fond", "keen", "into"})
_ALSO_PAST = word_set("read put cut let hit shut set")
_NEXT_CLAUSE = word_set("so because and which but who if when where while")
_LY_VERBS = word_set("supply multiply comply imply assembly")
_SPOKEN_TO = frozenset({"you", "your"})
_SAYING = word_set("lie argue tell say complain pretend happen")
_MOODS = ("less", "ful", "ed", "ous")


def being(told: Told) -> Aspect | None:
    """Return what "I am" and these words tell."""
    plain = told.plain
    if not plain:
        return None
    if plain[:2] == ("going", "to"):
        refused = told.has({"not"}, 2) and plain[2:3] != () and plain[2] not in NO_RESOLVE | _SAYING
        return Aspect.DECISION if refused else intending(plain[2:], plural=told.plural)
    return decided_by(_BEING, told)


def having(told: Told) -> Aspect | None:
    """Return what "I have" and these words tell."""
    # "I've got a cat" says no more than "I have a cat"
    words = told.after[1:] if told.after[:1] == ("got",) else told.after
    end = next((at for at, word in enumerate(words) if at and word in _NEXT_CLAUSE), len(words))
    plain = tuple(word for word in words[:end] if word not in SKIPPED)
    return decided_by(_HAVING, Told(verb="have", after=plain, habit=told.habit))


def intending(after: Words, *, plural: bool) -> Aspect:
    """Return what is meant to be done: a plan of the moment, or what has been settled."""
    if not _SPOKEN_TO.isdisjoint(after):
        return Aspect.PASSING
    settled = bool(after) and after[0] in COMMITTED and after[1:2] not in (("looking",), ("thinking",), ("working",))
    ours = plural and bool(after) and after[0] not in NO_RESOLVE
    return Aspect.DECISION if settled or ours else Aspect.PASSING


def _continues(told: Told) -> bool:
    return told.plain[0].endswith("ing")


def _refuses(told: Told) -> bool:
    """What is settled not to happen: "we're not renewing the licences"."""
    plan = told.plain[0] not in NO_PLANS | LASTING_PROGRESS
    return told.plural and told.has({"not"}, 2) and _continues(told) and plan


def _is_plan(told: Told) -> bool:
    return told.plain[:2] == ("going", "with") or told.plain[0] in (OUR_PLANS if told.plural else RESOLVED)


def _is_about_task(told: Told) -> bool:
    rest = told.plain[1:]
    return bool(set(rest[:4]) & (AT_HAND | CODE_NOUNS)) or (bool(rest) and rest[0] in PASSING_OBJECTS)


def _stands_on(told: Told) -> bool:
    """What somebody uses: "we're on GitLab", not "I'm on it"."""
    return told.plain[0] == "on" and told.plain[1:2] != () and told.plain[1] not in NOT_A_PLACE


def _is_mood(told: Told) -> bool:
    """A single adjective that tells how somebody feels: "I'm speechless", "I'm so confused"."""
    first, *rest = told.plain
    mood = first in PASSING_STATES or (first.endswith(_MOODS) and first not in LASTING_ADJECTIVES)
    return mood and (first in PASSING_STATES or not rest or not told.opens({"a", "an", "the"}))


_BEING: tuple[Rule, ...] = (
    (lambda told: told.has(_SPOKEN_TO), Aspect.PASSING),
    (_refuses, Aspect.DECISION),
    (_stands_on, Aspect.LASTING),
    (lambda told: _is_plan(told) and (_is_about_task(told) or len(told.plain) == 1), Aspect.PASSING),
    (_is_plan, Aspect.DECISION),
    (lambda told: told.plain[0] in _LIKES, Aspect.PREFERENCE),
    (lambda told: told.plain[0] in LASTING_PROGRESS and _is_about_task(told), Aspect.PASSING),
    (lambda told: told.plain[0] in LASTING_PROGRESS, Aspect.LASTING),
    (lambda told: told.plain[:2] == ("afraid", "of"), Aspect.LASTING),
    (lambda told: told.plain[0] == "getting" and not NEW_STATES.isdisjoint(told.plain[1:2]), Aspect.LASTING),
    (lambda told: _continues(told) and told.dated and not _is_about_task(told), Aspect.LASTING),
    (_continues, Aspect.PASSING),
    (lambda told: told.plain[0] == "off" and told.dated, Aspect.LASTING),
    (lambda told: not ONCE.isdisjoint(told.after[:2]) and told.plain[0] not in PASSING_STATES, Aspect.LASTING),
    (_is_mood, Aspect.PASSING),
    (always, Aspect.LASTING),
)


def _is_done(told: Told) -> bool:
    first = told.after[0]
    done = is_past(first) or first in PARTICIPLES | _ALSO_PAST
    return done and first not in LIFE_EVENTS and first not in ("had", "been")


_HAVING: tuple[Rule, ...] = (
    (lambda told: not told.after or told.after[0] == "to", Aspect.PASSING),
    (lambda told: len(told.after) < 3 and told.after[-1] in PASSING_OBJECTS, Aspect.PASSING),
    (lambda told: told.after[0] in DECIDED, Aspect.DECISION),
    (lambda told: told.after[0] in PASSING_VERBS, Aspect.PASSING),
    (lambda told: told.has(PASSING_NOUNS | CODE_NOUNS | {"tabs"}, 4), Aspect.PASSING),
    (_is_done, Aspect.PASSING),
    (always, Aspect.LASTING),
)


def without_adverbs(words: Words) -> Words:
    """Return the words from the verb on: "never", "no longer", "finally" stand before it."""
    at = 0
    while at < len(words) and (_is_adverb(words[at]) or words[at : at + 2] == ("no", "longer")):
        at += 1
    return words[at:]


def _is_adverb(word: str) -> bool:
    return word in BETWEEN or (word.endswith("ly") and len(word) > 5 and word not in _LY_VERBS)
