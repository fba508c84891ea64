"""Tools on the server itself: how long its calls took, and what search by meaning needs."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.domain.memory import Tier
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.metrics import Metrics, Timing
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_metrics import EmbeddingsMade, MetricsReset, PerformanceMetrics

_NO_MODEL = "No model for search by meaning is set up."
_HINT = (
    "Search by words works without one. For search by meaning install mnemex-vault[semantic] and name a folder with a "
    "model in the setting embed_model; nothing is ever downloaded."
)


class MetricsTools:
    """Metrics and embeddings."""

    def __init__(self, opening: Opening, metrics: Metrics) -> None:
        self._opening = opening
        self._metrics = metrics

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.backfill_embeddings,
                description=texts_full.BACKFILL_EMBEDDINGS,
                title="Prepare search by meaning",
                idempotent=True,
                core=False,
            ),
            Spec(
                answer=self.get_performance_metrics,
                description=texts_full.GET_PERFORMANCE_METRICS,
                title="How long calls took",
                idempotent=True,
                core=False,
            ),
            Spec(
                answer=self.reset_performance_metrics,
                description=texts_full.RESET_PERFORMANCE_METRICS,
                title="Forget how long calls took",
                idempotent=True,
                core=False,
            ),
        ]

    def backfill_embeddings(
        self,
        model: take.ModelName | None = None,
        limit: take.Limit | None = None,  # noqa: ARG002  # clients of old send it
        force: take.Switch = False,  # noqa: ARG002
        dry_run: take.Switch = False,
    ) -> Annotated[CallToolResult, EmbeddingsMade]:
        """Say what search by meaning needs."""
        memories = len(self._opening.complete_app().store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM))
        view = EmbeddingsMade(
            success=False,
            dry_run=dry_run,
            processed=0,
            errors=0,
            model=model,
            total_memories=memories,
            memories_without_embeddings=memories,
            message=f"{_NO_MODEL} {_HINT}",
            error=_NO_MODEL,
            hint=_HINT,
        )
        return answer(view, view.message)

    def get_performance_metrics(self) -> Annotated[CallToolResult, PerformanceMetrics]:
        """Give the times of all calls, by operation."""
        timings = self._metrics.timings()
        message = f"{len(timings)} operations were called." if timings else "Nothing was called yet."
        facts: dict[str, object] = {"success": True, "operations": len(timings), "message": message}
        for name, timing in timings.items():
            facts |= {name: _facts(timing), f"{name}_count": timing.count}
        lines = [
            f"- {name}: {each.count} calls, {each.p50:.1f} ms (p95 {each.p95:.1f})" for name, each in timings.items()
        ]
        return answer(PerformanceMetrics.model_validate(facts), "\n".join([message, *lines]))

    def reset_performance_metrics(self) -> Annotated[CallToolResult, MetricsReset]:
        """Begin to count anew."""
        self._metrics.reset()
        return answer(MetricsReset(success=True, message="All times are forgotten."), "All times are forgotten.")


def _facts(timing: Timing) -> dict[str, float]:
    return {
        "count": timing.count,
        "avg_ms": round(timing.mean, 3),
        "min_ms": round(timing.least, 3),
        "max_ms": round(timing.most, 3),
        "total_ms": round(timing.total, 3),
        "p50_ms": round(timing.p50, 3),
        "p95_ms": round(timing.p95, 3),
    }
