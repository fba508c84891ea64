"""A folder of markdown: notes of any program, those of basic-memory with their relations, and our own export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from mnemex_vault.domain.memory import Relation, RelationType, Tier, Usage
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.importers.findings import (
    OTHER_TYPE,
    Connection,
    Findings,
    Problem,
    Record,
    by_name,
    derived_id,
    relation_type,
)
from mnemex_vault.memories.draft import clean_labels
from mnemex_vault.notes import values as values_of
from mnemex_vault.notes.files import READ_LIMIT
from mnemex_vault.notes.ignore import is_note_name
from mnemex_vault.notes.keys import KEY_ORDER
from mnemex_vault.notes.names import name_key
from mnemex_vault.notes.note import Note, NoteKind
from mnemex_vault.notes.reading import Facts
from mnemex_vault.notes.walk import walk
from mnemex_vault.notes.yaml_scalars import Value

STORE = "markdown"
TIER_FOLDERS = {"Short-term": Tier.SHORT_TERM, "Long-term": Tier.LONG_TERM, "Archive": Tier.ARCHIVED}
# an item "relates to [[Other note]] (why)"; an observation begins with its category in brackets, a task with a box
_RELATION = re.compile(
    r"^[ \t]*[-*+][ \t]+(?!\[)(\S[^\[\n]{0,80}?)[ \t]+\[\[([^\[\]|\n]+)(?:\|[^\]\n]*)?\]\][^\n]*$", re.M
)
_OTHER_KEYS = frozenset({"title", "modified", "updated", "date", "mnemex"})


@dataclass(frozen=True, slots=True)
class _Source:
    """A note of the folder as a memory, and the names to which its relations lead."""

    place: str
    record: Record
    relations: tuple[Relation, ...]


def read_markdown(root: Path, *, zone: tzinfo) -> Findings:
    """Return every note below the folder as one memory, its text as it stands."""
    sources: dict[str, _Source] = {}
    damaged: list[Problem] = []
    for path, entry in sorted(walk(root, wanted=is_note_name), key=lambda item: item[0]):
        try:
            source = _source(root, path, int(entry.stat().st_mtime), zone)
        except UnreadableNote as error:
            damaged.append(Problem(path, error.reason))
        else:
            if source is not None:
                sources[source.record.id] = source
    connections, remarks = _connected(list(sources.values()))
    records = tuple(source.record for source in sources.values())
    return Findings(records=records, connections=connections, damaged=tuple(damaged), remarks=tuple(remarks))


def _source(root: Path, path: str, modified: int, zone: tzinfo) -> _Source | None:
    """Read one file; None for a note that a program generated. Raises UnreadableNote."""
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        raise UnreadableNote(path, error.strerror or "it cannot be read") from error
    if len(data) > READ_LIMIT:
        raise UnreadableNote(path, "it is too big for a note")
    note = Note.parse(path, data)
    if note.unreadable_because:
        raise UnreadableNote(path, note.unreadable_because)
    if note.kind is NoteKind.GENERATED:
        return None
    changed = datetime.fromtimestamp(modified, UTC)
    if note.kind in (NoteKind.MEMORY, NoteKind.PRIVATE) and note.memory_id is not None:
        return _memory(path, note, changed, zone)
    return _ordinary(path, note, changed, zone)


def _memory(path: str, note: Note, changed: datetime, zone: tzinfo) -> _Source:
    """Return a memory of ours with all that it says of itself."""
    tier = TIER_FOLDERS.get(path.partition("/")[0], Tier.LONG_TERM)
    memory = note.memory(tier=tier, zone=zone, undated=changed)
    record = Record(
        id=memory.id,
        title=memory.title,
        content=memory.content,
        tier=tier,
        usage=memory.usage,
        tags=memory.tags,
        aliases=memory.aliases,
        entities=memory.entities,
        project=memory.project,
        source=memory.source,
        context=memory.context,
        origin=memory.origin,
        session=memory.session,
        name=note.stem,
        names=_names(path, note),
        properties=_properties(note),
    )
    return _Source(path, record, memory.relations)


def _ordinary(path: str, note: Note, changed: datetime, zone: tzinfo) -> _Source:
    facts = Facts(note.values, zone)
    created = facts.time("created") or facts.time("date") or changed
    last_used = facts.time("modified") or facts.time("updated") or changed
    permalink = facts.text("permalink")
    title = facts.text("title") or note.title
    record = Record(
        id=derived_id(permalink or path, store=STORE),
        title=" ".join(title.split()),
        # links of basic-memory name the title, those of others the file
        name=None if permalink else note.stem,
        content=note.content if note.content.strip() else title,
        tier=Tier.LONG_TERM,
        usage=Usage(created=created, last_used=max(created, last_used), promoted=changed),
        tags=values_of.property_tags(note.values),
        aliases=note.aliases,
        entities=clean_labels(note.entities),
        project=facts.text("project"),
        source=facts.text("source"),
        context=facts.text("context"),
        names=_names(path, note),
        properties=_properties(note),
    )
    return _Source(path, record, tuple(_relations(note)) if permalink else ())


def _properties(note: Note) -> dict[str, Value]:
    """Return the keys that mean nothing to us, to be kept as they are."""
    known = {*KEY_ORDER, *_OTHER_KEYS, "tag", "Tags"}
    return {key: value for key, value in note.values.items() if key not in known and value is not None}


def _names(path: str, note: Note) -> tuple[str, ...]:
    facts = Facts(note.values, UTC)
    texts = (note.stem, path[: -len(".md")], facts.text("permalink"), facts.text("title"), *note.aliases)
    return tuple(text or "" for text in texts)


def _relations(note: Note) -> Iterator[Relation]:
    for match in _RELATION.finditer(note.content):
        kind, metadata = relation_type(match[1].strip("\"'`: "))
        yield Relation(kind, match[2].partition("#")[0].strip(), metadata=metadata)


def _connected(sources: list[_Source]) -> tuple[tuple[Connection, ...], list[Problem]]:
    """Find the notes to which relations lead; as a person would who follows a link."""
    ids = by_name(source.record for source in sources)
    found: dict[tuple[str, RelationType, str], Connection] = {}
    remarks: list[Problem] = []
    for source in sources:
        for relation in source.relations:
            target = ids.get(name_key(relation.target)) or ids.get(name_key(relation.target.rpartition("/")[2]))
            if target is None:
                remarks.append(Problem(source.place, f"{_said(relation)} [[{relation.target}]] leads to no note here"))
            elif target != source.record.id:
                key = (source.record.id, relation.type, target)
                found[key] = _merged(found.get(key), key, relation)
    return tuple(found.values()), remarks


def _merged(known: Connection | None, key: tuple[str, RelationType, str], relation: Relation) -> Connection:
    if known is None:
        source_id, kind, target_id = key
        return Connection(
            source_id=source_id,
            target_id=target_id,
            type=kind,
            strength=relation.strength,
            metadata=relation.metadata,
        )
    names = [str(each[OTHER_TYPE]) for each in (known.metadata, relation.metadata) if OTHER_TYPE in each]
    joined = {OTHER_TYPE: ", ".join(dict.fromkeys(names))} if names else {}
    return replace(known, metadata={**known.metadata, **joined})


def _said(relation: Relation) -> str:
    return str(relation.metadata.get(OTHER_TYPE, relation.type.value))
