"""What the catalog knows of one note: facts that answer every question but those about its text."""

from __future__ import annotations

from datetime import datetime

import msgspec

from mnemex_vault.disk.files import Fingerprint
from mnemex_vault.domain.memory import Relation, Tier, Usage
from mnemex_vault.text.note import NoteKind

# before the path of a note that has no id of its own
NOTE_PREFIX = "note:"


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """One note as last read.

    `etag` is the version of its bytes, `text_key` of what the text index holds of it, `content_key` of its
    content without regard to case, white space and Unicode form. `property_title` is what the property `title` says;
    links and file names do not go by it. `racy` asks for another look: the note was
    read so soon after its last change that a further one could go unnoticed.
    """

    path: str
    etag: str
    text_key: str
    content_key: str
    fingerprint: Fingerprint
    racy: bool
    kind: NoteKind
    tier: Tier
    title: str
    memory_id: str | None = None
    usage: Usage | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    property_title: str | None = None
    entities: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    project: str | None = None
    session: str | None = None
    origin: str | None = None
    source: str | None = None
    valid_from: datetime | None = None
    approved: datetime | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_memory(self) -> bool:
        """Tell whether the note is a memory with readable bookkeeping."""
        return self.kind is NoteKind.MEMORY and self.usage is not None

    @property
    def item_id(self) -> str:
        """Return the id under which the note can be opened."""
        return self.memory_id if self.is_memory and self.memory_id else NOTE_PREFIX + self.path

    @property
    def searchable(self) -> bool:
        """Tell whether the text of the note may be found at all."""
        return self.kind in (NoteKind.MEMORY, NoteKind.ORDINARY, NoteKind.UNREADABLE)

    @property
    def is_away(self) -> bool:
        """Tell whether the text of the note is not on this device."""
        return self.kind is NoteKind.AWAY

    @property
    def stem(self) -> str:
        """Return the file name without folder and ending."""
        return stem_of(self.path)

    @property
    def folder(self) -> str:
        """Return the folder, '' for the root."""
        return self.path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """Return the file name without folder and `.md`.

    >>> stem_of("Memories/Short-term/A note.md")
    'A note'
    """
    name = path.rpartition("/")[2]
    return name[:-3] if name.lower().endswith(".md") else name


def linking_file(path: str, fingerprint: Fingerprint) -> Entry:
    """Return the entry of a file that is no note and links to notes."""
    return Entry(
        path=path,
        etag="",
        text_key="",
        content_key="",
        fingerprint=fingerprint,
        racy=False,
        kind=NoteKind.FOREIGN,
        tier=Tier.LONG_TERM,
        title=stem_of(path),
    )


def as_copy(entry: Entry) -> Entry:
    """Return the entry of a copy of a memory: a note like any other, found by its path."""
    return msgspec.structs.replace(entry, kind=NoteKind.ORDINARY, memory_id=None, usage=None)
