"""What finding clusters answers, and what bringing them together would make and made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from mnemex_vault.answers import view as views
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted

if TYPE_CHECKING:
    from mnemex_vault.domain.clusters import Cluster, Limits, Strategy
    from mnemex_vault.domain.similarity import Pair
    from mnemex_vault.memories.consolidation import Preview, Receipt
    from mnemex_vault.memories.face import Memories

_SHOWN = 20
_MEMBERS = 3
_PREVIEW = 80
_TAGS = 100
_FACT = 500
_LINKS = 600
# who wrote a memory that was made of others
_MERGED_ORIGIN = "ai"


@dataclass(frozen=True, kw_only=True)
class ClusterView(views.View):
    """Memories that may belong together; `label` is what they share, if they were grouped by that.

    `origins` belong to the previews.
    """

    id: str
    size: int
    cohesion: float
    suggested_action: str
    memory_ids: list[str]
    content_previews: list[str]
    origins: list[str]
    label: str


@dataclass(frozen=True, kw_only=True)
class DuplicatePair(views.View):
    """Two memories that say nearly the same."""

    id1: str
    id2: str
    content1_preview: str
    content2_preview: str
    origin1: str
    origin2: str
    similarity: float


@dataclass(frozen=True, kw_only=True)
class ClusteredMemories(views.Answer):
    """Answer of cluster_memories; which keys are there depends on `mode`."""

    success: bool
    mode: str
    message: str
    strategy: str | None = views.ABSENT
    threshold: float | None = views.ABSENT
    clusters_found: int | None = views.ABSENT
    clusters: list[ClusterView] | None = views.ABSENT
    duplicates_found: int | None = views.ABSENT
    duplicates: list[DuplicatePair] | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class MergedMemory(views.View):
    """What a merged memory would be."""

    title: str
    content: str
    tags: list[str]
    entities: list[str]
    source: str | None
    context: str | None
    created_at: int
    last_used: int
    use_count: int
    strength: float


@dataclass(frozen=True, kw_only=True)
class SourceMemory(views.View):
    """A memory that would become part of another."""

    id: str
    title: str
    origin: str
    content_preview: str
    tags: list[str]
    use_count: int
    strength: float


@dataclass(frozen=True, kw_only=True)
class MergePreview(views.View):
    """What merging a cluster would make; `cautions` are differences that only a person may decide."""

    can_consolidate: bool
    cluster_id: str
    num_memories: int
    cohesion: float
    suggested_action: str
    merged_memory: MergedMemory
    original_memories: list[SourceMemory]
    space_saved: int
    cautions: list[str]


@dataclass(frozen=True, kw_only=True)
class MergeReceipt(views.View):
    """What a merge made; `archived` tells where the sources lie now."""

    success: bool
    cluster_id: str
    new_memory_id: str
    path: str
    consolidated_ids: list[str]
    archived: dict[str, str]
    space_saved: int
    merged_content_length: int
    merged_tags: int
    merged_entities: int
    merged_strength: float
    operation_id: str
    links_left: list[str]


@dataclass(frozen=True, kw_only=True)
class LinkedCluster(views.View):
    """A cluster whose members were related to each other."""

    cluster_id: str
    cluster_size: int
    cohesion: float
    memory_ids: list[str]


@dataclass(frozen=True, kw_only=True)
class Consolidated(views.Answer):
    """Answer of consolidate_memories; which keys are there depends on `mode`."""

    success: bool
    mode: str
    message: str
    can_consolidate: bool | None = views.ABSENT
    cluster_id: str | None = views.ABSENT
    num_memories: int | None = views.ABSENT
    cohesion: float | None = views.ABSENT
    suggested_action: str | None = views.ABSENT
    merged_memory: MergedMemory | None = views.ABSENT
    original_memories: list[SourceMemory] | None = views.ABSENT
    space_saved: int | None = views.ABSENT
    cautions: list[str] | None = views.ABSENT
    new_memory_id: str | None = views.ABSENT
    path: str | None = views.ABSENT
    consolidated_ids: list[str] | None = views.ABSENT
    archived: dict[str, str] | None = views.ABSENT
    merged_content_length: int | None = views.ABSENT
    merged_tags: int | None = views.ABSENT
    merged_entities: int | None = views.ABSENT
    merged_strength: float | None = views.ABSENT
    operation_id: str | None = views.ABSENT
    links_left: list[str] | None = views.ABSENT
    cluster_size: int | None = views.ABSENT
    memory_ids: list[str] | None = views.ABSENT
    relations_created: int | None = views.ABSENT
    pairs_linked: int | None = views.ABSENT
    skipped_existing: int | None = views.ABSENT
    candidates_found: int | None = views.ABSENT
    showing: int | None = views.ABSENT
    previews: list[MergePreview] | None = views.ABSENT
    consolidated_clusters: int | None = views.ABSENT
    total_memories_saved: int | None = views.ABSENT
    linked_clusters: int | None = views.ABSENT
    total_relations_created: int | None = views.ABSENT
    results: list[MergeReceipt | LinkedCluster] | None = views.ABSENT
    skipped: dict[str, str] | None = views.ABSENT


def clusters(
    memories: Memories, found: Sequence[Cluster], strategy: Strategy, limits: Limits
) -> views.Told[ClusteredMemories]:
    """Tell the first twenty clusters, or as many as there is room for."""
    shown = views.fitting((_cluster(memories, each) for each in found[:_SHOWN]), views.USUAL - views.AROUND)
    view = ClusteredMemories(
        success=True,
        mode="clustering",
        message=f"{counted(len(found), 'group')} of memories that may belong together{_more(shown, found)}. "
        "Nothing was changed.",
        strategy=strategy.value,
        threshold=limits.threshold,
        clusters_found=len(found),
        clusters=shown,
    )
    return views.Told(view, view.message, _notes(view))


def _more(shown: Sequence[object], found: Sequence[object]) -> str:
    return f"; the first {len(shown)} are shown" if len(shown) < len(found) else ""


def _cluster(memories: Memories, cluster: Cluster) -> ClusterView:
    return ClusterView(
        id=cluster.id,
        size=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        suggested_action=cluster.action.value,
        memory_ids=list(cluster.members),
        content_previews=[_beginning(memories, each) for each in cluster.members[:_MEMBERS]],
        origins=[_origin(memories, each) for each in cluster.members[:_MEMBERS]],
        label=cluster.label,
    )


def duplicates(memories: Memories, pairs: Sequence[Pair]) -> views.Told[ClusteredMemories]:
    """Tell the first twenty pairs."""
    shown = [
        DuplicatePair(
            id1=pair.first,
            id2=pair.second,
            content1_preview=_beginning(memories, pair.first),
            content2_preview=_beginning(memories, pair.second),
            origin1=_origin(memories, pair.first),
            origin2=_origin(memories, pair.second),
            similarity=round(pair.similarity, 4),
        )
        for pair in pairs[:_SHOWN]
    ]
    view = ClusteredMemories(
        success=True,
        mode="duplicate_detection",
        message=f"{counted(len(pairs), 'pair')} of memories that say nearly the same{_more(shown, pairs)}. "
        "Nothing was changed.",
        duplicates_found=len(pairs),
        duplicates=shown,
    )
    return views.Told(view, view.message, _notes(view))


def _notes(view: ClusteredMemories) -> Iterator[Recalled]:
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


def _merge_note(preview: MergePreview) -> Recalled:
    """Return the memory that a merge would make, under the id of its cluster."""
    merged = preview.merged_memory
    origins = dict.fromkeys(each.origin for each in preview.original_memories)
    facts = [counted(preview.num_memories, "memory", "memories"), *map(quoted, preview.cautions)]
    return Recalled(
        name=preview.cluster_id, origin=", ".join(origins), title=merged.title, facts=facts, text=merged.content
    )


def preview_of(memories: Memories, preview: Preview, *, longest: int) -> MergePreview:
    """Return what a merge would make, its text cut to `longest` characters."""
    memory, cluster = preview.memory, preview.cluster
    return MergePreview(
        can_consolidate=not preview.cautions,
        cluster_id=cluster.id,
        num_memories=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        suggested_action=cluster.action.value,
        merged_memory=MergedMemory(
            title=views.title_of(memory.title),
            content=views.within(memory.content, longest),
            tags=views.some(memory.tags),
            entities=views.some(memory.entities),
            source=memory.source and views.within(memory.source, _FACT),
            context=memory.context and views.within(memory.context, _FACT),
            created_at=views.epoch(memory.usage.created),
            last_used=views.epoch(memory.usage.last_used),
            use_count=memory.usage.use_count,
            strength=round(memory.usage.strength, 4),
        ),
        original_memories=[_source(memories, each) for each in cluster.members],
        space_saved=len(cluster.members) - 1,
        cautions=views.some(preview.cautions, _FACT),
    )


def _source(memories: Memories, memory_id: str) -> SourceMemory:
    entry = memories.memory_entry(memory_id)
    usage = memories.usage(entry)
    return SourceMemory(
        id=memory_id,
        title=views.title_of(entry.title),
        origin=views.origin_of(entry),
        content_preview=_beginning(memories, memory_id),
        tags=views.some(entry.tags, _TAGS),
        use_count=usage.use_count,
        strength=round(usage.strength, 4),
    )


def receipt_of(receipt: Receipt) -> MergeReceipt:
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
        links_left=views.some([entry.path for entry in receipt.left_links if entry.searchable], _LINKS),
    )


def linked(cluster: Cluster) -> LinkedCluster:
    """Return a cluster whose members are related now."""
    return LinkedCluster(
        cluster_id=cluster.id,
        cluster_size=len(cluster.members),
        cohesion=round(cluster.cohesion, 4),
        memory_ids=list(cluster.members),
    )


def _origin(memories: Memories, memory_id: str) -> str:
    try:
        return views.origin_of(memories.memory_entry(memory_id))
    except MnemexError:
        return UNKNOWN_ORIGIN


def _beginning(memories: Memories, memory_id: str) -> str:
    try:
        return views.beginning(memories, memories.memory_entry(memory_id), _PREVIEW)
    except MnemexError:
        return ""


def consolidated(mode: str, message: str, **facts: Any) -> views.Told[Consolidated]:
    """Tell what a call did or would do; which keys there are depends on the mode."""
    view = Consolidated(success=True, mode=mode, message=message, **facts)
    return views.Told(view, message, _consolidated_notes(view))


def facts_of(view: views.View) -> dict[str, Any]:
    """Return the fields of a view that is told as a part of another."""
    return {field.name: getattr(view, field.name) for field in fields(view) if field.name != "success"}


def _consolidated_notes(view: Consolidated) -> Iterator[Recalled]:
    """Give the memories that a merge would make, or what was made of them."""
    if view.merged_memory:
        yield _merge_note(MergePreview(**{field.name: getattr(view, field.name) for field in fields(MergePreview)}))
    yield from map(_merge_note, view.previews or ())
    for each in view.results or ():
        if isinstance(each, MergeReceipt):
            yield _merged(each.new_memory_id, each.path)
            yield from map(_left, each.links_left)
    yield from map(_left, view.links_left or ())
    if view.new_memory_id and view.path:
        yield _merged(view.new_memory_id, view.path)
    for cluster_id, why in (view.skipped or {}).items():
        yield Recalled(mark="Left as it is: ", name=cluster_id, origin=UNKNOWN_ORIGIN, text=why)


def _left(path: str) -> Recalled:
    return Recalled(mark="Not rewritten: ", name=path, origin=UNKNOWN_ORIGIN)


def _merged(memory_id: str, path: str) -> Recalled:
    return Recalled(name=memory_id, origin=_MERGED_ORIGIN, facts=[f"at {quoted(path)}"])
