"""Whether a sentence asks to keep something in memory: "remember that ...", "note: ...", "don't forget I ..."."""

from __future__ import annotations

from mnemex_vault.domain.possession import AUXILIARIES
from mnemex_vault.domain.speaker import without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import IMPERATIVES

# verbs that a request to keep something begins with, or that lead to one
KEEPING = word_set("add commit help jot keep log note please put record remember save store take write")
_REQUEST_LABELS = frozenset(
    {
        "remember",
        "note",
        "please note",
        "reminder",
        "memo",
        "fact",
        "fyi",
        "note to self",
        "for the record",
        "remember this",
        "save this",
        "heads up",
    }
)
_REMEMBERING = frozenset({"not", "i", "we", "they", "he", "she"})
_OWN = frozenset({"i", "me", "my", "we", "us", "our"})
_ASKED_TO = (["can"], ["could"], ["would"], ["will"], ["please"], ["sure"])
_LOOKING_BACK = word_set("when what where who which how why me us")


def requests_saving(sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether a sentence asks to keep something."""
    if sentence.label in _REQUEST_LABELS or sentence.words[:1] in (("fyi",), ("nb",)) or _says_remember(sentence):
        return True
    phrase = lexicon.find("save", sentence.said)
    if phrase is None or _looks_back(sentence):
        return False
    before, _, after = sentence.said.partition(phrase)
    if _is_of_others(before.split(), sentence) or _is_part_of_task(before.split()):
        return False
    # "don't forget to add tests" is a task, "don't forget to call my mother" may be a memory
    to_do = phrase.endswith("forget") and after.split()[:1] == ["to"]
    return not to_do or not _OWN.isdisjoint(after.split())


def _is_of_others(before: list[str], sentence: Sentence) -> bool:
    """Nothing to keep is meant by "I can't remember that name", "do you remember that film?"."""
    if not _REMEMBERING.isdisjoint(before[-3:]) or before[-2:] in (["do", "you"], ["did", "you"]):
        return True
    if "i" in before and "you" not in before:
        return True
    return sentence.asks and before[-1:] == ["you"] and before[-2:-1] not in _ASKED_TO


def _looks_back(sentence: Sentence) -> bool:
    """A question whether something is remembered: "remember that idea with the sensors?"."""
    return sentence.asks and without_leads(sentence.words)[:1] == ("remember",)


def _is_part_of_task(before: list[str]) -> bool:
    """Words of somebody who wants something done, in which "don't forget" means the task and not the memory."""
    told = without_leads(tuple(before))
    return bool(told) and told[0] in IMPERATIVES - KEEPING and told[:2] != ("make", "sure")


def _says_remember(sentence: Sentence) -> bool:
    """A plain "remember Anna is vegan"; "remember when we met" looks back."""
    words = without_leads(sentence.words)
    told = words[0] == "remember" and len(words) > 3 if words else False
    return told and words[1] not in _LOOKING_BACK and not AUXILIARIES.isdisjoint(words[2:])
