import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.titles import CUT, MAX_TITLE, title_of

EXAMPLES = {
    # the first person becomes the third
    "I prefer TypeScript over JavaScript.": "Prefers TypeScript over JavaScript",
    "i prefer tabs": "Prefers tabs",
    "I'm allergic to peanuts.": "Allergic to peanuts",
    "I’m allergic to peanuts.": "Allergic to peanuts",
    "I am a data engineer at Acme.": "Data engineer at Acme",
    "I have two cats, Minka and Tom.": "Has two cats, Minka and Tom",
    "I've got a boat": "Has a boat",
    "I don't like meetings before 10.": "Doesn't like meetings before 10",
    "I do not eat meat": "Doesn't eat meat",
    "I've decided to use Postgres.": "Decided to use Postgres",
    "I've been using Vim for ten years.": "Has been using Vim for ten years",
    "I haven't tried Rust": "Haven't tried Rust",
    "I'd like to learn Rust.": "Would like to learn Rust",
    "I study physics at ETH.": "Studies physics at ETH",
    "I went to Japan in 2019.": "Went to Japan in 2019",
    "I usually go running on Sundays.": "Usually goes running on Sundays",
    "I do yoga": "Does yoga",
    "I play chess on Mondays": "Plays chess on Mondays",
    "I watch tennis": "Watches tennis",
    "I moved to Lisbon": "Moved to Lisbon",
    "I think therefore I am": "Thinks therefore I am",
    "I, Claude, noted this": "I, Claude, noted this",
    "I never": "I never",
    "I am": "I am",
    "The user prefers dark mode.": "Prefers dark mode",
    "User is vegetarian.": "Vegetarian",
    "The user's sister lives in Rome.": "The user's sister lives in Rome",
    "User interface must be dark": "User interface must be dark",
    "We've agreed to ship on Fridays": "Agreed to ship on Fridays",
    "My dog is called Rex.": "My dog is called Rex",
    # words addressed to the assistant go
    "Remember that I prefer tabs.": "Prefers tabs",
    "Note: the staging server is called atlas.": "The staging server is called atlas",
    "Please remember to water the plants.": "Water the plants",
    "Can you remember that I live in Lisbon?": "Lives in Lisbon",
    "FYI - our CI runs on GitHub Actions": "Our CI runs on GitHub Actions",
    "Save this: our Wi-Fi name is Fritz": "Our Wi-Fi name is Fritz",
    "**Important:** the API key rotates every 90 days.": "The API key rotates every 90 days",
    "Remember the Milk is my todo app": "Remember the Milk is my todo app",
    "Hi Claude! I moved to Berlin last year.": "Moved to Berlin last year",
    "I like it. TypeScript is better than JavaScript.": "TypeScript is better than JavaScript",
    "Remember that": "Remember that",
    "Note: note: note: note: note: tea": "Note: tea",
    # dates and all other words of the thought stay
    "Don't forget that the deadline is 2026-05-01.": "The deadline is 2026-05-01",
    "On 2026-03-01 we decided to move to Berlin.": "On 2026-03-01 we decided to move to Berlin",
    "Anna's birthday is on 4 May.": "Anna's birthday is on 4 May",
    "Meeting on 3 March 2026: Anna will lead the migration.": "Meeting on 3 March 2026: Anna will lead the migration",
    "Ticket 550e8400-e29b-41d4-a716-446655440000 is about login": (
        "Ticket 550e8400-e29b-41d4-a716-446655440000 is about login"
    ),
    "2026年3月1日に引っ越した。": "2026年3月1日に引っ越した",
    "# 2026-03-01\n\nAnna agreed.": "Anna agreed",
    # a long sentence is cut where a clause or a word ends, and says so
    "The billing service uses PostgreSQL 16, decided on 2 December 2026 together with Priya.": (
        "The billing service uses PostgreSQL 16, decided on 2…"
    ),
    "My doctor, Siobhan Murphy, said that I should walk for half an hour every day.": (
        "My doctor, Siobhan Murphy, said that I should walk for half…"
    ),
    "We decided to use Postgres instead of MySQL because it has better JSON support and our team knows it.": (
        "Decided to use Postgres instead of MySQL because it has…"
    ),
    "When writing Python code for the data team at work, I always prefer type hints everywhere, no exceptions.": (
        "When writing Python code for the data team at work…"
    ),
    "I think we should use Kubernetes": "Thinks we should use Kubernetes",
    "We will drop support for Python 3.9 in the next release, because it reached its end of life": (
        "We will drop support for Python 3.9 in the next release…"
    ),
    "私は毎朝六時に起きて" * 7: "私は毎朝六時に起きて" * 5 + "私は毎朝六時に起き…",
    "私は毎朝六時に起きて近所の公園を走ってから、家族全員の朝食を作り、子供たちを学校まで車で送り届けて、夜は本を読むことにしています。": (
        "私は毎朝六時に起きて近所の公園を走ってから、家族全員の朝食を作り、子供たちを学校まで車で送り届けて…"
    ),
    "Here is a summary of our talk: the cache is write-through.": (
        "Here is a summary of our talk: the cache is write-through"
    ),
    "Correction: our office moved": "Our office moved",
    "Passwords: min. 12 characters.": "Passwords: min. 12 characters",
    "Supercalifragilistic " * 6: "Supercalifragilistic Supercalifragilistic…",
    "A" * 90: "A" * 59 + "…",
    # a vowel of Thai that is written first stays with its consonant
    "ผมชอบดื่มกาแฟดำตอนเช้าก่อนไปทำงานที่บริษัทเล็กๆแห่งหนึ่งในเชียงใหม่": "ผมชอบดื่มกาแฟดำตอนเช้าก่อนไปทำงานที่บริษัทเล็กๆแห่งหนึ่งใน…",
    # markdown is read, not shown
    "# Frontend stack\n\nWe use React and Vite.": "Frontend stack",
    "We use React.\n\n# Frontend stack": "Frontend stack",
    "We use React.\n\n## Details\nand Vite": "We use React",
    "## Notes\n\n- I prefer short answers\n- I hate emoji": "Prefers short answers",
    "# Notes": "Notes",
    "[[Anna]] is my sister; she lives in [Rome](https://rome.example).": "Anna is my sister; she lives in Rome",
    "- [ ] call the dentist": "Call the dentist",
    "> [!tip] Use `uv` instead of `pip`.": "Use uv instead of pip",
    "#todo Ask Anna about the invoice #finance": "Ask Anna about the invoice",
    "<b>Bold</b> claim about HTML": "Bold claim about HTML",
    'My favourite book is "Dune".': "My favourite book is Dune",
    "The 'main' branch and the developers' access": "The main branch and the developers' access",
    "I prefer TypeScript over\nJavaScript for everything.": "Prefers TypeScript over JavaScript for everything",
    "Buy milk\nCall Anna": "Buy milk",
    "---\nBuy milk": "Buy milk",
    # code and addresses
    "```python\n# Reconcile the vault\ndef reconcile(paths):\n    pass\n```": "Reconcile the vault",
    "```\nnpm run build\n```": "npm run build",
    "calculate_score() must not see a negative age": "calculate_score() must not see a negative age",
    "I use C#.": "Uses C#",
    ".env holds the path": ".env holds the path",
    "...and then we moved on.": "And then we moved on",
    "https://docs.example.org/3/library/asyncio.html": "docs.example.org asyncio",
    "https://example.org": "example.org",
    "The asyncio docs are at https://docs.example.org/3/": "The asyncio docs are at docs.example.org 3",
    "npm is broken on my machine": "npm is broken on my machine",
    "iPhone backups go to the NAS": "iPhone backups go to the NAS",
    "Uses PostgreSQL (version 15).": "Uses PostgreSQL (version 15)",
    "see above)": "See above",
    # other languages, other scripts, almost nothing
    "私はコーヒーより紅茶が好きです。犬も好きです。": "私はコーヒーより紅茶が好きです",
    "我喜欢喝茶，不喜欢喝咖啡。我住在北京。": "我喜欢喝茶，不喜欢喝咖啡",
    "记住：我的猫叫小白。": "我的猫叫小白",
    "I gatti sono neri.": "I gatti sono neri",
    "Ich bevorzuge TypeScript.": "Ich bevorzuge TypeScript",
    "Rappelle-toi que je suis végétarien.": "Je suis végétarien",
    "Я предпочитаю чай.": "Я предпочитаю чай",
    "العربية لغتي الأم.": "العربية لغتي الأم",
    "🎉": "🎉",
    "🎉 We shipped version 2!": "We shipped version 2",
    "I ❤️ Rust": "I ❤️ Rust",
    "Tabs": "Tabs",
    "Yes.": "Yes",
    "!!!": "Untitled memory",
    "": "Untitled memory",
    "2026-03-01": "2026-03-01",
}


