from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.reinforcement import is_cross_domain, observe, use

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEW = Usage(created=NOON, last_used=NOON)
HOUR = timedelta(hours=1)


def test_a_use_on_the_same_day_counts_once_and_moves_last_used() -> None:
    used = use(NEW, now=NOON + HOUR, zone=UTC)
    assert (used.use_count, used.days_used, used.last_used, used.strength) == (2, 1, NOON + HOUR, 1.0)


def test_a_use_on_the_next_day_is_another_day_of_use() -> None:
    assert use(NEW, now=NOON + 12 * HOUR, zone=UTC).days_used == 2


def test_days_are_those_of_the_persons_time_zone() -> None:
    auckland = ZoneInfo("Pacific/Auckland")
    assert use(NEW, now=NOON + 22 * HOUR, zone=auckland).days_used == 1
    assert use(NEW, now=NOON + 23 * HOUR, zone=auckland).days_used == 2
    assert use(Usage(created=NOON, last_used=NOON - 2 * HOUR), now=NOON, zone=auckland).days_used == 2


def test_a_clock_that_went_back_never_lowers_last_used() -> None:
    used = use(NEW, now=NOON - 48 * HOUR, zone=UTC)
    assert (used.last_used, used.days_used, used.use_count) == (NOON, 1, 2)


def test_a_boost_adds_a_tenth_and_stops_at_two() -> None:
    assert use(NEW, now=NOON, zone=UTC, boost=True).strength == pytest.approx(1.1)
    strong = Usage(created=NOON, last_used=NOON, strength=1.95)
    assert use(strong, now=NOON, zone=UTC, boost=True).strength == 2.0


def test_an_observation_is_a_use_and_a_review() -> None:
    seen = observe(NEW, now=NOON + HOUR, zone=UTC, cross_domain=False)
    assert (seen.use_count, seen.review_count, seen.last_review) == (2, 1, NOON + HOUR)
    assert (seen.cross_domain_count, seen.strength) == (0, 1.0)


def test_use_in_another_domain_strengthens_and_stops_at_two() -> None:
    seen = observe(NEW, now=NOON, zone=UTC, cross_domain=True)
    assert seen.cross_domain_count == 1
    assert seen.strength == pytest.approx(1.05)
    strong = Usage(created=NOON, last_used=NOON, strength=1.99)
    assert observe(strong, now=NOON, zone=UTC, cross_domain=True).strength == 2.0


def test_a_clock_that_went_back_never_lowers_the_last_review() -> None:
    seen = observe(NEW, now=NOON, zone=UTC, cross_domain=False)
    assert observe(seen, now=NOON - HOUR, zone=UTC, cross_domain=False).last_review == NOON


@given(st.lists(st.tuples(st.timedeltas(-timedelta(days=9), timedelta(days=99)), st.booleans()), max_size=20))
def test_uses_only_ever_add(steps: list[tuple[timedelta, bool]]) -> None:
    before = NEW
    for step, boost in steps:
        after = use(before, now=NOON + step, zone=UTC, boost=boost)
        assert after.use_count == before.use_count + 1
        assert after.days_used in (before.days_used, before.days_used + 1)
        assert after.last_used >= before.last_used
        assert before.strength <= after.strength <= 2
        before = after


@pytest.mark.parametrize(
    ("tags", "context", "crosses"),
    [
        (["security", "jwt", "preferences"], ["api", "auth", "backend"], True),
        (["a", "b", "c"], ["a", "b", "d"], False),
        (["a", "b", "c"], ["c", "d", "e"], True),
        (["#Machine Learning"], ["machine_learning"], False),
        ([" "], ["a"], False),
        ([], ["a"], False),
        (["a"], [], False),
        ([], [], False),
    ],
)
def test_domains_are_compared_by_normalised_tags(tags: list[str], context: list[str], crosses: bool) -> None:
    assert is_cross_domain(tags, context) is crosses
