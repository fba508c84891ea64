"""Erasing a memory for good: the one thing that cannot be undone."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mnemex_vault.errors import MnemexError, NoteNotFound
from mnemex_vault.history.steps import Trash
from mnemex_vault.history.trace import trace
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.meaning import Meaning
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.files import Files
from mnemex_vault.notes.note import Note
from mnemex_vault.notes.vault import TRASH
from mnemex_vault.notes.walk import walk

logger = logging.getLogger(__name__)

KIND = "purge"
# whatever names the memory would be a trace of it
_SUMMARY = "a memory, for good"
_ELSEWHERE = (
    "Obsidian's file recovery and what Obsidian Sync keeps",
    "backups, sync services and other devices",
    "texts that an assistant has read before",
)
# a folder in the vault -> what keeps old versions there
_KEEPERS = {".git": "the history of git in this vault", ".stversions": "the versions that Syncthing keeps"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What was erased: notes (trash included) and kept versions; `unreached` names where the text may still be."""

    memory_id: str
    paths: tuple[str, ...]
    versions: int
    unreached: tuple[str, ...]


class Purge:
    """Erases the note of a memory, its copies in the trash, every kept version, and its rows in the index."""

    def __init__(self, store: Store, meaning: Meaning) -> None:
        self._store = store
        self._meaning = meaning

    def purge(self, memory_id: str) -> Purged:
        """Erase a memory, wherever it lies; a note that is only in the trash is found as well.

        Raises NoteNotFound when there is none, NotAllowed in read-only mode or outside the write scope.
        """
        store = self._store
        live = self._live(memory_id)
        store.check_allowed([Trash(entry.path) for entry in live])
        with store.vault.lock:
            trashed = self._in_trash(memory_id)
            if not live and not trashed:
                raise NoteNotFound(memory_id=memory_id)
            linking = sorted({source.path for entry in live for source in store.catalog.linking_to(entry)})
            paths = [entry.path for entry in live]
            past = trace(store.journal.operations(), [*paths, *trashed])
            purge = store.journal.begin(KIND, (), now=store.clock(), actor=store.session, summary=_SUMMARY, final=True)
            etags = self._erase(store.vault.files, paths) | self._erase(store.vault.trashed, trashed)
            versions = store.journal.purge(etags | past.etags)
            store.journal.drop(past.alone)
            store.journal.finish(purge.id, "done", (), durable=True)
        store.pending.remove([use.id for use in store.pending.of(memory_id)])
        forgotten = self._forget_rows(paths)
        return Purged(
            memory_id=memory_id,
            paths=(*paths, *trashed),
            versions=versions,
            unreached=tuple(self._unreached(linking, past.mixed, forgotten=forgotten)),
        )

    def _live(self, memory_id: str) -> list[Entry]:
        """Return the notes that carry the id, copies included."""
        store = self._store
        try:
            first = store.entry(memory_id)
        except NoteNotFound:
            return []
        if first.memory_id is None:
            raise NoteNotFound(memory_id=memory_id)
        return list(store.catalog.duplicate_ids().get(first.memory_id, [first]))

    def _in_trash(self, memory_id: str) -> list[str]:
        store = self._store
        found = []
        for path, _ in walk(store.vault.root, start=TRASH, wanted=lambda name: name.lower().endswith(".md")):
            try:
                data, _ = store.vault.trashed.read(path)
            except MnemexError:
                continue
            if Note.parse(path, data).memory_id == memory_id:
                found.append(path)
        return sorted(found)

    def _erase(self, files: Files, paths: Iterable[str]) -> set[str]:
        etags = set()
        for path in paths:
            data, _ = files.read(path)
            files.erase(path)
            etags.add(etag(data))
        return etags

    def _forget_rows(self, paths: Iterable[str]) -> bool:
        """Take the memory out of the index, and its words out of the index's files; tell whether that was possible."""
        store, now = self._store, self._store.clock()
        store.follow(paths, now=now)
        try:
            self._meaning.prune()
            store.text.start_anew()
            store.reconciler.start_anew()
        except (MnemexError, OSError) as error:
            logger.warning("the words of what was erased may stand in the index: %s", error)
            return False
        return store.text.flush().reason is None

    def _unreached(self, linking: Iterable[str], mixed: Iterable[str], *, forgotten: bool) -> Iterator[str]:
        root = self._store.vault.root
        if not forgotten:
            yield "the index, which could not be made anew; mnemex reindex does it"
        for path in linking:
            yield f"{path}, which links to it"
        for operation_id in mixed:
            yield f"its name in the history, {operation_id}, which changed other notes as well"
        for name, keeper in _KEEPERS.items():
            if (root / name).exists():
                yield keeper
        if self._store.vault.config.trash_option == "system":
            yield "the trash of the system"
        yield from _ELSEWHERE
