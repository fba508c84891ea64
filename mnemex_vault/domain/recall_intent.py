"""What in a sentence speaks for searching the memory before answering it, and what against."""

from __future__ import annotations

from mnemex_vault.domain.asking import ASKING_VERBS, is_question
from mnemex_vault.domain.entities import first_names_in
from mnemex_vault.domain.save_intent import is_standing, requests_saving
from mnemex_vault.domain.speaker import at_hand, without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import AT_HAND, IMPERATIVES, SHARED_NOUNS, TEXT_IMPERATIVES

WEIGHTS = {
    "recall": 5.0,
    "personal": 4.5,
    "depends": 3.5,
    "known_person": 3.5,
    "shared": 3.5,
    "general": -5.0,
}

_OWNERS = frozenset({"my", "our", "mine", "ours"})
_SPEAKERS = frozenset({"i", "we"})
_PAST = frozenset({"did", "had", "have", "was", "were", "am", "are"})
_CHOICES = word_set(
    """
    cook eat wear buy get give read watch play visit book order drink plant invite pack bring do make take choose pick
    call send write name go
    """
)
_HOW = frozenset({"do", "can", "could", "should", "would"})
_HOW_TO = word_set(
    """
    need have mean get know find tell say make fix install set start add remove run create change avoid
    """
)
_TASTE = word_set(
    """
    like love hate prefer take usually normally typically always pronounce spell commute feel
    """
)
_TOLERATED = word_set("eat drink take have bring wear")
_USUAL = word_set("usual usually always normally preferred favourite")
_TOLD_TO = word_set("tell give show help teach let send ask explain get remind")


def recall_signals(sentence: Sentence, lexicon: Lexicon) -> dict[str, float]:
    """Return the weights of all signals in a sentence by name."""
    words = without_leads(sentence.words)
    if requests_saving(sentence, lexicon) or is_standing(words, lexicon):
        return {}
    found = {"recall"} if _refers_back(sentence, lexicon) else set()
    if words and is_question(sentence):
        found |= _asked(words, sentence, lexicon)
        if not found and lexicon.find("general_question", sentence.said):
            found.add("general")
    elif words and words[0] in IMPERATIVES - TEXT_IMPERATIVES and (_for_somebody(words) or _to_taste(words)):
        found.add("depends")
    return {name: weight for name, weight in WEIGHTS.items() if name in found}


def _refers_back(sentence: Sentence, lexicon: Lexicon) -> bool:
    said = sentence.said
    phrase = lexicon.find("recall", said)
    if phrase is None:
        return False
    return said.partition(phrase)[2].split()[:1] != ["to"]


def _asked(words: tuple[str, ...], sentence: Sentence, lexicon: Lexicon) -> set[str]:
    if words[:1] == ("how",) and words[1:2] and words[1] in _HOW and words[2:3] and words[2] in _SPEAKERS:
        return {"personal"} if _is_own_affair(words, words[1], words[3:]) else set()
    checks = {
        "personal": _about_own(words) or _about_speaker(words),
        "depends": _for_somebody(words) or _choice_of_speaker(words),
        "known_person": bool(first_names_in(sentence.text, lexicon)),
        "shared": _about_shared(words),
    }
    return {name for name, holds in checks.items() if holds}


def _about_own(words: tuple[str, ...]) -> bool:
    return any(word in _OWNERS and not at_hand(words, at) for at, word in enumerate(words))


def _about_speaker(words: tuple[str, ...]) -> bool:
    """I or we as the one who is asked about: "where do I keep", "why did we choose", "which one are we using"."""
    for at, word in enumerate(words[1:], start=1):
        if word in _SPEAKERS and words[at - 1] in ASKING_VERBS:
            return _is_own_affair(words, words[at - 1], words[at + 1 :])
    return False


def _is_own_affair(words: tuple[str, ...], auxiliary: str, after: tuple[str, ...]) -> bool:
    if not after or (any(word in AT_HAND for word in after) and "ever" not in after):
        return False
    if words[0] == "how" and auxiliary in _HOW:
        return bool(_TASTE & set(after[:2]))
    if auxiliary in _PAST:
        return after[0] not in ("wrong", "right", "missing", "correct", "doing")
    if auxiliary == "do":
        return after[0] not in _HOW_TO
    return auxiliary in ("can", "could", "may") and after[0] in _TOLERATED


def _choice_of_speaker(words: tuple[str, ...]) -> bool:
    """What is best for the one who asks: "what should I cook", "should we book the hotel"."""
    for at, word in enumerate(words[1:], start=1):
        if word in _SPEAKERS and words[at - 1] in ("should", "shall", "could", "can"):
            chosen = words[at + 1 : at + 2]
            return words[0] != "how" and words[at - 1] in ("should", "shall") and bool(_CHOICES & set(chosen))
    return False


def _for_somebody(words: tuple[str, ...]) -> bool:
    return any(
        words[at : at + 2] in (("for", "me"), ("for", "us")) and words[at - 1] not in _TOLD_TO
        for at in range(1, len(words))
    )


def _to_taste(words: tuple[str, ...]) -> bool:
    """A task that cannot be done without knowing the person: "order my usual pizza", "pick one I like"."""
    liked = any(words[at] in _SPEAKERS and _TASTE & set(words[at + 1 : at + 3]) for at in range(2, len(words)))
    usual = _USUAL & set(words[1:]) and {"i", "we", "my", "our", "as"} & set(words)
    return _about_own(words) or liked or bool(usual)


def _about_shared(words: tuple[str, ...]) -> bool:
    """A thing both are taken to know: "when is the deadline", "what is the wifi password"."""
    if len(words) > 8 or "of" in words or words[0] not in ("what", "when", "where", "who", "which"):
        return False
    at = words.index("the") if "the" in words[:3] else -1
    return at > 0 and words[1] in ASKING_VERBS and bool(SHARED_NOUNS & set(words[at + 1 :]))
