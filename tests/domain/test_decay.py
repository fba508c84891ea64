import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mnemex_vault.domain.decay import DAY_SECONDS, DecayCurve, Exponential, Pauses, PowerLaw, Span, TwoComponent

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "scoring.json").read_text())

half_lives = st.floats(0.01, 10_000)
curves: st.SearchStrategy[DecayCurve] = st.one_of(
    st.builds(PowerLaw, alpha=st.floats(0.05, 10), half_life_days=half_lives),
    st.builds(Exponential, half_life_days=half_lives),
    st.builds(
        TwoComponent,
        rate_fast=st.floats(1e-6, 1e-2),
        rate_slow=st.floats(1e-8, 1e-5),
        weight_fast=st.floats(0, 1),
    ),
)
ages = st.floats(0, 50 * 365 * DAY_SECONDS)


def curve_of(row: dict[str, Any]) -> DecayCurve:
    model, values = row["model"], {key: float(value) for key, value in row.items() if key != "model"}
    if model == "power_law":
        return PowerLaw(values["alpha"], values["half_life_days"])
    if model == "exponential":
        return Exponential(values["half_life_days"])
    return TwoComponent(values["lambda_fast"], values["lambda_slow"], values["weight_fast"])


def test_retention_equals_the_reference_values() -> None:
    for row in VECTORS["score"]:
        actual = curve_of(row["curve"]).retention(row["age_seconds"])
        assert actual == pytest.approx(float(row["retention"]), rel=1e-12, abs=0), row


def test_the_right_rows_of_the_published_exponential_table() -> None:
    table = {0.5: 0.8909, 1: 0.7937, 3: 0.5, 7: 0.1984, 14: 0.0394, 30: 0.00098}
    for days, expected in table.items():
        assert Exponential().retention(days * DAY_SECONDS) == pytest.approx(expected, abs=5e-5)


@given(curves)
def test_nothing_is_lost_at_age_zero(curve: DecayCurve) -> None:
    assert curve.retention(0) == pytest.approx(1, rel=1e-15)


@given(curves, st.floats(0, 1e12))
def test_a_negative_age_counts_as_zero(curve: DecayCurve, seconds: float) -> None:
    assert curve.retention(-seconds) == curve.retention(0)


@given(st.floats(0.05, 10), half_lives)
def test_half_is_left_of_a_power_law_after_its_half_life(alpha: float, days: float) -> None:
    assert PowerLaw(alpha, days).retention(days * DAY_SECONDS) == pytest.approx(0.5, rel=1e-12)


@given(half_lives)
def test_half_is_left_of_an_exponential_after_its_half_life(days: float) -> None:
    assert Exponential(days).retention(days * DAY_SECONDS) == pytest.approx(0.5, rel=1e-12)


@given(curves, half_lives)
def test_another_half_life_holds_for_every_curve(curve: DecayCurve, days: float) -> None:
    changed = curve.with_half_life(days)
    assert changed.retention(days * DAY_SECONDS) == pytest.approx(0.5, rel=1e-9)
    assert changed.half_life_days == pytest.approx(days, rel=1e-9)


@given(curves, ages, ages)
def test_retention_never_rises_with_age(curve: DecayCurve, one: float, other: float) -> None:
    younger, older = sorted((one, other))
    assert curve.retention(older) <= curve.retention(younger) * (1 + 1e-15)
    assert 0 <= curve.retention(older) <= 1


@given(curves, st.floats(0.01, 1))
def test_the_age_of_a_level_leaves_that_level(curve: DecayCurve, level: float) -> None:
    seconds = curve.seconds_until(level)
    assume(seconds < 1e15)
    assert curve.retention(seconds) == pytest.approx(level, rel=1e-9)


def test_the_default_two_component_curve_halves_in_less_than_a_day() -> None:
    assert TwoComponent().half_life_days == pytest.approx(0.824, abs=5e-4)


def test_the_whole_of_two_components_is_left_at_the_start() -> None:
    assert TwoComponent().seconds_until(1.0) == pytest.approx(0, abs=1e-9)


def test_a_rate_is_a_half_life_in_disguise() -> None:
    assert Exponential.from_rate(2.673e-6).retention(1e6) == pytest.approx(math.exp(-2.673), rel=1e-12)


