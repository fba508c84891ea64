"""From a note to what catalog and text index keep of it: read, never changed here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

import msgspec

from mnemex_vault.disk.files import NOT_HERE, Fingerprint
from mnemex_vault.disk.vault import Vault
from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.domain.similarity import normalised
from mnemex_vault.errors import MnemexError, NoteAway, NoteError, NoteNotFound, UnreadableNote
from mnemex_vault.index.document import Document
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.text.keys import ID_KEY, KEY_ORDER
from mnemex_vault.text.note import Note, NoteKind, etag
from mnemex_vault.text.values import file_time
from mnemex_vault.text.yaml_core import Value

# From a note to what catalog and text index keep of it.

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
        valid_from=memory.valid_from if memory else None,
        approved=memory.approved if memory else None,
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


# Reading a note for the index: what catalog and text index are to keep of it. Nothing is changed here.

_BROKEN = frozenset({NoteKind.AWAY, NoteKind.UNREADABLE, NoteKind.BINARY})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a look at a note gave: its entry, and the text to index; no entry if it must be looked at again.

    `before` is what was known of it, `tier` that of its folder. A note that is as it was has no document.
    """

    before: Entry | None
    tier: Tier
    entry: Entry | None = None
    document: Document | None = None


class Reader:
    """Reads notes of one vault; several threads may."""

    def __init__(self, vault: Vault, *, zone: Callable[[], tzinfo]) -> None:
        self._vault = vault
        self._zone = zone

    def read(self, path: str, fingerprint: Fingerprint, before: Entry | None, *, now: datetime) -> Reading:
        """Read a note of which `before` is known; `fingerprint` is what it has if it cannot be read."""
        tier = self._vault.tier_of(path)
        try:
            data, fingerprint = self._vault.files.read(path)
            _check_here(path, data, before)
        except NoteNotFound:
            return Reading(before, tier)
        except NoteError as error:
            return self.gave_up(path, fingerprint, before, error, now=now)
        if before is not None and before.tier is tier and _is_as_it_was(before, fingerprint, data):
            return Reading(before, tier, msgspec.structs.replace(before, racy=is_racy(fingerprint, now)))
        entry, document = describe(Note.parse(path, data), fingerprint, tier=tier, zone=self._zone(), now=now)
        return _reading(before, tier, entry, document)

    def gave_up(
        self, path: str, fingerprint: Fingerprint, before: Entry | None, error: NoteError, *, now: datetime
    ) -> Reading:
        """Return what is left to know of a note that could not be read."""
        tier = self._vault.tier_of(path)
        return _reading(before, tier, unreadable(path, fingerprint, error, tier=tier, now=now))

    def document(self, entry: Entry) -> Document | None:
        """Read the text of a note that the catalog knows already, None if it cannot be had."""
        try:
            data, fingerprint = self._vault.files.read(entry.path)
        except MnemexError:
            return None
        note, changed = Note.parse(entry.path, data), changed_at(fingerprint)
        return describe(note, fingerprint, tier=entry.tier, zone=self._zone(), now=changed)[1]


def _reading(before: Entry | None, tier: Tier, entry: Entry, document: Document | None = None) -> Reading:
    if _half_written(before, entry):
        return Reading(before, tier)
    return Reading(before, tier, _keep_last_good(before, entry), document)


def _check_here(path: str, data: bytes, before: Entry | None) -> None:
    """Raise NoteAway for a file without text in it that stands where a memory was, or that was only made room for."""
    if not data.strip(b"\0") and (data or (before is not None and before.memory_id is not None)):
        raise NoteAway(path, f"{NOT_HERE}, or was emptied: its file holds nothing")


def _is_as_it_was(before: Entry, fingerprint: Fingerprint, data: bytes) -> bool:
    """Tell whether a note that was only looked at again for its time holds what it held: it need not be parsed."""
    return before.racy and before.fingerprint == fingerprint and before.etag == etag(data)


def _half_written(before: Entry | None, entry: Entry) -> bool:
    """Tell whether a good note looks broken so soon after a change that someone may still be writing it."""
    broken = entry.kind in _BROKEN or entry.etag == ""
    return broken and entry.racy and before is not None and before.kind is NoteKind.MEMORY


def _keep_last_good(before: Entry | None, entry: Entry) -> Entry:
    """Keep id and bookkeeping of a memory that cannot be read at present."""
    if entry.kind not in _BROKEN or before is None or before.memory_id is None:
        return entry
    return msgspec.structs.replace(
        entry,
        title=before.title,
        aliases=before.aliases,
        property_title=before.property_title,
        memory_id=before.memory_id,
        usage=before.usage,
        relations=before.relations,
        session=before.session,
    )
