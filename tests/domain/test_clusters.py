import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.clusters import (
    DUPLICATE_LIMITS,
    Action,
    Cluster,
    Limits,
    by_label,
    by_pairs,
    by_similarity,
    cluster_id,
)
from mnemex_vault.domain.similarity import Pair, jaccard, near_duplicates, tokens

collections = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3), st.text("abcde", max_size=9).map(" ".join), max_size=40
)
sizes = st.integers(3, 12)


def members(clusters: list[Cluster]) -> list[tuple[str, ...]]:
    return [cluster.members for cluster in clusters]


def test_similar_texts_are_one_cluster_and_the_rest_is_none() -> None:
    texts = {"b": "Anna likes green tea", "a": "anna likes green tea!", "c": "Ben rides a bike"}
    (found,) = by_similarity(texts)
    assert (found.members, found.cohesion, found.action) == (("a", "b"), 1.0, Action.MERGE)
    assert found.id == cluster_id(["a", "b"])


def test_linkage_is_single_so_a_chain_holds_together() -> None:
    texts = {"a": "1 2 3 4 5", "b": "2 3 4 5 6", "c": "3 4 5 6 7"}
    (found,) = by_similarity(texts, Limits(threshold=0.6))
    assert found.members == ("a", "b", "c")
    assert found.cohesion == pytest.approx((2 / 3 + 2 / 3 + 3 / 7) / 3)
    assert found.action is Action.SEPARATE


@pytest.mark.parametrize(
    ("cohesion", "action"),
    [
        (1.0, Action.MERGE),
        (0.9, Action.MERGE),
        (0.8999, Action.REVIEW),
        (0.75, Action.REVIEW),
        (0.7499, Action.SEPARATE),
    ],
)
def test_cohesion_decides_the_action(cohesion: float, action: Action) -> None:
    assert Cluster("x", ("a", "b"), cohesion).action is action


@given(collections, sizes, st.randoms())
def test_the_order_of_the_input_changes_nothing(texts: dict[str, str], size: int, rnd: random.Random) -> None:
    limits = Limits(threshold=0.5, max_size=size)
    shuffled = list(texts.items())
    rnd.shuffle(shuffled)
    assert by_similarity(dict(shuffled), limits) == by_similarity(texts, limits)


@given(collections, sizes)
def test_whoever_has_a_similar_other_is_in_exactly_one_cluster(texts: dict[str, str], size: int) -> None:
    found = by_similarity(texts, Limits(threshold=0.5, max_size=size))
    linked = {identity for pair in near_duplicates(texts, threshold=0.5) for identity in (pair.first, pair.second)}
    assert sorted(identity for cluster in found for identity in cluster.members) == sorted(linked)
    assert all(2 <= len(cluster.members) <= size for cluster in found)


@given(collections, sizes)
def test_pairs_of_another_measure_give_the_same_clusters(texts: dict[str, str], size: int) -> None:
    sets = {identity: tokens(text) for identity, text in texts.items()}
    limits = Limits(threshold=0.5, max_size=max(size, 40))
    measured = by_pairs(
        texts, near_duplicates(texts, threshold=0.2), lambda one, other: jaccard(sets[one], sets[other]), limits
    )
    assert measured == by_similarity(texts, limits)


def test_an_oversize_cluster_is_cut_into_nearly_equal_parts() -> None:
    texts = {f"m{number:02}": "the same text" for number in range(25)}
    assert sorted(len(cluster.members) for cluster in by_similarity(texts)) == [8, 8, 9]


def test_cutting_keeps_the_most_alike_together() -> None:
    first = {f"a{number}": "one two three four five" for number in range(3)}
    second = {f"b{number}": "one two three four six" for number in range(3)}
    found = by_similarity(first | second, Limits(threshold=0.6, max_size=3))
    assert members(found) == [("a0", "a1", "a2"), ("b0", "b1", "b2")]


def test_cohesion_stays_within_bounds_whatever_the_measure() -> None:
    (found,) = by_pairs("ab", [Pair("a", "b", 1.0)], lambda one, other: 1.0000001)
    assert found.cohesion == 1.0


def test_memories_with_a_tag_in_common_are_a_cluster_with_its_name() -> None:
    texts = {"a": "tea is green", "b": "tea is green", "c": "bikes", "d": "alone"}
    labels = {"a": ["drink", "garden"], "b": ["drink", "garden"], "c": ["garden"], "d": ["x"]}
    found = by_label(labels, texts)
    assert [(cluster.members, cluster.label) for cluster in found] == [
        (("a", "b"), "drink"),
        (("a", "b", "c"), "garden"),
    ]


def test_tags_that_name_the_same_memories_are_one_cluster() -> None:
    (found,) = by_label({"a": ["y", "x"], "b": ["x", "y"]}, {"a": "one", "b": "two"})
    assert (found.label, found.action) == ("x, y", Action.SEPARATE)


def test_duplicates_need_more_than_similar_texts() -> None:
    texts = {"a": "1 2 3 4 5 6", "b": "1 2 3 4 5", "c": "1 2 3 4 5"}
    assert members(by_similarity(texts)) == [("a", "b", "c")]
    assert members(by_similarity(texts, DUPLICATE_LIMITS)) == [("b", "c")]


@pytest.mark.parametrize("limits", [{"threshold": -0.1}, {"threshold": 1.1}, {"min_size": 1}, {"max_size": 1}])
def test_limits_that_make_no_cluster_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"threshold|members"):
        Limits(**limits)  # type: ignore[arg-type]


def test_nothing_in_nothing_out() -> None:
    assert by_similarity({}) == by_label({}, {}) == []
    assert by_similarity({"a": "", "b": ""}) == []


def test_ten_thousand_equal_memories_are_clustered() -> None:
    texts = {f"m{number:05}": "the same text" for number in range(10_000)}
    found = by_similarity(texts)
    assert sum(len(cluster.members) for cluster in found) == 10_000
