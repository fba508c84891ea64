from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.tags import clean_tag, label_key, tag_key
from mnemex_vault.text.links import tags as inline_tags

OF_EVERY_SCRIPT = [
    "हिन्दी", "தமிழ்", "العَرَبِيَّة", "עִבְרִית", "ไทย", "မြန်မာ", "ខ្មែរ", "བོད་ཡིག", "বাংলা", "ગુજરાતી", "ქართული", "Ελληνικά",
    "日本語", "한국어", "中文/方言", "Việt_Nam", "čeština", "Ἀθῆναι", "col·lecció", "tag🎉", "👨‍👩‍👧", "👩🏽‍💻", "❤️‍🔥", "🇦🇹", "1️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "½", "_private", "a--b", "x/_y",
]  # fmt: skip


@pytest.mark.parametrize("tag", OF_EVERY_SCRIPT)
def test_letters_marks_and_emoji_of_every_script_stay(tag: str) -> None:
    assert clean_tag(tag) == unicodedata.normalize("NFC", tag)
    assert clean_tag(unicodedata.normalize("NFD", tag)) == unicodedata.normalize("NFC", tag)


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("machine learning", "machine-learning"),
        ("node.js", "node-js"),
        ("C#", "C"),
        ("R&D", "R-D"),
        ("v1.2", "v1-2"),
        ("a - b", "a-b"),
        ("(draft)", "draft"),
        ("#one/#two three", "one/two-three"),
        ("#️⃣ tag#️⃣", "tag"),
        ("x\u200d", "x"),
        ("soft\u00adhyphen\ufeff", "softhyphen"),
        ("२०२६", None),
        ("2026", None),
        ("-", None),
        (" # ", None),
    ],
)
def test_what_no_tag_can_hold_parts_words(given: str, cleaned: str | None) -> None:
    assert clean_tag(given) == cleaned


@given(st.text(max_size=30))
def test_a_cleaned_tag_is_a_tag_of_obsidian_and_stays_as_it_is(text: str) -> None:
    tag = clean_tag(text)
    if tag is None:
        return
    assert clean_tag(tag) == tag == unicodedata.normalize("NFC", tag)
    plain = tag.replace("\u200c", "").replace("\u200d", "")
    assert inline_tags(f"x #{plain} y") == [plain] or plain.isdecimal()


@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=30))
def test_every_inline_tag_of_a_note_is_kept_when_it_is_cleaned(text: str) -> None:
    for tag in inline_tags(f"#{text}"):
        assert tag_key(tag) == tag_key(f"#{tag}")


def test_spellings_of_one_name_are_equal() -> None:
    assert label_key("  Cafe\u0301\n Atlas ") == label_key("café ATLAS")
