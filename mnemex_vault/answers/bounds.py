"""How much an answer may say, and what is shown of lists and texts that would say more."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from mnemex_vault.answers.view import View
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import indented

T = TypeVar("T")
V = TypeVar("V", bound=View)

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


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of notes an answer shows: for a model what its context bears, for anybody else everything."""

    everything: bool = False

    def at_most(self, number: int) -> float:
        """Return a number of characters or things that is never exceeded, if anything is bounded."""
        return math.inf if self.everything else number

    def first(self, found: Iterable[T], number: int) -> list[T]:
        """Return so many of what was found, or all."""
        return list(found if self.everything else islice(found, number))

    def title(self, title: str) -> str:
        """Return a title as a list of many notes shows it."""
        return title if self.everything else title_of(title)


FOR_A_MODEL = Bounds()
EVERYTHING = Bounds(everything=True)


def size_of(view: View) -> int:
    """Return how many characters a view takes as it is sent."""
    return len(json.dumps(view.data(), ensure_ascii=False, separators=(",", ":")))


def fitting(views: Iterable[V], room: float) -> list[V]:
    """Return the first views that take no more than this many characters together."""
    if room == math.inf:
        return list(views)
    shown: list[V] = []
    for view in views:
        room -= size_of(view) + 1
        if room < 0:
            break
        shown.append(view)
    return shown


def some(labels: Sequence[str], room: float = _LABELS) -> list[str]:
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


def within(text: str, room: float) -> str:
    """Return the beginning of a text that takes no more than this many characters, escaped as well as set off.

    >>> within("one two three", 11)
    'one t...'
    """
    if room == math.inf or length_of(text) <= room:
        return text
    room = int(room)
    begun = text[: max(0, room - len(_CUT))]
    while begun and length_of(begun) + len(_CUT) > room:
        begun = begun[: min(len(begun) - 1, len(begun) * max(0, room - len(_CUT)) // length_of(begun))]
    return begun.rstrip() + _CUT


def length_of(text: str) -> int:
    """Return the longer of a text's two forms: as JSON, and with each line indented."""
    return max(len(json.dumps(text, ensure_ascii=False)) - 2, len(indented(text)))


def bounded(text: str) -> str:
    """Return a text that no answer exceeds; one that is too long all the same ends with how much of it is left out."""
    if len(text) <= MOST:
        return text
    left_out = counted(len(text) - MOST + AROUND, "more character")
    return f"{text[: MOST - AROUND]}\n({left_out}, cut)"
