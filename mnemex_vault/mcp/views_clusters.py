"""Structured answers of finding clusters and bringing them together."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, View


class ClusterView(View):
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


class DuplicatePair(View):
    """Two memories that say nearly the same."""

    id1: str
    id2: str
    content1_preview: str
    content2_preview: str
    origin1: str
    origin2: str
    similarity: float


class ClusteredMemories(Answer):
    """Answer of cluster_memories; which keys are there depends on `mode`."""

    success: bool
    mode: str
    message: str
    strategy: str | None = None
    threshold: float | None = None
    clusters_found: int | None = None
    clusters: list[ClusterView] | None = None
    duplicates_found: int | None = None
    duplicates: list[DuplicatePair] | None = None


class MergedMemory(View):
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


class SourceMemory(View):
    """A memory that would become part of another."""

    id: str
    title: str
    origin: str
    content_preview: str
    tags: list[str]
    use_count: int
    strength: float


class MergePreview(View):
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


class MergeReceipt(View):
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


class LinkedCluster(View):
    """A cluster whose members were related to each other."""

    cluster_id: str
    cluster_size: int
    cohesion: float
    memory_ids: list[str]


class Consolidated(Answer):
    """Answer of consolidate_memories; which keys are there depends on `mode`."""

    success: bool
    mode: str
    message: str
    can_consolidate: bool | None = None
    cluster_id: str | None = None
    num_memories: int | None = None
    cohesion: float | None = None
    suggested_action: str | None = None
    merged_memory: MergedMemory | None = None
    original_memories: list[SourceMemory] | None = None
    space_saved: int | None = None
    cautions: list[str] | None = None
    new_memory_id: str | None = None
    path: str | None = None
    consolidated_ids: list[str] | None = None
    archived: dict[str, str] | None = None
    merged_content_length: int | None = None
    merged_tags: int | None = None
    merged_entities: int | None = None
    merged_strength: float | None = None
    operation_id: str | None = None
    links_left: list[str] | None = None
    cluster_size: int | None = None
    memory_ids: list[str] | None = None
    relations_created: int | None = None
    pairs_linked: int | None = None
    skipped_existing: int | None = None
    candidates_found: int | None = None
    showing: int | None = None
    previews: list[MergePreview] | None = None
    consolidated_clusters: int | None = None
    total_memories_saved: int | None = None
    linked_clusters: int | None = None
    total_relations_created: int | None = None
    results: list[MergeReceipt | LinkedCluster] | None = None
    skipped: dict[str, str] | None = None
