import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.sentences import Kind, blocks, cut_to, cuts, sentences, split_sentences


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


SCRIPTS = {
    "Arabic": "أستيقظ كلَّ صباحٍ في السادسة وأركض في الحديقة القريبة",
    "Burmese": "ကျွန်တော်သည်မနက်တိုင်းခြောက်နာရီတွင်အိပ်ရာမှထသည်",
    "Chinese": "我每天早上六点起床去附近的公园跑步然后给全家人做早饭",
    "Devanagari": "मैं हर सुबह छह बजे उठकर पास के पार्क में दौड़ता हूँ",
    "flags": "🇩🇪🇫🇷🇯🇵🇩🇪🇫🇷🇯🇵🇩🇪🇫🇷🇯🇵",
    "Hebrew": "אני קָם כָּל בֹּקֶר בְּשֵׁשׁ ורץ בפארק הקרוב",
    "Japanese": "私は毎朝六時に起きてか\u3099くせいと走る",
    "Korean": "나는 매일 아침 여섯 시에 일어나 공원을 달린다",
    "pictures": "👨‍👩‍👧‍👦👩🏽‍💻👨‍👩‍👧‍👦👩🏽‍💻👨‍👩‍👧‍👦",
    "Tamil": "நான் தினமும் காலையில் ஆறு மணிக்கு எழுந்து ஓடுகிறேன்",
    "Thai": "ผมชอบดื่มกาแฟดำตอนเช้าก่อนไปทำงานที่บริษัทแห่งหนึ่งในเชียงใหม่",
    "Vietnamese": "Tô\u0301i thi\u0301ch u\u0302\u0301ng tra\u0300",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_text_is_cut_between_two_signs_of_its_script(script: str) -> None:
    text = SCRIPTS[script]
    between = {sign.end() for sign in regex.finditer(r"\X", text)}
    for room in range(40, len(text) + 40):
        kept = cut_to("a b " + text, room - 40)
        assert len(kept) <= max(0, room - 40)
        assert len(kept) - 4 in between or len(kept) <= 4
        assert not regex.search(r"[\u0e40-\u0e44]$", kept)


@given(st.text(max_size=60) | st.text("a กเ\u0e31\u0301\u200d👩🇩", max_size=60), st.integers(0, 70))
def test_as_much_is_kept_as_has_room(text: str, room: int) -> None:
    kept = cut_to(text, room)
    assert text.startswith(kept)
    assert len(kept) <= room
    if not text.isascii() and len(text) > room:
        nearest = max((end for end in cuts(text) if end <= room), default=0)
        assert len(kept) >= nearest or text[max(0, room - 1) : room + 1].isascii() or " " in text[:room]
