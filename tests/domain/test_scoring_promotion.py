"""The promotion rule in a world of needs that no decay curve made (World A of the bench, seeds 0 to 2)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from mnemex_vault.domain.replay import Life, fate
from mnemex_vault.domain.scoring import Policy
from tests.bench.worlds import DAYS, world

START = datetime(2026, 1, 1, tzinfo=UTC)
END = START + timedelta(days=DAYS)
# so long after a promotion the needs are counted; a memory born or promoted later is not judged
AFTERWARDS = timedelta(days=30)


@dataclass(frozen=True)
class Judged:
    """How many memories were promoted, how many of these were needed again, how many later needs they cover."""

    memories: int
    promoted: int
    judged: int
    needed_again: int
    later_needs: int
    covered: int


def judge(seed: int, policy: Policy) -> Judged:
    made = world("A", seed)
    needs: defaultdict[int, list[datetime]] = defaultdict(list)
    for need in made.needs:
        needs[need.memory].append(START + timedelta(days=need.day))
    lives = [Life(born=START + timedelta(days=day), uses=needs[at]) for at, day in enumerate(made.births)]
    lives = [life for life in lives if life.born <= END - AFTERWARDS]
    # never forgotten, so that the rule alone is judged
    kept = [(life, fate(life, policy, zone=UTC, end=END).promoted) for life in lives]
    judged = [(life, promoted) for life, promoted in kept if promoted and promoted <= END - AFTERWARDS]
    again = [any(promoted < use <= promoted + AFTERWARDS for use in life.uses) for life, promoted in judged]
    later = [promoted is not None for life, promoted in kept for use in life.uses if use > END - AFTERWARDS]
    return Judged(
        memories=len(kept),
        promoted=sum(promoted is not None for _, promoted in kept),
        judged=len(judged),
        needed_again=sum(again),
        later_needs=len(later),
        covered=sum(later),
    )


@pytest.fixture(scope="module")
def worlds() -> list[Judged]:
    return [judge(seed, Policy(forget_threshold=0)) for seed in range(3)]


def test_a_third_is_promoted_and_not_all(worlds: list[Judged]) -> None:
    assert all(0.30 <= each.promoted / each.memories <= 0.45 for each in worlds)


def test_what_is_promoted_is_needed_again_within_a_month(worlds: list[Judged]) -> None:
    assert sum(each.needed_again for each in worlds) / sum(each.judged for each in worlds) >= 0.90


def test_what_is_promoted_covers_what_is_needed_later(worlds: list[Judged]) -> None:
    assert all(each.covered / each.later_needs >= 0.90 for each in worlds)


def test_without_the_guards_everything_would_be_promoted() -> None:
    unguarded = judge(0, Policy(forget_threshold=0, promote_min_uses=0, promote_min_days=0))
    assert unguarded.promoted == unguarded.memories
    assert unguarded.needed_again / unguarded.judged < 0.7
