"""Tools on the server itself: how long its calls took, and what search by meaning needs."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import ModelUnavailable
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.metrics import Metrics, Timing
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_metrics import EmbeddingsMade, MetricsReset, PerformanceMetrics
from mnemex_vault.memories.meaning import Backfill
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled

_NO_MODEL = "No model for search by meaning is set up."
_HINT = (
    "Search by words works without one. For search by meaning install mnemex-vault[semantic] and name a folder with a "
    "model in the setting embed_model, with enable_embeddings on; nothing is ever downloaded."
)
_DETAILS = 10


class MetricsTools:
    """Metrics and embeddings."""

    def __init__(self, opening: Opening, metrics: Metrics, calls: Calls) -> None:
        self._opening = opening
        self._metrics = metrics
        self._calls = calls

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
        model: take.ModelName | None = None,  # noqa: ARG002  # the model is a setting, and clients of old name one
        limit: take.Limit | None = None,
        force: take.Switch = False,
        dry_run: take.Switch = False,
    ) -> Annotated[CallToolResult, EmbeddingsMade]:
        """Make what search by meaning lacks, or say what it needs; the client hears how far it is."""
        app = self._opening.complete_app()
        memories = len(app.store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM))
        try:
            found = app.meaning.backfill(limit=limit, force=force, dry_run=dry_run, progress=self._calls.tell)
        except ModelUnavailable as error:
            return _not_made(memories, f"The model cannot be used ({error}).", dry_run=dry_run)
        if found is None:
            return _not_made(memories, _NO_MODEL, dry_run=dry_run)
        view = _made(found, memories, dry_run=dry_run)
        passed_over = (
            Recalled(mark="Cannot be read now: ", name=each, origin=UNKNOWN_ORIGIN)
            for each in found.unreadable[:_DETAILS]
        )
        return answer(view, view.message, passed_over)

    def get_performance_metrics(self) -> Annotated[CallToolResult, PerformanceMetrics]:
        """Give the times of all calls, by operation."""
        timings = self._metrics.timings()
        message = f"Operations that were called: {len(timings)}." if timings else "Nothing was called yet."
        facts: dict[str, object] = {"success": True, "operations": len(timings), "message": message}
        for name, timing in timings.items():
            facts |= {name: _facts(timing), f"{name}_count": timing.count}
        lines = [
            f"- {name}: {counted(each.count, 'call')}, {each.p50:.1f} ms (p95 {each.p95:.1f})"
            for name, each in timings.items()
        ]
        return answer(PerformanceMetrics.model_validate(facts), "\n".join([message, *lines]))

    def reset_performance_metrics(self) -> Annotated[CallToolResult, MetricsReset]:
        """Begin to count anew."""
        self._metrics.reset()
        return answer(MetricsReset(success=True, message="All times are forgotten."), "All times are forgotten.")


def _made(found: Backfill, memories: int, *, dry_run: bool) -> EmbeddingsMade:
    passed_over = len(found.unreadable)
    done = f"{counted(found.made, 'vector')} made, {found.left} still lacking."
    view = EmbeddingsMade(
        success=not passed_over,
        dry_run=dry_run,
        processed=found.made,
        errors=passed_over,
        model=found.model,
        total_memories=memories,
        memories_without_embeddings=found.left,
        message=f"{counted(found.wanted, 'vector')} would be made." if dry_run else done,
    )
    if dry_run:
        view = view.model_copy(update={"would_process": found.wanted})
    if passed_over:
        details = [f"{path} cannot be read now" for path in found.unreadable[:_DETAILS]]
        view = view.model_copy(update={"error_details": details, "additional_errors": passed_over - len(details)})
    return view


def _not_made(memories: int, problem: str, *, dry_run: bool) -> CallToolResult:
    view = EmbeddingsMade(
        success=False,
        dry_run=dry_run,
        processed=0,
        errors=0,
        model=None,
        total_memories=memories,
        memories_without_embeddings=memories,
        message=f"{problem} {_HINT}",
        error=problem,
        hint=_HINT,
    )
    return answer(view, view.message)


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
