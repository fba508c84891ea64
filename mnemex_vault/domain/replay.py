"""What becomes of memories whose uses are known, under a given policy: promoted, forgotten, missed.

Rules are applied once a day, at midnight UTC, before a use of the same moment. What was forgotten and is needed again
is told again: it begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo

from mnemex_vault.domain import reinforcement, scoring
from mnemex_vault.domain.decay import Pauses, day_of
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.scoring import Policy

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """When a memory was saved and used, in ascending order, and what it was given besides."""

    born: datetime
    uses: Sequence[datetime] = ()
    strength: float = 1.0
    lasting: bool = False
    half_life_days: float | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """When a memory was promoted and forgotten, and which of its uses came when it was forgotten."""

    promoted: datetime | None
    forgotten: Sequence[datetime]
    missed: Sequence[datetime]
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A policy in figures; `needed_later` are memories that were used after they had been forgotten."""

    memories: int
    promoted: int
    forgotten: int
    needed_later: int
    uses: int
    missed: int
    kept: int


def pauses_of(lives: Iterable[Life]) -> Pauses:
    """Return in which times none of these memories was used."""
    days = {day_of(moment) for life in lives for moment in (life.born, *life.uses)}
    return Pauses.between([(day, day, 1) for day in days])


def fate(life: Life, policy: Policy, *, zone: tzinfo, end: datetime) -> Fate:
    """Return what becomes of a memory until `end`; days of use are counted in `zone`."""
    usage = _saved(life, life.born)
    forgotten: list[datetime] = []
    missed: list[datetime] = []
    for moment in (use for use in life.uses if use <= end):
        promoted = _promotion(life, usage, policy, before=moment)
        if promoted is not None:
            return Fate(promoted=promoted, forgotten=forgotten, missed=missed, kept=True)
        gone = _forgetting(usage, policy, before=moment)
        if gone is None:
            usage = reinforcement.use(usage, now=moment, zone=zone)
        else:
            forgotten.append(gone)
            missed.append(moment)
            usage = _saved(life, moment)
    promoted = _promotion(life, usage, policy, before=end)
    if promoted is not None:
        return Fate(promoted=promoted, forgotten=forgotten, missed=missed, kept=True)
    gone = _forgetting(usage, policy, before=end)
    forgotten += [] if gone is None else [gone]
    return Fate(promoted=None, forgotten=forgotten, missed=missed, kept=gone is None)


def _saved(life: Life, moment: datetime) -> Usage:
    return Usage(
        created=moment,
        last_used=moment,
        strength=life.strength,
        pinned=life.lasting,
        half_life_days=life.half_life_days,
    )


def _promotion(life: Life, usage: Usage, policy: Policy, *, before: datetime) -> datetime | None:
    """Return the first midnight after the last use if the memory deserves it then; later it deserves it less."""
    midnight = next_midnight(usage.last_used)
    if midnight > before:
        return None
    reason = scoring.promotion_reason(usage, policy, now=midnight, origin=life.origin)
    return None if reason is None else midnight


def _forgetting(usage: Usage, policy: Policy, *, before: datetime) -> datetime | None:
    fades_at = scoring.fades_at(usage, policy)
    if fades_at is None or fades_at >= before:
        return None
    midnight = next_midnight(fades_at)
    return midnight if midnight <= before else None


def next_midnight(moment: datetime) -> datetime:
    """Return the first midnight UTC after a moment.

    >>> next_midnight(datetime(2026, 3, 1, 0, 0, tzinfo=UTC)).isoformat()
    '2026-03-02T00:00:00+00:00'
    """
    return datetime.combine(moment.astimezone(UTC).date() + _DAY, time(), UTC)


def outcome(lives: Iterable[Life], policy: Policy, *, zone: tzinfo, end: datetime) -> Outcome:
    """Return what a policy makes of all memories until `end`."""
    total = Outcome(memories=0, promoted=0, forgotten=0, needed_later=0, uses=0, missed=0, kept=0)
    for life in lives:
        found = fate(life, policy, zone=zone, end=end)
        total = replace(
            total,
            memories=total.memories + 1,
            promoted=total.promoted + (found.promoted is not None),
            forgotten=total.forgotten + bool(found.forgotten),
            needed_later=total.needed_later + bool(found.missed),
            uses=total.uses + sum(use <= end for use in life.uses),
            missed=total.missed + len(found.missed),
            kept=total.kept + found.kept,
        )
    return total
