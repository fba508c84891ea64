"""Whether a sentence asks something."""

from __future__ import annotations

import re

from mnemex_vault.domain.possession import AUXILIARIES
from mnemex_vault.domain.speaker import without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set

_ASKING = word_set("what who whom whose why which")
_MAYBE_ASKING = frozenset({"where", "when", "how"})
_MEASURES = word_set("many much far long old often tall big")
# "I suppose" guesses, "suppose" alone thinks something up
_NO_GUESS = re.compile(r"\bi suppose\b")
ASKING_VERBS = AUXILIARIES | {"am", "shall"}
_SUBJECTS = word_set(
    """
    i we you he she it they there this that these those the a an my our your his her their anyone anybody anything
    """
)


def is_question(sentence: Sentence) -> bool:
    """Tell whether it ends or begins as a question does."""
    return sentence.asks or begins_as_question(sentence.words)


def is_imagined(sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether it is only thought up: "imagine I had a dog", "if I lived in Tokyo"."""
    opening = sentence.words[:3]
    supposed = opening[:1] == ("if",) and len(opening) == 3 and opening[1] in ("i", "we") and is_past(opening[2])
    return supposed or lexicon.find("hypothetical", _NO_GUESS.sub(" ", sentence.said)) is not None


def asks_back(sentence: Sentence) -> bool:
    """Tell whether it only asks for what it half remembers: "we settled on a name, which one?"."""
    last = sentence.clauses[-1] if sentence.clauses else ()
    return sentence.asks and len(sentence.clauses) > 1 and 0 < len(last) < 4 and last[0] in _ASKING | _MAYBE_ASKING


def begins_as_question(said: tuple[str, ...]) -> bool:
    """Tell whether these words are in the order of a question.

    >>> begins_as_question(("so", "can", "you", "come")), begins_as_question(("you", "can", "come"))
    (True, False)
    """
    words = without_leads(said)
    if len(words) < 2:
        return False
    if words[0] in _ASKING:
        return True
    if words[0] in _MAYBE_ASKING:
        return words[1] in ASKING_VERBS or words[1] in _MEASURES
    return words[0] in ASKING_VERBS and words[1] in _SUBJECTS
