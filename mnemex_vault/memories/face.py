"""The one face of a vault's memories: what the edges, and programs in Python, ask of them and do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from mnemex_vault.disk.paths import within
from mnemex_vault.disk.safeguards import Park
from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier, Usage
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.history.journal import Operation
from mnemex_vault.history.steps import Change
from mnemex_vault.index.asking import Fit
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.entry import NOTE_PREFIX, Entry
from mnemex_vault.index.ranking import HeldBack, Hidden, Hit, has_tag
from mnemex_vault.language.tags import tag_key
from mnemex_vault.memories.draft import Draft, days_of
from mnemex_vault.memories.parts import Parts
from mnemex_vault.memories.recall import Page, Request
from mnemex_vault.memories.store import Store, nothing
from mnemex_vault.progress import Watch
from mnemex_vault.text.note import Note

if TYPE_CHECKING:
    from mnemex_vault.memories.editing import Revision, Updated
    from mnemex_vault.memories.forgetting import Purged
    from mnemex_vault.memories.graph import Edge
    from mnemex_vault.memories.history import Undoing
    from mnemex_vault.memories.lifecycle import Moved, Touched
    from mnemex_vault.memories.saving import Opened, Saved

# besides the face, the values that go in and out by it
__all__ = [
    "NOTE_PREFIX",
    "Change",
    "Entry",
    "Fit",
    "HeldBack",
    "Hidden",
    "Hit",
    "Memories",
    "NoteFiles",
    "Operation",
]


class NoteFiles:
    """The notes of the vault as files, for what brings in, takes out or brings back many at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.root = store.vault.root

    def read(self, path: str) -> bytes:
        """Return the bytes of a note; raises NoteNotFound, UnreadableNote."""
        return self._store.vault.files.read(path)[0]

    def paths(self) -> set[str]:
        """Return the paths of all notes on the disk."""
        return {path for path, _ in self._store.vault.scan()}

    def is_note(self, path: str) -> bool:
        """Tell whether a file at this path would be a note."""
        return self._store.vault.is_note_path(path)

    def tier_of(self, path: str) -> Tier:
        """Return the tier of a memory that lies at this path."""
        return self._store.vault.tier_of(path)

    def folder_of(self, tier: Tier) -> str:
        """Return the folder in which a memory of a tier made now lies."""
        return self._store.folder_of(tier)

    def may_write(self, path: str) -> bool:
        """Tell whether a path lies in the write scope or a memory folder."""
        return self._store.may_write(path)

    def taken_names(self) -> Callable[[str], bool]:
        """Return a function that tells by `name_key` whether a note or template has a name."""
        return self._store.taken_names()

    def link_name(self, entry: Entry) -> str:
        """Return the shortest target of a link that means this note and no other."""
        return self._store.link_name(entry)

    def composed(self, memory: Memory, *, stem: str, fades: bool = True) -> str:
        """Return the text of the note of this name that a memory becomes; with the day on which it `fades`, if so."""
        return self._store.composed(memory, stem=stem, fades=fades)

    def related(self, text: str, entry: Entry, relations: Iterable[Relation]) -> str:
        """Return the text of a memory's note with those of the relations that it does not have yet."""

        def revise(old: Memory) -> Memory:
            known = {(relation.type, relation.target) for relation in old.relations}
            added = [each for each in relations if (each.type, each.target) not in known]
            return replace(old, relations=(*old.relations, *added))

        return self._store.amended(text, entry.path, entry.tier, revise)

    def change(self, kind: str, steps: Sequence[Change], *, summary: str) -> Operation:
        """Make changes of notes as one operation that can be undone; where one cannot be made, none is."""
        return self._store.commit(kind, steps, summary=summary, now=self._store.clock())

    def look(self) -> None:
        """Compare all notes with what is known of them."""
        self._store.follow_vault()


