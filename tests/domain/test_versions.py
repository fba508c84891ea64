from __future__ import annotations

import pytest

from mnemex_vault.domain.versions import Standing, compare
from mnemex_vault.language.slots import asks_of_the_past, statement_of, version_weights


@pytest.mark.parametrize(
    ("old", "new", "standing"),
    [
        ("Our office is in Bergen.", "Our office is in Tromsø now.", Standing.VERSION),
        ("Anna's birthday is on 3 March.", "Ben's birthday is on 5 May.", Standing.OTHER),
        ("Our bank is Sparkasse.", "Sparkasse is our bank.", Standing.SAME),
        ("The meeting is on Tuesday.", "The meeting on Tuesday is in room B12.", Standing.DETAIL),
    ],
)
def test_a_version_is_told_from_a_neighbour(old: str, new: str, standing: Standing) -> None:
    before, after = statement_of(old), statement_of(new)
    assert before is not None
    assert after is not None
    compared = compare(before, after, version_weights())
    assert compared is not None
    assert compared.standing is standing


def test_statements_without_a_common_word_are_not_compared() -> None:
    before, after = statement_of("I like tea."), statement_of("The roof leaks.")
    assert before is not None
    assert after is not None
    assert compare(before, after, version_weights()) is None


@pytest.mark.parametrize("text", ["", "Where is our office?", "word " * 60])
def test_what_is_no_statement_is_none(text: str) -> None:
    assert statement_of(text) is None


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("Which dentist did I have before?", True),
        ("Wo war unser Büro früher?", True),
        ("Where did I live in 2019?", True),
        ("Where do I live?", False),
        ("What is planned for 2027?", False),
    ],
)
def test_a_question_about_the_past_is_heard(question: str, past: bool) -> None:
    assert asks_of_the_past(question, year=2026) is past
