"""Structured answers of promoting, tidying up and undoing."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, View


class PromotionPlan(View):
    """One memory that is or would be promoted: where its note goes, and which notes' links change, how many of them."""

    id: str
    title: str
    origin: str
    content_preview: str
    reason: str
    score: float
    use_count: int
    age_days: float
    path: str
    destination: str
    links_in: list[str]
    links_in_count: int


class Promoted(Answer):
    """Answer of promote_memory."""

    success: bool
    dry_run: bool
    candidates_found: int
    promoted_count: int
    promoted_ids: list[str]
    candidates: list[PromotionPlan]
    failed: dict[str, str]
    operation_ids: list[str]
    message: str
    score: float | None = None


class FadedMemory(View):
    """One memory that is or would be forgotten."""

    id: str
    title: str
    origin: str
    path: str
    score: float


class TidiedUp(Answer):
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


class Undone(Answer):
    """Answer of undo."""

    success: bool
    operation_id: str
    undid: str
    paths: list[str]
    message: str
