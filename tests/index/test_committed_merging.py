from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.index.committed import MOST_NOTES, to_merge

segments = st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(st.lists(segments, max_size=40))
def test_no_commit_rewrites_more_notes_than_the_limit(sizes: list[tuple[int, int]]) -> None:
    assert sum(sizes[index][0] for index in to_merge(sizes)) <= MOST_NOTES


@given(st.lists(st.integers(1, 30), min_size=1, max_size=300))
def test_segments_stay_few_however_notes_arrive(batches: list[int]) -> None:
    sizes: list[tuple[int, int]] = []
    written = 0
    for batch in batches:
        chosen = to_merge(sizes)
        merged = batch + sum(sizes[index][0] for index in chosen)
        written += merged
        sizes = [size for index, size in enumerate(sizes) if index not in chosen] + [(merged, merged)]
    total = sum(batches)
    assert sum(living for living, _ in sizes) == total
    assert len(sizes) <= 16
    assert written <= 25 * total


def test_a_segment_of_mostly_deleted_notes_is_written_anew() -> None:
    assert to_merge([(400, 2000), (1500, 2000)]) == {0}
