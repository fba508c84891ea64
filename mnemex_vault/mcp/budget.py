"""How much an answer may say, and what is shown of lists and texts that would say more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeVar

from mnemex_vault.mcp.views import View
from mnemex_vault.memories.recalled import indented

T = TypeVar("T", bound=View)

# five thousand tokens of four characters: what an answer keeps to unless more was asked for
USUAL = 20_000
# what no answer exceeds, whatever was asked for and however long everything in the vault is
MOST = 80_000
# what an answer says beside its list
AROUND = 1_000
# what a list of many notes shows of each
_TITLE = 150
_LABELS = 300
_NAME = 120
_CUT = "..."


def size_of(view: View) -> int:
    """Return how many characters a view takes as it is sent."""
    return len(view.model_dump_json(by_alias=True, exclude_unset=True))


def fitting(views: Iterable[T], room: int) -> list[T]:
    """Return the first views that take no more than this many characters together."""
    shown: list[T] = []
    for view in views:
        room -= size_of(view) + 1
        if room < 0:
            break
        shown.append(view)
    return shown


def some(labels: Sequence[str], room: int = _LABELS) -> list[str]:
    """Return the first labels within a number of characters.

    >>> some(["tea", "coffee", "milk"], 12)
    ['tea', 'coffee']
    """
    shown = []
    for label in labels:
        room -= len(label)
        if room < 0:
            break
        shown.append(label)
    return shown


def listed(labels: Sequence[str], room: int = _LABELS) -> str:
    """Return labels as words of a sentence, those without room as a number.

    >>> listed(["tea", "coffee", "milk"], 12)
    'tea, coffee and 1 more'
    """
    shown = some(labels, room)
    more = f"{len(labels) - len(shown)} more" if len(labels) > len(shown) else ""
    return " and ".join(part for part in (", ".join(shown), more) if part)


def title_of(title: str) -> str:
    """Return a title as lists of many notes show it."""
    return _shortened(title, _TITLE)


def name_of(text: str) -> str:
    """Return what a caller called something, as a sentence can repeat it."""
    return _shortened(text, _NAME)


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - len(_CUT)].rstrip() + _CUT


def within(text: str, room: int) -> str:
    """Return the beginning of a text that takes no more than this many characters, escaped as well as set off.

    >>> within("one two three", 11)
    'one t...'
    """
    if length_of(text) <= room:
        return text
    begun = text[: max(0, room - len(_CUT))]
    while begun and length_of(begun) + len(_CUT) > room:
        begun = begun[: min(len(begun) - 1, len(begun) * max(0, room - len(_CUT)) // length_of(begun))]
    return begun.rstrip() + _CUT


def length_of(text: str) -> int:
    """Return the longer of a text's two forms: as JSON, and with each line indented."""
    return max(len(json.dumps(text, ensure_ascii=False)) - 2, len(indented(text)))
