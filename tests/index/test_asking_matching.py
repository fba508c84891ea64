from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.index.analysis import AskedWord
from mnemex_vault.index.asking import Rarity, fit
from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import NOW, found, note

NOTES = [
    note("Work/Plan.md", "The spaced repetition schedule for the red team", tags=("work/plans", "Learning")),
    note("Work/Notes.md", "repetition spaced apart, colour of the wall", tags=("work",)),
    note("Home/Recipe.md", "red wine, to be or not to be", tags=("Küche",)),
    note("Home/Ideas.md", "optimise the optimum of optimists"),
]


@pytest.fixture(params=["staged", "committed", "both"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> TextIndex:
    index = TextIndex(tmp_path)
    index.stage(NOTES if request.param == "committed" else NOTES[:2])
    if request.param != "staged":
        index.flush()
    index.stage([] if request.param == "committed" else NOTES[2:])
    return index


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("spaced repetition", {"Plan", "Notes"}),
        ('"spaced repetition"', {"Plan"}),
        ('"repetitions"', {"Plan", "Notes"}),
        ('"to be or not to be"', {"Recipe"}),
        ('red "spaced repetition"', {"Plan"}),
        ('Who plans "spaced repetition"?', {"Plan", "Notes"}),
        ('red -"spaced repetition"', {"Recipe"}),
        ("red tag:work", {"Plan"}),
        ("tag:work", {"Plan", "Notes"}),
        ("tag:work/plans", {"Plan"}),
        ("tag:learning", {"Plan"}),
        ("tag:kuche", {"Recipe"}),
        ("tag:work tag:learning", {"Plan"}),
        ("tag:work -tag:learning", {"Notes"}),
        ("path:home", {"Recipe", "Ideas"}),
        ("path:work/pl", {"Plan"}),
        ("red -path:home", {"Plan"}),
        ("red -wine", {"Plan"}),
        ("-red", {"Notes", "Ideas"}),
        ("tag:missing", set()),
        ('"missing words"', set()),
        ("optim*", {"Ideas"}),
        ("color~", {"Notes"}),
        ("repetitoin~", {"Plan", "Notes"}),
        ("", set()),
    ],
)
def test_operators_select_the_same_notes_whether_committed_or_not(
    index: TextIndex, question: str, names: set[str]
) -> None:
    assert {Path(path).stem for path in found(index, question)} == names


def test_no_phrase_crosses_from_one_field_into_the_next(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "one two", aliases=("three four", "five six"))])
    assert found(index, '"three four"') == ["a.md"]
    assert found(index, '"four five"') == []


def test_little_words_between_characters_tell_notes_apart_but_find_none(tmp_path: Path) -> None:
    notes = [
        note("Phone.md", "我的手机是蓝色的"),
        note("Phones.md", "他说手机店今天开门"),
        note("Cat.md", "我的猫叫小白"),
        *(note(f"Other {number}.md", "今天开门的店很多") for number in range(5)),
    ]
    index = TextIndex(tmp_path)
    index.stage(notes)
    relevance = index.relevance(parse("我的手机在哪里？", now=NOW))
    assert relevance.keys() == {"Phone.md", "Phones.md"}
    assert relevance["Phone.md"] > relevance["Phones.md"]


def test_the_best_of_many_notes_fits_less_surely_than_the_same_of_a_few() -> None:
    def chance(notes: int) -> float:
        unknown = idf(notes, 0)
        return fit([AskedWord("ferry", "ferry")], {"ferry": True}, Rarity({"ferry": unknown}, unknown), unknown).chance

    assert chance(40) == pytest.approx(chance(400))
    assert chance(4_000) < chance(400)
