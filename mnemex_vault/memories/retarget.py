"""Pointing relations at another note: what was related to a merged memory is related to what it became."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from mnemex_vault.domain.memory import Memory, RelationType
from mnemex_vault.history.steps import Change, Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.frontmatter import edit
from mnemex_vault.notes.note import Note, memory_changes

# these name a source on purpose and stay with it
_HISTORY = (RelationType.CONSOLIDATED_FROM, RelationType.SUPERSEDES, RelationType.SPLIT_FROM)


def plan_retarget(store: Store, entry: Entry, target: str, *, apart: Collection[str]) -> list[Change]:
    """Return the steps that point the typed relations of other memories to `entry` at the note named `target`.

    Wikilinks in texts stay: they are what a person or an assistant wrote.
    """
    return [
        Update(source.path, _Retarget(store, source, entry, target))
        for source in store.catalog.linking_to(entry)
        if source.is_memory and source.path not in apart and _points(store, source, entry)
    ]


def _points(store: Store, source: Entry, entry: Entry) -> bool:
    return any(
        relation.type not in _HISTORY and store.catalog.resolve(relation.target, source=source.path) == entry
        for relation in source.relations
    )


class _Retarget:
    """The change of one note's text."""

    def __init__(self, store: Store, source: Entry, entry: Entry, target: str) -> None:
        self._store = store
        self._source = source
        self._entry = entry
        self._target = target

    def __call__(self, text: str) -> str:
        note = Note.parse(self._source.path, text.encode())
        old = self._store.memory_in(note, tier=self._source.tier)
        new = self._retargeted(old)
        fades_on = self._store.fades_on(old.usage, tier=self._source.tier)
        zone = self._store.rules.zone
        return edit(text, memory_changes(old, new, zone=zone, fades_on=fades_on, values=note.values, stem=note.stem))

    def _retargeted(self, memory: Memory) -> Memory:
        relations = dict.fromkeys(
            replace(relation, target=self._target) if self._is_meant(relation.target) else relation
            for relation in memory.relations
        )
        return replace(memory, relations=tuple(relations))

    def _is_meant(self, target: str) -> bool:
        return self._store.catalog.resolve(target, source=self._source.path) == self._entry
