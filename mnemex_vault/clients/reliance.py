"""Which of the recalled memories an answer relied on, told by the words that only they brought into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mnemex_vault.domain.similarity import tokens
from mnemex_vault.domain.words_titles import ADVERBS, EMPTY, MODALS, VERBS

_COMMON = EMPTY | ADVERBS | MODALS | VERBS
_LEAST_WORDS = 2
_LEAST_SHARE = 0.3


def relied_on(answer: str, recalled: Mapping[str, str], *, asked: str = "") -> list[str]:
    """Return the ids of the texts whose distinctive words occur in the answer.

    Distinctive are words that neither the question nor another recalled text has; two of them and three in ten are
    needed, or the only one there is.

    >>> texts = {"a": "Anna is allergic to walnuts and hazelnuts.", "b": "Ben prefers opera in Verona."}
    >>> relied_on("A risotto without walnuts or hazelnuts.", texts, asked="What shall I cook for Anna and Ben?")
    ['a']
    """
    words = {name: _telling(text) for name, text in recalled.items()}
    shared = Counter(word for each in words.values() for word in each)
    known = _telling(asked)
    said = _telling(answer)
    found = []
    for name, own in words.items():
        distinctive = {word for word in own if shared[word] == 1} - known
        hits = len(distinctive & said)
        enough = hits >= min(_LEAST_WORDS, len(distinctive)) and hits >= _LEAST_SHARE * len(distinctive)
        if distinctive and enough:
            found.append(name)
    return found


def _telling(text: str) -> set[str]:
    return {word for word in map(str, tokens(text)) if word not in _COMMON and len(word) > 1}
