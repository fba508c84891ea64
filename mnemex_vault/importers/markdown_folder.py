"""A folder of markdown: notes of any program, those of basic-memory with their relations, and our own export."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path, PurePosixPath

from mnemex_vault.disk.files import READ_LIMIT
from mnemex_vault.disk.paths import walk
from mnemex_vault.domain.memory import Relation, Tier, Usage
from mnemex_vault.errors import NotPossible, UnreadableNote
from mnemex_vault.importers import findings
from mnemex_vault.language.folding import name_key
from mnemex_vault.memories.draft import clean_labels
from mnemex_vault.text import values as values_of
from mnemex_vault.text.fields import Facts
from mnemex_vault.text.file_names import is_conflict_copy, is_note_name, original_path
from mnemex_vault.text.keys import KEY_ORDER, RELATION_KEYS
from mnemex_vault.text.note import FOREIGN_KEYS, Note, NoteKind
from mnemex_vault.text.values import file_time
from mnemex_vault.text.yaml_core import Value

STORE = "markdown"
TIER_FOLDERS = {"Short-term": Tier.SHORT_TERM, "Long-term": Tier.LONG_TERM, "Archive": Tier.ARCHIVED}
# an item "relates to [[Other note]] (why)"; an observation begins with its category in brackets, a task with a box
_RELATION = re.compile(
    r"^[ \t]*[-*+][ \t]+(?!\[)(\S[^\[\n]{0,80}?)[ \t]+\[\[([^\[\]|\n]+)(?:\|[^\]\n]*)?\]\][^\n]*$", re.M
)
# what is read from a note of another program
_READ_KEYS = frozenset({"tags", "aliases", "entities", "project", "source", "context"} | set(RELATION_KEYS))


@dataclass(frozen=True, slots=True)
class _Source:
    """A note of the folder as a memory, and the names to which its relations lead."""

    place: str
    record: findings.Record
    relations: tuple[Relation, ...]
    remarks: tuple[findings.Problem, ...]


def read_markdown(root: Path, *, zone: tzinfo) -> findings.Findings:
    """Return every note below the folder as one memory, its text as it stands. Raises NotPossible for no folder."""
    if not root.is_dir():
        raise NotPossible(str(root), "is not a folder")
    sources: list[_Source] = []
    damaged: list[findings.Problem] = []

    def unreadable(path: str, error: OSError) -> None:
        damaged.append(findings.Problem(path, error.strerror or "cannot be read"))

    # an original goes before its copies
    paths = sorted(
        (path for path, _ in walk(root, wanted=is_note_name, unreadable=unreadable)),
        key=lambda path: (is_conflict_copy(path), path),
    )
    for path in paths:
        try:
            sources.append(_source(root, path, zone))
        except UnreadableNote as error:
            damaged.append(findings.Problem(path, error.reason))
    connections, remarks = _connected(sources)
    return findings.Findings(
        records=tuple(source.record for source in sources),
        connections=connections,
        damaged=(*damaged, *_passed_over(root, {*paths, *(problem.place for problem in damaged)})),
        remarks=(*(remark for source in sources for remark in source.remarks), *remarks),
    )


def _passed_over(root: Path, known: Collection[str]) -> Iterator[findings.Problem]:
    """Yield the notes that were not looked at: links, drawings, names that are no text."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in sorted(names):
            path = (Path(folder) / name).relative_to(root).as_posix()
            if name.lower().endswith(".md") and not name.startswith(".") and path not in known:
                yield findings.Problem(
                    findings.speakable(path), "is no note of its own (a link, a drawing, or a name that is no text)"
                )


def _source(root: Path, path: str, zone: tzinfo) -> _Source:
    """Read one file. Raises UnreadableNote for one that is no note of a person."""
    try:
        data = (root / path).read_bytes()
        modified = int((root / path).stat().st_mtime)
    except OSError as error:
        raise UnreadableNote(path, error.strerror or "it cannot be read") from error
    if len(data) > READ_LIMIT:
        raise UnreadableNote(path, "it is too big for a note")
    note = Note.parse(path, data)
    if note.unreadable_because:
        raise UnreadableNote(path, note.unreadable_because)
    if note.kind is NoteKind.GENERATED:
        raise UnreadableNote(path, "it was written by a program, not by a person")
    changed = file_time(modified)
    if note.kind in (NoteKind.MEMORY, NoteKind.PRIVATE) and note.memory_id is not None:
        return _memory(path, note, changed, zone)
    return _ordinary(path, note, changed, zone)


