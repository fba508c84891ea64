"""What the words after "I" or "we" tell: a state, a habit, a change of life, a liking, a decision, or the moment."""

from __future__ import annotations

from enum import StrEnum

from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import (
    AT_HAND,
    LASTING_PROGRESS,
    LASTING_VERBS,
    LIFE_EVENTS,
    PASSING_NOUNS,
    PASSING_OBJECTS,
    PASSING_STATES,
    PASSING_VERBS,
)
from mnemex_vault.domain.words_titles import ADVERBS, PARTICIPLES, VERBS

Words = tuple[str, ...]

_BETWEEN = ADVERBS | {"all", "both", "even", "ever", "longer"}
SKIPPED = _BETWEEN | {"a", "very", "so", "too", "quite", "bit", "little", "not", "big", "huge", "total"}
_LIKING = word_set("prefer favour like love hate dislike enjoy adore detest loathe despise")
_HARD_LIMITS = word_set("stand bear eat drink tolerate digest wear")
_COMMITTED = word_set(
    """
    use switch keep drop adopt quit stop start migrate stick go support deprecate move replace rename
    """
)
_NEW_STATES = frozenset({"married", "engaged", "divorced", "promoted"})
_ASPIRED = word_set(
    """
    become learn move visit study live retire write work quit stop travel run be found climb
    """
)


class Aspect(StrEnum):
    """What a clause tells about the speaker."""

    LASTING = "lasting"
    PREFERENCE = "preference"
    DECISION = "decision"
    PASSING = "passing"


def aspect_of_person(rest: Words, *, plural: bool, habit: bool) -> Aspect | None:
    """Return what the words after "I", or after "we" if `plural`, tell; `habit` says that a word tells how often."""
    at = 0
    while at < len(rest) and rest[at] in _BETWEEN:
        at += 1
    if at == len(rest):
        return None
    verb, after = rest[at], rest[at + 1 :]
    if verb in ("am", "are", "was", "were"):
        return _being(after, plural=plural)
    if verb == "have":
        return _having(after)
    if verb in ("will", "would", "can", "could", "should", "must", "may", "might", "shall", "do", "did"):
        return _with_modal(verb, after, plural=plural, habit=habit)
    return _doing(verb, after, habit=habit)


def _being(after: Words, *, plural: bool) -> Aspect | None:
    told = tuple(word for word in after if word not in SKIPPED)
    if not told:
        return None
    if told[:2] == ("going", "to"):
        return _intending(told[2:], plural=plural)
    if told[0] in ("fan", "fond", "keen", "into"):
        return Aspect.PREFERENCE
    if told[0] in LASTING_PROGRESS:
        return Aspect.LASTING
    if told[:2] == ("afraid", "of") or (told[0] == "getting" and told[1:2] and told[1] in _NEW_STATES):
        return Aspect.LASTING
    passing = told[0] in PASSING_STATES or told[0].endswith("ing")
    return Aspect.PASSING if passing else Aspect.LASTING


def _intending(after: Words, *, plural: bool) -> Aspect:
    """Plans of the moment, or what has been settled."""
    committed = bool(after) and (
        after[0] in _COMMITTED or (plural and after[0] not in ("see", "be", "have", "talk", "try", "need"))
    )
    return Aspect.DECISION if committed else Aspect.PASSING


def _having(after: Words) -> Aspect | None:
    told = tuple(word for word in after if word not in SKIPPED)
    if not told or told[0] == "to":
        return Aspect.PASSING
    if told[0] in ("decided", "chosen", "agreed", "settled", "opted", "picked"):
        return Aspect.DECISION
    if told[0] in PASSING_VERBS or any(word in PASSING_NOUNS for word in told[:4]):
        return Aspect.PASSING
    done = is_past(told[0]) or told[0] in PARTICIPLES
    if done and told[0] not in LIFE_EVENTS and told[0] not in ("had", "been"):
        return Aspect.PASSING
    return Aspect.LASTING


def _with_modal(modal: str, after: Words, *, plural: bool, habit: bool) -> Aspect | None:
    told = tuple(word for word in after if word not in ADVERBS)
    negated = told[:1] == ("not",)
    told = told[1:] if negated else told
    if not told:
        return None
    if modal == "do":
        return _doing(told[0], told[1:], habit=habit or negated, negated=negated)
    if modal == "can" and negated:
        return Aspect.PREFERENCE if told[0] in _HARD_LIMITS and not set(told[1:2]) & PASSING_OBJECTS else Aspect.PASSING
    if modal == "would":
        return _wishing(told)
    if modal == "will":
        return _intending(told, plural=plural)
    return _doing(told[0], told[1:], habit=habit) if modal in ("can", "might", "may") else Aspect.PASSING


def _wishing(told: Words) -> Aspect:
    if told[0] in ("rather", "prefer"):
        return Aspect.PREFERENCE
    return Aspect.LASTING if told[1:2] == ("to",) and _ASPIRED & set(told[2:3]) else Aspect.PASSING


def _doing(verb: str, after: Words, *, habit: bool, negated: bool = False) -> Aspect | None:
    if verb in _LIKING:
        at_a_thing = set(after[:1]) & PASSING_OBJECTS and after[1:2] != ("when",)
        return None if at_a_thing or not after else Aspect.PREFERENCE
    if verb in ("decided", "chose", "agreed", "opted", "settled", "picked"):
        return Aspect.DECISION
    if verb in LIFE_EVENTS:
        passing = set(after[:1]) & PASSING_OBJECTS or set(after[:4]) & (PASSING_NOUNS | AT_HAND)
        return Aspect.PASSING if passing else Aspect.LASTING
    if after[:1] == ("to",) and verb in ("need", "want", "have", "try", "like"):
        return Aspect.LASTING if habit or (verb in ("want", "like") and _ASPIRED & set(after[1:2])) else Aspect.PASSING
    if verb in PASSING_VERBS or (verb == "know" and (negated or not after or after[0] in PASSING_OBJECTS)):
        return Aspect.PASSING
    if verb in LASTING_VERBS or (habit and (verb in VERBS or is_past(verb))):
        return Aspect.PASSING if set(after[:1]) & PASSING_OBJECTS and not habit else Aspect.LASTING
    return Aspect.PASSING
