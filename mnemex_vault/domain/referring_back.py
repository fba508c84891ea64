"""Whether a sentence refers to what was said before: "as we discussed", "what did I tell you", "which one was it"."""

from __future__ import annotations

import re

from mnemex_vault.domain.asking import asks_back
from mnemex_vault.domain.speaker import aspect_of, without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.word_lists import Lexicon

_ENDINGS = (" what was it", " what were they", " which one was it")
_GIVEN = re.compile(r" you (?:had|gave|made|wrote|showed|listed|suggested|recommended|came up with) ")
# "moments like these remind me how much they matter" asks for nothing
_ASKED_FOR: tuple[list[str], ...] = ([], ["please"], ["you"], ["to"], ["and"], ["just"], ["then"])
_TOLD_BEFORE = frozenset({"i told you", "i mentioned", "what i said"})
_AGO = frozenset({"once", "before", "earlier", "last", "already", "ago"})
_DISMISSED: tuple[list[str], ...] = ([], ["ignore"], ["forget"], ["never"], ["scratch"], ["scrap"])


def refers_back(sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether a sentence can only be answered by who remembers what was said."""
    return _asks_for_something_given(sentence) or _has_phrase(sentence, lexicon)


def _asks_for_something_given(sentence: Sentence) -> bool:
    said = sentence.said
    if said.endswith(_ENDINGS):
        return True
    if not sentence.asks:
        return False
    if asks_back(sentence) and any(aspect_of(clause) for clause in sentence.clauses[:-1]):
        return True
    again = "again" in sentence.words and _GIVEN.search(f" {said} ") is not None
    return again or without_leads(sentence.words)[:1] == ("remember",)


def _has_phrase(sentence: Sentence, lexicon: Lexicon) -> bool:
    phrase = lexicon.find("recall", sentence.said)
    if phrase is None:
        return False
    before, _, after = sentence.said.partition(phrase)
    follows = after.split()[:1]
    if phrase.startswith("remind "):
        return before.split()[-1:] in _ASKED_FOR and follows != ["to"]
    if phrase.startswith("what ") and follows in (["was"], ["is"]):
        return False
    if phrase in _TOLD_BEFORE and not sentence.asks:
        return before.split()[:1] not in _DISMISSED or not _AGO.isdisjoint(sentence.words)
    return follows != ["to"]
