"""Links, tags and headings are found in text only, and rewritten with everything else verbatim."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.text.links import Link, headings, links, rewrite, tags

FORMS = [
    ("[[Note]]", "Note", "", None, False),
    ("[[Note.md]]", "Note.md", "", None, False),
    ("[[dir/Note]]", "dir/Note", "", None, False),
    ("[[Note#H1#H2]]", "Note", "#H1#H2", None, False),
    ("[[Note#^block-id]]", "Note", "#^block-id", None, False),
    ("[[#Own heading]]", "", "#Own heading", None, False),
    ("[[Note|alias]]", "Note", "", "alias", False),
    (r"| [[Note\|alias]] |", "Note", "", "alias", False),
    ("![[Note]]", "Note", "", None, True),
    ("![[pic.png|R|150]]", "pic.png", "", "R|150", True),
    ("[[ Spaced | x ]]", "Spaced", "", "x", False),
    ("[[Note|an [odd] alias]]", "Note", "", "an [odd] alias", False),
    ("[t](Note%20name.md#Heading)", "Note name.md", "#Heading", "t", False),
    ("[t](<Note name.md>)", "Note name.md", "", "t", False),
    ("![t](a_(b).png 'title')", "a_(b).png", "", "t", True),
    ("[t](#Heading)", "", "#Heading", "t", False),
    (r"[t](a\(b.md)", "a(b.md", "", "t", False),
]


@pytest.mark.parametrize(("text", "target", "heading", "alias", "embed"), FORMS)
def test_every_form_of_link_is_found(text: str, target: str, heading: str, alias: str | None, embed: bool) -> None:
    [link] = links(f"before {text} after")
    assert (link.target, link.heading, link.alias, link.embed) == (target, heading, alias, embed)
    assert f"before {text} after"[link.start : link.end] == text.strip("| ")


@pytest.mark.row("T32")
@pytest.mark.parametrize(
    "text",
    [
        "[[]] [[ ]] [[|x]]",
        "`[[no]]` ``a ` [[no]]`` `two\nlines [[no]]`",
        "```\n[[no]]\n```",
        "~~~\n[[no]]",
        "> ```\n> [[no]]\n> ```",
        "    [[no]]",
        "- item\n\n      [[no]]",
        "%%no%% %%\n\n[[no]]\n\n```\n[[no]]\n```\n%%",
        "<!-- [[no]] --> text <!-- [[no]] -->",
        "text <!-- [[no]] -->",
        "<div>\n[[no]]\n</div>",
        "$[[no]]$ and $$[[no]]$$",
        "$$\n\n[[no]]\n\n$$",
        r"\[[no]] [\[no]]",
        "[[two\nlines]]",
        "[x](https://example.org/a.md) <https://example.org> [x](mailto:a@b) [x](//host/a)",
        "[x](two words.md) [x] (no.md) ](no.md) [x](",
        "[x](<a\nb>)",
    ],
)
def test_what_is_no_link_is_not_found(text: str) -> None:
    assert links(text) == []


def test_links_beside_what_is_not_closed_are_found() -> None:
    text = "100%% [[a]] $5 and $$ [[b]] ` [[c]] <!-- [[d]] [[e]]%"
    assert [link.target for link in links(text)] == ["a", "b", "c", "d", "e"]


def test_a_backtick_in_one_paragraph_hides_nothing_in_the_next() -> None:
    assert [link.target for link in links("a ` b\n\n- [[x]] `\n- [[y]]")] == ["x", "y"]


def test_an_image_in_the_text_of_a_link_is_a_link_too() -> None:
    found = links("[![alt](a.png)](b.md)")
    assert [(link.target, link.embed) for link in found] == [("b.md", False), ("a.png", True)]


def test_a_link_over_two_lines_is_found() -> None:
    assert [link.target for link in links("[two\nlines](n.md)")] == ["n.md"]


def test_links_in_the_frontmatter_are_found_quoted_or_not() -> None:
    text = (
        "---\n"
        'a: "[[One]]"\n'
        "b: '[[It''s|x]]'\n"
        "c: [[Two]]\n"
        'd:\n  - "[[Caf\\u00e9#h]]"\n'
        "e: some [[Three]] text # [[no]]\n"
        '# "[[no]]"\n'
        'f: "# [[Four]]"\n'
        "---\n[[Five]]"
    )
    found = links(text)
    assert [(link.target, link.in_frontmatter) for link in found] == [
        ("One", True),
        ("It's", True),
        ("Two", True),
        ("Café", True),
        ("Three", True),
        ("Four", True),
        ("Five", False),
    ]


def test_links_of_an_unreadable_note_are_found_in_text_and_frontmatter() -> None:
    assert [link.target for link in links("---\na: [x] [[A]]\n---\n[[B]]")] == ["A", "B"]
    assert [link.target for link in links('---\na: "\\q [[A\\q]]" \n---\n[[B]]')] == [r"A\q", "B"]
    assert [link.target for link in links('---\na: "[[A\\q]]"\n---\n[[B]]')] == [r"A\q", "B"]
    assert [link.target for link in links("---\na: 1\n\n[[B]]")] == ["B"]


def renamed(old: str, new: str) -> Callable[[Link], str | None]:
    return lambda link: new if link.target == old else None


@pytest.mark.row("T32")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[Note]] [[Note2]]", "[[dir/New]] [[Note2]]"),
        ("![[ Note #H^x | a ]]", "![[ dir/New #H^x | a ]]"),
        (r"| [[Note\|a]] | `[[Note]]` |", r"| [[dir/New\|a]] | `[[Note]]` |"),
        ("%%[[Note]]%% [[Note]]", "%%[[dir/New]]%% [[dir/New]]"),
        (
            '---\na: "[[Note|x]]"\nb: [[Note]]\n---\n[[Note]]',
            '---\na: "[[dir/New|x]]"\nb: [[dir/New]]\n---\n[[dir/New]]',
        ),
        ("[t](<Note> 'x')", "[t](<dir/New> 'x')"),
        ("[t](Note#h)", "[t](dir/New#h)"),
    ],
)
def test_only_the_target_is_rewritten(before: str, after: str) -> None:
    assert rewrite(before, renamed("Note", "dir/New")) == after


def test_markdown_links_are_encoded() -> None:
    assert rewrite("[t](a.md)", renamed("a.md", "b c (d)/50% é.md")) == "[t](b%20c%20%28d%29/50%25%20é.md)"


def test_quotation_marks_in_frontmatter_are_escaped() -> None:
    assert rewrite("---\na: '[[A]]'\n---\n", renamed("A", "It's")) == "---\na: '[[It''s]]'\n---\n"
    assert rewrite('---\na: "[[A]]"\n---\n', renamed("A", 'Say "x"')) == '---\na: "[[Say \\"x\\"]]"\n---\n'


def test_a_target_that_cannot_stand_in_a_wikilink_is_refused() -> None:
    for target in ("[a] b", "a|b", "a#b", "a\nb"):
        with pytest.raises(InvalidInput):
            rewrite("[[A]]", renamed("A", target))


def test_an_unreadable_note_is_refused_only_if_a_link_would_change() -> None:
    text = "---\na: [x\n---\n[[A]]"
    assert rewrite(text, renamed("B", "C")) == text
    with pytest.raises(UnreadableNote):
        rewrite(text, renamed("A", "C"))


def test_a_rewrite_that_would_break_the_frontmatter_is_refused() -> None:
    with pytest.raises(UnreadableNote):
        rewrite("---\na: see [[A]]\n---\n", renamed("A", "b: c"))


def test_nothing_to_rewrite_gives_the_text_itself() -> None:
    text = "---\na: 1\n---\n[[A]]"
    assert rewrite(text, lambda link: None) is text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#a #b/c, #d. (#no) x#no #e-f_g", ["a", "b/c", "d", "e-f_g"]),
        ("#1984 #y1984 #12a #1/2", ["y1984", "12a", "1/2"]),
        ("#täg #日本 #🌧️/☀️", ["täg", "日本", "🌧️/☀️"]),
        ("# no\n## no #yes\n#nested/ #/", ["yes", "nested"]),
        ("%% #no [[A]] %% #yes %%#no%%", ["yes"]),
        ("https://x.org/#no [[A#no]] [t](b#no) \\#no `#no` %%#no%% $x #no$", []),
        ("---\ntags: [x]\n---\n#y", ["y"]),
        ("#a#b #c", ["a", "c"]),
        ("- #a\n> #b\n| #c |\n|---|\n| #d |", ["a", "b", "c", "d"]),
    ],
)
def test_inline_tags_are_those_of_obsidian(text: str, expected: list[str]) -> None:
    assert tags(text) == expected


def test_headings_are_found_with_their_place() -> None:
    text = "---\n# no: 1\n---\n# One #\n\n```\n# no\n```\nTwo\nlines\n===\n> ### Three\n\n%%\n# no\n%%\n#no\n"
    found = headings(text)
    assert [(heading.level, heading.text) for heading in found] == [(1, "One"), (1, "Two lines"), (3, "Three")]
    assert [text[heading.start :][:3] for heading in found] == ["# O", "Two", "> #"]


def test_headings_of_a_plain_text_need_no_parser() -> None:
    assert [(heading.level, heading.text) for heading in headings("# a\n## b ##\n#c\n### #\n # d #e\n####### f")] == [
        (1, "a"),
        (2, "b"),
        (3, ""),
        (1, "d #e"),
    ]
    assert [heading.text for heading in headings("Only\n---\n")] == ["Only"]


SLOW = json.loads((Path(__file__).parents[1] / "vectors" / "security" / "slow.json").read_text(encoding="utf-8"))
LONG = 100_000


@pytest.mark.row("J8", "S11")
@pytest.mark.parametrize("part", SLOW["links"])
def test_a_long_line_of_anything_hides_no_link_before_it(part: str) -> None:
    assert links("#t [[x]] `c` " + part * (LONG // len(part)))[0].target == "x"


@pytest.mark.row("J8", "S11")
@pytest.mark.parametrize("line", SLOW["blocks"])
def test_a_thousand_lines_that_need_a_parser_hide_no_link_before_them(line: str) -> None:
    assert links("#t [[x]] `c`\n\n" + line * 1_000)[0].target == "x"


@pytest.mark.parametrize("part", ["[[a]]", "[[", "'[[a]]' ", "# [[a]] "])
def test_64_kilobytes_of_links_in_the_frontmatter_are_read(part: str) -> None:
    links("---\na: |\n  " + part * (64_000 // len(part)) + "\n---\n")


PIECES = st.sampled_from(
    [
        "[[A]]",
        "[[A|b]]",
        "![[A#h]]",
        "[t](A)",
        "`",
        "```\n",
        "%%",
        "$",
        "\n",
        "\n\n",
        " ",
        "#t",
        "- ",
        "> ",
        "| ",
        "\\",
        "<!--",
        "-->",
        "x",
        "[",
        "]",
        "(",
        ")",
        "    ",
        "\t",
        "---\n",
        "a: ",
        '"',
        "'",
        "\r\n",
        "<div>",
        "# ",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_a_rewrite_there_and_back_gives_the_same_bytes(text: str) -> None:
    try:
        there = rewrite(text, renamed("A", "B c"))
    except UnreadableNote:
        return
    assert len(links(there)) == len(links(text))
    assert not any(link.target == "A" for link in links(there))
    assert rewrite(there.replace("B%20c", "B c"), renamed("B c", "A")) == text or "](B" in there


@given(st.lists(PIECES, max_size=30).map("".join))
def test_links_lie_where_they_say(text: str) -> None:
    for link in links(text):
        assert text[link.start : link.end].endswith("]]" if link.form == "wiki" else ")")
        assert text[link.start] in "!["
        assert link.start < link.target_span[0] <= link.target_span[1] <= link.end
