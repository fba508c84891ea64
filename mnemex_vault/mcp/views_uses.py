"""Structured answers of strengthening."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, View


class TouchedMemory(Answer):
    """Answer of touch_memory; `written` is false while the note waits because someone edits it."""

    success: bool
    memory_id: str
    title: str
    origin: str
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
    reason: str | None = None


class ObservedUsage(Answer):
    """Answer of observe_memory_usage."""

    reinforced: bool
    count: int
    cross_domain_count: int
    results: list[ObservedMemory]
    reason: str | None = None
