"""The review note: what needs a person, as check boxes in plain markdown. Text in, text out.

The lists stand between two hidden markers; whatever a person writes in the note is kept when they are made anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from urllib.parse import quote, unquote

from mnemex_vault.text import frontmatter
from mnemex_vault.text.inert_text import inert
from mnemex_vault.text.values import read_time, write_time

# Check boxes in a note, bound to ids by a hidden marker, so that a person may edit all around them.

_MARKER = re.compile(r"%%mnemex:([a-z-]+):((?:[\w./+-]|%[0-9A-F]{2})+)%%", re.ASCII)
_BOX = re.compile(r"[\s>]*(?:[-*+]|\d+[.)])\s+\[(.)\]")


class Action(StrEnum):
    """What a ticked box asks for; the ids are memories, a path (adopt) or an operation (undo)."""

    KEEP = "keep"
    PROMOTE = "promote"
    LET_GO = "let-go"
    ADOPT = "adopt"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep-both"
    UNDO = "undo"
    APPROVE = "approve"
    EVERYWHERE = "everywhere"
    ONLY_HERE = "only-here"


# of boxes ticked together for the same thing the first here is meant: the one that changes least
_CAREFUL = (
    (Action.KEEP, Action.PROMOTE, Action.LET_GO),
    (Action.KEEP_BOTH, Action.SUPERSEDE, Action.MERGE),
    (Action.ONLY_HERE, Action.EVERYWHERE),
)
# done only if they are not ticked both ways round
_DIRECTED = (Action.SUPERSEDE,)


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
    if tick.action in _DIRECTED and Tick(tick.action, tick.ids[::-1]) in all_ticks:
        return True
    for order in _CAREFUL:
        if tick.action in order:
            careful = order[: order.index(tick.action)]
            return any(other.action in careful and set(other.ids) == set(tick.ids) for other in all_ticks)
    return False


def _ids(text: str) -> tuple[str, ...]:
    return tuple(unquote(part) for part in text.split("+"))


# a name that another note has, or a link means, is left to it
NAMES = ("Review", "Mnemex review")
PROPERTY_VALUE = "review"
SHOWN = 20

_RUN, _DEVICE = "upkeep_run", "upkeep_device"
_BEGIN, _END = "%%mnemex:begin%%", "%%mnemex:end%%"
_INTRODUCTION = "Tick a box, and it is done within moments. What you write in this note stays."
_NOTHING = "Nothing needs you at the moment."
_ABOUT, _MORE = "about", "more"
# so many of the memories of one source are named
_NAMED = 5
_HEADINGS = (
    "## Which is true?",
    "## Waiting for your yes",
    "## For every project?",
    "## Fading this week",
    "## Unmanaged notes",
    "## Similar memories",
    "## Conflicts",
    "## Since last week",
)
_GENERATED = {"", _BEGIN, _END, _INTRODUCTION, _NOTHING, *_HEADINGS}


@dataclass(frozen=True, slots=True)
class Fading:
    """A memory that will soon be forgotten; `link` is what stands in a wikilink to it."""

    memory_id: str
    link: str
    fades_on: date


@dataclass(frozen=True, slots=True)
class Unmanaged:
    """A note among the short-term memories that is none."""

    path: str
    link: str


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two memories that may say the same."""

    older_id: str
    older_link: str
    newer_id: str
    newer_link: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """Memories of one source from strangers, which wait for a yes."""

    source: str
    memory_ids: Sequence[str]
    links: Sequence[str]


