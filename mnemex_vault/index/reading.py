"""Reading a note for the index: what catalog and text index are to keep of it. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

import msgspec

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteAway, NoteError, NoteNotFound
from mnemex_vault.index.describe import changed_at, describe, is_racy, unreadable
from mnemex_vault.index.document import Document
from mnemex_vault.index.entry import Entry
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.files import Fingerprint
from mnemex_vault.notes.fingerprint import NOT_HERE
from mnemex_vault.notes.note import Note, NoteKind
from mnemex_vault.notes.vault import Vault

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
