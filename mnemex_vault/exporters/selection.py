"""The memories that are exported, and how they are related."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.memories.graph import Edge, Relations
from mnemex_vault.memories.store import Store


@dataclass(frozen=True, slots=True)
class Exported:
    """A memory, with all its uses, and the bytes of its note."""

    memory: Memory
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Selection:
    """Memories by path, and the relations from one of them to another."""

    memories: Sequence[Exported]
    edges: Sequence[Edge]


def select(store: Store, relations: Relations, tiers: Collection[Tier] = tuple(Tier)) -> Selection:
    """Read the memories of these tiers; raises NoteNotFound if one disappears meanwhile."""
    entries = store.catalog.memories(*tiers)
    paths = {entry.path for entry in entries}
    usage_of = store.usages()
    exported = []
    for entry in entries:
        data, _ = store.vault.files.read(entry.path)
        exported.append(Exported(replace(store.memory(entry), usage=usage_of(entry)), entry.path, data))
    edges = [edge for entry in entries for edge in relations.outgoing(entry) if edge.target.path in paths]
    return Selection(exported, edges)
