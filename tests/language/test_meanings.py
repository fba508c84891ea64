from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.meanings import SIZE, Meanings

TABLE = Meanings.load()
NEAR = [
    ("physician", "doctor"),
    ("attorney", "lawyer"),
    ("wireless", "wifi"),
    ("dietary", "vegetarian"),
    ("allergies", "penicillin"),
    ("coding", "programming"),
    ("spouse", "wife"),
    ("arzt", "doctor"),
    ("alergia", "allergic"),
    ("versicherung", "insurance"),
    ("contraseña", "password"),
    ("médecin", "doctor"),
    ("lekarz", "doctor"),
    ("läkare", "doctor"),
    ("врач", "doctor"),
    ("医生", "doctor"),
    ("의사", "doctor"),
    ("医者", "doctor"),
    ("طبيب", "doctor"),
]


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_words_that_mean_the_same_are_near_within_and_across_languages(one: str, other: str) -> None:
    assert TABLE.similarity(one, other) >= 0.35


@pytest.mark.parametrize(("one", "other"), [("physician", "guitar"), ("arzt", "auto"), ("birthday", "cake")])
def test_words_that_mean_something_else_are_far(one: str, other: str) -> None:
    assert TABLE.similarity(one, other) < 0.35


def test_only_known_words_are_named_the_nearest_first_and_never_the_word_itself() -> None:
    known = {"doctor", "physician", "nurse", "guitar", "psychiatrist"}
    found = TABLE.nearest("Physician", known.__contains__)
    assert [word for word, _ in found[:2]] == ["doctor", "psychiatrist"]
    assert {"physician", "guitar"}.isdisjoint(word for word, _ in found)
    assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    assert len(TABLE.nearest("physician", lambda _: True, most=3)) == 3


def test_an_ending_that_the_table_does_not_have_is_left_aside() -> None:
    assert TABLE.similarity("allergischen", "allergisch") == pytest.approx(1, abs=0.05)
    assert TABLE.nearest("qwertzuiop", lambda _: True) == []


def test_each_word_is_found_where_it_stands() -> None:
    for row in random.Random(1).sample(range(len(TABLE)), 200):
        assert TABLE.row(TABLE.word(row)) == row
        vector = TABLE.vector(TABLE.word(row))
        assert vector is not None
        assert len(vector) == SIZE


@given(st.text(max_size=20))
def test_any_word_is_looked_up(word: str) -> None:
    assert (word in TABLE) == (TABLE.vector(word) is not None)
    assert -1.1 <= TABLE.similarity(word, "doctor") <= 1.1