@dataclass(frozen=True, slots=True)
class Everywhere:
    """A memory of one project that conversations about several relied on."""

    memory_id: str
    link: str
    project: str
    projects: Sequence[str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A note and a copy of it that a sync tool made."""

    path: str
    link: str
    copy_link: str


@dataclass(frozen=True, slots=True)
class Done:
    """An operation of the upkeep that can be undone."""

    operation_id: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """All that the review note lists."""

    fading: Sequence[Fading] = ()
    unmanaged: Sequence[Unmanaged] = ()
    unsettled: Sequence[SimilarPair] = ()
    waiting: Sequence[Waiting] = ()
    wider: Sequence[Everywhere] = ()
    similar: Sequence[SimilarPair] = ()
    conflicts: Sequence[Conflict] = ()
    done: Sequence[Done] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """When the upkeep last ran, and on which device."""

    time: datetime
    device: str


def render(review: Review, run: Run, *, zone: tzinfo) -> str:
    """Return a new review note."""
    return stamp(frontmatter.compose({"mnemex": PROPERTY_VALUE}, _lists(review)), run, zone=zone)


def refresh(text: str, review: Review, run: Run, *, zone: tzinfo, applied: Collection[Tick] = ()) -> str | None:
    """Return the note with new lists, or None if it is to stay as it is.

    It stays if its items did not change. As long as a box is ticked that is not among the `applied` ones, only those
    go, lest they be done again. Raises UnreadableNote if its frontmatter cannot be changed.
    """
    if any(tick not in applied for tick in ticked(text)):
        settled = _settled(text, applied)
        return None if settled == text else stamp(settled, run, zone=zone)
    before, inside, after = _parts(text)
    lists = _lists(review)
    if _items(inside) == _items(lists) and not has_ticks(text):
        return None
    kept = [line for line in inside.splitlines() if line.strip() not in _GENERATED and not marked(line)]
    own = "".join(f"{line}\n" for line in ["", *kept]) if kept else ""
    newline = frontmatter.newline_of(text)
    return stamp(unbound(before) + (lists + own).replace("\n", newline) + unbound(after), run, zone=zone)


def _settled(text: str, applied: Collection[Tick]) -> str:
    """Return the note without the boxes that were done; outside of the lists they are a person's lines, and stay."""
    before, inside, after = _parts(text)
    left = [line for line in inside.splitlines(keepends=True) if not (found := ticked(line)) or found[0] not in applied]
    return unbound(before, applied) + "".join(left) + unbound(after, applied)


def last_run(text: str, *, zone: tzinfo) -> Run | None:
    """Return the last run that the note tells of; raises UnreadableNote if its frontmatter is broken."""
    values = frontmatter.read(text)
    moment = read_time(values.get(_RUN), zone)
    return None if moment is None else Run(moment, str(values.get(_DEVICE) or ""))


def stamp(text: str, run: Run, *, zone: tzinfo) -> str:
    """Return the note with another last run and every other byte kept; raises UnreadableNote as `last_run`."""
    return frontmatter.edit(text, {_RUN: write_time(run.time, zone), _DEVICE: run.device})


def _parts(text: str) -> tuple[str, str, str]:
    """Split at the markers; a note without both is a person's text, and the lists go to its end."""
    start, end = text.find(_BEGIN), text.rfind(_END)
    if start < 0 or end < start:
        return (text if text.endswith("\n") else f"{text}\n"), "", ""
    stop = text.find("\n", end)
    return (text[:start], text[start:], "") if stop < 0 else (text[:start], text[start : stop + 1], text[stop + 1 :])


def _items(text: str) -> set[tuple[str, tuple[str, ...]]]:
    return {(action, ids) for action, ids in marked(text) if action != _MORE}


def _lists(review: Review) -> str:
    groups = [
        [_unsettled(item) for item in review.unsettled],
        [_waiting(item) for item in review.waiting],
        [_everywhere(item) for item in review.wider],
        [_fading(item) for item in review.fading],
        [_unmanaged(item) for item in review.unmanaged],
        [_similar(item) for item in review.similar],
        [_conflict(item) for item in review.conflicts],
        [_done(item) for item in review.done],
    ]
    parts = [_section(heading, items) for heading, items in zip(_HEADINGS, groups, strict=True) if items]
    return "\n".join([f"{_BEGIN}\n{_INTRODUCTION}\n", *(parts or [f"{_NOTHING}\n"]), f"{_END}\n"])


def _section(heading: str, items: Sequence[Sequence[str]]) -> str:
    lines = [line for item in items[:SHOWN] for line in item]
    left = len(items) - SHOWN
    if left > 0:
        lines.append(f"- and {left} more {marker(_MORE, str(left))}")
    return "\n".join([heading, "", *lines, ""])


def _fading(item: Fading) -> list[str]:
    day = f"{item.fades_on.day} {item.fades_on:%B}"
    return [
        f"- {_link(item.link)} fades on {day} {marker(_ABOUT, item.memory_id)}",
        _below(box("Keep it", Action.KEEP, item.memory_id)),
        _below(box("Make it permanent", Action.PROMOTE, item.memory_id)),
        _below(box("Let it go", Action.LET_GO, item.memory_id)),
    ]


def _unmanaged(item: Unmanaged) -> list[str]:
    return [box(f"Make {_link(item.link)} a memory", Action.ADOPT, item.path)]


def _unsettled(item: SimilarPair) -> list[str]:
    pair = (item.newer_id, item.older_id)
    return [
        f"- {_link(item.newer_link)} or the older {_link(item.older_link)} {marker(_ABOUT, *pair)}",
        _below(box("The newer one", Action.SUPERSEDE, *pair)),
        _below(box("The older one", Action.SUPERSEDE, *pair[::-1])),
        _below(box("Both are true", Action.KEEP_BOTH, *pair)),
    ]


def _waiting(item: Waiting) -> list[str]:
    shown = ", ".join(map(_link, item.links[:_NAMED]))
    more = len(item.links) - _NAMED
    named = f"{shown} and {more} more" if more > 0 else shown
    source = inert(_one_line(item.source)) or "no source"
    return [box(f"Trust what came from {source}: {named}", Action.APPROVE, *item.memory_ids)]


def _everywhere(item: Everywhere) -> list[str]:
    used, own = (inert(_one_line(text)) for text in (", ".join(item.projects[:_NAMED]), item.project))
    return [
        f"- {_link(item.link)} was relied on in {used} {marker(_ABOUT, item.memory_id)}",
        _below(box("It holds for every project", Action.EVERYWHERE, item.memory_id)),
        _below(box(f"Only for {own}", Action.ONLY_HERE, item.memory_id)),
    ]


def _similar(item: SimilarPair) -> list[str]:
    pair = (item.newer_id, item.older_id)
    return [
        f"- {_link(item.newer_link)} and the older {_link(item.older_link)} {marker(_ABOUT, *pair)}",
        _below(box("Both are true", Action.KEEP_BOTH, *pair)),
        _below(box("The newer one replaces the older", Action.SUPERSEDE, *pair)),
        _below(box("Merge them into one", Action.MERGE, *pair)),
    ]


def _conflict(item: Conflict) -> list[str]:
    return [
        f"- {_link(item.link)} and its copy {_link(item.copy_link)} differ: keep what is right and delete the copy"
        f" {marker(_ABOUT, item.path)}"
    ]


def _done(item: Done) -> list[str]:
    return [box(f"Undo: {inert(_one_line(item.summary))}", Action.UNDO, item.operation_id)]


def _below(line: str) -> str:
    return f"    {line}"


def _link(target: str) -> str:
    """Return a wikilink that nothing in the target can break out of."""
    plain = "".join(" " if character in "[]|" else character for character in _one_line(target))
    return f"[[{plain}]]"


def _one_line(text: str) -> str:
    # two percent signs would open or close a comment
    return re.sub("%(?=%)", "% ", " ".join(text.split()))
