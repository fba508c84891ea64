"""Lives lived again: the shortcut from use to use equals looking at every memory every day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain import reinforcement, scoring
from mnemex_vault.domain.decay import Exponential, PowerLaw, TwoComponent
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.replay import Life, fate, next_midnight, outcome
from mnemex_vault.domain.scoring import Policy

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
END = START + timedelta(days=90)
CURVES = [PowerLaw(half_life_days=1), Exponential(), TwoComponent()]


def day_by_day(life: Life, policy: Policy) -> tuple[datetime | None, list[datetime], list[datetime]]:
    """Look at the memory every midnight, without any shortcut."""
    usage: Usage | None = Usage(created=life.born, last_used=life.born)
    forgotten: list[datetime] = []
    missed: list[datetime] = []
    uses = [use for use in life.uses if use <= END]
    midnight = next_midnight(life.born)
    while midnight <= END or uses:
        while uses and uses[0] < midnight:
            use = uses.pop(0)
            if usage is None:
                missed.append(use)
                usage = Usage(created=use, last_used=use)
            else:
                usage = reinforcement.use(usage, now=use, zone=UTC)
        if midnight > END:
            break
        if usage and scoring.promotion_reason(usage, policy, now=midnight):
            return midnight, forgotten, missed
        if usage and scoring.forgettable(usage, policy, now=midnight):
            forgotten.append(midnight)
            usage = None
        midnight += timedelta(days=1)
    return None, forgotten, missed


days = st.floats(min_value=0.1, max_value=89, allow_nan=False)


@given(st.lists(days, max_size=12), st.sampled_from(CURVES))
def test_the_shortcut_equals_looking_every_day(
    needs: list[float], curve: PowerLaw | Exponential | TwoComponent
) -> None:
    life = Life(born=START, uses=[START + timedelta(days=need) for need in sorted(needs)])
    policy = Policy(curve=curve)
    found = fate(life, policy, zone=UTC, end=END)
    assert (found.promoted, list(found.forgotten), list(found.missed)) == day_by_day(life, policy)


def test_what_is_never_used_is_forgotten_once_and_not_missed() -> None:
    found = fate(Life(born=START), Policy(), zone=UTC, end=END)
    assert [(day - START).days for day in found.forgotten] == [49]
    assert (found.promoted, found.missed, found.kept) == (None, [], False)


def test_what_does_not_fade_is_kept() -> None:
    assert fate(Life(born=START, lasting=True), Policy(), zone=UTC, end=END).kept


def test_what_comes_after_it_was_forgotten_is_missed_and_begins_anew() -> None:
    late = START + timedelta(days=60)
    found = fate(Life(born=START, uses=[late]), Policy(), zone=UTC, end=END)
    assert (found.missed, found.kept) == ([late], True)


def test_an_outcome_counts_memories_and_uses() -> None:
    lives = [
        Life(born=START),
        Life(born=START, uses=[START + timedelta(days=60)]),
        Life(born=START, uses=[START + timedelta(days=day) for day in (1, 2, 3)]),
    ]
    found = outcome(lives, Policy(), zone=UTC, end=END)
    assert (found.memories, found.promoted, found.forgotten, found.needed_later) == (3, 1, 2, 1)
    assert (found.uses, found.missed, found.kept) == (4, 1, 2)


@pytest.mark.parametrize("level", [0.05, 0.1])
def test_a_higher_level_never_forgets_less(level: float) -> None:
    lives = [Life(born=START, uses=[START + timedelta(days=day)]) for day in range(1, 80)]
    forgotten = [
        outcome(lives, Policy(forget_threshold=each), zone=UTC, end=END).forgotten for each in (level, level * 1.5)
    ]
    assert forgotten[0] <= forgotten[1]
