from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.index.query import parse
from mnemex_vault.index.relevance import ContextWeights
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import NOW, Sessions, found, note


@pytest.fixture
def index(tmp_path: Path) -> TextIndex:
    return TextIndex(tmp_path)


def test_what_was_said_around_a_note_lifts_it_over_an_equal_one(index: TextIndex) -> None:
    index.stage([note("a.md", "We bought it"), note("b.md", "We bought it")])
    index.stage([note("before.md", "the boat and its sail"), note("elsewhere.md", "rain all day")])
    sessions = Sessions({"boats": ["before.md", "b.md"], "other": ["elsewhere.md", "a.md"]})
    order = found(index, "when was the boat bought", sessions)
    assert order.index("b.md") < order.index("a.md")


def test_a_note_without_a_word_of_the_question_is_no_match_whatever_was_said_around_it(index: TextIndex) -> None:
    index.stage([note("1.md", "Where do you spend your holidays?"), note("2.md", "In Portugal, every year.")])
    assert found(index, "holidays", Sessions({"talk": ["1.md", "2.md"]})) == ["1.md"]


def test_a_talk_takes_no_place_from_notes_that_have_the_words(index: TextIndex) -> None:
    index.stage(note(f"alone/{n}.md", f"Tom works at the harbour since {n}") for n in range(10))
    index.stage(note(f"talk/{n}.md", "Tom again" if n == 20 else f"the weather of day {n}") for n in range(40))
    sessions = Sessions({"talk": [f"talk/{n}.md" for n in range(40)]})
    assert all(path.startswith("alone/") for path in found(index, "where does Tom work", sessions)[:10])


def test_the_nearer_a_note_the_more_it_adds(index: TextIndex) -> None:
    index.stage([note("zebra.md", "the zebra of the zoo"), *(note(f"{n}.md", f"it was fed {n}") for n in range(6))])
    sessions = Sessions({"talk": ["zebra.md", *(f"{n}.md" for n in range(6))]})
    order = found(index, "was the zebra fed", sessions)
    assert [path for path in order if path != "zebra.md"][:4] == ["0.md", "1.md", "2.md", "3.md"]


