from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemex_vault.mcp.metrics import Metrics


class Ticks:
    """A clock that stands still except while work is measured."""

    def __init__(self, *milliseconds: float) -> None:
        self._durations: Iterator[float] = iter(milliseconds)
        self._now = 0.0
        self._inside = False

    def __call__(self) -> float:
        if self._inside:
            self._now += next(self._durations) / 1_000
        self._inside = not self._inside
        return self._now


def work() -> str:
    return "done"


def test_figures_are_of_all_calls() -> None:
    metrics = Metrics(now=Ticks(*range(1, 101)))
    timed = metrics.timed(work)
    assert {timed() for _ in range(100)} == {"done"}
    timing = metrics.timings()["work"]
    assert timing.count == 100
    assert [round(each) for each in (timing.least, timing.p50, timing.p95, timing.most, timing.total)] == [
        1, 50, 95, 100, 5050,
    ]  # fmt: skip
    assert timing.mean == pytest.approx(50.5)


def test_only_the_latest_thousand_are_kept_and_all_are_counted() -> None:
    metrics = Metrics(now=Ticks(*[500.0] * 10, *[1.0] * 1_000))
    timed = metrics.timed(work)
    for _ in range(1_010):
        timed()
    timing = metrics.timings()["work"]
    assert timing.count == 1_010
    assert timing.most == pytest.approx(1)


def test_a_call_that_fails_is_measured_as_well() -> None:
    metrics = Metrics()

    def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        metrics.timed(fail)()
    assert metrics.timings()["fail"].count == 1
    metrics.reset()
    assert metrics.timings() == {}
