"""Clusters of memories, and what is made of one: a merged memory, or relations. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from mnemex_vault.disk.paths import joined
from mnemex_vault.domain.clusters import (
    LINK_THRESHOLD,
    REVIEW_COHESION,
    Cluster,
    Limits,
    Similarity,
    Strategy,
    by_label,
    by_pairs,
    by_similarity,
    cluster_id,
)
from mnemex_vault.domain.memory import MAX_CONTENT, Memory, Relation, RelationType, Tier
from mnemex_vault.domain.merging import Choices, differs_in_facts, merged
from mnemex_vault.domain.similarity import Pair, jaccard, near_duplicates, tokens
from mnemex_vault.errors import AsManyAsCan, InvalidInput, MnemexError, NotPossible, as_many_as_can
from mnemex_vault.history.steps import Change, Create, Update
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.index.semantic import Gathered
from mnemex_vault.language.folding import name_key
from mnemex_vault.language.secrets import refuse_secrets
from mnemex_vault.memories.draft import check_text
from mnemex_vault.memories.graph import Related, Relations, Wish, plan_retarget
from mnemex_vault.memories.meaning import Meaning
from mnemex_vault.memories.moving import free_path, left_links, plan_moves
from mnemex_vault.memories.store import Store
from mnemex_vault.text.file_names import unique_stem

# clusters that were shown can be applied as long as they are remembered
_REMEMBERED = 10_000
_USUAL_THRESHOLDS = (LINK_THRESHOLD, REVIEW_COHESION, 0.5, 0.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a merge would make; `cautions` are differences in facts that only a person may decide."""

    cluster: Cluster
    sources: Sequence[Entry]
    memory: Memory
    cautions: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a merge made: the new note, where its sources lie now, and whose links could not follow them there."""

    cluster: Cluster
    memory: Memory
    path: str
    archived: dict[str, str] = field(default_factory=dict)
    operation_id: str = ""
    left_links: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """A cluster that was shown, and whether meaning or words made it one."""

    members: tuple[str, ...]
    by_meaning: bool


class Consolidation:
    """Finding memories that belong together, and bringing them together."""

    def __init__(self, store: Store, relations: Relations, meaning: Meaning) -> None:
        self._store = store
        self._relations = relations
        self._meaning = meaning
        self._shown: dict[str, _Shown] = {}

    def clusters(self, strategy: Strategy = Strategy.SIMILARITY, limits: Limits | None = None) -> list[Cluster]:
        """Return the clusters of the short-term memories, the most coherent first; ids depend on the members only.

        Similarity is that of the meaning if a model has a vector of every memory, else of the words.
        """
        texts = self.texts()
        chosen = limits or Limits()
        nearness = self._nearness(texts) if strategy is Strategy.SIMILARITY else None
        if strategy in (Strategy.TAG, Strategy.ENTITY):
            found = by_label(self._labels(strategy, texts), texts, chosen)
        elif nearness is not None:
            found = by_pairs(texts, nearness.pairs(chosen.threshold), nearness.between, chosen)
        else:
            found = by_similarity(texts, chosen)
        kept = dict(list(self._shown.items())[-_REMEMBERED:])
        self._shown = kept | {cluster.id: _Shown(cluster.members, nearness is not None) for cluster in found}
        return found

    def _nearness(self, texts: Collection[str]) -> Gathered | None:
        return self._meaning.nearness({e.memory_id or "": e for e in self._entries() if e.memory_id in texts})

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

    def _labels(self, strategy: Strategy, texts: Collection[str]) -> dict[str, tuple[str, ...]]:
        return {
            entry.memory_id or "": entry.tags if strategy is Strategy.TAG else entry.entities
            for entry in self._entries()
            if entry.memory_id in texts
        }

    def find(self, cluster_id: str) -> Cluster:
        """Return the cluster that was shown under this id; raises InvalidInput if its members are not there any more.

        A cluster that another process showed is found if the usual thresholds give it.
        """
        shown = self._shown.get(cluster_id) or self._search(cluster_id)
        live = {entry.memory_id for entry in self._entries()}
        if shown is None or not live.issuperset(shown.members):
            raise NotPossible("cluster_id", f"{cluster_id} is no cluster now; list the clusters again")
        return self.cluster_of(shown.members, by_meaning=shown.by_meaning)

    def _search(self, cluster_id: str) -> _Shown | None:
        looks = [(Strategy.SIMILARITY, threshold) for threshold in _USUAL_THRESHOLDS]
        if self._meaning.in_use:
            # similarity is not that of the words then
            looks += [(Strategy.DUPLICATES, threshold) for threshold in _USUAL_THRESHOLDS]
        # who shares a tag or an entity does not depend on a threshold
        looks += [(Strategy.TAG, LINK_THRESHOLD), (Strategy.ENTITY, LINK_THRESHOLD)]
        for strategy, threshold in looks:
            self.clusters(strategy, Limits(threshold=threshold))
            if cluster_id in self._shown:
                return self._shown[cluster_id]
        return None

    def cluster_of(self, ids: Sequence[str], *, by_meaning: bool = False) -> Cluster:
        """Return these memories as a cluster, whatever their similarity, that of the meaning on wish."""
        entries = {memory_id: self._store.memory_entry(memory_id) for memory_id in ids}
        if len(entries) < 2:
            raise InvalidInput("memory_ids", "at least two memories are needed")
        nearness = self._meaning.nearness(entries) if by_meaning else None
        between = nearness.between if nearness else self._by_words(entries)
        pairs = [between(one, other) for one, other in combinations(sorted(entries), 2)]
        cohesion = min(1.0, max(0.0, sum(pairs) / len(pairs)))
        return Cluster(cluster_id(entries), tuple(sorted(entries)), cohesion)

    def _by_words(self, entries: Mapping[str, Entry]) -> Similarity:
        words = {name: tokens(self._store.note(entry).content) for name, entry in entries.items()}
        return lambda one, other: jaccard(words[one], words[other])

    def preview(self, cluster: Cluster, *, content: str | None = None) -> Preview:
        """Return what merging a cluster would make, without doing it; raises InvalidInput for a bad content."""
        if content is not None:
            if not content.strip():
                raise InvalidInput("merged_content", "is empty; leave it out to keep every distinct sentence")
            check_text("merged_content", content, MAX_CONTENT)
            if self._store.rules.detect_secrets:
                refuse_secrets([("merged_content", content)], can_be_kept=False)
        store = self._store
        entries = [store.memory_entry(memory_id) for memory_id in cluster.members]
        memories = [replace(store.memory(entry), usage=store.usage(entry)) for entry in entries]
        choices = Choices(content=content)
        memory = merged(memories, new_id=store.new_id(), cohesion=cluster.cohesion, choices=choices)
        if content is not None and memory.origin is None:
            # only assistants write merged texts
            memory = replace(memory, origin="ai")
        cautions = () if content is not None else differs_in_facts([each.content for each in memories])
        return Preview(cluster=cluster, sources=entries, memory=memory, cautions=cautions)

    def merge(self, preview: Preview, *, automatic: bool = False) -> Receipt:
        """Write the merged memory, archive its sources with links both ways, and re-point relations: one operation.

        Raises InvalidInput for an automatic merge of memories that differ in a number, a date or a negation.
        """
        if automatic and preview.cautions:
            raise NotPossible("cluster_id", f"needs a person: {'; '.join(preview.cautions)}")
        store, now = self._store, self._store.clock()
        folder = store.folder_of(preview.memory.tier, now=now)
        stem = unique_stem(preview.memory.title, store.taken_names())
        archive = store.folder_of(Tier.ARCHIVED, now=now)
        moves: list[tuple[Entry, str]] = []
        for entry in preview.sources:
            taken = {name_key(place) for _, place in moves}
            moves.append((entry, free_path(store, entry, archive, taken=taken)))
        sources = tuple(Relation(RelationType.CONSOLIDATED_FROM, self._archived_name(*move)) for move in moves)
        memory = replace(preview.memory, relations=(*preview.memory.relations, *sources))
        path = joined(folder, f"{stem}.md")
        steps: list[Change] = [Create(path, store.composed(memory, stem=stem))]
        for entry in preview.sources:
            # first of all, so that a source which someone edits meanwhile stays where it is, and the merge is refused
            steps.append(Update(entry.path, self._archived(entry.path, stem), expected_etag=entry.etag))
            steps += plan_retarget(store, entry, stem, apart={each.path for each in preview.sources})
        steps += plan_moves(store, moves)
        left = left_links(store, moves)
        operation = store.commit("merge", steps, summary=memory.title, now=now)
        archived = {entry.memory_id or "": place for entry, place in moves}
        return Receipt(
            cluster=preview.cluster,
            memory=memory,
            path=path,
            archived=archived,
            operation_id=operation.id,
            left_links=left,
        )

    def _archived_name(self, entry: Entry, place: str) -> str:
        """Return what a wikilink to a source will say: its name if no other note has it, else its path."""
        name = stem_of(place)
        others = [each for each in self._store.catalog.named(name) if each.path != entry.path]
        return place.removesuffix(".md") if others else name

    def _archived(self, path: str, stem: str) -> Callable[[str], str]:
        """Return the change that lets a source name the memory it became part of."""

        def revise(old: Memory) -> Memory:
            return replace(old, relations=(*old.relations, Relation(RelationType.RELATED, stem)))

        return lambda text: self._store.amended(text, path, Tier.ARCHIVED, revise)

    def link(self, clusters: Sequence[Cluster]) -> AsManyAsCan[Cluster, Related]:
        """Relate the members of each cluster to each other instead: as one operation, without what cannot be."""
        return as_many_as_can(
            clusters,
            lambda some: self._relations.relate([wish for cluster in some for wish in _pairs(cluster)]),
            self._names,
        )

    def _names(self, cluster: Cluster) -> list[str]:
        entries = (self._store.catalog.by_id(memory_id) for memory_id in cluster.members)
        return [*cluster.members, *(entry.path for entry in entries if entry)]


def _pairs(cluster: Cluster) -> list[Wish]:
    metadata = {"cluster_id": cluster.id, "link_reason": "cluster_linking"}
    strength = round(cluster.cohesion, 4)
    return [
        Wish(source_id=one, target_id=other, kind=RelationType.RELATED, strength=strength, metadata=metadata)
        for one, other in combinations(cluster.members, 2)
    ]
