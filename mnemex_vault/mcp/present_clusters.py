"""What finding clusters answers, and the previews and receipts of bringing them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnemex_vault.domain.clusters import Cluster, Limits, Strategy
from mnemex_vault.domain.similarity import Pair
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import MnemexError
from mnemex_vault.mcp.budget import AROUND, USUAL, fitting, some, title_of, within
from mnemex_vault.mcp.facts import epoch, origin_of
from mnemex_vault.mcp.views_clusters import (
    ClusteredMemories,
    ClusterView,
    DuplicatePair,
    LinkedCluster,
    MergedMemory,
    MergePreview,
    MergeReceipt,
    SourceMemory,
)
from mnemex_vault.memories.consolidation import Preview, Receipt
from mnemex_vault.memories.excerpts import shorten
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted
from mnemex_vault.memories.store import Store

_SHOWN = 20
_MEMBERS = 3
_PREVIEW = 80
_TAGS = 100
_FACT = 500
_LINKS = 600


def clusters_view(store: Store, clusters: Sequence[Cluster], strategy: Strategy, limits: Limits) -> ClusteredMemories:
    """Return the first twenty clusters, or as many as there is room for."""
    shown = fitting((_cluster_view(store, each) for each in clusters[:_SHOWN]), USUAL - AROUND)
    return ClusteredMemories(
        success=True,
        mode="clustering",
        message=f"{counted(len(clusters), 'group')} of memories that may belong together{_more(shown, clusters)}. "
        "Nothing was changed.",
        strategy=strategy.value,
        threshold=limits.threshold,
        clusters_found=len(clusters),
        clusters=shown,
    )


def _more(shown: Sequence[object], found: Sequence[object]) -> str:
    return f"; the first {len(shown)} are shown" if len(shown) < len(found) else ""


def _cluster_view(store: Store, cluster: Cluster) -> ClusterView:
    return ClusterView(
        id=cluster.id,
        size=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        suggested_action=cluster.action.value,
        memory_ids=list(cluster.members),
        content_previews=[_beginning(store, each) for each in cluster.members[:_MEMBERS]],
        origins=[_origin(store, each) for each in cluster.members[:_MEMBERS]],
        label=cluster.label,
    )


def duplicates_view(store: Store, pairs: Sequence[Pair]) -> ClusteredMemories:
    """Return the first twenty pairs."""
    shown = [
        DuplicatePair(
            id1=pair.first,
            id2=pair.second,
            content1_preview=_beginning(store, pair.first),
            content2_preview=_beginning(store, pair.second),
            origin1=_origin(store, pair.first),
            origin2=_origin(store, pair.second),
            similarity=round(pair.similarity, 4),
        )
        for pair in pairs[:_SHOWN]
    ]
    return ClusteredMemories(
        success=True,
        mode="duplicate_detection",
        message=f"{counted(len(pairs), 'pair')} of memories that say nearly the same{_more(shown, pairs)}. "
        "Nothing was changed.",
        duplicates_found=len(pairs),
        duplicates=shown,
    )


def clustered_notes(view: ClusteredMemories) -> Iterator[Recalled]:
    """Give each group or pair with the beginnings of its memories."""
    for each in view.clusters or ():
        facts = [", ".join(each.memory_ids), *([quoted(each.label)] if each.label else [])]
        facts += [f"{each.cohesion:.2f} alike", each.suggested_action]
        yield _group(each.id, each.origins, facts, each.content_previews)
    for pair in view.duplicates or ():
        facts = [f"{pair.similarity:.2f} like [{pair.id2}]"]
        previews = [pair.content1_preview, pair.content2_preview]
        yield _group(pair.id1, [pair.origin1, pair.origin2], facts, previews)


def _group(name: str, origins: Sequence[str], facts: Sequence[str], previews: Sequence[str]) -> Recalled:
    """Return several memories under one name, a line each, with everybody who wrote one of them."""
    return Recalled(name=name, origin=", ".join(dict.fromkeys(origins)), facts=facts, text="\n".join(previews))


def merge_note(preview: MergePreview) -> Recalled:
    """Return the memory that a merge would make, under the id of its cluster."""
    merged = preview.merged_memory
    origins = dict.fromkeys(each.origin for each in preview.original_memories)
    facts = [counted(preview.num_memories, "memory", "memories"), *map(quoted, preview.cautions)]
    return Recalled(
        name=preview.cluster_id, origin=", ".join(origins), title=merged.title, facts=facts, text=merged.content
    )


def preview_view(store: Store, preview: Preview, *, longest: int) -> MergePreview:
    """Return what a merge would make, its text cut to `longest` characters."""
    memory, cluster = preview.memory, preview.cluster
    return MergePreview(
        can_consolidate=not preview.cautions,
        cluster_id=cluster.id,
        num_memories=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        suggested_action=cluster.action.value,
        merged_memory=MergedMemory(
            title=title_of(memory.title),
            content=within(memory.content, longest),
            tags=some(memory.tags),
            entities=some(memory.entities),
            source=memory.source and within(memory.source, _FACT),
            context=memory.context and within(memory.context, _FACT),
            created_at=epoch(memory.usage.created),
            last_used=epoch(memory.usage.last_used),
            use_count=memory.usage.use_count,
            strength=round(memory.usage.strength, 4),
        ),
        original_memories=[_source(store, each) for each in cluster.members],
        space_saved=len(cluster.members) - 1,
        cautions=some(preview.cautions, _FACT),
    )


def _source(store: Store, memory_id: str) -> SourceMemory:
    entry = store.memory_entry(memory_id)
    usage = store.usage(entry)
    return SourceMemory(
        id=memory_id,
        title=title_of(entry.title),
        origin=origin_of(entry),
        content_preview=_beginning(store, memory_id),
        tags=some(entry.tags, _TAGS),
        use_count=usage.use_count,
        strength=round(usage.strength, 4),
    )


def receipt_view(receipt: Receipt) -> MergeReceipt:
    """Return what a merge made."""
    memory = receipt.memory
    return MergeReceipt(
        success=True,
        cluster_id=receipt.cluster.id,
        new_memory_id=memory.id,
        path=receipt.path,
        consolidated_ids=list(receipt.cluster.members),
        archived=dict(receipt.archived),
        space_saved=len(receipt.cluster.members) - 1,
        merged_content_length=len(memory.content),
        merged_tags=len(memory.tags),
        merged_entities=len(memory.entities),
        merged_strength=round(memory.usage.strength, 4),
        operation_id=receipt.operation_id,
        # a private note is not named
        links_left=some([entry.path for entry in receipt.left_links if entry.searchable], _LINKS),
    )


def linked_view(cluster: Cluster) -> LinkedCluster:
    """Return a cluster whose members are related now."""
    return LinkedCluster(
        cluster_id=cluster.id,
        cluster_size=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        memory_ids=list(cluster.members),
    )


def _origin(store: Store, memory_id: str) -> str:
    try:
        return origin_of(store.memory_entry(memory_id))
    except MnemexError:
        return UNKNOWN_ORIGIN


def _beginning(store: Store, memory_id: str) -> str:
    try:
        return shorten(store.note(store.memory_entry(memory_id)).content, _PREVIEW)
    except MnemexError:
        return ""
