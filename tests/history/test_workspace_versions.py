from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.history.workspace import carry_over

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "d\n"]), max_size=8).map("".join).map(str.encode)


@given(base=LINES, wanted=LINES)
def test_without_a_later_change_the_wanted_text_comes_out(base: bytes, wanted: bytes) -> None:
    assert carry_over(base, wanted, base) == wanted


@given(base=LINES, current=LINES)
def test_with_nothing_to_take_back_the_present_text_stays(base: bytes, current: bytes) -> None:
    assert carry_over(base, base, current) == current


@given(head=LINES, middle=st.just(b"== fixed ==\n"), tail=LINES, other_head=LINES, other_tail=LINES)
def test_changes_of_different_parts_are_both_kept(
    head: bytes, middle: bytes, tail: bytes, other_head: bytes, other_tail: bytes
) -> None:
    merged = carry_over(head + middle + tail, other_head + middle + tail, head + middle + other_tail)
    assert merged == other_head + middle + other_tail


def test_two_insertions_at_one_place_are_not_guessed_about() -> None:
    assert carry_over(b"a\nb\n", b"a\nx\nb\n", b"a\ny\nb\n") is None
    assert carry_over(b"", b"x", b"y") is None
