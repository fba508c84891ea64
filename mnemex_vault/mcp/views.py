"""The structured answers of the tools; each key is a promise to clients. Only keys that were set are sent."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class View(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Pagination(View):
    """Where a page stands among all."""

    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_more: bool
    has_previous: bool


class SimilarMemory(View):
    """An existing memory that says nearly the same."""

    id: str
    title: str
    first_line: str


class SavedMemory(View):
    """Answer of save_memory."""

    success: bool
    memory_id: str
    title: str
    path: str
    fades_on: str | None
    obsidian_url: str
    reinforced: bool
    similar: list[SimilarMemory]
    hints: list[str]
    message: str
    has_embedding: bool
    enrichment_applied: bool
    auto_entities: int
    calculated_strength: float
    operation_id: str | None


class Explanation(View):
    """What a rank is made of: their product."""

    relevance: float
    decay_factor: float
    tier_weight: float
    project_bonus: float


class FoundNote(View):
    """One result of a search; times are epoch seconds, days are ISO dates.

    The session brief names its `section` and leaves out what only a search has.
    """

    id: str
    title: str
    tier: str
    content: str
    score: float | None
    tags: list[str]
    origin: str
    fades_on: str | None
    similarity: float | None
    use_count: int | None
    last_used: int | None
    age_days: float | None
    review_priority: float | None
    status: str | None = None
    path: str | None = None
    relevance: float | None = None
    rank: float | None = None
    section: str | None = None
    review: bool = False
    explanation: Explanation | None = None


class FoundAnywhere(FoundNote):
    """One result of a unified search; `score` is what is sorted by, as it is in `rank`."""

    source: str
    memory_id: str | None
    created_at: int | None
    decay_score: float | None


class FoundMemories(View):
    """Answer of search_memory."""

    success: bool
    count: int
    results: list[FoundNote]
    hidden: dict[str, int]
    message: str
    pagination: Pagination | None = None


class FoundNotes(View):
    """Answer of search_unified."""

    success: bool
    count: int
    results: list[FoundAnywhere]
    hidden: dict[str, int]
    message: str
    pagination: Pagination | None = None


class RelationTo(View):
    """A relation to another note."""

    to: str
    type: str
    strength: float


class RelationFrom(View):
    """A relation from another note; its first key is sent as `from`."""

    source: str = Field(alias="from")
    type: str
    strength: float


class Relations(View):
    """Both directions."""

    outgoing: list[RelationTo]
    incoming: list[RelationFrom]


class OpenedNote(View):
    """One note in full."""

    id: str
    title: str
    tier: str
    path: str
    content: str
    etag: str
    entities: list[str]
    tags: list[str]
    origin: str
    project: str | None
    source: str | None
    context: str | None
    session: str | None
    created_at: int | None
    last_used: int | None
    use_count: int | None
    strength: float | None
    status: str
    pinned: bool
    promoted_at: int | None
    promoted_to: str | None
    fades_on: str | None
    score: float | None = None
    age_days: float | None = None
    relations: Relations | None = None


class OpenedNotes(View):
    """Answer of open_memories."""

    success: bool
    count: int
    memories: list[OpenedNote]
    not_found: list[str]
    not_shown: list[str]
    pagination: Pagination | None = None


class UpdatedMemory(View):
    """Answer of update_memory."""

    success: bool
    memory_id: str
    title: str
    path: str
    etag: str
    fades_on: str | None
    strength: float
    pinned: bool
    operation_id: str | None
    message: str


class ForgottenMemory(View):
    """Answer of forget_memory."""

    success: bool
    memory_id: str
    title: str
    tier: str
    path: str
    operation_id: str
    message: str


class TouchedMemory(View):
    """Answer of touch_memory; `written` is false while the note waits because someone edits it."""

    success: bool
    memory_id: str
    title: str
    old_score: float
    new_score: float
    use_count: int
    strength: float
    fades_on: str | None
    written: bool
    message: str


class ObservedMemory(View):
    """What became of one reported use."""

    id: str
    status: str
    cross_domain: bool | None = None
    new_use_count: int | None = None
    new_review_count: int | None = None
    strength: float | None = None


class ObservedUsage(View):
    """Answer of observe_memory_usage."""

    reinforced: bool
    count: int
    cross_domain_count: int
    results: list[ObservedMemory]
    reason: str | None = None


class PromotionPlan(View):
    """One memory that is or would be promoted: where its note goes, and which notes' links change."""

    id: str
    title: str
    content_preview: str
    reason: str
    score: float
    use_count: int
    age_days: float
    path: str
    destination: str
    links_in: list[str]


class Promoted(View):
    """Answer of promote_memory."""

    success: bool
    dry_run: bool
    candidates_found: int
    promoted_count: int
    promoted_ids: list[str]
    candidates: list[PromotionPlan]
    operation_ids: list[str]
    message: str
    score: float | None = None


class FadedMemory(View):
    """One memory that is or would be forgotten."""

    id: str
    title: str
    path: str
    score: float


class TidiedUp(View):
    """Answer of gc."""

    success: bool
    dry_run: bool
    removed_count: int
    archived_count: int
    freed_score_sum: float
    memory_ids: list[str]
    total_affected: int
    candidates: list[FadedMemory]
    exempt: dict[str, int]
    fading_within_30_days: int
    failed: dict[str, str]
    operation_ids: list[str]
    message: str


class Undone(View):
    """Answer of undo."""

    success: bool
    operation_id: str
    undid: str
    paths: list[str]
    message: str


class Related(View):
    """Answer of create_relation; its first end is sent as `from`."""

    success: bool
    relation_id: str
    source: str = Field(alias="from")
    to: str
    type: str
    strength: float
    message: str
    existing_relation_id: str | None = None


class Unrelated(View):
    """Answer of delete_relation."""

    success: bool
    relation_id: str
    message: str
