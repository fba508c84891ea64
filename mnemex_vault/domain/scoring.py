"""One pure function each for score, forgetting, promotion, review priority and the day of fading.

`score = use_count^beta * retention(now - last_used) * strength`, unbounded above; a pinned memory, and one of a kind (a
rule, a preference, who somebody is, what is costly to miss), does not decay. Nor does anything during `Policy.pauses`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from mnemex_vault.domain.decay import DAY_SECONDS, DecayCurve, Pauses, PowerLaw
from mnemex_vault.domain.memory import Tier, Usage

REVIEW_DUE = 0.3
MAX_USE_EXPONENT = 10.0
# a count that a person mistyped must not leave the range of a double
_COUNT_CEILING = 10**9
# dates beyond this are not shown to people: the memory practically does not fade
_HORIZON = timedelta(days=365 * 200)


class State(StrEnum):
    """What people are told about a short-term memory."""

    FADING = "fading"
    DUE = "due for review"
    FRESH = "fresh"
    PINNED = "pinned"


class PromotionReason(StrEnum):
    """Why a memory may be promoted."""

    HIGH_SCORE = "high score"
    FREQUENT_USE = "frequent use"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All that scoring depends on besides the memory and the time; `pauses` end by the time that is asked about.

    Raises ValueError naming every value out of range.
    """

    curve: DecayCurve = field(default_factory=PowerLaw)
    pauses: Pauses = field(default_factory=Pauses)
    use_exponent: float = 0.6
    forget_threshold: float = 0.05
    forget_after_days: float | None = None
    promote_threshold: float = 0.65
    promote_use_count: int = 5
    promote_window_days: float = 14
    promote_min_uses: int = 3
    promote_min_days: int = 2
    review_min: float = 0.15
    review_max: float = 0.35

    def __post_init__(self) -> None:
        problems = [message for wrong, message in self._checks() if wrong]
        if problems:
            raise ValueError("; ".join(problems))

    def _checks(self) -> list[tuple[bool, str]]:
        days = self.forget_after_days
        return [
            (not 0 <= self.use_exponent <= MAX_USE_EXPONENT, f"use_exponent lies between 0 and {MAX_USE_EXPONENT:g}"),
            (not 0 <= self.forget_threshold <= 1, "forget_threshold lies between 0 and 1"),
            (days is not None and not 0 < days < math.inf, "forget_after_days must be positive"),
            (not 0 <= self.promote_threshold <= 1, "promote_threshold lies between 0 and 1"),
            (self.promote_use_count < 1, "promote_use_count starts at 1"),
            (not self.promote_window_days > 0, "promote_window_days must be positive"),
            (self.promote_min_uses < 0, "promote_min_uses must not be negative"),
            (self.promote_min_days < 0, "promote_min_days must not be negative"),
            (not 0 <= self.review_min < self.review_max <= 1, "review_min must lie below review_max, both within 0..1"),
        ]

    @property
    def forget_level(self) -> float:
        """Return the score below which a memory is forgotten, derived from `forget_after_days` if that is set."""
        if self.forget_after_days is None:
            return self.forget_threshold
        return self.curve.retention(self.forget_after_days * DAY_SECONDS)


def curve_of(usage: Usage, policy: Policy) -> DecayCurve:
    """Return the curve of this memory: the vault's, or its own half-life."""
    days = usage.half_life_days
    return policy.curve if days is None else policy.curve.with_half_life(days)


def _peak(usage: Usage, policy: Policy) -> float:
    return math.pow(min(usage.use_count, _COUNT_CEILING), policy.use_exponent) * usage.strength


def score(usage: Usage, policy: Policy, *, now: datetime) -> float:
    """Return the decay score, 0 or more and not bounded by 1; an age is never negative."""
    if usage.lasting:
        return _peak(usage, policy)
    return _peak(usage, policy) * curve_of(usage, policy).retention(idle_seconds(usage, policy, now=now))


