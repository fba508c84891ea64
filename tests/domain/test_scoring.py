import json
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mnemex_vault.domain.decay import DAY_SECONDS, DecayCurve, Exponential, PowerLaw, TwoComponent
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.reinforcement import use
from mnemex_vault.domain.scoring import (
    Policy,
    PromotionReason,
    State,
    bounded,
    curve_of,
    fades_at,
    forgettable,
    promotion_reason,
    review_due,
    review_priority,
    score,
    seconds_until,
    state,
)

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "scoring.json").read_text())
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
POLICY = Policy()


def usage(**changes: Any) -> Usage:
    return Usage(**({"created": NOON, "last_used": NOON} | changes))


def vector_curve(row: dict[str, str]) -> DecayCurve:
    if row["model"] == "power_law":
        return PowerLaw(float(row["alpha"]), float(row["half_life_days"]))
    if row["model"] == "exponential":
        return Exponential(float(row["half_life_days"]))
    return TwoComponent(float(row["lambda_fast"]), float(row["lambda_slow"]), float(row["weight_fast"]))


def vector_case(row: dict[str, Any]) -> tuple[Usage, Policy]:
    policy = Policy(curve=vector_curve(row["curve"]), use_exponent=float(row["beta"]))
    return usage(use_count=max(1, row["use_count"]), strength=float(row["strength"])), policy


curves: st.SearchStrategy[DecayCurve] = st.one_of(
    st.builds(PowerLaw, alpha=st.floats(0.3, 4), half_life_days=st.floats(0.1, 400)),
    st.builds(Exponential, half_life_days=st.floats(0.1, 400)),
    st.just(TwoComponent()),
)
policies = st.builds(Policy, curve=curves, use_exponent=st.floats(0, 1))
usages = st.builds(
    usage,
    use_count=st.integers(1, 500),
    strength=st.floats(0, 2),
    pinned=st.booleans(),
    half_life_days=st.none() | st.floats(0.1, 400),
)
waits = st.timedeltas(timedelta(), timedelta(days=3650))


def test_scores_equal_the_reference_values() -> None:
    for row in VECTORS["score"]:
        memory, policy = vector_case(row)
        actual = score(memory, policy, now=NOON + timedelta(seconds=row["age_seconds"]))
        assert actual == pytest.approx(float(row["score"]), rel=1e-12, abs=0), row


def test_ages_at_a_level_equal_the_reference_values() -> None:
    for row in VECTORS["age_at_level"]:
        memory, policy = vector_case(row)
        actual = seconds_until(memory, policy, float(row["level"]))
        expected = row["seconds"] and pytest.approx(float(row["seconds"]), rel=1e-12)
        assert actual == expected, row


def test_review_priorities_equal_the_reference_values() -> None:
    for row in VECTORS["review_priority"]:
        expected = pytest.approx(float(row["priority"]), rel=1e-12, abs=1e-15)
        assert review_priority(float(row["score"]), POLICY) == expected, row


def test_fifty_uses_weigh_as_the_corrected_table_says() -> None:
    assert score(usage(use_count=50), POLICY, now=NOON) == pytest.approx(10.456, abs=5e-4)


@given(usages, policies, waits, st.floats(0, 1))
def test_the_score_is_linear_in_strength(memory: Usage, policy: Policy, wait: timedelta, part: float) -> None:
    weaker = usage(
        use_count=memory.use_count,
        strength=memory.strength * part,
        pinned=memory.pinned,
        half_life_days=memory.half_life_days,
    )
    expected = score(memory, policy, now=NOON + wait) * part
    assert score(weaker, policy, now=NOON + wait) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@given(usages, policies, waits, st.timedeltas(timedelta(days=-9000), timedelta(days=9000)))
def test_shifting_both_times_changes_nothing(memory: Usage, policy: Policy, wait: timedelta, shift: timedelta) -> None:
    moved = usage(
        last_used=NOON + shift,
        use_count=memory.use_count,
        strength=memory.strength,
        pinned=memory.pinned,
        half_life_days=memory.half_life_days,
    )
    assert score(moved, policy, now=NOON + shift + wait) == score(memory, policy, now=NOON + wait)


@given(usages, policies, waits, waits)
def test_a_score_never_rises_without_a_use(memory: Usage, policy: Policy, one: timedelta, other: timedelta) -> None:
    sooner, later = sorted((one, other))
    then = score(memory, policy, now=NOON + later)
    assert then <= score(memory, policy, now=NOON + sooner) * (1 + 1e-15)


