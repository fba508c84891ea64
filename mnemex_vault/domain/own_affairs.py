"""Whether a question is about the one who asks or theirs, so that the answer lies with them and not in the world."""

from __future__ import annotations

from itertools import pairwise

from mnemex_vault.domain.asking import ASKING_VERBS
from mnemex_vault.domain.aspect import Words
from mnemex_vault.domain.possession import at_hand
from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_entities import RELATIONS
from mnemex_vault.domain.words_grammar import AT_HAND, KIN

SPEAKERS = frozenset({"i", "we"})
TASTE = word_set("like love hate prefer take usually normally typically always pronounce spell commute feel")
_OWNERS = frozenset({"my", "our", "mine", "ours"})
_PAST = frozenset({"did", "had", "have", "was", "were", "am", "are"})
_HOW = frozenset({"do", "can", "could", "should", "would"})
_HOW_TO = word_set(
    "need have mean get know find tell say make fix install set start add remove run create change avoid"
)
_TOLERATED = word_set("eat drink take have bring wear")
_EVER = frozenset({"ever", "last"})
_OF_OTHERS = word_set("a an the his her their your its no any every")
_COUNTED = word_set("many much long often tall old far")
_OWNED = word_set("have own weigh earn pay owe spend make drive commute sleep save charge")
_USED = word_set("use used like liked keep kept have had know want wanted need prefer do did are")
_JOINING = word_set("if when whether because since and or but before after while as than until once though that")


def is_about_own(words: Words) -> bool:
    """Tell whether the words of a question ask about the speaker or what is theirs.

    >>> is_about_own(("what", "is", "my", "shoe", "size")), is_about_own(("what", "is", "a", "shoe"))
    (True, False)
    """
    return (
        " the usual " in f" {' '.join(words)} "
        or names_own(words)
        or _about_speaker(words)
        or _about_known_thing(words)
        or _about_kin(words)
        or _about_dealings(words)
    )


def is_how_to(words: Words) -> bool:
    """Tell whether the words ask how the speaker does or should do something."""
    return words[:1] == ("how",) and words[1:2] != () and words[1] in _HOW and words[2:3] != () and words[2] in SPEAKERS


def is_own_way(words: Words) -> bool:
    """Tell whether a question of `is_how_to` asks for a habit, or about somebody of theirs."""
    return _is_own_affair(words, words[1], words[3:]) or names_own_people(words)


def names_own(words: Words) -> bool:
    """Tell whether something of the speaker's is named that does not lie in front of both."""
    if "mean" in words or len(words) < 3:
        return False
    return any(word in _OWNERS and not at_hand(words, at) for at, word in enumerate(words))


def names_own_people(words: Words) -> bool:
    """Tell whether somebody of the speaker's is named: "my sister"."""
    return any(before in _OWNERS and word in RELATIONS for before, word in pairwise(words))


def _about_dealings(words: Words) -> bool:
    """What others did to the speaker: "who recommended that to me", "what rate did they offer us"."""
    to_speaker = not {"me", "us"}.isdisjoint(words)
    return to_speaker and (words[0] == "who" or not {"did", "has", "had"}.isdisjoint(words[:4]))


def _about_kin(words: Words) -> bool:
    """Kin called by what they are: "when is mum's birthday"."""
    return any(word in KIN and before not in _OF_OTHERS for before, word in pairwise(words))


def _about_known_thing(words: Words) -> bool:
    """A thing told by what the speaker did with it: "that dentist I liked", "the number you gave me"."""
    if not AT_HAND.isdisjoint(words):
        return False
    for at in range(2, len(words) - 1):
        before, told = words[at - 1], words[at + 1]
        if words[at] in SPEAKERS and before not in ASKING_VERBS | _JOINING and (is_past(told) or told in _USED):
            return True
    return False


def _about_speaker(words: Words) -> bool:
    """I or we as the one who is asked about: "where do I keep", "why did we choose", "which one are we using"."""
    for at, word in enumerate(words[1:], start=1):
        if word in SPEAKERS and words[at - 1] in ASKING_VERBS:
            return _is_own_affair(words, words[at - 1], words[at + 1 :])
    return False


def _is_own_affair(words: Words, auxiliary: str, after: Words) -> bool:
    """What follows "do I", "are we" and the like tells of a life; "what am I missing" does not."""
    if not after or (not AT_HAND.isdisjoint(after) and _EVER.isdisjoint(after)) or _is_for_all(words, auxiliary, after):
        return False
    if words[0] == "how" and auxiliary in _HOW:
        return (words[1] in _COUNTED and after[0] in _OWNED) or not TASTE.isdisjoint(after[:2])
    if auxiliary in _PAST:
        return after[0] not in ("wrong", "right", "missing", "correct", "doing")
    return _is_own_habit(words, auxiliary, after)


def _is_for_all(words: Words, auxiliary: str, after: Words) -> bool:
    """What everybody is meant by: "why do we dream", "how are we able to see"."""
    return after[:2] == ("able", "to") or (words[0] == "why" and len(after) == 1 and auxiliary == "do")


def _is_own_habit(words: Words, auxiliary: str, after: Words) -> bool:
    match auxiliary:
        case "do":
            has = words[0] == "do" and after[0] == "have" and after[1:2] != ("to",)
            return after[0] not in _HOW_TO or has
        case "would":
            return after[0] in TASTE | {"enjoy"}
        case "can" | "could" | "may":
            return after[0] in _TOLERATED
    return False
