import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.similarity import Pair, jaccard, most_similar, near_duplicates, normalised, token_list, tokens

collections = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3),
    st.text("abcdefg ", max_size=25).map(" ".join),
    max_size=25,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Tabs", "tabs"), (" a\n\tb ", "a b"), ("e\u0301", "é"), ("ﬁne", "fine"), ("STRASSE", "straße"), ("Ａ", "a")],
)
def test_case_space_and_unicode_form_make_no_difference(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


def test_a_full_stop_or_a_number_makes_a_difference() -> None:
    assert normalised("floor 3") != normalised("floor 4")
    assert normalised("floor 3") != normalised("floor 3.")


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't use C# or C++.", ["don't", "use", "c#", "or", "c++"]),
        ("'quoted' snake_case", ["quoted", "snake_case"]),
        ("我喜欢茶 tea茶", ["我喜", "喜欢", "欢茶", "tea", "茶"]),
        ("カレー", ["カレ", "レー"]),
        ("' ''", []),
        ("", []),
    ],
)
def test_words_and_bigrams(text: str, expected: list[str]) -> None:
    assert token_list(text) == expected


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_jaccard_is_symmetric_and_one_only_for_equal_sets(one: set[int], other: set[int]) -> None:
    assert jaccard(one, other) == jaccard(other, one)
    assert (jaccard(one, other) == 1) is (one == other != set())


@given(collections, st.sampled_from([0.0, 0.2, 0.5, 0.75, 0.83, 0.88, 1.0]))
def test_all_pairs_above_the_threshold_are_found_and_no_others(texts: dict[str, str], threshold: float) -> None:
    expected = {
        (one, other): value
        for one, other in combinations(sorted(texts), 2)
        if (value := jaccard(tokens(texts[one]), tokens(texts[other]))) >= threshold and value > 0
    }
    found = near_duplicates(texts, threshold=threshold)
    assert {(pair.first, pair.second): pair.similarity for pair in found} == expected
    assert len(found) == len(expected)


@given(collections, st.randoms())
def test_pairs_come_best_first_in_any_order_of_input(texts: dict[str, str], rnd: random.Random) -> None:
    found = near_duplicates(texts, threshold=0.3)
    shuffled = list(texts.items())
    rnd.shuffle(shuffled)
    assert near_duplicates(dict(shuffled), threshold=0.3) == found
    assert [pair.similarity for pair in found] == sorted((pair.similarity for pair in found), reverse=True)


def test_duplicates_may_be_limited() -> None:
    texts = {"a": "one two", "b": "Two one!", "c": "one two", "d": "other"}
    assert near_duplicates(texts) == [Pair("a", "b", 1.0), Pair("a", "c", 1.0), Pair("b", "c", 1.0)]
    assert near_duplicates(texts, limit=1) == [Pair("a", "b", 1.0)]
    assert near_duplicates(texts, threshold=1.01) == []


def test_the_most_similar_texts_come_best_first() -> None:
    others = {
        "x": "the office is on floor 4",
        "y": "the office is on floor 3",
        "z": "tea",
        "w": "the office is on floor 4",
    }
    hits = most_similar("The office is on floor 3", others)
    assert [identity for identity, _ in hits] == ["y", "w", "x"]
    assert hits[0][1] == 1.0
    assert most_similar("The office is on floor 3", others, limit=1) == hits[:1]


def memories(count: int) -> dict[str, str]:
    rnd = random.Random(7)
    vocabulary = [f"word{number}" for number in range(5_000)]
    weights = [1 / (number + 1) for number in range(5_000)]
    texts: dict[str, str] = {}
    for number in range(count):
        words = rnd.choices(vocabulary, weights, k=rnd.randint(6, 40))
        if number % 10 == 9:
            words = texts[f"m{rnd.randrange(number)}"].split()
            words[rnd.randrange(len(words))] = rnd.choice(vocabulary)
        texts[f"m{number}"] = " ".join(words)
    return texts


def test_near_duplicates_are_found_among_many_memories(full: bool) -> None:
    count = 10_000 if full else 1_000
    assert len(near_duplicates(memories(count), threshold=0.75)) > 0.09 * count
