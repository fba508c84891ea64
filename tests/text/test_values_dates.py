"""Times are local and without a zone in notes, aware in UTC in memories."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.text.values import read_date, read_time, write_time
from mnemex_vault.text.yaml_core import Value

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 11, 29, 21, 30, tzinfo=UTC)


@pytest.mark.row("D3")
@pytest.mark.parametrize(
    "value",
    [
        "2026-11-29T22:30:00",
        "2026-11-29T22:30",
        "2026-11-29 22:30:00",
        "2026-11-29T22:30:00.123456",
        "2026-11-29T21:30:00Z",
        "2026-11-29t21:30z",
        "2026-11-29T23:30:00+02:00",
        "2026-11-29T23:30+0200",
        "2026-11-29T16:30:00 -05",
        " 2026-11-29T22:30:00 ",
        1795987800,
        1795987800.0,
        1795987800000,
    ],
)
def test_every_way_to_write_a_time_is_read(value: Value) -> None:
    assert read_time(value, BERLIN) == EVENING


@pytest.mark.row("D3")
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "",
        "banana",
        "T12:00",
        "2026-13-01",
        "2026-02-30",
        "2026-01-01T25:00",
        "2026-01-01T12:00+99:99",
        "0001-01-01T00:00:00",
        "9999-12-31T23:59:59",
        "1899-12-31",
        "2201-01-01",
        "２０２６-01-01",
        float("nan"),
        float("inf"),
        1e300,
        -1e15,
        10**400,
        10**300,
        ["2026-01-01"],
        {},
    ],
)
def test_what_is_no_sensible_time_is_none(value: Value) -> None:
    assert read_time(value, BERLIN) is None


def test_a_date_alone_is_the_begin_of_the_day() -> None:
    assert read_time("2026-11-29", BERLIN) == datetime(2026, 11, 28, 23, tzinfo=UTC)


@pytest.mark.row("D4")
def test_of_a_repeated_hour_the_first_is_meant() -> None:
    assert read_time("2026-10-25T02:30:00", BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert write_time(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), BERLIN) == "2026-10-25T02:30:00"


def test_the_evening_of_one_zone_is_not_the_next_day() -> None:
    moment = datetime(2026, 6, 2, 3, 0, tzinfo=UTC)
    los_angeles = ZoneInfo("America/Los_Angeles")
    assert write_time(moment, los_angeles, date_only=True) == "2026-06-01"
    assert read_date("2026-06-02T03:00:00Z", los_angeles) == date(2026, 6, 1)
    assert read_date("soon", los_angeles) is None


@given(
    st.datetimes(datetime(1950, 1, 1), datetime(2200, 1, 1)).map(
        lambda naive: naive.replace(tzinfo=UTC, microsecond=0)
    ),
    st.sampled_from([UTC, BERLIN, ZoneInfo("America/New_York"), timezone(timedelta(hours=5, minutes=45))]),
)
def test_a_time_does_not_drift(moment: datetime, zone: ZoneInfo) -> None:
    once = write_time(moment, zone)
    read = read_time(once, zone)
    assert read is not None
    # only the second reading of a repeated hour is an hour off, and only once
    assert moment - read in (timedelta(), timedelta(hours=1))
    assert write_time(read, zone) == once
