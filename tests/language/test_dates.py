from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.dates import day_words, mentioned, span

TODAY = date(2023, 5, 17)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on May 8, 2023", date(2023, 5, 8)),
        ("the 8th of May 2023", date(2023, 5, 8)),
        ("2023-05-08", date(2023, 5, 8)),
        ("8 May", date(2024, 5, 8)),
        ("in May 2023", date(2023, 5, 30)),
        ("in may", date(1999, 5, 30)),
        ("Sept. 2022", date(2022, 9, 1)),
        ("2022", date(2022, 1, 1)),
        ("yesterday", date(2023, 5, 16)),
        ("the day before yesterday", date(2023, 5, 15)),
        ("last week", date(2023, 5, 8)),
        ("last week", date(2023, 5, 14)),
        ("this week", TODAY),
        ("last weekend", date(2023, 5, 13)),
        ("last Friday", date(2023, 5, 12)),
        ("next Monday", date(2023, 5, 22)),
        ("last month", date(2023, 4, 1)),
        ("last year", date(2022, 12, 31)),
        ("three days ago", date(2023, 5, 14)),
        ("2 weeks ago", date(2023, 5, 3)),
        ("a year ago", date(2022, 5, 17)),
    ],
)
def test_a_date_in_words_shares_its_most_precise_term_with_the_day(text: str, day: date) -> None:
    asked = list(mentioned(text, TODAY))
    assert asked
    assert set(asked) & set(day_words(day))
    longest = max(map(len, asked))
    assert any(term in day_words(day) for term in asked if len(term) == longest)


@pytest.mark.parametrize("text", ["I may go", "they march on", "v2023.1x", "12345", "May I?", "a week", "99 problems"])
def test_other_words_are_no_dates(text: str) -> None:
    assert list(mentioned(text, TODAY)) == []


def test_words_like_yesterday_mean_nothing_without_a_today() -> None:
    assert list(mentioned("yesterday and last week")) == []


@pytest.mark.parametrize("text", ["999 years ago", "2023-13-45", "31 February 2023", "0 May 2023"])
def test_impossible_dates_raise_nothing(text: str) -> None:
    list(mentioned(text, date(500, 1, 1)))


@given(st.text(), st.dates())
def test_any_text_can_be_read_on_any_day(text: str, today: date) -> None:
    assert all(term.startswith("~") for term in mentioned(text, today))


@given(st.dates())
def test_a_day_written_out_means_that_day(day: date) -> None:
    if 1900 <= day.year < 2100:
        assert set(mentioned(day.isoformat())) <= set(day_words(day))


@pytest.mark.parametrize(
    "text",
    [
        "2021-10-04",
        "20211004 Meeting",
        "2021/10/4",
        "4.10.2021",
        "4 October 2021",
        "October 4, 2021",
        "am 4. Oktober 2021",
        "op 4 oktober 2021",
        "den 4 oktober 2021",
        "le 4 octobre 2021",
        "el 4 de octubre de 2021",
        "em 4 de outubro de 2021",
        "il 4 ottobre 2021",
        "4 października 2021",
        "4 октября 2021",
        "4 أكتوبر 2021",
        "4 Ekim 2021",
        "2021年10月4日",
        "2021년 10월 4일",
    ],
)
def test_one_day_is_one_term_however_a_language_writes_it(text: str) -> None:
    assert "~2021-10-04" in set(mentioned(text))


@pytest.mark.parametrize("text", ["on October 4", "am 4. Oktober", "el 4 de octubre", "10月4日"])
def test_a_day_without_a_year_is_the_day_of_any_year(text: str) -> None:
    assert "~10-04" in set(mentioned(text))


@pytest.mark.parametrize("text", ["octubre de 2021", "Oktober 2021", "октябрь 2021", "2021年10月"])
def test_a_month_with_its_year_is_a_month(text: str) -> None:
    assert {"~2021", "~2021-10"} <= set(mentioned(text))


@pytest.mark.parametrize("text", ["3 out of 5", "5 ago 3", "version 4.10", "12345678", "call 20219904", "10 mart 99"])
def test_numbers_beside_other_words_are_no_dates_of_a_year(text: str) -> None:
    assert not any(len(term) == 11 for term in mentioned(text))


@pytest.mark.parametrize(
    "text", ["we camped in July", "it was Last Friday", "THE DAY BEFORE YESTERDAY", "two weeks ago"]
)
def test_a_date_in_words_is_found_far_from_any_digit(text: str) -> None:
    far = f"room 12 was painted and then {'nothing happened ' * 20}{text} {'and nothing more ' * 20}until house 7"
    assert sorted(mentioned(far, TODAY)) == sorted(mentioned(text, TODAY)) != []


@pytest.mark.parametrize("text", ["We moved in May.", "Replaced in March.", "the 5th of March", "nothing"])
def test_a_time_without_a_year_is_no_span(text: str) -> None:
    assert span(text, TODAY) is None
