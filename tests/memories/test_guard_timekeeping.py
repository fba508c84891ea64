from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.memories.guard import JUMP, Timekeeping, looked

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def after(*days: float) -> Timekeeping:
    """Look at a clock that says noon, and then so many days after it each time."""
    return looking(NOON + timedelta(days=each) for each in (0, *days))


def looking(moments: Iterable[datetime]) -> Timekeeping:
    known = reduce(looked, moments, None)
    assert known is not None
    return known


def test_time_that_passes_little_by_little_is_believed() -> None:
    assert after(1, 2, 9, 16) == Timekeeping(NOON + timedelta(days=16))
    assert after(-1, -7) == Timekeeping(NOON - timedelta(days=7))


def test_after_a_jump_time_stands_still() -> None:
    for jump in (400, -400, 7.01, -7.01):
        known = after(jump)
        assert known.believed == NOON
        assert known.since == NOON + timedelta(days=jump)


def test_a_clock_that_is_right_again_is_believed_at_once() -> None:
    assert after(400, 0.1) == Timekeeping(NOON + timedelta(days=0.1))
    assert after(400, 401, 800, 2) == Timekeeping(NOON + timedelta(days=2))


def test_a_week_of_agreeing_time_confirms_a_jump() -> None:
    assert after(400, 403, 406).believed == NOON
    assert after(400, 403, 407).believed == NOON + timedelta(days=407)


def test_each_further_jump_begins_the_week_anew() -> None:
    assert after(400, 403, 800, 804).believed == NOON
    assert after(400, 403, 800, 807).believed == NOON + timedelta(days=807)


@given(st.lists(st.floats(-1000, 1000), max_size=20))
def test_from_one_look_to_the_next_nothing_grows_older_than_a_week_but_by_a_week_that_agrees(days: list[float]) -> None:
    known = Timekeeping(NOON)
    for each in days:
        now = NOON + timedelta(days=each)
        next_known = looked(known, now)
        confirmed = known.since is not None and abs(now - known.last) <= JUMP and now - known.since >= JUMP
        assert next_known.believed - known.believed <= JUMP or confirmed
        known = next_known
