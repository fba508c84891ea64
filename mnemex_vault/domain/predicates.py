"""What the words after "I" or "we" tell: a state, a habit, a change of life, a liking, a decision, or the moment."""

from __future__ import annotations

from mnemex_vault.domain.aspect import Aspect, Told, Words
from mnemex_vault.domain.being import being, having, intending, without_adverbs
from mnemex_vault.domain.doing import doing
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import AT_HAND, IMPERATIVES, LASTING_VERBS, PASSING_OBJECTS, PASSING_VERBS
from mnemex_vault.domain.words_predicates import ABILITIES, ASPIRED, HARD_LIMITS, ONCE
from mnemex_vault.domain.words_titles import ADVERBS, VERBS

_MODALS = word_set("will would can could should must may might shall do did")
_AMOUNTS = word_set("all any every most my our some the")
_ALL = frozenset({"all", "every", "most"})
_FOR_EVER = frozenset({"always", "never", "often"})
_ANY_VERB = VERBS | IMPERATIVES | LASTING_VERBS | PASSING_VERBS | {"have", "be", "hope", "see"}


def aspect_of_person(rest: Words, *, plural: bool, habit: bool) -> Aspect | None:
    """Return what the words after "I", or after "we" if `plural`, tell; `habit` says that a word tells how often."""
    words = without_adverbs(rest)
    if not words:
        return None
    told = Told(verb=words[0], after=words[1:], plural=plural, habit=habit)
    if told.verb in ("was", "were") and not told.has(ONCE, 3):
        # "I was late" tells of a moment, "I was a nurse" of a life
        return Aspect.PASSING
    if told.verb in ("am", "are", "was", "were"):
        return being(told)
    if told.verb == "have":
        must = told.opens({"to"})
        return (Aspect.LASTING if habit else Aspect.PASSING) if must else having(told)
    return _with_modal(told) if told.verb in _MODALS else doing(told)


def _with_modal(told: Told) -> Aspect | None:
    words = tuple(word for word in told.after if word not in ADVERBS)
    negated = words[:1] == ("not",)
    words = words[1:] if negated else words
    if not words:
        return None
    inner = Told(verb=words[0], after=words[1:], plural=told.plural, habit=told.habit, negated=negated)
    match told.verb:
        case "do":
            return _with_do(inner)
        case "can" if negated:
            return _unable(words)
        case "would":
            return _wishing(words)
        case "will":
            refused = negated and told.plural and words[0] == "be" and words[-1:] != ("able",)
            settled = refused or told.opens({"only"}) or (told.habit and _FOR_EVER.isdisjoint(told.after))
            return Aspect.DECISION if settled else intending(words, plural=told.plural)
        case "can" | "may" | "might":
            return _possible(inner)
    return Aspect.PASSING


def _with_do(told: Told) -> Aspect | None:
    if told.verb in _AMOUNTS:
        return Aspect.LASTING if told.habit or told.verb in _ALL else Aspect.PASSING
    if not told.negated and len(told.verb) > 2 and told.verb not in _ANY_VERB:
        # "do" is the verb itself: "I do night shifts"
        return Aspect.PASSING if told.verb in PASSING_OBJECTS else Aspect.LASTING
    if told.verb == "have":
        return having(told)
    # what somebody does not do is a habit as well
    return doing(
        Told(
            verb=told.verb,
            after=told.after,
            plural=told.plural,
            habit=told.habit or told.negated,
            negated=told.negated,
        )
    )


def _possible(told: Told) -> Aspect | None:
    if told.verb == "be":
        return being(told)
    if told.verb == "have":
        return having(told) if told.opens({"a", "an", "to"}) else Aspect.PASSING
    # "I can read Cyrillic" tells an ability, "we can continue" does not
    return doing(told) if told.verb in LASTING_VERBS or told.habit else Aspect.PASSING


def _unable(words: Words) -> Aspect:
    if len(words) == 2 and words[0] == "do" and words[1].endswith("s"):
        return Aspect.LASTING
    if set(words[1:2]) & PASSING_OBJECTS or set(words[1:5]) & AT_HAND:
        return Aspect.PASSING
    if words[0] in HARD_LIMITS:
        return Aspect.PREFERENCE
    return Aspect.LASTING if words[0] in ABILITIES else Aspect.PASSING


def _wishing(words: Words) -> Aspect:
    if words[0] in ("rather", "prefer") or words[:4] == ("like", "you", "to", "be"):
        return Aspect.PREFERENCE
    return Aspect.LASTING if words[1:2] == ("to",) and not ASPIRED.isdisjoint(words[2:3]) else Aspect.PASSING