class Memories:
    """The memories of one vault. A memory is meant by its id, any other note by `note:<path>`.

    Every change is on the disk when its call returns, and is one operation that `undo` takes back; `erase` alone is
    final. Errors are those of `mnemex_vault.errors`, all of them a MnemexError.
    """

    def __init__(self, store: Store, parts: Parts) -> None:
        self._store = store
        self._parts = parts
        self.files = NoteFiles(store)

    def write_note(
        self, title: str, text: str, *, folder: str = "", tags: Iterable[str] = (), allow_secret: bool = False
    ) -> tuple[str, Operation]:
        """Write an ordinary note, which is no memory; return its path and the operation.

        Raises NoteExists, and SecretFound for a key or password unless that is allowed.
        """
        return self._parts.collection.write_note(title, text, folder=folder, tags=tags, allow_secret=allow_secret)

    def save(self, draft: Draft | str) -> Saved:
        """Keep a text as a memory; what is known already is used instead, and what says nearly the same is named.

        Raises SecretFound for a key or password.
        """
        return self._parts.collection.save(Draft(content=draft) if isinstance(draft, str) else draft)

    def find(self, request: Request | str) -> Page:
        """Return the best answers to a question or to words; finding counts as no use."""
        return self._parts.recall.search(Request(query=request) if isinstance(request, str) else request)

    def open(self, memory_id: str) -> Opened:
        """Return one note in full; opening a memory is a use of it, at most once a day. Raises NoteNotFound."""
        opened, missing = self._parts.collection.open([memory_id])
        if missing:
            raise self._parts.collection.refusal(memory_id)
        return opened[0]

    def use(self, memory_id: str, *, boost: bool = False) -> Touched:
        """Count a use now: the memory was relied on."""
        return self._parts.lifecycle.touch(memory_id, boost=boost)

    def update(self, memory_id: str, revision: Revision, *, etag: str | None = None) -> Updated:
        """Change a memory; a new content needs the etag of the version it is based on, else NoteChanged is raised."""
        return self._parts.editing.update(memory_id, revision, etag=etag)

    def promote(self, memory_id: str, *, force: bool = False, folder: str | None = None) -> Moved | None:
        """Make a memory long-term if the rules promote it or it is forced; return None if neither is so."""
        candidate = self._parts.lifecycle.promotion_candidate(memory_id, now=self.now(), force=force, folder=folder)
        return self._parts.lifecycle.promote([candidate])[0] if candidate else None

    def demote(self, memory_id: str) -> Moved:
        """Make a long-term memory short-term, so that it fades again."""
        return self._parts.lifecycle.demote(memory_id)

    def forget(self, memory_id: str, *, to_trash: bool = False, reason: str = "") -> Moved:
        """Let a memory go: to the archive, from where `restore` brings it back, or to the trash."""
        return self._parts.lifecycle.forget(memory_id, to_trash=to_trash, reason=reason)

    def restore(self, memory_id: str) -> Moved:
        """Bring an archived memory back to where it came from."""
        return self._parts.lifecycle.restore(memory_id)

    def erase(self, memory_id: str) -> Purged:
        """Erase a memory with every version that is kept of it; this cannot be undone."""
        return self._parts.purge.purge(memory_id)

    def relate(
        self,
        source_id: str,
        target_id: str,
        kind: RelationType,
        *,
        strength: float = 1.0,
        metadata: Mapping[str, object] | None = None,
    ) -> Edge:
        """Relate a memory to another note; a relation that is there already is returned as it is."""
        edge, _ = self._parts.relations.create(source_id, target_id, kind, strength=strength, metadata=metadata)
        return edge

    def unrelate(self, source_id: str, target_id: str, kind: RelationType) -> Edge:
        """Take a relation back; raises NoteNotFound if there is none."""
        return self._parts.relations.delete(source_id, target_id, kind)

    def history(self, *, limit: int | None = 20) -> Sequence[Operation]:
        """Return what was done, by anybody, the newest first."""
        return self._parts.history.operations(limit=limit)

    def undo(self, operation_id: str | None = None) -> Undoing:
        """Take back an operation, by default the last of this session; undoing that does it again.

        Of many notes that were each changed for themselves, those that cannot be taken back are left, and told with
        the reasons. Raises UndoRefused with the difference when none can be, since a note was changed.
        """
        return self._parts.history.take_back(operation_id, own_only=operation_id is None)

    # what is known of the memories now

    def now(self) -> datetime:
        """Return the time by which everything is scored."""
        return self._store.clock()

    @property
    def zone(self) -> tzinfo:
        """Return the vault's time zone."""
        return self._store.rules.zone

    def day(self, text: str | None) -> date | None:
        """Return the last day of the time that a text names, None of none; raises InvalidInput if it names none."""
        if text is None:
            return None
        return days_of("as_of", text, today=self.now().astimezone(self.zone).date())[1]

    def score(self, memory: Entry | str, *, now: datetime | None = None) -> float:
        """Return how alive a memory is: what it is worth after the time since its last use."""
        entry = self.memory_entry(memory) if isinstance(memory, str) else memory
        return self._store.score(entry, now=now or self.now())

    def fades_on(self, usage: Usage, *, tier: Tier) -> date | None:
        """Return the day on which a short-term memory fades if it is not used again."""
        return self._store.fades_on(usage, tier=tier)

    def usage(self, entry: Entry) -> Usage:
        """Return how a memory was used, with the uses that no note has yet."""
        return self._store.usage(entry)

    def usages(self) -> Callable[[Entry], Usage]:
        """Return `usage` as of now for many memories."""
        return self._store.usages()

    def note(self, entry: Entry) -> Note:
        """Read a note; raises NoteNotFound, UnreadableNote."""
        return self._store.note(entry)

    def memory(self, entry: Entry) -> Memory:
        """Read the memory in a note, without uses that are not written yet; raises as `note`."""
        return self._store.memory(entry)

    def entry(self, memory_id: str) -> Entry:
        """Return what is known of a note; raises NoteNotFound."""
        return self._store.entry(memory_id)

    def memory_entry(self, memory_id: str) -> Entry:
        """Return what is known of a memory; raises NoteNotFound, or UnreadableNote if its frontmatter is broken."""
        return self._store.memory_entry(memory_id)

    def all(self, *tiers: Tier, tags: Iterable[str] = ()) -> list[Entry]:
        """Return the memories of these tiers, or of all; with one of the tags, or one below it, if any are given."""
        wanted = [tag_key(tag) for tag in tags]
        return [entry for entry in self._store.catalog.memories(*tiers) if has_tag(entry, wanted)]

    @property
    def notes(self) -> Catalog:
        """Return what is known of every note of the vault."""
        return self._store.catalog

    def within(self, *folders: str) -> list[Entry]:
        """Return the notes in these folders that may be read, by path; "" is the whole vault."""
        entries = sorted(self._store.catalog, key=lambda entry: entry.path)
        return [each for each in entries if each.searchable and self.may_read(each) and within(each.path, folders)]

    def may_read(self, entry: Entry) -> bool:
        """Tell whether the read scope covers a note."""
        return self._store.may_read(entry)

    def trusts(self, entry: Entry) -> bool:
        """Tell whether a memory may stand in for the person: it does not wait for a yes, or has had it."""
        return self._store.trusts(entry)

    @property
    def policy(self) -> Policy:
        """Return the figures by which memories are scored, promoted and let go."""
        return self._store.policy

    @property
    def detects_secrets(self) -> bool:
        """Tell whether texts with a key or password in them are refused."""
        return self._store.rules.detect_secrets

    # the vault that they lie in

    def check_vault(self) -> None:
        """Raise VaultUnavailable if the vault is missing, not a folder or unreadable."""
        self._store.vault.check()

    def check_writable(self) -> None:
        """Raise NotAllowed in read-only mode."""
        self._store.check_paths(())

    @property
    def config_folder(self) -> str:
        """Return the name of the folder of Obsidian's settings."""
        return self._store.vault.config.folder

    def leftovers(self) -> list[str]:
        """Return the files that a write left that was cut off."""
        return self._store.vault.leftovers()

    # what an edge tells of itself

    def ask_before_writing(self, ask: Callable[[], None] = nothing) -> None:
        """Let this be called ahead of every change, which it may refuse with an error of ours; by default nothing."""
        self._store.before_writing = ask

    def watched_by(self, watch: Watch) -> None:
        """Tell this how far long work is."""
        self._store.watch = watch

    def called_by(self, client: str) -> None:
        """Make changes of the present call in the name of one client of several, who may undo its own."""
        self._store.client.set(client)

    @contextmanager
    def placing(self) -> Iterator[Park]:
        """Hold the lock under which files of the vault change; yield what takes a file that another replaces."""
        with self._store.vault.lock:
            yield self._store.journal.parking.take
