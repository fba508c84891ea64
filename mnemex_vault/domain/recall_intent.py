"""What in a sentence speaks for searching the memory before answering it, and what against."""

from __future__ import annotations

from mnemex_vault.domain.asking import begins_as_question, is_imagined, is_question
from mnemex_vault.domain.aspect import Words
from mnemex_vault.domain.entities import first_names_in
from mnemex_vault.domain.keeping_requests import requests_saving
from mnemex_vault.domain.own_affairs import is_about_own, is_how_to, is_own_way, names_own_people
from mnemex_vault.domain.referring_back import refers_back
from mnemex_vault.domain.shared_things import is_about_shared, is_about_somebody
from mnemex_vault.domain.speaker import aspect_of, without_leads
from mnemex_vault.domain.spoken import Sentence, sentences_of
from mnemex_vault.domain.standing import is_standing
from mnemex_vault.domain.tasks_for import depends_on_person, is_choice, is_for_speaker
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import IMPERATIVES

WEIGHTS = {
    "recall": 5.0,
    "personal": 4.5,
    "depends": 3.5,
    "known_person": 3.5,
    "shared": 3.5,
    "general": -5.0,
}

_THEM = frozenset({"he", "she", "him", "her"})
_ASKING_ABOUT = word_set("what which who where when how why did does is has was")
_FOR_ALL = (" on average ", " in general ")


def speaks_of_somebody(message: str, lexicon: Lexicon) -> bool:
    """Tell whether a message names somebody the speaker knows, so that "she" in it means them.

    >>> speaks_of_somebody("My sister visits. What does she like?", Lexicon.of())
    True
    """
    return any(
        names_own_people(sentence.words) or first_names_in(sentence.text, lexicon) for sentence in sentences_of(message)
    )


def recall_signals(sentence: Sentence, lexicon: Lexicon, *, acquainted: bool = False) -> dict[str, float]:
    """Return the weights of all signals in a sentence by name; `acquainted` as `speaks_of_somebody` tells."""
    if requests_saving(sentence, lexicon) or is_standing(sentence, lexicon):
        return {}
    found = {"recall"} if refers_back(sentence, lexicon) else set()
    words = without_leads(_asked_part(sentence))
    if words and not is_imagined(sentence, lexicon):
        if is_question(sentence):
            found |= _asked(words, sentence, lexicon, acquainted=acquainted)
        elif words[0] in IMPERATIVES and depends_on_person(without_leads(sentence.clauses[0]) or words):
            found.add("depends")
        if not found and is_question(sentence) and lexicon.find("general_question", sentence.said):
            found.add("general")
    return {name: weight for name, weight in WEIGHTS.items() if name in found}


def _asked_part(sentence: Sentence) -> Words:
    """The question alone where something is told before it: "our oven is small, can I bake bread in it?"."""
    *told, last = sentence.clauses or ((),)
    apart = sentence.asks and begins_as_question(last) and any(aspect_of(clause) for clause in told)
    return last if apart else sentence.words


def _asked(words: Words, sentence: Sentence, lexicon: Lexicon, *, acquainted: bool) -> set[str]:
    if is_how_to(words):
        return {"personal"} if is_own_way(words) else set()
    if any(phrase in f" {sentence.said} " for phrase in _FOR_ALL):
        return set()
    checks = {
        "personal": is_about_own(words),
        "depends": is_for_speaker(words) or is_choice(words),
        "known_person": _is_about_known(words, sentence, lexicon, acquainted=acquainted),
        "shared": is_about_shared(words, sentence),
    }
    return {name for name, holds in checks.items() if holds}


def _is_about_known(words: Words, sentence: Sentence, lexicon: Lexicon, *, acquainted: bool) -> bool:
    if acquainted and words[0] in _ASKING_ABOUT and not _THEM.isdisjoint(words):
        return True
    if (lexicon.find("general_question", sentence.said) or "").startswith("who"):
        return False
    return bool(first_names_in(sentence.text, lexicon)) or is_about_somebody(words, sentence, lexicon)
