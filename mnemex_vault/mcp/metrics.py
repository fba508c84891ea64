"""How long calls took, in this process: counts since the start, times of the latest thousand of each operation."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import ParamSpec, TypeVar

_KEPT = 1_000

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


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

    def timed(self, function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        """Return the function with its calls measured under its name, those that fail as well."""

        @wraps(function)
        def measured(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
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
