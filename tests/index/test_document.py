from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.document import FieldWeights, share_of_questions, weighted
from tests.index.texts import note

WEIGHTS = FieldWeights(title=2, tags=3, entities=5, headings=7, body=1, source=11, project=13, created=17, dates=19)


def test_a_term_weighs_what_its_fields_weigh_together() -> None:
    document = note(
        "a.md", "zebra zebra", title="Zebra", tags=("zebra",), entities=("zebra",), headings=("zebra",), source="zebra"
    )
    text = weighted(replace(document, project="zebra"), Analyzer(), WEIGHTS)
    # the title repeats how the body begins and therefore adds nothing
    assert text.terms["zebra"] == 2 + 3 + 5 + 7 + 11 + 13
    assert text.length == 2


def test_a_title_of_its_own_counts() -> None:
    assert weighted(note("a.md", "stripes", title="Zebra"), Analyzer(), WEIGHTS).terms["zebra"] == 2


def test_the_day_of_saving_and_days_in_the_text_are_found() -> None:
    created = datetime(2023, 5, 8, 23, tzinfo=UTC)
    terms = weighted(note("a.md", "I went yesterday", created=created), Analyzer(), WEIGHTS).terms
    assert terms["~2023-05-08"] == 17
    assert terms["~2023-05-07"] == 19
    assert terms["~2023-05"] == 17 + 19


def test_a_term_of_a_long_body_counts_as_in_the_passage_that_has_most_of_it() -> None:
    filler = ["word"] * 60
    body = " ".join(["zebra", *filler, "zebra", *filler[:19], "zebra", *filler])
    text = weighted(note("a.md", body, tags=("zebra",)), Analyzer(), WEIGHTS)
    assert text.terms["zebra"] == 3 + 2
    assert text.places["zebra"] == 0b11001


@pytest.mark.parametrize(
    ("text", "share"),
    [("", 0), ("Yes.", 0), ("Why?", 1), ("What? Really?", 1), ("你好吗？", 1), ("a=b?c:d", 0), ("Oh no! Why", 0)],
)
def test_the_share_of_questions_is_between_none_and_all(text: str, share: float) -> None:
    assert share_of_questions(text) == pytest.approx(share, abs=0.01)


def test_an_alias_that_repeats_how_the_body_begins_adds_nothing() -> None:
    document = note("a.md", "Zebras eat hay.", aliases=("Zebras eat hay", "Stripes"))
    terms = weighted(document, Analyzer(), WEIGHTS).terms
    assert (terms["zebras"], terms["stripes"]) == (1, 1)