@given(usages, policies, st.timedeltas(timedelta(days=-30), timedelta(days=3650)), st.booleans())
def test_a_use_never_lowers_the_score(memory: Usage, policy: Policy, wait: timedelta, boost: bool) -> None:
    now = NOON + wait
    used = use(memory, now=now, zone=UTC, boost=boost)
    assert score(used, policy, now=now) >= score(memory, policy, now=now)


@given(usages, policies)
def test_the_day_of_fading_is_where_the_score_crosses_the_level(memory: Usage, policy: Policy) -> None:
    when = fades_at(memory, policy)
    if when is None:
        assert memory.pinned or score(memory, policy, now=NOON + timedelta(days=365 * 200)) >= policy.forget_level
        return
    assert score(memory, policy, now=when + timedelta(seconds=1)) < policy.forget_level
    if when > NOON:
        assert score(memory, policy, now=when - timedelta(seconds=1)) > policy.forget_level
        assert score(memory, policy, now=when) == pytest.approx(policy.forget_level, rel=1e-6)


@given(usages, policies, waits)
def test_forgetting_and_fading_agree(memory: Usage, policy: Policy, wait: timedelta) -> None:
    when = fades_at(memory, policy)
    assume(when is None or abs(when - NOON - wait) > timedelta(seconds=1))
    assert forgettable(memory, policy, now=NOON + wait) is (when is not None and NOON + wait > when)


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_the_bounded_score_keeps_the_order_and_stays_below_one(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= bounded(low, POLICY) <= bounded(high, POLICY) < 1


def test_a_pinned_memory_does_not_decay() -> None:
    pinned = usage(pinned=True)
    later = NOON + 1000 * DAY
    assert score(pinned, POLICY, now=later) == 1.0
    assert state(pinned, POLICY, now=later) is State.PINNED
    assert not forgettable(pinned, POLICY, now=later)
    assert not forgettable(usage(pinned=True, strength=0), POLICY, now=later)
    assert fades_at(pinned, POLICY) is None
    assert seconds_until(pinned, POLICY, 0.05) is None
    assert not review_due(pinned, POLICY, now=later)


def test_a_memory_may_have_its_own_half_life() -> None:
    slow = usage(half_life_days=30)
    assert score(slow, POLICY, now=NOON + 30 * DAY) == pytest.approx(0.5, rel=1e-12)
    assert curve_of(slow, POLICY) == PowerLaw(half_life_days=30)
    assert curve_of(usage(), POLICY) is POLICY.curve


def test_exactly_the_threshold_is_not_forgotten() -> None:
    policy = Policy(curve=Exponential(), forget_threshold=0.5)
    assert not forgettable(usage(), policy, now=NOON + 3 * DAY)
    assert forgettable(usage(), policy, now=NOON + 3 * DAY + timedelta(seconds=1))


def test_the_same_threshold_means_other_days_under_other_curves() -> None:
    power, exponential = fades_at(usage(), POLICY), fades_at(usage(), Policy(curve=Exponential()))
    assert power is not None
    assert exponential is not None
    assert (power - NOON) / DAY == pytest.approx(48.6, abs=0.05)
    assert (exponential - NOON) / DAY == pytest.approx(13.0, abs=0.05)


@given(curves, st.floats(1, 100))
def test_forgetting_may_be_given_in_days(curve: DecayCurve, days: float) -> None:
    policy = Policy(curve=curve, forget_after_days=days)
    assume(policy.forget_level > 1e-6)
    when = fades_at(usage(), policy)
    assert when is not None
    assert (when - NOON).total_seconds() == pytest.approx(days * DAY_SECONDS, rel=1e-6)


def test_a_memory_that_starts_below_the_level_has_faded_at_once() -> None:
    assert fades_at(usage(strength=0.04), POLICY) == NOON
    assert fades_at(usage(strength=0), POLICY) == NOON
    assert seconds_until(usage(strength=0.04), POLICY, 0.05) is None


def test_a_threshold_of_zero_forgets_nothing() -> None:
    policy = Policy(forget_threshold=0)
    assert fades_at(usage(), policy) is None
    assert seconds_until(usage(), policy, 0) is None
    assert not forgettable(usage(strength=0), policy, now=NOON + 1000 * DAY)


def test_a_day_of_fading_that_nobody_will_see_is_not_shown() -> None:
    assert fades_at(usage(half_life_days=100_000), POLICY) is None
    assert fades_at(usage(), Policy(forget_threshold=1e-300)) is None
    assert fades_at(usage(last_used=datetime(9990, 1, 1, tzinfo=UTC)), POLICY) is None


def test_a_mistyped_count_does_not_leave_the_range_of_numbers() -> None:
    assert math.isfinite(score(usage(use_count=10**400), Policy(use_exponent=10), now=NOON))


@pytest.mark.parametrize(
    ("strength", "expected"),
    [
        (0.0, State.FADING),
        (0.1499, State.FADING),
        (0.15, State.DUE),
        (0.3499, State.DUE),
        (0.35, State.FRESH),
        (2.0, State.FRESH),
    ],
)
def test_the_state_for_people_follows_the_unrounded_score(strength: float, expected: State) -> None:
    assert state(usage(strength=strength), POLICY, now=NOON) is expected


def seasoned(**changes: Any) -> Usage:
    return usage(**({"use_count": 4, "days_used": 2} | changes))


def reason(memory: Usage, policy: Policy = POLICY, *, after: timedelta = timedelta(), **more: Any) -> object:
    return promotion_reason(memory, policy, now=NOON + after, **more)


def test_a_high_score_promotes_once_the_memory_is_seasoned() -> None:
    assert reason(seasoned()) is PromotionReason.HIGH_SCORE
    assert reason(seasoned(use_count=3)) is None
    assert reason(seasoned(days_used=1)) is None


def test_a_score_of_exactly_the_threshold_promotes() -> None:
    policy = Policy(use_exponent=0, promote_threshold=0.65)
    assert reason(seasoned(strength=0.65), policy) is PromotionReason.HIGH_SCORE
    assert reason(seasoned(strength=0.6499), policy) is None


def test_frequent_use_promotes_within_the_window() -> None:
    faint = seasoned(use_count=5, strength=0.1)
    assert reason(faint, after=14 * DAY) is PromotionReason.FREQUENT_USE
    assert reason(faint, after=14 * DAY + timedelta(seconds=1)) is None
    assert reason(seasoned(use_count=4, strength=0.1)) is None


def test_a_note_from_the_future_is_of_age_zero() -> None:
    assert reason(seasoned(use_count=5, strength=0.1), after=-10 * DAY) is PromotionReason.FREQUENT_USE


def test_guards_of_zero_are_switched_off() -> None:
    policy = Policy(promote_min_uses=0, promote_min_days=0)
    assert reason(usage(), policy) is PromotionReason.HIGH_SCORE


def test_web_text_is_never_promoted_by_rule() -> None:
    assert reason(seasoned(), origin="web") is None
    assert reason(seasoned(), origin="ai") is PromotionReason.HIGH_SCORE


def test_after_a_demotion_a_new_use_is_needed() -> None:
    assert reason(seasoned(promoted=NOON)) is None
    assert reason(seasoned(promoted=NOON - DAY)) is PromotionReason.HIGH_SCORE


def test_an_endless_promotion_window_is_counted_without_overflow() -> None:
    policy = Policy(promote_window_days=1e300)
    assert reason(seasoned(use_count=5, strength=0.1), policy, after=1000 * DAY) is PromotionReason.FREQUENT_USE


def test_review_is_due_inside_the_zone_of_short_term_memories_only() -> None:
    middling = usage(strength=0.25)
    assert review_due(middling, POLICY, now=NOON)
    assert not review_due(middling, POLICY, now=NOON, tier=Tier.LONG_TERM)
    assert not review_due(usage(strength=0.16), POLICY, now=NOON)
    assert not review_due(usage(), POLICY, now=NOON)


def test_a_policy_names_every_value_that_is_out_of_range() -> None:
    with pytest.raises(ValueError, match="use_exponent") as caught:
        Policy(use_exponent=math.nan, forget_threshold=2, forget_after_days=0, promote_min_days=-1)
    assert len(str(caught.value).split("; ")) == 4


@pytest.mark.parametrize(
    "changes",
    [
        {"use_exponent": 11},
        {"forget_after_days": math.inf},
        {"promote_threshold": -0.1},
        {"promote_use_count": 0},
        {"promote_window_days": 0},
        {"promote_min_uses": -1},
        {"review_min": 0.4},
        {"review_max": 1.5},
    ],
)
def test_each_setting_of_a_policy_has_a_range(changes: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        Policy(**changes)  # type: ignore[arg-type]
