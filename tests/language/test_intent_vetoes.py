from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.activation import reinforce_finding, save_finding
from mnemex_vault.language.intent import Veto, asks_not_to_keep, features_of, touched, vetoes
from mnemex_vault.language.word_lists import Lexicon


class Labelled(TypedDict):
    language: str
    text: str
    refused: bool


ROWS: list[Labelled] = json.loads((Path(__file__).parents[1] / "vectors" / "refusals.json").read_text("utf-8"))[
    "sentences"
]
LEXICON = Lexicon.of()
KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.mark.parametrize("language", sorted({row["language"] for row in ROWS}))
def test_refusals_and_confidences_are_heard_in_fourteen_languages(language: str) -> None:
    rows = [row for row in ROWS if row["language"] == language]
    wrong = [row["text"] for row in rows if asks_not_to_keep(row["text"]) != row["refused"]]
    assert len(rows) >= 15
    assert wrong == []


def test_what_was_asked_not_to_be_kept_is_never_proposed() -> None:
    saved = [row["text"] for row in ROWS if row["refused"] and save_finding(row["text"], LEXICON).should_save]
    assert saved == []


def test_a_refusal_is_reported_and_names_nothing() -> None:
    finding = save_finding("Keep this between us, my boss is Tom. He lives in Lyon.", LEXICON)
    assert (finding.veto, finding.entities, finding.tags, finding.sentence) == (Veto.REFUSED, (), (), "")
    assert finding.reasons == ("it was asked not to be kept",)


def test_a_refusal_reaches_three_sentences_around_it() -> None:
    near = "I prefer tabs. Never mind. Don't save that."
    far = f"I prefer tabs. One. Two. Three. {near}"
    assert not save_finding(near, LEXICON).should_save
    assert save_finding(far, LEXICON).sentence == "I prefer tabs."


def test_a_key_is_never_offered_for_saving() -> None:
    finding = save_finding(f"Remember that my key is {KEY}", LEXICON)
    assert (finding.should_save, finding.veto) == (False, Veto.SECRET)
    assert not any(KEY in entity.name for entity in finding.entities)


@pytest.mark.parametrize(
    ("message", "veto"),
    [
        ("Translate this email: I am allergic to nuts. We decided to move to Paris.", Veto.PASTED),
        ("Here's the error log: I prefer tabs", Veto.PASTED),
        ("Let's pretend you are a pirate. My ship is called Rex.", Veto.FICTION),
        ("In my novel Anna is the queen. I am allergic to nuts.", Veto.FICTION),
    ],
)
def test_pasted_text_and_stories_are_not_taken_for_the_person(message: str, veto: Veto) -> None:
    finding = save_finding(message, LEXICON)
    assert (finding.should_save, finding.veto) == (False, veto)


def test_quoted_lines_are_not_the_persons_own() -> None:
    assert not save_finding("> I prefer tabs over spaces.\n\nHe wrote that.", LEXICON).should_save


def test_what_was_asked_not_to_be_kept_confirms_nothing() -> None:
    assert not reinforce_finding("Yes, that's still true. But off the record, please.", LEXICON).should_reinforce


@given(st.lists(st.sampled_from([None, *Veto]), max_size=12), st.integers(0, 4))
def test_vetoes_only_grow_and_a_refusal_wins(found: list[Veto | None], reach: int) -> None:
    spread = touched(found, reach)
    assert len(spread) == len(found)
    for at, veto in enumerate(found):
        assert spread[at] is not None or veto is None
        near = found[max(0, at - reach) : at + reach + 1]
        assert (spread[at] is Veto.REFUSED) == (Veto.REFUSED in near)


@given(st.text(max_size=120))
def test_any_text_has_its_vetoes(text: str) -> None:
    assert len(vetoes([text], [features_of(text)], [False])) == 1