def idle_seconds(usage: Usage, policy: Policy, *, now: datetime) -> float:
    """Return how long a memory has not been used, by the clock of the policy."""
    if not policy.pauses.begins:
        return max(0.0, (now - usage.last_used).total_seconds())
    return policy.pauses.passed(usage.last_used.timestamp(), now.timestamp())


def bounded(value: float, policy: Policy) -> float:
    """Return `s / (s + c)` in [0, 1), c the upper end of the review zone.

    >>> round(bounded(0.35, Policy()), 2), round(bounded(1.0, Policy()), 2)
    (0.5, 0.74)
    """
    return value / (value + policy.review_max)


def state(usage: Usage, policy: Policy, *, now: datetime) -> State:
    """Return what people are told, decided on the unrounded score."""
    if usage.pinned:
        return State.PINNED
    if usage.lasting:
        return State.FRESH
    value = score(usage, policy, now=now)
    if value < policy.review_min:
        return State.FADING
    return State.DUE if value < policy.review_max else State.FRESH


def seconds_until(usage: Usage, policy: Policy, level: float) -> float | None:
    """Return the age in seconds, pauses aside, at which the score falls to `level`; None if it is never so."""
    peak = _peak(usage, policy)
    if usage.lasting or level <= 0 or peak <= level:
        return None
    return curve_of(usage, policy).seconds_until(level / peak)


def fades_at(usage: Usage, policy: Policy) -> datetime | None:
    """Return when the score falls to the forget level without another use; None if not within 200 years."""
    if usage.lasting or policy.forget_level <= 0:
        return None
    seconds = seconds_until(usage, policy, policy.forget_level) or 0.0
    if seconds > _HORIZON.total_seconds() or usage.last_used.year > 9000:
        return None
    return usage.last_used + timedelta(seconds=policy.pauses.stretched(usage.last_used.timestamp(), seconds))


def forgettable(usage: Usage, policy: Policy, *, now: datetime) -> bool:
    """Tell whether the score alone allows forgetting: strictly below the level, and neither pinned nor lasting."""
    return not usage.lasting and score(usage, policy, now=now) < policy.forget_level


def promotion_reason(
    usage: Usage, policy: Policy, *, now: datetime, origin: str | None = None
) -> PromotionReason | None:
    """Return why a short-term memory deserves promotion, or None.

    Web text is never promoted by rule; after a demotion a new use is needed.
    """
    if origin == "web" or not _seasoned(usage, policy):
        return None
    if usage.promoted is not None and usage.last_used <= usage.promoted:
        return None
    if score(usage, policy, now=now) >= policy.promote_threshold:
        return PromotionReason.HIGH_SCORE
    age_days = (now - usage.created) / timedelta(days=1)
    if usage.use_count >= policy.promote_use_count and age_days <= policy.promote_window_days:
        return PromotionReason.FREQUENT_USE
    return None


def _seasoned(usage: Usage, policy: Policy) -> bool:
    """Both guards against promoting what was only just saved; the save itself is the first use."""
    return usage.use_count - 1 >= policy.promote_min_uses and usage.days_used >= policy.promote_min_days


def review_priority(value: float, policy: Policy) -> float:
    """Return `1 - ((s - mid)/half)^2` inside the review zone, else 0.

    >>> [round(review_priority(s, Policy()), 2) for s in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35)]
    [0.0, 0.0, 0.75, 1.0, 0.75, 0.0]
    """
    if not policy.review_min <= value <= policy.review_max:
        return 0.0
    middle = (policy.review_min + policy.review_max) / 2
    half = (policy.review_max - policy.review_min) / 2
    return max(0.0, 1 - ((value - middle) / half) ** 2)


def review_due(usage: Usage, policy: Policy, *, now: datetime, tier: Tier = Tier.SHORT_TERM) -> bool:
    """Tell whether a short-term memory is worth showing again."""
    if tier is not Tier.SHORT_TERM or usage.lasting:
        return False
    return review_priority(score(usage, policy, now=now), policy) >= REVIEW_DUE
