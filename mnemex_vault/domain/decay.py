"""How memories fade: three curves of retention over the time since the last use, and the clock that counts it.

`retention` takes seconds since the last use and gives the part that is left, 1 at 0; a negative age counts as 0.
Power law after Wixted and Ebbesen (1991); exponential after Ebbinghaus; two components: a fast and a slow store.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Literal

DAY_SECONDS = 86_400.0
# what a day counts for: every day, or those on which the vault is used
DecayClock = Literal["days", "active_days"]
# so many days without a use are a long weekend, and no leave
REST_DAYS = 3
# below this the power law is so flat that its time scale leaves the range of a double
MIN_ALPHA = 0.01
# bisection of the two-component curve: enough halvings to exhaust double precision
_HALVINGS = 200


def _require_positive(**values: float) -> None:
    for name, value in values.items():
        if not (value > 0 and math.isfinite(value)):
            raise ValueError(f"{name} must be a positive number")


def _expm1(exponent: float) -> float:
    try:
        return math.expm1(exponent)
    except OverflowError:
        return math.inf


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """`(1 + t/t0)^-alpha`, with t0 such that half is left after `half_life_days`.

    >>> round(PowerLaw().retention(7 * DAY_SECONDS), 4)
    0.2934
    """

    alpha: float = 1.1
    half_life_days: float = 3.0

    def __post_init__(self) -> None:
        _require_positive(alpha=self.alpha, half_life_days=self.half_life_days)
        if self.alpha < MIN_ALPHA:
            raise ValueError(f"alpha must be at least {MIN_ALPHA}")

    @property
    def time_scale(self) -> float:
        """Return t0 in seconds."""
        return self.half_life_days * DAY_SECONDS / math.expm1(math.log(2) / self.alpha)

    def retention(self, seconds: float) -> float:
        """Return the part that is left, in (0, 1]."""
        return math.exp(-self.alpha * math.log1p(max(0.0, seconds) / self.time_scale))

    def seconds_until(self, level: float) -> float:
        """Return the age at which `level` (0..1] is left; infinite beyond the range of a double."""
        return self.time_scale * _expm1(-math.log(level) / self.alpha)

    def with_half_life(self, days: float) -> PowerLaw:
        """Return the same curve with another half-life."""
        return replace(self, half_life_days=days)


@dataclass(frozen=True, slots=True)
class Exponential:
    """`2^(-t/H)` with a half-life H of `half_life_days`.

    >>> [round(Exponential().retention(days * DAY_SECONDS), 4) for days in (0.5, 1, 3, 7, 14)]
    [0.8909, 0.7937, 0.5, 0.1984, 0.0394]
    """

    half_life_days: float = 3.0

    def __post_init__(self) -> None:
        _require_positive(half_life_days=self.half_life_days)

    def retention(self, seconds: float) -> float:
        """Return the part that is left, in [0, 1]."""
        return math.exp2(-max(0.0, seconds) / (self.half_life_days * DAY_SECONDS))

    def seconds_until(self, level: float) -> float:
        """Return the age at which `level` (0..1] is left."""
        return -math.log2(level) * self.half_life_days * DAY_SECONDS

    def with_half_life(self, days: float) -> Exponential:
        """Return the same curve with another half-life."""
        return replace(self, half_life_days=days)

    @classmethod
    def from_rate(cls, rate: float) -> Exponential:
        """Return `exp(-rate * t)`, the rate per second."""
        _require_positive(rate=rate)
        return cls(math.log(2) / rate / DAY_SECONDS)


@dataclass(frozen=True, slots=True)
class TwoComponent:
    """`w exp(-f t) + (1-w) exp(-s t)`, rates per second; with the default rates half is left after 0.824 days.

    >>> round(TwoComponent().retention(3 * DAY_SECONDS), 4)
    0.2338
    """

    rate_fast: float = 1.603e-5
    rate_slow: float = 1.147e-6
    weight_fast: float = 0.7

    def __post_init__(self) -> None:
        _require_positive(rate_fast=self.rate_fast, rate_slow=self.rate_slow)
        if not 0 <= self.weight_fast <= 1:
            raise ValueError("weight_fast lies between 0 and 1")

    @property
    def half_life_days(self) -> float:
        """Return the days after which half is left."""
        return self.seconds_until(0.5) / DAY_SECONDS

    def retention(self, seconds: float) -> float:
        """Return the part that is left, in [0, 1]."""
        age = max(0.0, seconds)
        fast = self.weight_fast * math.exp(-self.rate_fast * age)
        return fast + (1 - self.weight_fast) * math.exp(-self.rate_slow * age)

    def seconds_until(self, level: float) -> float:
        """Return the age at which `level` (0..1] is left, by bisection."""
        low, high = 0.0, DAY_SECONDS
        while self.retention(high) > level:
            high *= 2
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self.retention(middle) > level else (low, middle)
        return high

    def with_half_life(self, days: float) -> TwoComponent:
        """Return the curve slowed or sped up as a whole, so that half is left after `days`."""
        _require_positive(half_life_days=days)
        factor = self.half_life_days / days
        return replace(self, rate_fast=self.rate_fast * factor, rate_slow=self.rate_slow * factor)


DecayCurve = PowerLaw | Exponential | TwoComponent


# The first and the last day (UTC, counted from 1970) on which a memory was used, and on how many days it was.
Span = tuple[int, int, int]
_EPOCH = date(1970, 1, 1).toordinal()


def day_of(moment: datetime) -> int:
    """Return the day of a moment in UTC, counted from 1970."""
    return moment.astimezone(UTC).toordinal() - _EPOCH


@dataclass(frozen=True, slots=True)
class Pauses:
    """Stretches of time in which the vault was not used, and nothing fades; in seconds since 1970, in order.

    >>> leave = Pauses.between([(0, 0, 1), (40, 40, 1)])
    >>> [leave.passed(0, day * DAY_SECONDS) / DAY_SECONDS for day in (4, 5, 30, 40, 44)]
    [4.0, 4.0, 4.0, 4.0, 8.0]
    """

    begins: tuple[float, ...] = ()
    ends: tuple[float, ...] = ()

    @classmethod
    def between(cls, spans: Collection[Span]) -> Pauses:
        """Return the pauses that these uses tell of; the last one has no end yet.

        A memory tells its first and its last use and on how many days there was one, so that a pause is no longer
        than the days on which a memory that was used before and after it can have lain idle.
        """
        used = sorted({day for first, last, _ in spans for day in (first, last)})
        # only these can be what makes a pause shorter
        often = [span for span in spans if span[2] > REST_DAYS]
        found = [*_idle(used, often), *((day + 1 + REST_DAYS, math.inf) for day in used[-1:])]
        return cls(tuple(begin * DAY_SECONDS for begin, _ in found), tuple(end * DAY_SECONDS for _, end in found))

    def until(self, now: float) -> Pauses:
        """Return the pauses as they are known at a moment: none is later, and a present one ends there."""
        count = bisect_left(self.begins, now)
        return Pauses(self.begins[:count], tuple(min(end, now) for end in self.ends[:count]))

    def passed(self, begin: float, end: float) -> float:
        """Return the seconds between two moments, without those of pauses."""
        return max(
            0.0, end - begin - sum(min(stop, end) - max(start, begin) for start, stop in self._within(begin, end))
        )

    def stretched(self, begin: float, seconds: float) -> float:
        """Return how many seconds it takes from a moment on until so many have passed, pauses aside."""
        whole = seconds
        for start, stop in self._within(begin, math.inf):
            if start >= begin + whole:
                break
            whole += stop - max(start, begin)
        return whole

    def _within(self, begin: float, end: float) -> Iterator[tuple[float, float]]:
        first, last = bisect_right(self.ends, begin), bisect_left(self.begins, end)
        return zip(self.begins[first:last], self.ends[first:last], strict=True)


def _idle(used: list[int], often: list[Span]) -> Iterator[tuple[int, int]]:
    for earlier, later in pairwise(used):
        spare = [last - first + 1 - days for first, last, days in often if first <= earlier and last >= later]
        length = min([later - earlier - 1 - REST_DAYS, *spare])
        if length > 0:
            yield later - length, later
