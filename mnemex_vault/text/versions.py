"""Merging versions of one note that several devices changed: the bookkeeping exactly, the rest left to a text merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.keys import RELATION_KEYS
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.yaml_core import Value

LISTS = ("tags", "aliases", "entities", *(relation.value for relation in RELATION_KEYS), "relation_details")
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Versions:
    """The texts of a note: what both sides started from, and what each made of it."""

    base: str
    ours: str
    theirs: str


def aligned(path: str, versions: Versions, *, zone: tzinfo) -> Versions:
    """Return the versions with the merged bookkeeping and lists in all three, so that only texts are left to merge.

    Raises UnreadableNote if one of them is no memory or cannot be edited.
    """
    notes = [Note.parse(path, text.encode()) for text in (versions.base, versions.ours, versions.theirs)]
    base, ours, theirs = (_memory(note, zone) for note in notes)
    if not base.id == ours.id == theirs.id:
        raise UnreadableNote(path, "the versions are different memories")
    usage = merged_usage(base.usage, ours.usage, theirs.usage)
    changes = _bookkeeping(notes[1].values, notes[2].values, ours.usage, theirs.usage, usage)
    changes["fades_on"] = _merged_day(*(note.values.get("fades_on") for note in notes))
    changes |= {key: _merged_list(*(note.values.get(key) for note in notes)) for key in LISTS}
    changes = {key: value for key, value in changes.items() if any(key in note.values for note in notes)}
    return Versions(*(edit(text, changes) for text in (versions.base, versions.ours, versions.theirs)))


def joined(path: str, versions: Versions, *, zone: tzinfo) -> str | None:
    """Return the note that both sides come to, None if their texts differ; raises UnreadableNote as `aligned`."""
    result = aligned(path, versions, zone=zone)
    return result.ours if result.ours == result.theirs else None


def with_least_base(path: str, ours: str, theirs: str, *, zone: tzinfo) -> Versions:
    """Return both sides with a base to which neither adds twice: of every counter the larger is what they come to.

    Raises UnreadableNote if one of them is no memory or cannot be edited.
    """
    one, other = (_memory(Note.parse(path, text.encode()), zone).usage for text in (ours, theirs))
    least: dict[str, Value] = dict.fromkeys(LISTS)
    for name in ("use_count", "review_count", "cross_domain_count", "strength"):
        least[name] = min(getattr(one, name), getattr(other, name))
    return Versions(edit(ours, least), ours, theirs)


def merged_usage(base: Usage, ours: Usage, theirs: Usage) -> Usage:
    """Return the uses of both sides: what each added to the base, the latest times, the larger of the rest."""

    def added(start: int, *ends: int) -> int:
        return start + sum(max(0, end - start) for end in ends)

    sides = (ours, theirs)
    return replace(
        ours,
        created=min(side.created for side in sides),
        last_used=max(side.last_used for side in sides),
        use_count=added(base.use_count, ours.use_count, theirs.use_count),
        days_used=max(side.days_used for side in sides),
        strength=_three_way(base.strength, ours.strength, theirs.strength, max(side.strength for side in sides)),
        review_count=added(base.review_count, ours.review_count, theirs.review_count),
        cross_domain_count=added(base.cross_domain_count, ours.cross_domain_count, theirs.cross_domain_count),
        last_review=max((side.last_review for side in sides if side.last_review), default=None),
        promoted=max((side.promoted for side in sides if side.promoted), default=None),
    )


def _memory(note: Note, zone: tzinfo) -> Memory:
    if note.kind not in (NoteKind.MEMORY, NoteKind.PRIVATE):
        raise UnreadableNote(note.path, f"it is no memory but {note.kind.value}")
    return note.memory(tier=Tier.SHORT_TERM, zone=zone, undated=_LONG_AGO)


def _three_way(base: float, ours: float, theirs: float, otherwise: float) -> float:
    if ours == base:
        return theirs
    return ours if theirs in (base, ours) else otherwise


def _bookkeeping(
    ours: Mapping[str, Value],
    theirs: Mapping[str, Value],
    our_usage: Usage,
    their_usage: Usage,
    merged: Usage,
) -> dict[str, Value]:
    """Return the merged values, each spelled as the side that has it spells it."""
    latest = ours if our_usage.last_used >= their_usage.last_used else theirs
    changes: dict[str, Value] = {
        "last_used": latest.get("last_used"),
        "use_count": merged.use_count,
        "days_used": merged.days_used if merged.days_used > 1 else None,
        "strength": round(merged.strength, 6),
        "promoted": _spelled(ours, theirs, "promoted", our_usage.promoted, their_usage.promoted),
        "last_review": _spelled(ours, theirs, "last_review", our_usage.last_review, their_usage.last_review),
    }
    if merged.review_count:
        changes |= {"review_count": merged.review_count, "cross_domain_count": merged.cross_domain_count}
    return changes


def _spelled(
    ours: Mapping[str, Value], theirs: Mapping[str, Value], key: str, one: datetime | None, other: datetime | None
) -> Value:
    return ours.get(key) if (one or _LONG_AGO) >= (other or _LONG_AGO) else theirs.get(key)


def _merged_day(base: Value, ours: Value, theirs: Value) -> Value:
    """Return the later day; none if one side took it away, by promoting or pinning the memory."""
    if base and not (ours and theirs):
        return None
    return max((str(day) for day in (ours, theirs) if day), default=None)


def _merged_list(base: Value, ours: Value, theirs: Value) -> Value:
    """Return the items of both sides without those that one of them took away; None if nothing is left."""
    before, one, other = (_items(value) for value in (base, ours, theirs))
    gone = [item for item in before if item not in one or item not in other]
    kept = [item for item in [*one, *(item for item in other if item not in one)] if item not in gone]
    return kept or None


def _items(value: Value) -> list[Value]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
