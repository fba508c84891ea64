"""Structured answers of looking after the vault: the queue, the state, restoring."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, View


class QueuedMemory(View):
    """A memory that fades, and when."""

    id: str
    title: str
    path: str
    content: str
    origin: str
    score: float
    fades_on: str
    days_left: int
    review_priority: float


class ReviewQueue(Answer):
    """Answer of review_queue, what fades first at the top."""

    success: bool
    count: int
    total: int
    memories: list[QueuedMemory]
    message: str


class VaultProblem(View):
    """Something that a person should look at."""

    kind: str
    path: str
    detail: str


class VaultStatus(Answer):
    """Answer of vault_status; `paused` says why automatic change is stopped, `watching` how others' are noticed."""

    success: bool
    notes: int
    short_term: int
    long_term: int
    archived: int
    ordinary: int
    unmanaged: int
    away: int
    fading: int
    due: int
    fades_within_a_week: int
    fading_within_30_days: int
    pending_uses: int
    waiting_for_index: int
    index_written_at: int | None
    index_ready: bool
    paused: str | None
    watching: str | None
    problems: int
    last_problems: list[VaultProblem]
    settings_problems: list[str]
    upkeep: list[str]
    last_upkeep: int | None
    message: str


class RestoredMemory(Answer):
    """Answer of restore_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    tier: str
    path: str
    operation_id: str
    message: str
