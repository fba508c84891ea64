"""Relations between memories: made, removed, pointed at another note, and read as a graph."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier
from mnemex_vault.errors import AsManyAsCan, InvalidInput, NoteNotFound, as_many_as_can
from mnemex_vault.history.steps import Change, Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.secrets import refuse_secrets
from mnemex_vault.memories.enrichment import takes_kind
from mnemex_vault.memories.store import Store, found_again

# Relations between memories: made, removed, and read as a graph.

LINK = "link"
_ID_LENGTH = 16
# so many relations are named in the history
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation between two notes; `type` is a relation type, or `link` for a wikilink in a text."""

    id: str
    source: Entry
    target: Entry
    type: str
    strength: float = 1.0
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A relation that is to be made."""

    source_id: str
    target_id: str
    kind: RelationType
    strength: float = 1.0
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Relations that were made as one operation, and those that were there already."""

    created: Sequence[Edge] = ()
    existing: Sequence[Edge] = ()
    operation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Notes, the most recently used first, and the edges at them; the totals count those of the other pages as well."""

    nodes: Sequence[Entry]
    edges: Sequence[Edge]
    total: int
    total_edges: int


class Relations:
    """The web of memories."""

    def __init__(self, store: Store, *, actor: str | None = None) -> None:
        self._store = store
        self._actor = actor

    @found_again
    def create(
        self,
        source_id: str,
        target_id: str,
        kind: RelationType,
        *,
        strength: float = 1.0,
        metadata: Mapping[str, object] | None = None,
    ) -> tuple[Edge, bool]:
        """Relate a memory to another note; return the edge and whether it is new.

        `supersedes` lets the new memory inherit uses and kind of the old one. Raises InvalidInput for a relation to
        itself or a strength outside 0..1, SecretFound for metadata with a key or password in it, NoteNotFound for an
        unknown end.
        """
        wish = Wish(
            source_id=source_id, target_id=target_id, kind=kind, strength=strength, metadata=dict(metadata or {})
        )
        related = self.relate([wish])
        return (related.created or related.existing)[0], bool(related.created)

    def relate(self, wishes: Sequence[Wish]) -> Related:
        """Make several relations as one undoable operation; those that exist stay as they are.

        Raises as `create`, before anything is written.
        """
        store = self._store
        if store.rules.detect_secrets:
            refuse_secrets([("metadata", wish.metadata) for wish in wishes], can_be_kept=False)
        created: dict[str, Edge] = {}
        existing: dict[str, Edge] = {}
        for wish in wishes:
            source, target = self._ends(wish)
            edge = self._edge(source, target, self._relation(wish, target))
            known = self.find(source, target, wish.kind)
            if known is None:
                created.setdefault(edge.id, edge)
            else:
                existing[known.id] = known
        by_source: defaultdict[str, list[Edge]] = defaultdict(list)
        for edge in created.values():
            by_source[edge.source.path].append(edge)
        steps = [self._update(edges[0].source, self._with(edges)) for edges in by_source.values()]
        if not steps:
            return Related(existing=list(existing.values()))
        summary = "; ".join(_words(edge) for edge in list(created.values())[:_NAMED])
        if len(created) > _NAMED:
            summary += f" and {len(created) - _NAMED} more"
        operation = store.commit("relate", steps, summary=summary, now=store.clock(), actor=self._actor)
        return Related(created=list(created.values()), existing=list(existing.values()), operation_id=operation.id)

    def relate_each(self, wishes: Sequence[Wish]) -> AsManyAsCan[Wish, Related]:
        """Do the same, without the relations that cannot be made."""
        return as_many_as_can(wishes, self.relate, self._names)

    def _names(self, wish: Wish) -> Iterator[str]:
        for memory_id in (wish.source_id, wish.target_id):
            entry = self._store.catalog.by_id(memory_id)
            yield memory_id
            yield entry.path if entry else ""

    def _ends(self, wish: Wish) -> tuple[Entry, Entry]:
        source, target = self._store.memory_entry(wish.source_id), self._store.entry(wish.target_id)
        if source.path == target.path:
            raise InvalidInput("to_memory_id", "a memory cannot be related to itself")
        if not 0 <= wish.strength <= 1:
            raise InvalidInput("strength", "lies between 0 and 1")
        return source, target

    def _relation(self, wish: Wish, target: Entry) -> Relation:
        return Relation(wish.kind, self._store.link_name(target), wish.strength, wish.metadata)

    def _with(self, edges: Sequence[Edge]) -> Callable[[Memory], Memory]:
        """Return the change that gives a memory these relations, and uses and kind of what it supersedes."""
        store = self._store
        kinds = [RelationType(edge.type) for edge in edges]
        relations = [
            Relation(kind, store.link_name(edge.target), edge.strength, edge.metadata)
            for kind, edge in zip(kinds, edges, strict=True)
        ]
        inherited = [
            store.usage(edge.target)
            for kind, edge in zip(kinds, edges, strict=True)
            if kind is RelationType.SUPERSEDES and edge.target.is_memory
        ]

        def related(memory: Memory) -> Memory:
            usage = memory.usage
            for old in inherited:
                usage = usage.after(old, kind_too=takes_kind(memory.origin))
            return replace(memory, usage=usage, relations=(*memory.relations, *relations))

        return related

    @found_again
    def delete(self, source_id: str, target_id: str, kind: RelationType) -> Edge:
        """Remove a relation; raises NoteNotFound if there is none."""
        store = self._store
        source, target = store.memory_entry(source_id), store.entry(target_id)
        edge = self.find(source, target, kind)
        if edge is None:
            raise NoteNotFound(memory_id=relation_id(source_id, kind, target_id))

        def unrelated(memory: Memory) -> Memory:
            kept = tuple(
                relation
                for relation in memory.relations
                if relation.type is not kind or store.catalog.resolve(relation.target, source=source.path) != target
            )
            return replace(memory, relations=kept)

        steps = [self._update(source, unrelated)]
        store.commit("unrelate", steps, summary=_words(edge), now=store.clock(), actor=self._actor)
        return edge

    def find(self, source: Entry, target: Entry, kind: RelationType) -> Edge | None:
        """Return the relation of this type between two notes."""
        for edge in self.outgoing(source):
            if edge.type == kind.value and edge.target.path == target.path:
                return edge
        return None

    def _update(self, entry: Entry, revise: Callable[[Memory], Memory]) -> Update:
        return Update(entry.path, lambda text: self._store.amended(text, entry.path, entry.tier, revise))

    def outgoing(self, entry: Entry) -> list[Edge]:
        """Return the typed relations of a memory to notes that exist."""
        edges = []
        for relation in entry.relations:
            target = self._store.catalog.resolve(relation.target, source=entry.path)
            if target is not None and target.searchable and self._store.may_read(target):
                edges.append(self._edge(entry, target, relation))
        return edges

    def incoming(self, entry: Entry) -> list[Edge]:
        """Return the typed relations of other memories to this note."""
        sources = self._store.catalog.linking_to(entry)
        return [edge for source in sources for edge in self.outgoing(source) if edge.target.path == entry.path]

    def _edge(self, source: Entry, target: Entry, relation: Relation) -> Edge:
        return Edge(
            id=relation_id(source.item_id, relation.type, target.item_id),
            source=source,
            target=target,
            type=relation.type.value,
            strength=relation.strength,
            metadata=relation.metadata,
        )

    def links(self, entry: Entry) -> Iterator[Edge]:
        """Return the wikilinks of a note to other notes, typed relations apart."""
        catalog = self._store.catalog
        typed = {edge.target.path for edge in self.outgoing(entry)}
        for target in entry.links:
            found = catalog.resolve(target, source=entry.path)
            known = found is None or found.path == entry.path or found.path in typed
            if found is not None and not known and found.searchable and self._store.may_read(found):
                typed.add(found.path)
                yield Edge(id=relation_id(entry.item_id, LINK, found.item_id), source=entry, target=found, type=LINK)

    def neighbourhood(self, memory_id: str, *, depth: int = 1, limit: int = 50) -> Graph:
        """Return the notes within `depth` steps of a memory, along relations and links in both directions."""
        start = self._store.entry(memory_id)
        seen = {start.path: start}
        frontier = [start]
        for _ in range(depth):
            found = [edge for entry in frontier for edge in self._around(entry)]
            ends = [end for edge in found for end in (edge.source, edge.target)]
            frontier = []
            for end in ends:
                if end.path not in seen and len(seen) < limit:
                    seen[end.path] = end
                    frontier.append(end)
        nodes = list(seen.values())
        edges = [edge for edge in self._edges(nodes) if edge.target.path in seen]
        return Graph(nodes=nodes, edges=edges, total=len(nodes), total_edges=len(edges))

    def _around(self, entry: Entry) -> list[Edge]:
        backlinks = [edge for source in self._store.catalog.linking_to(entry) for edge in self._out(source)]
        return [*self._out(entry), *(edge for edge in backlinks if edge.target.path == entry.path)]

    def _out(self, entry: Entry) -> list[Edge]:
        return [*self.outgoing(entry), *self.links(entry)]

    def graph(self, tiers: Sequence[Tier], *, offset: int = 0, limit: int = 100) -> Graph:
        """Return a page of the memories of these tiers, the most recently used first, and the edges at them.

        Edges lead from memory to memory of these tiers; with one end on another page they are given as well.
        """
        store = self._store
        usage_of = store.usages()

        def last_used(entry: Entry) -> datetime:
            return usage_of(entry).last_used

        entries = [entry for entry in store.catalog.memories(*tiers) if store.may_read(entry)]
        entries.sort(key=last_used, reverse=True)
        page = entries[offset : offset + limit]
        known = {entry.path for entry in entries}
        edges = [edge for edge in self._edges(entries) if edge.target.path in known]
        shown = {entry.path for entry in page}
        return Graph(
            nodes=page,
            edges=[edge for edge in edges if not shown.isdisjoint((edge.source.path, edge.target.path))],
            total=len(entries),
            total_edges=len(edges),
        )

    def _edges(self, entries: Collection[Entry]) -> list[Edge]:
        edges = {edge.id: edge for entry in entries for edge in self._out(entry)}
        return sorted(edges.values(), key=lambda edge: edge.id)


def _words(edge: Edge) -> str:
    return f"{edge.source.title} {edge.type} {edge.target.title}"


def relation_id(source_id: str, kind: str, target_id: str) -> str:
    """Return the id of a relation, derived from its ends and type."""
    return hashlib.sha256(f"{source_id}\n{kind}\n{target_id}".encode()).hexdigest()[:_ID_LENGTH]


# Pointing relations at another note: what was related to a merged memory is related to what it became.

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
        return self._store.amended(text, self._source.path, self._source.tier, self._retargeted)

    def _retargeted(self, memory: Memory) -> Memory:
        relations = dict.fromkeys(
            replace(relation, target=self._target) if self._is_meant(relation.target) else relation
            for relation in memory.relations
        )
        return replace(memory, relations=tuple(relations))

    def _is_meant(self, target: str) -> bool:
        return self._store.catalog.resolve(target, source=self._source.path) == self._entry
