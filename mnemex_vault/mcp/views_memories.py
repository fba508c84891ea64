"""Structured answers of saving, opening, updating and forgetting."""

from __future__ import annotations

from pydantic import Field

from mnemex_vault.mcp.views import Answer, Pagination, View


class SimilarMemory(View):
    """An existing memory that says nearly the same."""

    id: str
    title: str
    origin: str
    first_line: str


class SavedMemory(Answer):
    """Answer of save_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
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
    """Both directions; `more` counts those that are left out, which read_graph gives."""

    outgoing: list[RelationTo]
    incoming: list[RelationFrom]
    more: int = 0


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


class OpenedNotes(Answer):
    """Answer of open_memories; `unnamed` counts the ids that are not even named, for lack of room."""

    success: bool
    count: int
    memories: list[OpenedNote]
    not_found: list[str]
    not_here: list[str] | None = None
    not_shown: list[str]
    unnamed: int = 0
    pagination: Pagination | None = None


class UpdatedMemory(Answer):
    """Answer of update_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    path: str
    etag: str
    fades_on: str | None
    strength: float
    pinned: bool
    operation_id: str | None
    message: str


class ForgottenMemory(Answer):
    """Answer of forget_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    tier: str
    path: str
    operation_id: str
    message: str
