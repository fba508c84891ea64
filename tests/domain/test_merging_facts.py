import pytest

from mnemex_vault.domain.merging import differs_in_facts


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The office is on floor 3", "The office is on floor 4", "number: 3 / 4"),
        ("Python 3.11 is required", "Python 3.12 is required", "number: 3.11 / 3.12"),
        ("The budget is 1,000 euros", "The budget is 1,500 euros", "number: 1000 / 1500"),
        ("We meet at 10:00", "We meet at 11:00", "number"),
        ("Anna has two cats", "Anna has three cats", "number: 2 / 3"),
        ("The launch is on 2026-03-01", "The launch is on 2026-03-02", "number"),
        ("We ship in March", "We ship in April", "date: march / april"),
        ("We meet on Monday", "We meet on Tuesday", "date"),
        ("Anna eats meat", "Anna does not eat meat", "negation: none / not"),
        ("Anna drives", "Anna never drives", "negation"),
        ("We can deploy", "We can't deploy", "negation"),
        ("Ich mag Tee", "Ich mag keinen Tee", "negation"),
        ("我喜欢茶", "我不喜欢茶", "negation"),
        ("Anna likes dogs", "Anna hates dogs", "opposite: likes / hates"),
        ("The flag is enabled", "The flag is disabled", "opposite"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs", "another order"),
    ],
)
def test_texts_that_differ_in_a_fact_are_told_apart(one: str, other: str, reason: str) -> None:
    assert any(reason in found for found in differs_in_facts([one, other])), differs_in_facts([one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I don't eat meat", "I do not eat meat."),
        ("The budget is 1,000 euros", "The budget is 1000 euros"),
        ("Anna has 2 cats", "Anna has two cats"),
        ("Anna likes tea", "Anna likes green tea"),
        ("Anna likes tea", "Anna likes tea. She was born in 1990."),
        ("Ben rides. Anna does not.", "Anna does not. Ben rides!"),
        ("same", "same"),
    ],
)
def test_wording_alone_makes_no_difference(one: str, other: str) -> None:
    assert differs_in_facts([one, other]) == ()


def test_every_pair_is_compared_and_each_reason_given_once() -> None:
    texts = ["Room 1 is free", "Room 1 is free", "Room 2 is free", "Room 3 is free"]
    assert len(differs_in_facts(texts)) == 3
