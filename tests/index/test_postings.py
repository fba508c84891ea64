from __future__ import annotations

from array import array
from pathlib import Path

from mnemex_vault.index.postings import PostingCache, Postings
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import found, note


def postings(count: int) -> Postings:
    return Postings(array("I", range(count)), array("f", [1.0] * count), array("Q", [1] * count))


def test_the_cache_lets_go_of_what_was_not_used_for_longest() -> None:
    cache = PostingCache(limit=300)
    for term in "abc":
        cache.put(("s", "text", term), postings(60))
    assert cache.get(("s", "text", "a")) is not None
    cache.put(("s", "text", "d"), postings(60))
    assert [term for term in "abcd" if cache.get(("s", "text", term))] == ["a", "c", "d"]


def test_a_list_longer_than_the_limit_is_still_kept_for_its_own_question() -> None:
    cache = PostingCache(limit=10)
    cache.put(("s", "text", "a"), postings(1000))
    assert cache.get(("s", "text", "a")) is not None


def test_postings_of_segments_that_are_gone_are_forgotten() -> None:
    cache = PostingCache(limit=1000)
    cache.put(("old", "text", "a"), postings(3))
    cache.put(("new", "text", "a"), postings(3))
    cache.retain({"new"})
    assert cache.get(("old", "text", "a")) is None
    assert cache.get(("new", "text", "a")) is not None


def test_long_posting_lists_are_read_completely_and_with_a_tiny_cache(tmp_path: Path) -> None:
    index = TextIndex(tmp_path, cached_postings=50)
    index.stage([note(f"{number}.md", f"zebra {'lion ' * (number % 2)} word{number % 7}") for number in range(3000)])
    index.flush()
    assert len(found(index, "zebra")) == 3000
    assert len(found(index, '"zebra lion"')) == 1500
    assert len(found(index, "lion")) == 1500
