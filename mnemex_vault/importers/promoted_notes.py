"""Notes that the predecessors wrote when they promoted a memory, known by their key `stm_id`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo

from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.errors import NoteError
from mnemex_vault.importers.findings import Record
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.store import Store
from mnemex_vault.notes import frontmatter
from mnemex_vault.notes import values as values_of
from mnemex_vault.notes.dates import read_date
from mnemex_vault.notes.note import Note, NoteKind, render
from mnemex_vault.notes.yaml_scalars import Value

KEY = "stm_id"
_LINE = re.compile(rf"^{KEY}:[ \t]*[\"']?([A-Za-z0-9_-]+)", re.MULTILINE)
_READ = 1 << 16
# bookkeeping that the predecessors wrote, and that the store knows better
_THEIRS = ("last_used", "use_count")


@dataclass(frozen=True, slots=True)
class PromotedNote:
    """A note of the vault and the memory that it was written for."""

    record: Record
    entry: Entry
    unreadable: bool = False


def promoted_notes(store: Store, records: Mapping[str, Record]) -> list[PromotedNote]:
    """Return the notes of promoted memories, at most one for each."""
    wanted = {record.id.casefold(): record for record in records.values() if record.tier is Tier.LONG_TERM}
    if not wanted:
        return []
    found: dict[str, PromotedNote] = {}
    for entry, identity, unreadable in _candidates(store):
        record = wanted.get(identity.casefold())
        if record is not None and (record.id not in found or found[record.id].unreadable):
            found[record.id] = PromotedNote(record, entry, unreadable)
    return list(found.values())


def _candidates(store: Store) -> Iterator[tuple[Entry, str, bool]]:
    for entry in sorted(store.catalog, key=lambda entry: entry.path):
        if entry.kind not in (NoteKind.ORDINARY, NoteKind.UNREADABLE):
            continue
        try:
            data, _ = store.vault.files.read(entry.path)
        except NoteError:
            continue
        if KEY.encode() not in data[:_READ]:
            continue
        note = Note.parse(entry.path, data)
        identity = note.values.get(KEY)
        if isinstance(identity, str):
            yield entry, identity, False
        elif note.unreadable_because and (match := _LINE.search(note.text[:_READ])):
            yield entry, match[1], True


def linked_text(
    text: str, entry: Entry, memory: Memory, *, zone: tzinfo, linked: Collection[str], neutralise: bool
) -> str:
    """Return the promoted note as the note of its memory: its text and the person's keys stay."""
    note = Note.parse(entry.path, text.encode())
    if note.memory_id is not None:
        return text
    tags = (*values_of.property_tags(note.values), *memory.tags)
    memory = replace(memory, title=note.title, aliases=(), tier=entry.tier, tags=tuple(dict.fromkeys(tags)), content="")
    wanted = frontmatter.read(
        render(memory, zone=zone, fades_on=None, stem=note.stem, linked=linked, neutralise=neutralise)
    )
    return frontmatter.edit(
        text, {key: value for key, value in wanted.items() if _may_set(key, note.values, memory, zone)}
    )


def _may_set(key: str, values: Mapping[str, Value], memory: Memory, zone: tzinfo) -> bool:
    """Tell whether a key is new, or says more exactly what the predecessor wrote."""
    if key not in values or key in _THEIRS:
        return True
    if key == "created":
        return read_date(values[key], zone) == memory.usage.created.astimezone(zone).date()
    return key == "tags"
