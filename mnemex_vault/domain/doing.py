"""What "I" or "we" and a verb tell: in the present a habit, unless the verb is one of talking or of the task."""

from __future__ import annotations

from mnemex_vault.domain.aspect import Aspect, Rule, Told, always, decided_by, is_age
from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.words_grammar import (
    AT_HAND,
    CODE_NOUNS,
    LASTING_VERBS,
    LIFE_EVENTS,
    PASSING_NOUNS,
    PASSING_OBJECTS,
    PASSING_VERBS,
)
from mnemex_vault.domain.words_predicates import (
    ASPIRED,
    BARE_CHAT,
    CHAT_VERBS,
    COMPLETE,
    DECIDED,
    DECIDED_PASTS,
    EXAMS,
    FUNCTION_WORDS,
    JUDGED,
    LIKING,
    NEW_STATES,
)
from mnemex_vault.domain.words_titles import VERBS

_KNOWN = PASSING_OBJECTS | {"we", "i", "he", "she", "they", "there", "where", "why", "who", "when", "which"}
_WANTED = PASSING_OBJECTS | {"a", "an", "the", "some", "something"}
_MEANT_TO = frozenset({"need", "want", "have", "try", "like"})


def doing(told: Told) -> Aspect | None:
    """Return what a verb and what follows it tell."""
    if told.verb in LIKING:
        return _liking(told)
    if told.verb in DECIDED:
        return Aspect.DECISION
    if told.verb in LIFE_EVENTS:
        return Aspect.PASSING if _is_no_event(told) else Aspect.LASTING
    if told.opens({"to"}) and told.verb in _MEANT_TO:
        lasting = told.habit or (told.verb in ("want", "like") and not ASPIRED.isdisjoint(told.after[1:2]))
        return Aspect.LASTING if lasting else Aspect.PASSING
    return decided_by(_DOING, told)


def _liking(told: Told) -> Aspect | None:
    pointed_at = told.opens(PASSING_OBJECTS | {"your", "yours"}) or told.has(AT_HAND, 2)
    at_a_thing = pointed_at and told.after[1:2] != ("when",)
    return None if at_a_thing or not told.after else Aspect.PREFERENCE


def _is_no_event(told: Told) -> bool:
    """What happened, but to no life: "got confused", "won", "changed line 4"."""
    if told.verb in ("passed", "failed") and told.has(EXAMS, 4):
        return False
    befell = told.verb == "got" and told.after[:1] != () and told.after[0].endswith("ed")
    if befell and told.after[0] not in NEW_STATES:
        return True
    if told.has({"wrong", "again"}):
        return True
    return (not told.after and told.verb not in COMPLETE) or told.at_hand


def _is_judgement(told: Told) -> bool:
    """How things are to somebody: "I find podcasts boring", "I get seasick easily"."""
    judged = told.verb == "find" and told.after[-1:] != () and told.after[-1] in JUDGED
    return (judged or (told.verb == "get" and told.habit)) and not told.at_hand and not told.negated


def _is_chat(told: Told) -> bool:
    if told.verb in PASSING_VERBS:
        return True
    if told.verb in CHAT_VERBS:
        return told.at_hand or not (told.habit or told.dated)
    if told.verb == "know":
        return told.negated or not told.after or told.after[0] in _KNOWN
    return told.verb in BARE_CHAT and not told.after


def _happened(told: Told) -> bool:
    return is_past(told.verb) and not told.habit


def _is_of_task(told: Told) -> bool:
    if told.habit:
        return told.points and told.negated
    nouns = CODE_NOUNS if told.verb in LASTING_VERBS else CODE_NOUNS | AT_HAND | PASSING_NOUNS
    return told.points or told.has(nouns, 4) or told.has({"you", "your"}, 4)


def _is_verb(told: Told) -> bool:
    """A verb of any kind; the open class is the one that tells of a life."""
    if not told.after:
        return told.verb in LASTING_VERBS or (told.habit and told.verb in VERBS)
    continuous = told.verb.endswith("ing") and len(told.verb) > 5
    return told.verb.replace("-", "").isalpha() and told.verb not in FUNCTION_WORDS and not continuous


_DOING: tuple[Rule, ...] = (
    (lambda told: told.plural and told.verb in DECIDED_PASTS and not told.at_hand, Aspect.DECISION),
    (lambda told: told.verb == "turned" and told.after[:1] != () and is_age(told.after[0]), Aspect.LASTING),
    (lambda told: told.verb == "failed" and told.has(EXAMS, 4), Aspect.LASTING),
    (lambda told: is_past(told.verb) and told.dated and not told.at_hand, Aspect.LASTING),
    (_is_judgement, Aspect.LASTING),
    (lambda told: told.verb == "look" and told.opens({"after"}), Aspect.LASTING),
    (lambda told: told.verb == "keep" and told.after[:1] != () and told.after[0].endswith("ing"), Aspect.PASSING),
    (lambda told: told.verb == "want" and told.opens(_WANTED), Aspect.PASSING),
    (_is_chat, Aspect.PASSING),
    (_happened, Aspect.PASSING),
    (_is_of_task, Aspect.PASSING),
    (_is_verb, Aspect.LASTING),
    (always, Aspect.PASSING),
)
