"""Structured answers on how long calls took."""

from __future__ import annotations

from pydantic import ConfigDict

from mnemex_vault.mcp.views import Answer


class PerformanceMetrics(Answer):
    """Answer of get_performance_metrics.

    Beside these keys each operation has one of its name with its times, and `<name>_count` with all its calls.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    success: bool
    operations: int
    message: str


class MetricsReset(Answer):
    """Answer of reset_performance_metrics."""

    success: bool
    message: str


class EmbeddingsMade(Answer):
    """Answer of backfill_embeddings; `error` and `hint` say why there are none."""

    success: bool
    dry_run: bool
    processed: int
    errors: int
    model: str | None
    total_memories: int
    memories_without_embeddings: int
    message: str
    would_process: int | None = None
    error: str | None = None
    hint: str | None = None
    error_details: list[str] | None = None
    additional_errors: int | None = None
