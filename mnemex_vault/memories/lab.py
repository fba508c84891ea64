"""The decay lab: the lives of memories, from the vault and its journal or made up, to be lived under other settings."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemex_vault.domain.decay import Pauses, Span, day_of
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.replay import Life
from mnemex_vault.history.journal import Operation
from mnemex_vault.memories.face import Memories

BIRTHS_A_DAY = 10
_TOPICS = 25
_BURST_DAYS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The lives of the memories of a vault, and when none was used; of `guessed_uses` nobody wrote down the time."""

    lives: Sequence[Life]
    pauses: Pauses
    guessed_uses: int


def recorded(memories: Memories) -> Recorded:
    """Return what the notes and the journal tell: when each memory was saved, and when it was used.

    Uses whose time is not known are spread evenly over the time until the last one.
    """
    times = _uses_by_path(memories.history(limit=None))
    usage_of = memories.usages()
    lives, guessed = [], 0
    spans: set[Span] = set()
    for entry in memories.all():
        usage = usage_of(entry)
        known = {each for each in (*times.get(entry.path, ()), usage.last_used) if each > usage.created}
        guesses = _spread(usage, max(0, usage.use_count - 1 - len(known)))
        guessed += len(guesses)
        spans |= {(day, day, 1) for day in map(day_of, (usage.created, *known))}
        spans.add((day_of(usage.created), day_of(max(usage.created, usage.last_used)), usage.days_used))
        lives.append(_life(usage, sorted([*known, *guesses]), origin=entry.origin))
    return Recorded(lives=lives, pauses=Pauses.between(spans), guessed_uses=guessed)


def _spread(usage: Usage, count: int) -> list[datetime]:
    span = usage.last_used - usage.created
    return [usage.created + span * number / (count + 1) for number in range(1, count + 1)] if span else []


def _life(usage: Usage, uses: Sequence[datetime], *, origin: str | None) -> Life:
    return Life(
        born=usage.created,
        uses=uses,
        strength=usage.strength,
        lasting=usage.lasting,
        half_life_days=usage.half_life_days,
        origin=origin,
    )


def _uses_by_path(operations: Iterable[Operation]) -> dict[str, list[datetime]]:
    """Return the times of uses by the path where the note lies now; the operations come newest first."""
    now_at: dict[str, str] = {}
    found: defaultdict[str, list[datetime]] = defaultdict(list)
    for operation in operations:
        for step in reversed(operation.steps):
            if step.to is not None:
                now_at[step.path] = now_at.pop(step.to, step.to)
        if operation.uses:
            for path in {step.path for step in operation.steps}:
                found[now_at.get(path, path)].append(operation.at)
    return found


def made_up(*, start: datetime, days: int, seed: int = 0) -> list[Life]:
    """Return lives as people's needs make them, after Anderson and Milson (1989).

    Every memory has a desirability of its own, fades with a half-life of its own (half a day to 120 days), and comes
    back when its topic does. The same seed gives the same lives.
    """
    chance = random.Random(seed)
    bursts = [sorted(_times(chance, days / _BURST_DAYS, days)) for _ in range(_TOPICS)]
    popularity = [chance.gammavariate(0.5, 1.0) for _ in range(_TOPICS)]
    lives = []
    for born in sorted(chance.uniform(0, days) for _ in range(days * BIRTHS_A_DAY)):
        (topic,) = chance.choices(bursts, popularity)
        revivals = [burst for burst in topic if burst > born and chance.random() < 0.5]
        desirability = chance.gammavariate(0.5, 0.35)
        rate = math.log(2) / math.exp(chance.uniform(math.log(0.5), math.log(120)))
        needs = sorted(need for begin in (born, *revivals) for need in _needs(chance, desirability, rate, begin, days))
        uses = [start + timedelta(days=need) for need in needs]
        lives.append(Life(born=start + timedelta(days=born), uses=uses))
    return lives


def _needs(chance: random.Random, desirability: float, rate: float, begin: float, days: int) -> Iterator[float]:
    """Yield the days of needs that become rarer from `begin` on."""
    whole = 1 - math.exp(-rate * (days - begin))
    for share in _times(chance, desirability / rate * whole, 1.0):
        yield begin - math.log(1 - share * whole) / rate


def _times(chance: random.Random, expected: float, span: float) -> Iterator[float]:
    """Yield the moments of a Poisson process with so many expected within the span, not in order."""
    passed = chance.expovariate(1.0)
    while passed < expected:
        yield chance.uniform(0, span)
        passed += chance.expovariate(1.0)
