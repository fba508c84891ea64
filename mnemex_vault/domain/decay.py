"""How memories fade: three curves of retention over the time since the last use.

`retention` takes seconds since the last use and gives the part that is left, 1 at 0; a negative age counts as 0.
Power law after Wixted and Ebbesen (1991); exponential after Ebbinghaus; two components: a fast and a slow store.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

DAY_SECONDS = 86_400.0
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