def test_a_flat_power_law_reaches_a_tiny_level_never_rather_than_failing() -> None:
    assert PowerLaw(alpha=0.01).seconds_until(1e-9) == math.inf


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_parameters_that_make_no_curve_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="half_life_days"):
        PowerLaw(half_life_days=value)
    with pytest.raises(ValueError, match="alpha"):
        PowerLaw(alpha=value)
    with pytest.raises(ValueError, match="half_life_days"):
        Exponential(value)
    with pytest.raises(ValueError, match="rate"):
        Exponential.from_rate(value)
    with pytest.raises(ValueError, match="rate_slow"):
        TwoComponent(rate_slow=value)
    with pytest.raises(ValueError, match="half_life_days"):
        TwoComponent().with_half_life(value)


def test_an_alpha_too_small_for_doubles_is_refused() -> None:
    with pytest.raises(ValueError, match="alpha must be at least"):
        PowerLaw(alpha=0.0005)


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan])
def test_a_weight_outside_zero_to_one_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weight_fast"):
        TwoComponent(weight_fast=weight)


days = st.integers(0, 400)
spans: st.SearchStrategy[list[Span]] = st.lists(
    st.tuples(days, days, st.integers(1, 60)).map(lambda each: (min(each[:2]), max(each[:2]), each[2])), max_size=12
)
moments = st.floats(0, 500 * DAY_SECONDS)


def test_the_clock_of_days_in_use_equals_the_reference_values() -> None:
    for row in VECTORS["clock"]:
        pauses = Pauses.between([tuple(span) for span in row["spans"]]).until(row["now"])
        assert pauses.passed(row["last_used"], row["now"]) == row["idle_seconds"], row
        assert pauses.stretched(row["last_used"], row["counted_seconds"]) == row["calendar_seconds"], row


@given(spans, moments, moments)
def test_days_in_use_are_never_more_than_those_of_the_calendar(told: list[Span], one: float, other: float) -> None:
    begin, end = sorted((one, other))
    assert 0 <= Pauses.between(told).until(end).passed(begin, end) <= end - begin


@given(spans, st.lists(moments, min_size=3, max_size=3))
def test_a_clock_that_was_looked_at_never_runs_back(told: list[Span], at: list[float]) -> None:
    begin, sooner, later = sorted(at)
    passed = [Pauses.between(told).until(now).passed(begin, now) for now in (sooner, later)]
    assert passed[0] <= passed[1] + 1e-6


@given(st.integers(1, 400), st.integers(0, 400), st.floats(0, 1))
def test_a_vault_used_every_day_has_no_pause(length: int, begin: int, part: float) -> None:
    """Whether new memories tell of it or one that is used again and again, of which only the last use is known."""
    day_by_day: list[Span] = [(day, day, 1) for day in range(length + 1)]
    one_memory: list[Span] = [(0, length, length + 1), (min(begin, length), min(begin, length), 1)]
    now = (length + part) * DAY_SECONDS
    for told in (day_by_day, one_memory):
        assert Pauses.between(told).until(now) == Pauses()


@given(spans, st.integers(500, 40_000), moments)
def test_a_use_that_a_wrong_clock_dated_into_the_future_makes_nothing_older(
    told: list[Span], wrong: int, now: float
) -> None:
    misled = Pauses.between([*told, (wrong, wrong, 1)]).until(now)
    assert misled.passed(0, now) <= Pauses.between(told).until(now).passed(0, now) if told else True


@given(spans, moments, st.floats(0, 100 * DAY_SECONDS))
def test_what_is_foretold_comes_true(told: list[Span], begin: float, seconds: float) -> None:
    pauses = Pauses.between(told).until(600 * DAY_SECONDS)
    assert pauses.passed(begin, begin + pauses.stretched(begin, seconds)) == pytest.approx(seconds, abs=1e-3)


def test_the_order_in_which_memories_are_told_makes_no_difference() -> None:
    told = [(9, 9, 1), (0, 40, 3), (80, 95, 2)]
    assert Pauses.between(told) == Pauses.between(told[::-1] + told)
