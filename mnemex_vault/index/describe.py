"""From a note to what catalog and text index keep of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

import msgspec

from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.domain.similarity import normalised
from mnemex_vault.errors import NoteAway, NoteError, UnreadableNote
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.index.text_index import Document
from mnemex_vault.notes.dates import file_time
from mnemex_vault.notes.files import Fingerprint
from mnemex_vault.notes.keys import ID_KEY, KEY_ORDER
from mnemex_vault.notes.note import Note, NoteKind
from mnemex_vault.notes.yaml_scalars import Value

# file systems and sync tools keep times to two seconds at worst
RACY = timedelta(seconds=2)
_KEY_LENGTH = 32
_DESCRIBING = frozenset({"title", "description", "author"})
_OF_NOTES = frozenset(
    {"tags", "tag", "aliases", "alias", "entities", "cssclass", "cssclasses", "publish", "mnemex", ID_KEY}
)
_OF_MEMORIES = _OF_NOTES | (set(KEY_ORDER) - {"context"})


def describe(
    note: Note, fingerprint: Fingerprint, *, tier: Tier, zone: tzinfo, now: datetime
) -> tuple[Entry, Document | None]:
    """Return the entry of a note and, if its text may be found, the document to index."""
    # without any date of its own, the last change is all that is known of a memory's age
    memory, problems = _memory(note, tier, zone, changed_at(fingerprint))
    document = _document(note, memory) if _searchable(note.kind) else None
    entry = Entry(
        path=note.path,
        etag=note.etag,
        text_key=document.etag if document else "",
        content_key=content_key(note.content) if memory else "",
        fingerprint=fingerprint,
        racy=is_racy(fingerprint, now),
        kind=NoteKind.UNREADABLE if memory is None and note.kind is NoteKind.MEMORY else note.kind,
        tier=tier,
        title=note.title,
        memory_id=note.memory_id,
        usage=memory.usage if memory else None,
        tags=note.tags,
        aliases=note.aliases,
        property_title=note.property_title,
        entities=note.entities,
        links=tuple(dict.fromkeys(link.target for link in note.links)) if document else (),
        relations=memory.relations if memory else (),
        project=memory.project if memory else None,
        session=memory.session if memory else None,
        origin=memory.origin if memory else None,
        source=memory.source if memory else None,
        problems=problems,
    )
    return entry, document


def unreadable(path: str, fingerprint: Fingerprint, error: NoteError, *, tier: Tier, now: datetime) -> Entry:
    """Return the entry of a file that cannot be read as a note at all."""
    return Entry(
        path=path,
        etag="",
        text_key="",
        content_key="",
        fingerprint=fingerprint,
        racy=is_racy(fingerprint, now),
        kind=NoteKind.AWAY if isinstance(error, NoteAway) else NoteKind.BINARY,
        tier=tier,
        title=stem_of(path),
        problems=(error.reason if isinstance(error, UnreadableNote) else str(error),),
    )


def changed_at(fingerprint: Fingerprint) -> datetime:
    """Return when a file was last changed; before 1970 there were no notes."""
    return file_time(max(0, fingerprint.mtime_ns) // 1_000_000_000)


def is_racy(fingerprint: Fingerprint, now: datetime) -> bool:
    """Tell whether a later change could leave the same fingerprint."""
    return now.timestamp() - fingerprint.mtime_ns / 1e9 < RACY.total_seconds()


def content_key(content: str) -> str:
    """Return a key that is equal for texts which differ only in case, white space and Unicode form."""
    return hashlib.sha256(normalised(content).encode()).hexdigest()[:_KEY_LENGTH]


def _searchable(kind: NoteKind) -> bool:
    return kind in (NoteKind.MEMORY, NoteKind.ORDINARY, NoteKind.UNREADABLE)


def _memory(note: Note, tier: Tier, zone: tzinfo, changed: datetime) -> tuple[Memory | None, tuple[str, ...]]:
    if note.kind is not NoteKind.MEMORY:
        return None, note.problems
    try:
        return note.memory(tier=tier, zone=zone, undated=changed), note.problems
    except UnreadableNote as error:
        return None, (*note.problems, error.reason)


def _own_keys(memory: Memory | None) -> Set[str]:
    """Return the keys that are no text of a note: they are searched in another way, or say how it is kept or shown."""
    return (_OF_MEMORIES if memory else _OF_NOTES) | _DESCRIBING


def _texts(values: Iterable[Value]) -> Iterator[str]:
    """Yield texts, also those in lists, links without their brackets."""
    for value in values:
        if isinstance(value, str):
            yield value.strip().removeprefix("[[").removesuffix("]]")
        elif isinstance(value, list):
            yield from _texts(value)


def _document(note: Note, memory: Memory | None) -> Document:
    document = Document(
        path=note.path,
        etag="",
        title=note.title,
        aliases=note.aliases,
        tags=note.tags,
        entities=note.entities,
        headings=tuple(heading.text for heading in note.headings),
        body=note.body,
        source=memory.source if memory else None,
        created=memory.usage.created if memory else None,
        project=memory.project if memory else None,
        description=tuple(_texts(note.values.get(key) for key in _DESCRIBING)),
        properties=tuple(_texts(value for key, value in note.values.items() if key not in _own_keys(memory))),
    )
    # the path is the key of a document, not part of its text
    text = msgspec.json.encode(replace(document, path=""))
    return replace(document, etag=hashlib.sha256(text).hexdigest()[:_KEY_LENGTH])