def _memory(path: str, note: Note, changed: datetime, zone: tzinfo) -> _Source:
    """Return a memory of ours with all that it says of itself."""
    tier = TIER_FOLDERS.get(path.partition("/")[0], Tier.LONG_TERM)
    memory = note.memory(tier=tier, zone=zone, undated=changed)
    record = findings.Record(
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
        name=_stem(path),
        names=_names(path, note),
        properties=_kept(note, ()),
        place=path,
        is_ours=True,
    )
    return _Source(path, record, memory.relations, tuple(findings.Problem(path, reason) for reason in note.problems))


def _ordinary(path: str, note: Note, changed: datetime, zone: tzinfo) -> _Source:
    facts = Facts(note.values, zone)
    created, last_used = (_first_time(facts, keys) for keys in (("created", "date"), ("modified", "updated")))
    read = {"title", *(key for key, moment in (created, last_used) if moment)}
    begun = created[1] or changed
    permalink = facts.text("permalink")
    title = facts.text("title") or (_stem(path) if is_conflict_copy(path) else note.title)
    record = findings.Record(
        id=findings.derived_id(permalink or path, store=STORE),
        title=" ".join(title.split()),
        # links of basic-memory name the title, those of others the file
        name=None if permalink else _stem(path),
        content=note.content if note.content.strip() else title,
        tier=Tier.LONG_TERM,
        usage=Usage(created=begun, last_used=max(begun, last_used[1] or changed), promoted=changed),
        tags=values_of.property_tags(note.values),
        aliases=note.aliases,
        entities=clean_labels(note.entities),
        project=facts.text("project"),
        source=facts.text("source"),
        context=facts.text("context"),
        names=_names(path, note),
        properties=_kept(note, read),
        place=path,
    )
    relations = (*facts.relations(), *(_relations(note) if permalink else ()))
    return _Source(path, record, relations, tuple(_left_out(path, note, read)))


def _first_time(facts: Facts, keys: Sequence[str]) -> tuple[str, datetime | None]:
    """Return the first of the keys that gives a time, and that time."""
    found = ((key, facts.time(key)) for key in keys)
    return next(((key, moment) for key, moment in found if moment), ("", None))


def _kept(note: Note, read: Collection[str]) -> dict[str, Value]:
    """Return the properties that mean nothing to us, to be kept as they are."""
    known = {*KEY_ORDER, *FOREIGN_KEYS, *read}
    return {key: value for key, value in note.values.items() if key not in known and value is not None}


def _left_out(path: str, note: Note, read: Collection[str]) -> Iterator[findings.Problem]:
    """Yield the properties of a note of another program that mean something else to us, or could not be read."""
    for key, value in note.values.items():
        understood = key in read or (key in _READ_KEYS and not isinstance(value, dict))
        if key in (*KEY_ORDER, *FOREIGN_KEYS) and not understood and value not in (None, "", [], {}):
            yield findings.Problem(path, f"property {key} was left out: {findings.excerpt(value)}")


def _stem(path: str) -> str:
    """Return the name of a note; of a copy that a sync tool made the name of the original."""
    return PurePosixPath(original_path(path) if is_conflict_copy(path) else path).name[: -len(".md")]


def _names(path: str, note: Note) -> tuple[str, ...]:
    facts = Facts(note.values, UTC)
    texts = (note.stem, path[: -len(".md")], facts.text("permalink"), facts.text("title"), *note.aliases)
    return tuple(text or "" for text in texts)


def _relations(note: Note) -> Iterator[Relation]:
    for match in _RELATION.finditer(note.content):
        kind, metadata = findings.relation_type(match[1].strip("\"'`: "))
        yield Relation(kind, match[2].partition("#")[0].strip(), metadata=metadata)


def _connected(sources: list[_Source]) -> tuple[tuple[findings.Connection, ...], list[findings.Problem]]:
    """Find the notes to which relations lead; as a person would who follows a link."""
    ids = findings.by_name(source.record for source in sources)
    found: list[findings.Connection] = []
    remarks: list[findings.Problem] = []
    for source in sources:
        for relation in source.relations:
            target = ids.get(name_key(relation.target)) or ids.get(name_key(relation.target.rpartition("/")[2]))
            said = f"{_said(relation)} [[{relation.target}]]"
            if target is None:
                remarks.append(findings.Problem(source.place, f"{said} leads to no note here"))
            elif target != source.record.id:
                found.append(
                    findings.Connection(
                        source_id=source.record.id,
                        target_id=target,
                        type=relation.type,
                        strength=relation.strength,
                        metadata=relation.metadata,
                        said=f"{source.place}: {said}",
                    )
                )
    return tuple(found), remarks


def _said(relation: Relation) -> str:
    return str(relation.metadata.get(findings.OTHER_TYPE, relation.type.value))
