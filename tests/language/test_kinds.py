from __future__ import annotations

import pytest

from mnemex_vault.language.kinds import kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Never push to the release branch without a review.", "rule"),
        ("I prefer short answers.", "preference"),
        ("My name is Clara Weiss and I live in Leeds.", "identity"),
        ("I am allergic to penicillin.", "safety"),
        ("Ich bin gegen Nüsse allergisch.", "safety"),
        ("Réponds toujours en français.", "rule"),
        ("The report was finished last week.", None),
        ("The parser uses Redis as a queue.", None),
        ("Tea is at four.", None),
        ("Wow, that sounds like such a fun trip, I'm glad you all made it home safely!", None),
        ("Caroline told her support group about the hike and thanked Melanie for coming along.", None),
    ],
)
def test_a_standing_fact_is_told_from_an_ordinary_one(text: str, kind: str | None) -> None:
    assert kind_of(text) == kind


def test_a_document_is_of_no_kind() -> None:
    assert kind_of("I prefer short answers. " * 40) is None


@pytest.mark.slow
def test_most_held_out_sentences_are_judged_rightly() -> None:
    from tests.bench.train_kinds import sentences

    found = [(each.kind, kind_of(each.text)) for each in sentences("heldout")]
    standing = [told is not None for kind, told in found if kind != "none"]
    ordinary = [told is None for kind, told in found if kind == "none"]
    assert sum(standing) / len(standing) >= 0.9
    assert sum(ordinary) / len(ordinary) >= 0.7


@pytest.mark.slow
def test_small_talk_and_questions_do_not_last() -> None:
    from tests.bench.activation import messages

    idle = [each.text for each in messages("heldout") if not each.intents]
    assert sum(kind_of(text) is not None for text in idle) / len(idle) <= 0.05
