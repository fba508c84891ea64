from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.index.postings import Vocabulary, distance
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import note

NOW = datetime(2023, 5, 17, 9, tzinfo=UTC)


@pytest.fixture
def index(tmp_path: Path) -> TextIndex:
    return TextIndex(tmp_path)


def found(index: TextIndex, question: str) -> list[str]:
    relevance = index.relevance(parse(question, now=NOW))
    return sorted(relevance, key=lambda path: (-relevance[path], path))


def fill(index: TextIndex, *texts: str, committed: bool = False) -> None:
    index.stage(note(f"{number}.md", text) for number, text in enumerate(texts))
    if committed:
        index.flush()


def test_a_tilde_asks_for_words_nearly_spelled_like_one_even_if_it_occurs(index: TextIndex) -> None:
    fill(index, "The receipt is here.", "The reciept is there.", "A recipe for bread.")
    assert found(index, "receipt") == ["0.md"]
    assert found(index, "receipt~") == ["0.md", "1.md"]


def test_a_single_character_of_a_pair_counts_a_little(index: TextIndex) -> None:
    fill(index, "我的老家是成都。", "我的家乡是成都。", "昨天下雨了。")
    assert found(index, "家乡") == ["1.md", "0.md"]


def test_what_only_stands_for_a_word_counts_less_in_long_notes_too(index: TextIndex) -> None:
    filler = "The boiler is checked in the middle of each month and nobody is at home on that day. " * 6
    index.stage([note("like.md", f"{filler}Anna must not have penicillin."), note("word.md", f"{filler}A thermostat.")])
    scores = index.relevance(parse("penicilin thermostat", now=NOW))
    assert scores["like.md"] < 0.8 * scores["word.md"]


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("penicilin", "Anna must not have penicillin."),
        ("pencillin", "Anna must not have penicillin."),
        ("reciept", "The receipt is in the drawer."),
        ("back up", "A backup is made on Sunday."),
        ("backup", "I back up the disk on Sunday."),
        ("backup", "The back-up is made on Sunday."),
        ("back-up", "A backup is made on Sunday."),
        ("organise", "We organized the cellar."),
        ("colour", "My favorite color is red."),
        ("theater", "The theatre is closed."),
        ("cancelled", "She canceled the trip."),
        ("Mueller", "Herr Müller ist nicht da und kommt auch nicht."),
        ("Müller", "Herr Mueller ist nicht da und kommt auch nicht."),
        ("Versicherung", "Die Krankenversicherung ist nicht bezahlt worden."),
        ("Vertrag", "Der Mietvertrag ist nicht gekündigt und läuft weiter."),
        ("belasting", "De wegenbelasting is nog niet betaald door ons."),
        ("skatt", "Fastighetsskatten är inte betald och det är sent."),
        ("Zahnarzttermin", "Der Termin beim Zahnarzt ist nicht am Montag."),
        ("猫的名字", "我的猫叫团团。"),
        ("走りました", "毎朝公園を走っている。"),
        ("+49 170 1234567", "Call 0170 1234567 in the evening."),
        ("(0170) 123-4567", "Call +491701234567 in the evening."),
    ],
)
def test_a_question_finds_the_note_that_writes_it_otherwise(
    index: TextIndex, question: str, text: str, committed: bool
) -> None:
    fill(index, text, "Something else entirely, and nothing more than this.", committed=committed)
    assert found(index, question) == ["0.md"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("4711", "The number is 4712."),
        ('"penicilin"', "Anna must not have penicillin."),
        ("qzt", "The qzr is red."),
        ("A4711", "The part is A4712."),
    ],
)
def test_numbers_names_of_code_quotes_and_short_words_are_meant_as_they_are(
    index: TextIndex, question: str, text: str
) -> None:
    fill(index, text, "Something else entirely.")
    assert "0.md" not in found(index, question)


def test_a_name_is_taken_for_another_only_if_nothing_else_fits(index: TextIndex) -> None:
    fill(
        index,
        "Jessica likes marzipan.",
        "Marzipan is made of almonds, says Emil.",
        "Of Emil's oranges we know nothing.",
    )
    assert found(index, "marzipan and almonds for Jessika")[0] == "1.md"
    explained = index.explain(parse("marzipan and almonds for Jessika", now=NOW), ["0.md"])
    assert [match.shown for match in explained["0.md"].terms] == ["marzipan"]
    assert found(index, "Jessika") == ["0.md"]
    explained = index.explain(parse("Jessika", now=NOW), ["0.md"])
    assert [match.shown for match in explained["0.md"].terms] == ["jessika as jessica"]


def test_the_word_itself_stands_before_its_forms_and_what_is_only_like_it(index: TextIndex) -> None:
    fill(
        index,
        "Die Versicherungen sind nicht billig",
        "Die Krankenversicherung ist nicht billig",
        "Die Versicherung ist nicht billig",
    )
    assert found(index, "Versicherung") == ["2.md", "0.md", "1.md"]


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        ("physician", "Ask the doctor about the pills.", "physician as doctor"),
        ("dietary restrictions", "I am vegetarian.", "dietary as vegetarian"),
        ("alergia", "Tim is allergic to shellfish.", "alergia as allergic"),
        ("insurance", "Die Versicherung für das Boot ist nicht bezahlt.", "insurance as versicherung"),
        ("医生", "The doctor has moved away.", "医生 as doctor"),
    ],
)
def test_a_question_in_other_words_finds_what_means_it_and_says_so(
    index: TextIndex, question: str, text: str, shown: str
) -> None:
    fill(index, text, "The gate has been painted green.")
    assert found(index, question)[0] == "0.md"
    assert shown in [match.shown for match in index.explain(parse(question, now=NOW), ["0.md"])["0.md"].terms]


def test_other_words_stay_out_where_the_words_themselves_occur(index: TextIndex) -> None:
    fill(index, "Ask the doctor about the pills.", "The physician has moved.")
    assert found(index, "physician") == ["1.md"]


def test_a_word_that_occurs_is_not_taken_for_another(index: TextIndex) -> None:
    fill(index, "The horse is brown.", "The house is brown.")
    assert found(index, "horse") == ["0.md"]


@given(st.text("abcde", min_size=4, max_size=11), st.lists(st.text("abcde", min_size=4, max_size=12), max_size=30))
def test_all_words_one_slip_away_are_near(word: str, words: list[str]) -> None:
    near = Vocabulary(words).near(word)
    assert {other for other in words if distance(word, other, 1) == 1} <= near.keys()
    assert all(distance(word, other, 2) == steps for other, steps in near.items())