@pytest.mark.parametrize(("content", "title"), EXAMPLES.items())
def test_a_title_is_the_phrase_a_person_would_choose(content: str, title: str) -> None:
    assert title_of(content) == title


@given(st.text(max_size=300) | st.text("I am.#*`[]()\n -:éß漢字🎉", max_size=200))
def test_any_text_gets_a_title_of_one_line_that_fits(content: str) -> None:
    title = title_of(content)
    assert 0 < len(title) <= MAX_TITLE
    assert title == " ".join(title.split())
    assert title[-1] not in ".,;:!?。！？、，"


@given(
    st.lists(st.sampled_from(["a", "é", "e\u0301", "漢", "👨\u200d👩\u200d👧", "க்ஷி", " "]), min_size=61, max_size=120)
)
def test_a_cut_title_says_so_and_is_never_cut_inside_a_grapheme(graphemes: list[str]) -> None:
    title = title_of("".join(graphemes))
    assert set(regex.findall(r"\X", title.removesuffix(CUT).lower())) <= set(
        regex.findall(r"\X", "".join(graphemes).lower())
    )


def test_a_title_is_never_cut_inside_a_family() -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"
    assert set(regex.findall(r"\X", title_of(family * 20))) == {family, CUT}


def test_a_word_is_never_cut_when_there_are_words() -> None:
    words = [f"word{number}" for number in range(40)]
    assert set(title_of(" ".join(words)).removesuffix(CUT).lower().split()) <= set(words)


@pytest.mark.parametrize("word", ["PostgreSQL", "Москва", "Ελλάδα"])
def test_writing_without_spaces_is_not_cut_inside_a_word_of_another_script(word: str) -> None:
    for length in range(40, 60):
        kept = title_of(f"{'漢' * length}{word}{'字' * 40}").removesuffix(CUT).lstrip("漢")
        assert kept.rstrip("字") in ("", word)
