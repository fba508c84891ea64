import pytest

from mnemex_vault.domain.correction import correction_signals
from mnemex_vault.domain.spoken import sentences_of


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("No, it's Marek with a k, not Marec.", {"correction", "put_right"}),
        ("Actually the wedding is on the 14th, I mixed it up.", {"correction", "put_right"}),
        ("Correction: the invoice number is 2231.", {"correction", "put_right"}),
        ("Sorry, it's 4 kids, not 3.", {"correction", "put_right"}),
        ("I was wrong about the date, the lease ends in October.", {"correction", "put_right"}),
        ("I was wrong about the whole thing", {"correction"}),
        ("Actually, it is on Monday the 4th", {"correction"}),
        ("That's not what I meant, sorry", {"correction"}),
        ("That is wrong and it is bad", {"correction"}),
        ("Sorry, I was late this morning", set()),
        ("Sorry about that", set()),
        ("No", set()),
        ("Correction: no", set()),
        ("It is Marek, not Marec", set()),
        ("", set()),
    ],
)
def test_a_correction_is_told_from_a_protest(text: str, signals: set[str]) -> None:
    found = {signal for sentence in sentences_of(text) for signal in correction_signals(sentence)}
    assert found == signals
