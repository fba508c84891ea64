from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.sentences import Kind, blocks, sentences, split_sentences


def test_abbreviations_and_numbers_do_not_end_a_sentence() -> None:
    assert split_sentences("Mr. Fox pays approx. 3.5 euros. Fine.") == ["Mr. Fox pays approx. 3.5 euros.", "Fine."]


def test_a_sentence_may_end_with_a_quote_or_several_marks() -> None:
    assert split_sentences('He said "no." Really?! Yes…') == ['He said "no."', "Really?!", "Yes…"]


def test_a_code_block_is_one_block_even_when_it_is_never_closed() -> None:
    kinds = [(block.kind, block.text) for block in blocks("```sh\n# not a heading\n\nls\n```\nafter\n~~~\nopen")]
    assert kinds == [(Kind.CODE, "# not a heading\n\nls"), (Kind.TEXT, "after"), (Kind.CODE, "open")]


def test_headings_know_their_level_and_items_lose_their_marker() -> None:
    found = [(block.kind, block.text, block.level) for block in blocks("## Two ##\n1. one\n* [x] done\n> said")]
    assert found == [(Kind.HEADING, "Two", 2), (Kind.ITEM, "one", 0), (Kind.ITEM, "done", 0), (Kind.ITEM, "said", 0)]


def test_wrapped_lines_are_joined_and_statements_are_not() -> None:
    assert sentences("We prefer\nthe sea.\nAnna too\nBen too") == ["We prefer the sea.", "Anna too", "Ben too"]
    assert sentences("x" * 70 + "\nAnna") == ["x" * 70 + " Anna"]
    assert sentences("- I like\n- tea\n\n- and\n- more") == ["I like", "tea", "and", "more"]


def test_a_code_block_counts_as_one_sentence() -> None:
    assert sentences("See.\n```\na. b. c.\n```") == ["See.", "a. b. c."]


@given(st.text(alphabet="ab. !?。\n#`-> ", max_size=200))
def test_no_word_is_lost(text: str) -> None:
    joined = "".join(block.raw for block in blocks(text))
    assert [c for c in text if c in "ab"] == [c for c in joined if c in "ab"]


@given(st.text(alphabet="ab. !?。\"')", max_size=200))
def test_splitting_keeps_every_character_but_space(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())
