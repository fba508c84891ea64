"""Whether a sentence corrects what was taken for true."""

from __future__ import annotations

import re

from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.words import word_set

_OPENINGS = word_set("no nope actually correction wrong incorrect scratch outdated")
_SAID_OPENINGS = frozenset(
    {
        ("that", "is", "wrong"),
        ("that", "is", "incorrect"),
        ("that", "is", "not"),
        ("that", "is", "outdated"),
        ("small", "correction", "my"),
        ("i", "was", "wrong"),
    }
)
# "it is Marek, not Marec"; "that is not what I meant" puts nothing right
_CONTRAST = re.compile(
    r" (?:is|are|was|were|at|on|in|called|spelled) (?:[^ ]+ ){1,6}?(?:not|instead of) (?:[^ ]+ ){1,4}$"
)
_ADMISSION = re.compile(
    r" (?:is|are|was) (?:[^ ]+ ){1,8}?i (?:mixed|was wrong|meant|mistyped|misspoke|confused|got it wrong) "
)
_NOTHING_NEW = word_set("meant mean working work true right correct sure asked wanted what")


def correction_signals(sentence: Sentence) -> set[str]:
    """Return `correction` if the sentence begins as one does, and `put_right` if it says what is right instead."""
    words = sentence.words
    opens = bool(words) and (words[0] in _OPENINGS or words[:3] in _SAID_OPENINGS)
    if sentence.label == "correction" and len(words) > 3:
        return {"correction", "put_right"}
    if not opens and words[:1] != ("sorry",):
        return set()
    if len(words) <= 4:
        return set()
    said = f" {sentence.said} "
    right = (_ADMISSION.search(said) and " what i " not in said) or (
        _CONTRAST.search(said) and _NOTHING_NEW.isdisjoint(words[2:])
    )
    if words[:3] == ("i", "was", "wrong") and "," in sentence.text:
        return {"correction", "put_right"}
    if not opens:
        return {"put_right", "correction"} if right else set()
    return {"correction", "put_right"} if right else {"correction"}
