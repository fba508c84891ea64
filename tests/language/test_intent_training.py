"""The weights in the package are those that the labelled messages teach."""

from __future__ import annotations

import pytest

from mnemex_vault.language.intent import Intent, Judge


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_learning_again_gives_the_same_judgements() -> None:
    pytest.importorskip("sklearn", reason="needs mnemex-vault[train]")
    from tests.bench.activation import messages
    from tests.bench.train_intent import confidences, judge, read

    again, held_out = judge(messages("train")), messages("heldout")
    taken = read(held_out)
    for intent in Intent:
        before = confidences(held_out, taken, Judge.load(), intent)
        after = confidences(held_out, taken, again, intent)
        # processors differ in the last digits, and what is near the edge may fall to either side
        assert all(abs(before[text] - after[text]) <= 0.01 for text in before)
        assert all((before[text] >= 0.5) == (after[text] >= 0.5) for text in before if abs(before[text] - 0.5) > 0.01)
