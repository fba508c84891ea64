"""Kinds of values, folders, scopes, zones and the .env format."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.clock import MachineZone
from mnemex_vault.disk.paths import within
from mnemex_vault.settings import TABLE, Layout, Settings
from mnemex_vault.settings.kinds import Count, Number, Scope, Switch, Text, Zone, narrower
from mnemex_vault.settings.locations import parse_dotenv


@pytest.mark.parametrize("text", ["true", "1", "Yes", "ON", True])
def test_the_usual_words_for_true_are_read(text: object) -> None:
    assert Switch().read(text) is True


@pytest.mark.parametrize("raw", ["nan", "inf", "-0.1", "1.1", True, None, [], "half"])
def test_what_is_no_number_within_the_limits_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match="must be a number from 0 to 1"):
        Number(high=1).read(raw)


@pytest.mark.parametrize("raw", ["2.5", "0", 101, "1e400", False])
def test_what_is_no_whole_number_within_the_limits_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match="must be a whole number from 1 to 100"):
        Count(low=1, high=100).read(raw)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    assert Count().read(5.0) == Count().read("5") == 5


@pytest.mark.parametrize("name", ["Mars/Base", "../etc/passwd", "", "/etc/localtime", "a\x00b"])
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="time zone"):
        Zone().read(name)


def test_a_text_of_several_lines_is_refused() -> None:
    with pytest.raises(ValueError, match="single line"):
        Text().read("a\nb")


def test_every_default_of_the_table_is_a_value_its_kind_accepts() -> None:
    for row in TABLE.values():
        if row.default is None:
            assert row.unset, row.name
        else:
            assert row.kind.read(row.default) == row.default, row.name
        assert row.kind.describe()


def test_the_settings_of_the_table_are_the_fields_of_the_settings() -> None:
    assert all(getattr(Settings(), name) == row.default for name, row in TABLE.items())


def test_the_folders_follow_the_root_unless_they_are_given() -> None:
    settings = Settings(long_term_folder="Knowledge")
    assert settings.layout("Brain") == Layout(
        root="Brain", short_term="Brain/Short-term", long_term="Knowledge", archive="Brain/Archive"
    )
    assert Settings().layout() == Layout()


def test_a_scope_knows_no_case_and_no_normal_form_and_is_not_fooled_by_a_common_beginning() -> None:
    assert within("Café/a.md", ["cafe\u0301"])
    assert not within("Work-private/a.md", ["Work"])
    assert not within("anything.md", [])


_folder = st.lists(st.sampled_from(["a", "b", "B"]), min_size=1, max_size=3).map("/".join)
_scope = st.lists(_folder, max_size=3).map(Scope().read) | st.just(("/",))


@given(_scope, _scope, _folder)
def test_a_narrower_scope_allows_exactly_what_both_allow(
    one: tuple[str, ...], other: tuple[str, ...], path: str
) -> None:
    assert within(path, narrower(one, other)) == (within(path, one) and within(path, other))


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.row("D4")
@pytest.mark.usefixtures("berlin")
def test_the_computers_zone_agrees_with_the_database_around_the_change_of_the_clock() -> None:
    zone, reference = MachineZone(), ZoneInfo("Europe/Berlin")
    start = datetime(2026, 10, 24, 22, tzinfo=UTC)
    for step in range(12):
        moment = start + step * timedelta(minutes=30)
        local = moment.astimezone(zone)
        assert local.replace(tzinfo=None) == moment.astimezone(reference).replace(tzinfo=None)
        assert local.astimezone(UTC) == moment
        assert local.tzname() == moment.astimezone(reference).tzname()


def test_a_named_zone_is_used_and_without_one_the_computers() -> None:
    assert Settings(timezone="Asia/Tokyo").zone() == ZoneInfo("Asia/Tokyo")
    assert isinstance(Settings().zone(), MachineZone)


def test_dotenv_quotes_comments_and_other_lines() -> None:
    text = '# c\nA = x # y\nB=\'$HOME # no\'\nC="a\\"b\\n\\d" # c\nexport D=v#w\nno line\nA2=\r\nA=last\n=1\nE= # nothing\n'
    assert parse_dotenv(text) == {
        "A": "last", "B": "$HOME # no", "C": 'a"b\n\\d', "D": "v#w", "A2": "", "E": "",
    }  # fmt: skip
