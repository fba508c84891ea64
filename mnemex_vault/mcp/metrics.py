"""Tools on the server itself: how long its calls took, and what search by meaning needs."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

from mnemex_vault.answers import meaning
from mnemex_vault.answers.meaning import NO_MODEL, EmbeddingsMade
from mnemex_vault.answers.view import Answer, Told
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import ModelUnavailable
from mnemex_vault.language.words import counted
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, offered

_KEPT = 1_000

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Figures of one operation in milliseconds; `count` is since the last reset, the others are of the latest calls."""

    count: int
    mean: float
    p50: float
    p95: float
    least: float
    most: float
    total: float


class Metrics:
    """Times by operation; safe to use from several threads."""

    def __init__(self, *, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._times: defaultdict[str, deque[float]] = defaultdict(partial(deque, maxlen=_KEPT))

    def timed(self, function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        """Return the function with its calls measured under its name, those that fail as well."""

        @wraps(function)
        def measured(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            started = self._now()
            try:
                return function(*args, **kwargs)
            finally:
                self._add(function.__name__, (self._now() - started) * 1_000)

        return measured

    def _add(self, operation: str, milliseconds: float) -> None:
        with self._lock:
            self._counts[operation] += 1
            self._times[operation].append(milliseconds)

    def timings(self) -> dict[str, Timing]:
        """Return the figures of every operation that was called, by name."""
        with self._lock:
            times = {operation: sorted(values) for operation, values in self._times.items()}
            counts = dict(self._counts)
        return {operation: _timing(times[operation], counts[operation]) for operation in sorted(times)}

    def reset(self) -> None:
        """Forget all times and counts."""
        with self._lock:
            self._counts.clear()
            self._times.clear()


def _timing(ordered: list[float], count: int) -> Timing:
    return Timing(
        count=count,
        mean=sum(ordered) / len(ordered),
        p50=_at(ordered, 0.5),
        p95=_at(ordered, 0.95),
        least=ordered[0],
        most=ordered[-1],
        total=sum(ordered),
    )


def _at(ordered: list[float], share: float) -> float:
    """Return the smallest value that this share of all does not exceed.

    >>> _at([1.0, 2.0, 3.0, 4.0], 0.5), _at([1.0, 2.0, 3.0, 4.0], 0.95)
    (2.0, 4.0)
    """
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, kw_only=True)
class PerformanceMetrics(Answer):
    """Answer of get_performance_metrics.

    Beside these keys each operation has one of its name with its times, and `<name>_count` with all its calls.
    """

    __pydantic_config__: ClassVar[Mapping[str, object]] = {"extra": "ignore"}

    success: bool
    operations: int
    message: str


@dataclass(frozen=True, kw_only=True)
class _Timings(PerformanceMetrics):
    timings: Mapping[str, Timing]

    def data(self) -> dict[str, Any]:
        known = super().data()
        for name, timing in known.pop("timings").items():
            known |= {name: _facts(timing), f"{name}_count": timing.count}
        return known


@dataclass(frozen=True, kw_only=True)
class MetricsReset(Answer):
    """Answer of reset_performance_metrics."""

    success: bool
    message: str


class MetricsTools(Toolbox):
    """Metrics and embeddings."""

    @offered(
        "Prepare search by meaning",
        "Prepare notes for search by meaning, if the user has set up a model for it.",
        idempotent=True,
        core=False,
    )
    def backfill_embeddings(
        self,
        model: take.ModelName | None = None,  # noqa: ARG002  # the model is a setting, and clients of old name one
        limit: take.Limit | None = None,
        force: take.Switch = False,
        dry_run: take.Switch = False,
    ) -> Told[EmbeddingsMade]:
        """Make what search by meaning lacks, or say what it needs; the client hears how far it is."""
        app = self._opening.complete_app()
        memories = len(app.memories.all(Tier.SHORT_TERM, Tier.LONG_TERM))
        try:
            found = app.meaning.backfill(limit=limit, force=force, dry_run=dry_run, progress=self._calls.tell)
        except ModelUnavailable as error:
            return meaning.not_made(memories, f"The model cannot be used ({error}).", dry_run=dry_run)
        if found is None:
            return meaning.not_made(memories, NO_MODEL, dry_run=dry_run)
        return meaning.made(found, memories, dry_run=dry_run)

    @offered(
        "How long calls took",
        "Read how long the calls of this server took.",
        idempotent=True,
        core=False,
    )
    def get_performance_metrics(self) -> Told[PerformanceMetrics]:
        """Give the times of all calls, by operation."""
        timings = self._metrics.timings()
        message = f"Operations that were called: {len(timings)}." if timings else "Nothing was called yet."
        view = _Timings(success=True, operations=len(timings), message=message, timings=timings)
        lines = [
            f"- {name}: {counted(each.count, 'call')}, {each.p50:.1f} ms (p95 {each.p95:.1f})"
            for name, each in timings.items()
        ]
        return Told(view, "\n".join([message, *lines]))

    @offered(
        "Forget how long calls took",
        "Forget how long the calls of this server took.",
        idempotent=True,
        core=False,
    )
    def reset_performance_metrics(self) -> Told[MetricsReset]:
        """Begin to count anew."""
        self._metrics.reset()
        message = "All times are forgotten."
        return Told(MetricsReset(success=True, message=message), message)


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
