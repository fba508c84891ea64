"""Merging versions of one note that several devices changed: properties by key, texts as far as both only added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from itertools import takewhile
from typing import Any

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text.fields import as_value
from mnemex_vault.text.frontmatter import edit, read, same, split
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
    """Return the versions with the merged properties in all three, so that only texts are left to merge.

    A property that no rule merges is settled if one side alone changed it. Raises UnreadableNote if one of them is no
    memory or cannot be edited.
    """
    notes = [Note.parse(path, text.encode()) for text in (versions.base, versions.ours, versions.theirs)]
    base, ours, theirs = (_memory(note, zone) for note in notes)
    if not base.id == ours.id == theirs.id:
        raise UnreadableNote(path, "the versions are different memories")
    whole = merged_usage(base.usage, ours.usage, theirs.usage)
    changes: dict[str, Value] = {}
    for row in FIELDS:
        values = [note.values.get(row.key) for note in notes]
        if any(row.key in note.values for note in notes) and (row.merge is not Merge.AS_TEXT or _one_changed(values)):
            changes[row.key] = _merged_value(row, values, ours.usage, whole)
    return _in_one_order(Versions(*(edit(text, changes) for text in (versions.base, versions.ours, versions.theirs))))


def _one_changed(values: Sequence[Value]) -> bool:
    """Tell whether it is plain what the last two of three values come to."""
    base, ours, theirs = values
    return any(same(one, other) for one, other in ((ours, theirs), (base, ours), (base, theirs)))


def _in_one_order(versions: Versions) -> Versions:
    """Put the same properties into the same order: each side may have added its own to the end."""
    theirs = _with_block_of(versions.ours, versions.theirs)
    base = _with_block_of(theirs, _with_block_of(versions.ours, versions.base))
    return Versions(base, versions.ours, theirs)


def _with_block_of(model: str, text: str) -> str:
    (block, body), (wanted, _) = _parts(text), _parts(model)
    alike = sorted(block.splitlines()) == sorted(wanted.splitlines()) and read(text) == read(model)
    return wanted + body if alike else text


def _parts(text: str) -> tuple[str, str]:
    """Return the frontmatter with its lines of dashes, and the body."""
    block = split(text)
    start = 0 if block is None else block.body_start
    return text[:start], text[start:]


@dataclass(frozen=True, slots=True)
class Known:
    """Texts that a note had, the latest first: any, and those of which each side was made for certain."""

    earlier: Sequence[str] = ()
    of_ours: Sequence[str] = ()
    of_theirs: Sequence[str] = ()


def joined(path: str, versions: Versions, *, zone: tzinfo, known: Known | None = None) -> str | None:
    """Return the note that both sides come to, None if that has to be chosen; raises UnreadableNote as `aligned`.

    A text stays against one that was made of it only there; else everything that either side says stays.
    """
    known = known or Known()
    result = aligned(path, versions, zone=zone)
    (ours, body), (theirs, other) = _parts(result.ours), _parts(result.theirs)
    if ours != theirs:
        return None
    if other in map(body_of, known.of_ours) or body == other:
        return ours + body
    if body in map(body_of, known.of_theirs):
        return ours + other
    added = (with_all_added(body_of(text), body, other) for text in known.earlier)
    return next((ours + text for text in added if text is not None), None)


def holds(text: str, earlier: str) -> bool:
    """Tell whether a text has all lines and properties of an earlier one, those that a merge changes left aside."""
    if _added(body_of(earlier).splitlines(), body_of(text).splitlines()) is None:
        return False
    before, now = read(earlier), read(text)
    merged = {row.key: row.merge for row in FIELDS}
    return all(_is_in(value, now.get(key), merged.get(key)) for key, value in before.items())


def _is_in(before: Value, now: Value, merge: Merge | None) -> bool:
    if merge is Merge.ALL_ITEMS:
        return all(item in _items(now) for item in _items(before))
    return merge not in (None, Merge.AS_TEXT) or same(before, now)


def body_of(text: str) -> str:
    """Return what stands below the frontmatter."""
    return _parts(text)[1]


def with_all_added(base: str, ours: str, theirs: str) -> str | None:
    """Return the base with the lines that either side added to it, None if one of them did anything else."""
    lines = base.splitlines(keepends=True)
    both = [_added(lines, text.splitlines(keepends=True)) for text in (ours, theirs)]
    here, there = both
    if here is None or there is None:
        return None
    whole: list[str] = []
    for number in range(len(lines) + 1):
        together = _together(here[number], there[number], paragraphs=number == 0 or not lines[number - 1].strip())
        if together is None:
            return None
        whole += [*together, *lines[number : number + 1]]
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in whole[:-1]) + "".join(whole[-1:])


def _added(base: Sequence[str], lines: Sequence[str]) -> list[list[str]] | None:
    """Return what was put before each line of the base and behind the last, None if one of them is not there."""
    gaps: list[list[str]] = [[]]
    for line in lines:
        if len(gaps) <= len(base) and line.rstrip("\r\n") == base[len(gaps) - 1].rstrip("\r\n"):
            gaps.append([])
        else:
            gaps[-1].append(line)
    return gaps if len(gaps) == len(base) + 1 else None


def _together(ours: list[str], theirs: list[str], *, paragraphs: bool) -> list[str] | None:
    """Return what both put into one place, ours first; None if they have more in common than how they begin.

    What begins a paragraph of its own goes on doing so.
    """
    common = len([*takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False))])
    here, there = ours[common:], theirs[common:]
    if {line.strip() for line in here} & {line.strip() for line in there} - {""}:
        return None
    starts = paragraphs if not common else not ours[common - 1].strip()
    apart = starts and here and there and here[-1].strip()
    newline = "\r\n" if here and here[-1].endswith("\r\n") else "\n"
    return [*ours[:common], *here, *([newline] if apart else []), *there]


def with_least_base(path: str, ours: str, theirs: str, *, zone: tzinfo) -> Versions:
    """Return both sides with a base to which neither adds twice: of every counter the larger is what they come to.

    Raises UnreadableNote if one of them is no memory or cannot be edited.
    """
    notes = [Note.parse(path, text.encode()) for text in (ours, theirs)]
    one, other = (_memory(note, zone).usage for note in notes)
    least: dict[str, Value] = {row.key: None for row in FIELDS if row.merge is Merge.ALL_ITEMS}
    for row in FIELDS:
        here, there = (note.values.get(row.key) for note in notes)
        if row.merge is Merge.AS_TEXT and not same(here, there):
            # what only one side has is taken for new
            least[row.key] = None
    for row in USAGE_FIELDS:
        if row.merge in (Merge.SUM_OF_BOTH, Merge.CHANGED) and any(row.key in note.values for note in notes):
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
    if row.merge is Merge.AS_TEXT:
        base, one, other = values
        return other if same(base, one) else one
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
