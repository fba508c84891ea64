import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mnemex_vault.domain.decay import DAY_SECONDS, DecayCurve, Exponential, PowerLaw, TwoComponent

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
