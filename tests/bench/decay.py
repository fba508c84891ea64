"""What decay is worth; run `python -m tests.bench.decay [--seeds 3] [--share 0.1] [--json]` (needs numpy).

A store that holds a share of all memories ever born keeps those that a policy values most. A need whose memory is kept
is a hit; else the user has to tell it again, and it comes back as new. Hits are counted from day 15. The curves are
the package's own. Belady is the best that can be: it knows the future.
"""

from __future__ import annotations

import argparse
import bisect
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import fmean

from mnemex_vault.domain import reinforcement, scoring
from mnemex_vault.domain.decay import DecayCurve, Exponential, PowerLaw, TwoComponent
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.scoring import Policy
from tests.bench.worlds import DAYS, Kind, World, world

START = datetime(2026, 1, 1, tzinfo=UTC)
COUNTED_FROM = 15.0

# what a kept memory is worth at a moment: its number, its bookkeeping, the moment
Value = Callable[[int, Usage, datetime], float]


def moment(day: float) -> datetime:
    return START + timedelta(days=day)


def scored(curve: DecayCurve, *, beta: float = 0.6) -> Value:
    policy = Policy(curve=curve, use_exponent=beta)
    return lambda _, usage, now: scoring.score(usage, policy, now=now)


def belady(made: World) -> Value:
    """Value what is needed soonest."""
    needs: defaultdict[int, list[datetime]] = defaultdict(list)
    for need in made.needs:
        needs[need.memory].append(moment(need.day))

    def value(memory: int, _: Usage, now: datetime) -> float:
        at = bisect.bisect_right(needs[memory], now)
        return -needs[memory][at].timestamp() if at < len(needs[memory]) else float("-inf")

    return value


def policies(made: World, seed: int) -> Mapping[str, Value]:
    chance = Random(seed)
    return {
        "Belady (knows the future)": belady(made),
        "power law, 3 days (default)": scored(PowerLaw()),
        "power law, 7 days": scored(PowerLaw(half_life_days=7)),
        "power law, 3 days, beta 1": scored(PowerLaw(), beta=1),
        "exponential, 3 days": scored(Exponential()),
        "exponential, 14 days": scored(Exponential(half_life_days=14)),
        "two components": scored(TwoComponent()),
        "LRU": lambda _, usage, now: usage.last_used.timestamp(),
        "LFU": lambda _, usage, now: usage.use_count,
        "FIFO": lambda _, usage, now: usage.created.timestamp(),
        "random": lambda *_: chance.random(),
    }


@dataclass
class Store:
    """Keeps at most so many memories, the most valuable ones."""

    size: int
    value: Value

    def __post_init__(self) -> None:
        self.kept: dict[int, Usage] = {}
        self.asked = self.hits = 0

    def save(self, memory: int, now: datetime) -> None:
        if len(self.kept) >= self.size:
            worst = min(self.kept, key=lambda each: (self.value(each, self.kept[each], now), each))
            del self.kept[worst]
        self.kept[memory] = Usage(created=now, last_used=now)

    def need(self, memory: int, now: datetime, *, counted: bool) -> None:
        usage = self.kept.get(memory)
        self.asked += counted
        self.hits += counted and usage is not None
        if usage is None:
            self.save(memory, now)
        else:
            self.kept[memory] = reinforcement.use(usage, now=now, zone=UTC)


def hit_rate(made: World, value: Value, share: float) -> float:
    store = Store(round(len(made.births) * share), value)
    births = [(day, 0, memory) for memory, day in enumerate(made.births)]
    for day, kind, memory in sorted([*births, *((need.day, 1, need.memory) for need in made.needs)]):
        if kind == 0:
            store.save(memory, moment(day))
        else:
            store.need(memory, moment(day), counted=day >= COUNTED_FROM)
    return store.hits / store.asked


def compare(kind: Kind, seeds: int, share: float) -> dict[str, float]:
    """Return the mean hit rate of every policy in worlds of one kind."""
    rates: defaultdict[str, list[float]] = defaultdict(list)
    for seed in range(seeds):
        made = world(kind, seed)
        for name, value in policies(made, seed).items():
            rates[name].append(hit_rate(made, value, share))
    return {name: fmean(found) for name, found in rates.items()}


def gain(rate: float, rates: Mapping[str, float]) -> float:
    """Return where a rate lies between random (0) and Belady (1)."""
    best, worst = rates["Belady (knows the future)"], rates["random"]
    return (rate - worst) / (best - worst)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    kinds: tuple[Kind, ...] = ("A", "B", "C")
    found = {kind: compare(kind, given.seeds, given.share) for kind in kinds}
    if given.json:
        print(json.dumps({"seeds": given.seeds, "share": given.share, "hit_rates": found}))
        return
    print(f"{DAYS} days, {given.seeds} seeds, a store of {given.share:.0%}: hit rate (gain between random and Belady)")
    print(f"{'':<30}" + "".join(f"{f'world {kind}':>16}" for kind in kinds))
    for name in found["A"]:
        cells = [f"{found[kind][name]:.3f} ({gain(found[kind][name], found[kind]):+.2f})" for kind in kinds]
        print(f"{name:<30}" + "".join(f"{cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()
