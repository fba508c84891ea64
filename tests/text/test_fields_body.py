"""A text comes back from its note exactly, whatever it looks like."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.text.fields import content_of, replace_body, with_newline

LF = "---\na: 1 # c\n---\n"
CRLF = LF.replace("\n", "\r\n")

CONTENTS = st.one_of(
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=60),
    st.lists(
        st.sampled_from(["---", "\n", "\r\n", "\r", "a: 1", "x", " ", "\ufeff", "\u2028", "```", "%%"]), max_size=12
    ).map("".join),
)


@given(CONTENTS, st.sampled_from([LF, CRLF, "\ufeff" + LF, "---\n---", "---\r\n---"]), CONTENTS)
@example("---\na: 1\n---\nx", LF, "")
@example("a\r", CRLF, "")
@example("a\r\nb", CRLF, "")
@example("a\nb\n", CRLF, "")
@example("\r\n", CRLF, "")
@example("a\r\nb\r", CRLF, "")
def test_a_text_comes_back_exactly_and_the_frontmatter_stays(content: str, head: str, old: str) -> None:
    before = head if head.endswith("---") else head + old
    after = replace_body(before, content)
    assert after.startswith(head)
    assert content_of(after) == content


@given(
    CONTENTS.filter(lambda text: not text.startswith(("---", "\ufeff"))),
    st.sampled_from(["", "old\n", "old\r\nlines", "\ufeffold"]),
)
def test_a_text_comes_back_from_a_note_without_frontmatter(content: str, old: str) -> None:
    after = replace_body(old, content)
    assert after.startswith("\ufeff") is old.startswith("\ufeff")
    if "\r" not in content:
        assert content_of(after) == content


def test_the_line_ends_of_the_note_are_kept() -> None:
    assert replace_body(CRLF + "old\r\n", "one\ntwo") == CRLF + "one\r\ntwo\r\n"
    assert replace_body(LF + "old\n", "one\ntwo") == LF + "one\ntwo\n"


def test_a_fence_at_the_end_of_the_file_gets_its_newline() -> None:
    assert replace_body("---\na: 1\n---", "text") == "---\na: 1\n---\ntext\n"


def test_what_no_note_can_hold_is_refused() -> None:
    for content in ("a\0b", "\ud800"):
        with pytest.raises(InvalidInput):
            with_newline(content)


def test_a_text_that_would_become_frontmatter_is_refused() -> None:
    for content in ("---\na: 1\n---\nx", "---\nnever closed"):
        with pytest.raises(InvalidInput):
            replace_body("old", content)


def test_a_note_whose_frontmatter_is_never_closed_is_left_alone() -> None:
    with pytest.raises(UnreadableNote):
        replace_body("---\na: 1\n\nold", "new")
