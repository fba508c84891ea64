"""Whether a sentence asks something."""

from __future__ import annotations

from mnemex_vault.domain.speaker import AUXILIARIES, without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.words import word_set

_ASKING = word_set("what who whom whose why which")
_MAYBE_ASKING = frozenset({"where", "when", "how"})
ASKING_VERBS = AUXILIARIES | {"am", "shall"}
_SUBJECTS = word_set(
    """
    i we you he she it they there this that these those the a an my our your his her their anyone anybody
    """
)


def is_question(sentence: Sentence) -> bool:
    """Tell whether it ends or begins as a question does."""
    if sentence.asks:
        return True
    words = without_leads(sentence.words)
    if len(words) < 2:
        return False
    if words[0] in _ASKING:
        return True
    if words[0] in _MAYBE_ASKING:
        return words[1] in ASKING_VERBS or words[1] in ("many", "much", "far", "long", "old")
    return words[0] in ASKING_VERBS and words[1] in _SUBJECTS
