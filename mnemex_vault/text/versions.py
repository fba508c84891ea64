"""Merging versions of one note that several devices changed: the bookkeeping exactly, the rest left to a text merge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text.fields import as_value
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.keys import FIELDS, USAGE_FIELDS, Field, Merge, Type
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.yaml_core import Value

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
    whole = merged_usage(base.usage, ours.usage, theirs.usage)
    changes: dict[str, Value] = {}
    for row in FIELDS:
        if row.merge is not Merge.AS_TEXT and any(row.key in note.values for note in notes):
            values = [note.values.get(row.key) for note in notes]
            changes[row.key] = _merged_value(row, values, ours.usage, whole)
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
    least: dict[str, Value] = {row.key: None for row in FIELDS if row.merge is Merge.ALL_ITEMS}
    for row in USAGE_FIELDS:
        if row.merge in (Merge.SUM_OF_BOTH, Merge.CHANGED):
            least[row.key] = min(getattr(one, row.attribute), getattr(other, row.attribute))
    return Versions(edit(ours, least), ours, theirs)


def merged_usage(base: Usage, ours: Usage, theirs: Usage) -> Usage:
    """Return the uses of both sides: what each added to the base, the latest times, the larger of the rest."""
    merged: dict[str, Any] = {}
    for row in USAGE_FIELDS:
        if row.merge is not Merge.AS_TEXT:
            start, *sides = (getattr(usage, row.attribute) for usage in (base, ours, theirs))
            merged[row.attribute] = _merged_fact(row.merge, start, sides)
    return replace(ours, **merged)


def _merged_fact(merge: Merge, start: Any, sides: list[Any]) -> Any:
    known = [side for side in sides if side is not None]
    match merge:
        case Merge.SUM_OF_BOTH:
            return start + sum(max(0, side - start) for side in sides)
        case Merge.CHANGED:
            return max((side for side in sides if side != start), default=start)
        case _:
            return max(known, default=None)


def _memory(note: Note, zone: tzinfo) -> Memory:
    if note.kind not in (NoteKind.MEMORY, NoteKind.PRIVATE):
        raise UnreadableNote(note.path, f"it is no memory but {note.kind.value}")
    return note.memory(tier=Tier.SHORT_TERM, zone=zone, undated=_LONG_AGO)


def _merged_value(row: Field, values: list[Value], ours: Usage, whole: Usage) -> Value:
    """Return what a key comes to, None if it is to go; a time is spelled as the side that has it spells it."""
    if row.merge is Merge.ALL_ITEMS:
        return _merged_list(*values)
    if row.merge is Merge.LATEST_DAY:
        return _merged_day(*values)
    fact = getattr(whole, row.attribute)
    if row.holds is not Type.TIME:
        return as_value(row, fact, UTC)
    _, here, there = values
    return (here or there) if getattr(ours, row.attribute) == fact else (there or here)


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
