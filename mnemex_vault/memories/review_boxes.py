"""Check boxes in a note, bound to ids by a hidden marker, so that a person may edit all around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote

_MARKER = re.compile(r"%%mnemex:([a-z-]+):((?:[\w./+-]|%[0-9A-F]{2})+)%%", re.ASCII)
_BOX = re.compile(r"[\s>]*(?:[-*+]|\d+[.)])\s+\[(.)\]")


class Action(StrEnum):
    """What a ticked box asks for; the ids are one memory, a pair of them, a path (adopt) or an operation (undo)."""

    KEEP = "keep"
    PROMOTE = "promote"
    LET_GO = "let-go"
    ADOPT = "adopt"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep-both"
    UNDO = "undo"


# of boxes ticked together for the same thing the first here is meant: the one that changes least
_CAREFUL = (
    (Action.KEEP, Action.PROMOTE, Action.LET_GO),
    (Action.KEEP_BOTH, Action.SUPERSEDE, Action.MERGE),
)


@dataclass(frozen=True, slots=True)
class Tick:
    """One decision of a person; a pair for `supersede` is the newer memory first."""

    action: Action
    ids: tuple[str, ...]


def marker(action: str, *ids: str) -> str:
    """Return the hidden text that binds a line to ids; it shows only while the line is edited.

    >>> marker(Action.MERGE, "a1", "b2"), marker(Action.ADOPT, "In box/50 %.md")
    ('%%mnemex:merge:a1+b2%%', '%%mnemex:adopt:In%20box/50%20%25.md%%')
    """
    return f"%%mnemex:{action}:{'+'.join(quote(one, safe='/') for one in ids)}%%"


def box(words: str, action: Action, *ids: str) -> str:
    """Return an empty check box."""
    return f"- [ ] {words} {marker(action, *ids)}"


def marked(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return what the markers of a text say: action and ids, whatever the boxes."""
    return [(match[1], _ids(match[2])) for match in _MARKER.finditer(text)]


def ticked(text: str) -> list[Tick]:
    """Return the decisions of all ticked boxes, in their order and each once.

    A line with several markers says nothing certain and is passed over; of contradicting ticks the careful one counts.
    """
    found = list(dict.fromkeys(_ticks(text)))
    return [tick for tick in found if not _overruled(tick, found)]


def has_ticks(text: str) -> bool:
    """Tell whether any bound box is ticked."""
    return next(_ticks(text), None) is not None


def unbound(text: str, applied: Collection[Tick] | None = None) -> str:
    """Return the text with the markers of these ticked boxes, or all, taken away: then they are a person's plain lines.

    >>> unbound("- [x] Keep %%mnemex:keep:a1%%"), unbound("- [x] Keep %%mnemex:keep:a1%%", [])
    ('- [x] Keep ', '- [x] Keep %%mnemex:keep:a1%%')
    """

    def is_meant(line: str) -> bool:
        return any(applied is None or tick in applied for tick in _ticks(line))

    return "".join(_MARKER.sub("", line) if is_meant(line) else line for line in text.splitlines(keepends=True))


def _ticks(text: str) -> Iterator[Tick]:
    for line in text.splitlines():
        drawn = _BOX.match(line)
        if not drawn or drawn[1] not in "xX":
            continue
        found = _MARKER.findall(line)
        if len(found) == 1 and found[0][0] in set(Action):
            yield Tick(Action(found[0][0]), _ids(found[0][1]))


def _overruled(tick: Tick, all_ticks: list[Tick]) -> bool:
    for order in _CAREFUL:
        if tick.action in order:
            careful = order[: order.index(tick.action)]
            return any(other.action in careful and set(other.ids) == set(tick.ids) for other in all_ticks)
    return False


def _ids(text: str) -> tuple[str, ...]:
    return tuple(unquote(part) for part in text.split("+"))
