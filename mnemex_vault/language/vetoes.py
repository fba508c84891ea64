"""What forbids keeping a sentence, whatever else speaks for it, and how far around it that reaches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from mnemex_vault.language.phrases import Phrasebook

REACH = 3
# what stands before a colon is short if it says what to do with the rest
_LONGEST_HEAD = 120
_COLON = re.compile(r"[:：]\s*(?!//)")
_LINE_OF_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|Traceback \(most|"
    r"at [\w.$]+\(|File \"[^\"]+\", line \d+|[-+]{3} [ab]/|@@ -\d|\$ \w|>>> |#!/|<\?xml|"
    r"(?:SELECT|INSERT|UPDATE|DELETE) .+;$|"
    r"(?:import|from|def|class|const|let|var|function|public|private|return)\s[^.?!]*[;:{(]\s*$)"
)


class Veto(StrEnum):
    """Why a sentence is not kept, in words of people."""

    REFUSED = "asked not to be kept"
    PASTED = "quoted or pasted"
    FICTION = "made up"
    SECRET = "holds a key or password"


def asks_not_to_keep(sentence: str) -> bool:
    """Tell whether a sentence refuses to be kept, or is said in confidence.

    >>> asks_not_to_keep("Just between you and me: Tom is leaving."), asks_not_to_keep("Tom is leaving.")
    (True, False)
    """
    return Phrasebook.load().says("refusal", sentence)


def vetoes(sentences: Sequence[str], secret: Iterable[bool]) -> list[Veto | None]:
    """Return what forbids keeping each sentence of one message; `secret` tells which hold a key or password.

    What is handed over to be worked on, and a story, goes on to the end of the message.
    """
    book = Phrasebook.load()
    found: list[Veto | None] = []
    going_on: Veto | None = None
    for sentence, holds_secret in zip(sentences, secret, strict=True):
        going_on = going_on or (Veto.FICTION if book.says("fiction", sentence) else None)
        if holds_secret:
            found.append(Veto.SECRET)
        elif book.says("refusal", sentence):
            found.append(Veto.REFUSED)
        else:
            handed_over = _hands_over(sentence, book)
            going_on = going_on or (Veto.PASTED if handed_over else None)
            found.append(going_on or (Veto.PASTED if _LINE_OF_LOG.match(sentence) else None))
    return found


def touched(found: Sequence[Veto | None], reach: int = REACH) -> list[Veto | None]:
    """Return the vetoes with those that reach further spread over so many sentences before and after.

    >>> touched([None, Veto.REFUSED, None, None, None, None], reach=2)[3:]
    [<Veto.REFUSED: 'asked not to be kept'>, None, None]
    """
    spread = list(found)
    for at, veto in enumerate(found):
        if veto is not None and veto is not Veto.PASTED:
            for near in range(max(0, at - reach), min(len(found), at + reach + 1)):
                # a refusal is said first, whatever else there may be
                spread[near] = Veto.REFUSED if Veto.REFUSED in (veto, spread[near]) else spread[near] or veto
    return spread


def _hands_over(sentence: str, book: Phrasebook) -> bool:
    colon = _COLON.search(sentence)
    return colon is not None and colon.start() <= _LONGEST_HEAD and book.says("handover", sentence[: colon.start()])
