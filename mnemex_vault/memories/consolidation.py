"""Clusters of memories, and what is made of one: a merged memory, or relations. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from mnemex_vault.domain.clusters import Cluster, Limits, Strategy, by_label, by_similarity, cluster_id
from mnemex_vault.domain.facts import differs_in_facts
from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier
from mnemex_vault.domain.merge import Choices, merged
from mnemex_vault.domain.similarity import Pair, jaccard, near_duplicates, tokens
from mnemex_vault.errors import InvalidInput, MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.collection import linked_entities
from mnemex_vault.memories.graph import Edge, Relations
from mnemex_vault.memories.moving import free_path, plan_move
from mnemex_vault.memories.retarget import plan_retarget
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.frontmatter import edit
from mnemex_vault.notes.names import unique_stem
from mnemex_vault.notes.note import Note, memory_changes, render
from mnemex_vault.notes.operation import Change, Create, Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a merge would make; `cautions` are differences in facts that only a person may decide."""

    cluster: Cluster
    sources: Sequence[Entry]
    memory: Memory
    cautions: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a merge made: the new note, and where the notes it was made of lie now."""

    cluster: Cluster
    memory: Memory
    path: str
    archived: dict[str, str] = field(default_factory=dict)
    operation_id: str = ""


class Consolidation:
    """Finding memories that belong together, and bringing them together."""

    def __init__(self, store: Store, relations: Relations) -> None:
        self._store = store
        self._relations = relations

    def clusters(self, strategy: Strategy = Strategy.SIMILARITY, limits: Limits | None = None) -> list[Cluster]:
        """Return the clusters of the short-term memories, the most coherent first; ids depend on the members only."""
        texts = self.texts()
        chosen = limits or Limits()
        if strategy in (Strategy.TAG, Strategy.ENTITY):
            return by_label(self._labels(strategy), texts, chosen)
        return by_similarity(texts, chosen)

    def duplicates(self, *, threshold: float, limit: int | None = None) -> list[Pair]:
        """Return pairs of memories that say nearly the same, best first."""
        return near_duplicates(self.texts(), threshold=threshold, limit=limit)

    def _entries(self) -> list[Entry]:
        superseded = self._store.catalog.superseded()
        entries = self._store.catalog.memories(Tier.SHORT_TERM)
        return [entry for entry in entries if entry.path not in superseded]

    def texts(self) -> dict[str, str]:
        """Return the contents of the live short-term memories by id."""
        texts = {}
        for entry in self._entries():
            try:
                texts[entry.memory_id or ""] = self._store.note(entry).content
            except MnemexError:
                continue
        return texts

    def _labels(self, strategy: Strategy) -> dict[str, tuple[str, ...]]:
        return {
            entry.memory_id or "": entry.tags if strategy is Strategy.TAG else entry.entities
            for entry in self._entries()
        }

    def find(self, cluster_id: str) -> Cluster:
        """Return the cluster that was shown under this id; raises InvalidInput if its members changed since."""
        for strategy in Strategy:
            for threshold in (None, 0.75, 0.5, 0.4):
                limits = Limits() if threshold is None else Limits(threshold=threshold)
                for cluster in self.clusters(strategy, limits):
                    if cluster.id == cluster_id:
                        return cluster
        raise InvalidInput("cluster_id", f"{cluster_id} is no cluster now; list the clusters again")

    def cluster_of(self, ids: Sequence[str]) -> Cluster:
        """Return these memories as a cluster, whatever their similarity."""
        texts = {memory_id: self._store.note(self._store.memory_entry(memory_id)).content for memory_id in ids}
        pairs = [jaccard(tokens(texts[one]), tokens(texts[other])) for one, other in combinations(sorted(texts), 2)]
        if not pairs:
            raise InvalidInput("memory_ids", "at least two memories are needed")
        return Cluster(cluster_id(texts), tuple(sorted(texts)), sum(pairs) / len(pairs))

    def preview(self, cluster: Cluster, *, content: str | None = None) -> Preview:
        """Return what merging a cluster would make, without doing it."""
        store = self._store
        entries = [store.memory_entry(memory_id) for memory_id in cluster.members]
        memories = [replace(store.memory(entry), usage=store.usage(entry)) for entry in entries]
        choices = Choices(content=content)
        memory = merged(memories, new_id=store.new_id(), cohesion=cluster.cohesion, choices=choices)
        cautions = () if content is not None else differs_in_facts([each.content for each in memories])
        return Preview(cluster=cluster, sources=entries, memory=memory, cautions=cautions)

    def merge(self, preview: Preview, *, automatic: bool = False) -> Receipt:
        """Write the merged memory, archive its sources with links both ways, and re-point relations: one operation.

        Raises InvalidInput for an automatic merge of memories that differ in a number, a date or a negation.
        """
        if automatic and preview.cautions:
            raise InvalidInput("cluster_id", f"needs a person: {'; '.join(preview.cautions)}")
        store, now = self._store, self._store.clock()
        folder = store.vault.folder_of(preview.memory.tier, now=now)
        stem = unique_stem(preview.memory.title, store.catalog.name_taken)
        archive = store.vault.folder_of(Tier.ARCHIVED, now=now.astimezone(store.rules.zone))
        sources = tuple(Relation(RelationType.CONSOLIDATED_FROM, entry.stem) for entry in preview.sources)
        memory = replace(preview.memory, relations=(*preview.memory.relations, *sources))
        text = render(
            memory,
            zone=store.rules.zone,
            fades_on=store.fades_on(memory.usage, tier=memory.tier),
            stem=stem,
            linked=linked_entities(store, memory.entities),
        )
        path = f"{folder}/{stem}.md"
        steps: list[Change] = [Create(path, text)]
        archived = {}
        for entry in preview.sources:
            destination = free_path(store, entry, archive)
            archived[entry.memory_id or ""] = destination
            steps += plan_retarget(store, entry, stem, apart={each.path for each in preview.sources})
            steps += [*plan_move(store, entry, destination), Update(destination, self._archived(destination, stem))]
        operation = store.commit("merge", steps, summary=memory.title, now=now)
        return Receipt(cluster=preview.cluster, memory=memory, path=path, archived=archived, operation_id=operation.id)

    def _archived(self, destination: str, stem: str) -> Callable[[str], str]:
        """Return the change that lets a source name the memory it became part of."""
        zone = self._store.rules.zone

        def change(text: str) -> str:
            note = Note.parse(destination, text.encode())
            old = self._store.memory_in(note, tier=Tier.ARCHIVED)
            new = replace(old, relations=(*old.relations, Relation(RelationType.RELATED, stem)))
            changes = memory_changes(old, new, zone=zone, fades_on=None, values=note.values, stem=note.stem)
            return edit(text, changes)

        return change

    def link(self, cluster: Cluster) -> tuple[list[Edge], int]:
        """Relate the members of a cluster to each other instead; return the new relations and how many existed."""
        created, existing = [], 0
        members = list(cluster.members)
        for index, source in enumerate(members):
            for target in members[index + 1 :]:
                edge, new = self._relations.create(
                    source,
                    target,
                    RelationType.RELATED,
                    strength=round(cluster.cohesion, 4),
                    metadata={"cluster_id": cluster.id, "link_reason": "cluster_linking"},
                )
                created += [edge] if new else []
                existing += 0 if new else 1
        return created, existing
