"""Search in many languages holds what it was measured to do; `python -m tests.bench.languages` prints the figures."""

from __future__ import annotations

import pytest

from tests.bench.languages import Pair, found, pairs, tabled

pytestmark = pytest.mark.slow

LEAST = 0.85
LEAST_IN_OTHER_WORDS = 0.3
IN_OTHER_WORDS = {"across", "topics"}


@pytest.fixture(scope="module")
def results() -> list[tuple[Pair, bool, bool]]:
    return list(found(list(pairs()), "all"))


def test_most_answers_are_among_the_first_five_in_every_language(results: list[tuple[Pair, bool, bool]]) -> None:
    shares = {name: ours / count for name, (count, ours, _) in tabled(results, lambda pair: pair.language).items()}
    assert len(shares) == 16
    assert {name: share for name, share in shares.items() if share < LEAST and name not in IN_OTHER_WORDS} == {}
    assert all(shares[name] >= LEAST_IN_OTHER_WORDS for name in IN_OTHER_WORDS)


def test_no_language_finds_fewer_than_fts5_does(results: list[tuple[Pair, bool, bool]]) -> None:
    table = tabled(results, lambda pair: pair.language)
    assert {name for name, (_, ours, theirs) in table.items() if ours < theirs} == set()
