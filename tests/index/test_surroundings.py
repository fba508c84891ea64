from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.index.surroundings import ContextWeights
from mnemex_vault.index.text_index import TextIndex, parse
from tests.index.texts import NOW, Sessions, found, note


@pytest.fixture
def index(tmp_path: Path) -> TextIndex:
    return TextIndex(tmp_path)


def test_a_reply_is_found_by_the_words_of_the_question_before_it(index: TextIndex) -> None:
    index.stage([note("1.md", "Where do you spend your holidays?"), note("2.md", "In Portugal, every year.")])
    index.stage([note("3.md", "The holidays of other people"), note("4.md", "Portugal is a country")])
    sessions = Sessions({"talk": ["1.md", "2.md"]})
    assert "2.md" not in found(index, "holidays")
    assert "2.md" in found(index, "holidays", sessions)
    assert "4.md" not in found(index, "holidays", sessions)


def test_a_reply_counts_more_than_what_follows_a_statement(index: TextIndex) -> None:
    index.stage([note("a1.md", "The zebra is gone."), note("a2.md", "Yes, this morning.")])
    index.stage([note("b1.md", "The zebra is gone?"), note("b2.md", "Yes, this morning.")])
    sessions = Sessions({"a": ["a1.md", "a2.md"], "b": ["b1.md", "b2.md"]})
    order = found(index, "zebra", sessions)
    assert order.index("b2.md") < order.index("a2.md")


def test_among_equal_notes_the_one_in_the_session_about_it_comes_first(index: TextIndex) -> None:
    index.stage([note("a.md", "We bought it"), note("b.md", "We bought it")])
    index.stage([note(f"{n}.md", f"the boat and its sail {n}") for n in range(4)])
    sessions = Sessions({"boats": ["0.md", "1.md", "2.md", "3.md", "b.md"], "other": ["a.md"]})
    order = found(index, "when was the boat bought", sessions)
    assert order.index("b.md") < order.index("a.md")


def test_a_linked_note_gets_a_share_and_a_hub_gives_none(index: TextIndex) -> None:
    index.stage([note("a.md", "zebra"), note("b.md", "stripes"), note("hub.md", "zebra zebra")])
    index.stage([note(f"{n}.md", "nothing") for n in range(30)])
    links = {"a.md": ["b.md", "missing.md"], "hub.md": [f"{n}.md" for n in range(30)]}
    assert set(found(index, "zebra", Sessions({}, links))) == {"a.md", "hub.md", "b.md"}


def test_surroundings_add_nothing_when_no_note_matches(index: TextIndex) -> None:
    index.stage([note("1.md", "lion"), note("2.md", "tiger")])
    assert found(index, "zebra", Sessions({"talk": ["1.md", "2.md"]}, {"1.md": ["2.md"]})) == []


def test_filters_hold_for_what_comes_in_through_its_surroundings(index: TextIndex) -> None:
    index.stage([note("in/1.md", "zebra?"), note("in/2.md", "yes"), note("out/3.md", "yes")])
    sessions = Sessions({"talk": ["in/1.md", "in/2.md", "out/3.md"]})
    assert set(found(index, "zebra path:in/", sessions)) == {"in/1.md", "in/2.md"}
    accepted = index.relevance(parse("zebra", now=NOW), neighbours=sessions, accept=lambda path: path != "in/1.md")
    assert set(accepted) == {"in/2.md", "out/3.md"}


def test_in_a_session_without_end_only_the_nearest_notes_count(tmp_path: Path) -> None:
    index = TextIndex(tmp_path, context=ContextWeights(longest_session=50))
    paths = [f"{number:03}.md" for number in range(200)]
    index.stage([note(path, "zebra" if path in ("005.md", "150.md", "152.md") else "lion") for path in paths])
    expected = {f"{number:03}.md" for number in (*range(3, 8), *range(148, 155))}
    assert set(found(index, "zebra", Sessions({"all": paths}))) == expected


def test_scores_with_surroundings_are_the_same_before_and_after_a_commit(index: TextIndex) -> None:
    index.stage([note(f"{n}.md", f"zebra {'lion ' * (n % 3)} word{n % 4}{'?' * (n % 2)}") for n in range(40)])
    sessions = Sessions({f"s{n}": [f"{k}.md" for k in range(n, 40, 5)] for n in range(5)}, {"1.md": ["2.md"]})
    question = parse("zebra lion word3", now=NOW)
    before = index.relevance(question, neighbours=sessions)
    index.flush()
    assert index.relevance(question, neighbours=sessions) == pytest.approx(before, rel=1e-6)


def test_a_hub_without_a_word_of_the_question_stays_behind_every_note_that_has_all_of_them(index: TextIndex) -> None:
    paths = [f"{n}.md" for n in range(15)]
    index.stage([note(path, f"zebra stripes {path}") for path in paths])
    index.stage([note("hub.md", "An overview"), note("other.md", "Nothing of this")])
    order = found(index, "zebra stripes", Sessions({}, {path: ["hub.md"] for path in paths}))
    assert order.index("hub.md") == len(paths)


def test_a_hub_gets_what_its_best_neighbour_gives_however_many_there_are(index: TextIndex) -> None:
    index.stage([note("hub.md", "An overview"), note("best.md", "zebra stripes"), note("a.md", "zebra and lion")])
    index.stage([note("b.md", "zebra or tiger"), *(note(f"{n}.md", "nothing") for n in range(20))])
    question = parse("zebra stripes", now=NOW)
    one = index.relevance(question, neighbours=Sessions({}, {"best.md": ["hub.md"]}))
    many = index.relevance(
        question, neighbours=Sessions({}, {path: ["hub.md"] for path in ("a.md", "b.md", "best.md")})
    )
    assert many["hub.md"] == one["hub.md"] > 0


def test_two_notes_saved_in_one_go_do_not_outrank_a_note_with_the_words(index: TextIndex) -> None:
    index.stage([note("right.md", "Tom works at the harbour"), note("pair/1.md", "Ann has no client work in May")])
    index.stage([note("pair/2.md", "The map goes public"), *(note(f"{n}.md", f"nothing {n}") for n in range(20))])
    sessions = Sessions({"pair": ["pair/1.md", "pair/2.md"], "alone": ["right.md"]})
    assert found(index, "where does Tom work", sessions)[0] == "right.md"


def test_a_note_without_a_session_loses_nothing_beside_one_saved_alone_in_a_session(index: TextIndex) -> None:
    index.stage([note("a.md", "zebra stripes"), note("b.md", "zebra stripes")])
    relevance = index.relevance(parse("zebra", now=NOW), neighbours=Sessions({"alone": ["a.md"]}))
    assert relevance["a.md"] == pytest.approx(relevance["b.md"])