def test_only_the_nearest_notes_count_however_long_a_session_is(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    paths = [f"{number:03}.md" for number in range(400)]
    words = {"200.md": "zebra", **dict.fromkeys(("190.md", "196.md", "204.md", "210.md"), "lion")}
    index.stage([note(path, words.get(path, "tiger")) for path in paths])
    explained = index.explain(parse("zebra lion", now=NOW), words, neighbours=Sessions({"all": paths}))
    assert {path for path, each in explained.items() if each.talk} == {"196.md", "200.md", "204.md"}


def test_a_reply_counts_more_than_what_follows_a_statement(index: TextIndex) -> None:
    index.stage([note("a1.md", "The zebra is gone."), note("a2.md", "Yes, gone this morning.")])
    index.stage([note("b1.md", "The zebra is gone?"), note("b2.md", "Yes, gone this morning.")])
    order = found(index, "zebra gone", Sessions({"a": ["a1.md", "a2.md"], "b": ["b1.md", "b2.md"]}))
    assert order.index("b2.md") < order.index("a2.md")


def test_a_short_question_stands_behind_a_statement_with_the_same_words(index: TextIndex) -> None:
    index.stage([note("asks.md", "Where is the zebra?"), note("tells.md", "Here is the zebra, in the zoo of Ulm")])
    assert found(index, "where is the zebra") == ["tells.md", "asks.md"]


def test_notes_of_a_session_gain_nothing_over_equal_ones_that_were_saved_alone(index: TextIndex) -> None:
    index.stage(note(f"alone/{n}.md", f"the zebra of the zoo {n}") for n in range(3))
    index.stage(note(f"talk/{n}.md", f"the zebra of the zoo {n}" if n == 9 else f"hay and more {n}") for n in range(12))
    scores = index.relevance(
        parse("zebra zoo", now=NOW), neighbours=Sessions({"talk": [f"talk/{n}.md" for n in range(12)]})
    )
    assert scores["talk/9.md"] == pytest.approx(scores["alone/0.md"])


def test_filters_hold_for_what_stands_beside_a_hit(index: TextIndex) -> None:
    index.stage([note("in/1.md", "zebra?"), note("in/2.md", "zebra yes"), note("out/3.md", "zebra yes")])
    sessions = Sessions({"talk": ["in/1.md", "in/2.md", "out/3.md"]})
    assert set(found(index, "zebra path:in/", sessions)) == {"in/1.md", "in/2.md"}


def test_the_best_of_the_eligible_notes_are_scored_exactly_beside_many_others(tmp_path: Path) -> None:
    index = TextIndex(tmp_path, context=ContextWeights(examined=5))
    index.stage(note(f"others/{n}.md", "zebra zebra lion") for n in range(60))
    index.stage([note("mine/a.md", "zebra"), note("mine/b.md", "lion"), note("mine/c.md", "lion zebra")])
    scores = index.relevance(parse("zebra lion", now=NOW), eligible=lambda path: path.startswith("mine/"))
    alone = index.explain(parse("zebra lion", now=NOW), ["mine/a.md", "mine/b.md", "mine/c.md"])
    assert {path: scores[path] for path in alone} == pytest.approx({p: each.total for p, each in alone.items()})


def test_scores_with_surroundings_are_the_same_before_and_after_a_commit(index: TextIndex) -> None:
    index.stage([note(f"{n}.md", f"zebra {'lion ' * (n % 3 * 25)} word{n % 4}{'?' * (n % 2)}") for n in range(40)])
    sessions = Sessions({f"s{n}": [f"{k}.md" for k in range(n, 40, 5)] for n in range(5)})
    question = parse("zebra lion word3", now=NOW)
    before = index.relevance(question, neighbours=sessions)
    index.flush()
    assert index.relevance(question, neighbours=sessions) == pytest.approx(before, rel=1e-6)


def test_two_notes_saved_in_one_go_do_not_outrank_a_note_with_the_words(index: TextIndex) -> None:
    index.stage([note("right.md", "Tom works at the harbour"), note("pair/1.md", "Ann has no client work in May")])
    index.stage([note("pair/2.md", "The map goes public"), *(note(f"{n}.md", f"nothing {n}") for n in range(20))])
    sessions = Sessions({"pair": ["pair/1.md", "pair/2.md"], "alone": ["right.md"]})
    assert found(index, "where does Tom work", sessions)[0] == "right.md"


def test_a_note_without_a_session_loses_nothing_beside_one_saved_alone_in_a_session(index: TextIndex) -> None:
    index.stage([note("a.md", "zebra stripes"), note("b.md", "zebra stripes")])
    relevance = index.relevance(parse("zebra", now=NOW), neighbours=Sessions({"alone": ["a.md"]}))
    assert relevance["a.md"] == pytest.approx(relevance["b.md"])


def test_a_long_note_is_found_by_the_words_that_stand_together_in_it(index: TextIndex) -> None:
    filler = " ".join(f"word{n}" for n in range(400))
    index.stage([note("together.md", f"{filler} the zebra eats hay {filler}")])
    index.stage([note("apart.md", f"zebra {filler} eats {filler} hay")])
    assert found(index, "what hay does the zebra eat") == ["together.md", "apart.md"]
    assert index.explain(parse("zebra hay", now=NOW), ["together.md"])["together.md"].begins == pytest.approx(
        0.5, abs=0.05
    )


@given(
    st.lists(st.lists(st.sampled_from(["qazum", "vexil", "tumok", "hay", "x"]), max_size=200), min_size=1, max_size=6)
)
def test_no_note_has_more_than_its_words_give_it_and_every_match_is_kept(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]]
) -> None:
    index = TextIndex(tmp_path_factory.mktemp("index"))
    index.stage(note(f"{n}.md", " ".join(words)) for n, words in enumerate(texts))
    scores = index.relevance(parse("qazum vexil", now=NOW))
    assert set(scores) == {f"{n}.md" for n, words in enumerate(texts) if {"qazum", "vexil"} & set(words)}
    assert all(
        each.total == pytest.approx(scores[path])
        for path, each in index.explain(parse("qazum vexil", now=NOW), scores).items()
    )


def test_of_a_question_of_many_words_a_longer_note_has_as_many_by_chance(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    asked = [f"{letter}quxo" for letter in "abcdefghijklmnopqrstuvwxyz"]
    index.stage(
        [
            note("Long.md", " ".join([*asked[:3], *(f"{letter}fibo" for letter in "abcdefghijklmnopqrstuvwxyz")])),
            note("Short.md", " ".join(asked[3:6])),
        ]
    )
    scores = index.relevance(parse(" ".join(asked), now=NOW))
    assert scores["Short.md"] > scores["Long.md"]
    scores = index.relevance(parse(" ".join(asked[:6]), now=NOW))
    assert scores["Short.md"] == pytest.approx(scores["Long.md"])
