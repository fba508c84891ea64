"""Whether a sentence is an instruction for the future: "always use tabs", "when you show code, skip the imports"."""

from __future__ import annotations

import re
from itertools import pairwise

from mnemex_vault.domain.speaker import without_leads
from mnemex_vault.domain.spoken import Sentence, spoken_words
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import AT_HAND, CODE_NOUNS, IMPERATIVES
from mnemex_vault.domain.words_titles import VERBS

_NOT_A_RULE = word_set("mind heard ending a been again had the seen good nice look")
_NOT_A_NAME = word_set("back when later if tomorrow at a crazy")
_OCCASIONS = ("from", "going", "in", "by", "whenever", "every", "each")
# an occasion, a comma and what shall be done then
_OCCASION = re.compile(
    r"^(?:please\s+)?(?:when(?:ever)?\s+you|whenever"
    r"|(?:when|every\s+time|each\s+time)\s+i\s+(?:ask|say|write|send|paste|tell|mention))\b"
    r"[^,]{3,80},\s+(?P<told>.+)$",
    re.I | re.S,
)
_TOLD = IMPERATIVES | {"do", "keep", "skip", "leave", "assume", "include", "ignore", "avoid", "always", "never", "no"}
_ANSWERS = word_set("answers replies responses explanations summaries")
_GIVEN_ONES = word_set("the these those both all two three")
_EVERYWHERE = re.compile(
    r" (?:everything you (?:write|say|do|send|make|produce)|in all cases|every answer|every reply|every response"
    r"|all of your|each answer) | in everything $"
)
_WHEN_YOU = re.compile(r" (?:when|whenever) you (?:write|talk|speak|answer|reply|respond|explain|show|send) ")
_ASKING = frozenset({"can", "could", "would", "will"})
_EVER = frozenset({"always", "never", "whenever"})
_RELATIVE = frozenset({"who", "that", "which", "and", "he", "she", "they", "it"})
_TO_ME = frozenset({("for", "me"), ("with", "me"), ("to", "me")})
_FOR_GOOD = re.compile(r" (?:from now on|by default|anymore|every time|each time|(?<!as )always) $")
_THIS = re.compile(r" this (?!repo|project|vault|channel|code ?base|team|house)")
_KINDLY = frozenset({"please", "ever", "anymore"})
_SHORT = 8
_WITHOUT_END = re.compile(r" (?:all the time|every time|constantly|so often|each time) ")


def is_standing(sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether a sentence is an instruction for the future."""
    told = _without_asking(without_leads(sentence.words))
    return _for_occasions(sentence) or _in_short(sentence.words) or _of_answers(told) or _is_rule(told, lexicon)


def _without_asking(words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the polite "could you please" in front of a wish."""
    asked = words[:1] != () and words[0] in _ASKING and words[1:2] == ("you",)
    return without_leads(words[2:]) if asked else words


def _is_rule(told: tuple[str, ...], lexicon: Lexicon) -> bool:
    said = f" {' '.join(told)} "
    if not told or {"your", "yourself"} & set(told) or _THIS.search(said):
        return False
    if told[:3] == ("do", "not", "ever") or told[:4] == ("do", "not", "call", "me"):
        return len(told) > 4
    if told[0] in _TOLD and (_WHEN_YOU.search(said) or " unless i " in said):
        return True
    stated = lexicon.find("standing", said.strip()) is not None and _lasts(told, lexicon)
    return stated or _for_good(told)


def _lasts(told: tuple[str, ...], lexicon: Lexicon) -> bool:
    if told[0] in ("always", "never"):
        return len(told) > 2 and told[1] not in _NOT_A_RULE and _is_told(told)
    if told[0] in ("call", "address"):
        return told[1:2] == ("me",) and len(told) > 2 and told[2] not in _NOT_A_NAME
    if lexicon.find("standing", " ".join(told[:4])) and told[0] in _OCCASIONS:
        return True
    return told[0] in IMPERATIVES and _always(told)


def _is_told(told: tuple[str, ...]) -> bool:
    return told[1] in IMPERATIVES | VERBS or told[2] in ("my", "our", "me", "us", "any")


def _of_answers(told: tuple[str, ...]) -> bool:
    """How answers shall be: "keep replies short", "use British spelling in everything you write"."""
    if not told or told[0] not in _TOLD:
        return False
    of_all = any(word in _ANSWERS and before not in _GIVEN_ONES for before, word in pairwise(told))
    return of_all or bool(_EVERYWHERE.search(f" {' '.join(told)} "))


def _always(told: tuple[str, ...]) -> bool:
    said = f" {' '.join(told)} "
    habit = any(phrase in said for phrase in (" as always ", " we always ", " i always ", " i never ", " we never "))
    return not habit and any(word in _EVER and _is_for_listener(told, at) for at, word in enumerate(told))


def _is_for_listener(told: tuple[str, ...], at: int) -> bool:
    """Tell whether "always" at this position is said to the listener: not of "a man who never sleeps"."""
    if at < 3:
        return True
    return told[at - 1] not in _RELATIVE and (AT_HAND | CODE_NOUNS).isdisjoint(told)


def _for_good(told: tuple[str, ...]) -> bool:
    """An instruction that ends with how long it holds."""
    if told[:2] == ("do", "not") and told[-2:] in _TO_ME:
        return len(told) > 4
    imperative = told[0] in IMPERATIVES | VERBS or told[:2] == ("do", "not")
    return imperative and bool(_FOR_GOOD.search(f" {' '.join(told)} "))


def _for_occasions(sentence: Sentence) -> bool:
    match = _OCCASION.match(sentence.text.strip())
    told = without_leads(spoken_words(match["told"])) if match else ()
    return bool(told) and not sentence.asks and told[0] in _TOLD


def _in_short(words: tuple[str, ...]) -> bool:
    """Wishes with little of a sentence: "no emojis please", "metric units only please"."""
    told = tuple(word for word in words if word not in _KINDLY)
    if not told:
        return False
    said = f" {' '.join(told)} "
    if told[0] in ("stop", "no") and _WITHOUT_END.search(said):
        return told[0] == "no" or (told[1:2] != () and told[1].endswith("ing"))
    if told[0] == "be":
        return " with me " in said
    return _is_for_speaker(told) or (len(told) < len(words) and _is_kind_wish(told)) or _prefers(told)


def _is_for_speaker(told: tuple[str, ...]) -> bool:
    """Short wishes of one's own: "use she/her for me", "window seat for me, always"."""
    used = told[0] == "use" and told[-2:] == ("for", "me")
    return used or (("for", "me") in pairwise(told) and told[-1] == "always" and len(told) < _SHORT)


def _is_kind_wish(told: tuple[str, ...]) -> bool:
    if told[0] == "no":
        return 1 < len(told) < _SHORT and told[-1] not in ("thanks", "no")
    if "over" in told[1:3]:
        return len(told) < _SHORT
    return len(told) < 12 and "only" in told[1:4] and told[0] not in IMPERATIVES | {"i", "we", "if"}


def _prefers(told: tuple[str, ...]) -> bool:
    return "over" in told[1:3] and told[-2:] == ("any", "day") and len(told) < _SHORT
