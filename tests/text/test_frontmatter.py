"""Frontmatter is read as Obsidian reads it, and edited without touching another byte."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.text import frontmatter, yaml_core
from mnemex_vault.text.frontmatter import same
from mnemex_vault.text.keys import KEY_ORDER
from mnemex_vault.text.yaml_core import Value

VECTORS = Path(__file__).parents[1] / "vectors"
EDITS: list[dict[str, Any]] = json.loads((VECTORS / "frontmatter_edits.json").read_text("utf-8"))


@pytest.mark.row("T11")
@pytest.mark.parametrize("case", EDITS, ids=[case["name"] for case in EDITS])
def test_an_edit_gives_what_its_vector_says(case: dict[str, Any]) -> None:
    if case["after"] is None:
        with pytest.raises(UnreadableNote):
            frontmatter.edit(case["before"], case["set"])
    else:
        assert frontmatter.edit(case["before"], case["set"]) == case["after"]


@pytest.mark.parametrize("case", [case for case in EDITS if case["after"]], ids=lambda case: case["name"])
def test_an_edit_made_twice_changes_nothing_more(case: dict[str, Any]) -> None:
    assert frontmatter.edit(case["after"], case["set"]) == case["after"]


@pytest.mark.parametrize("case", [case for case in EDITS if case["after"]], ids=lambda case: case["name"])
def test_the_parser_without_libyaml_builds_the_same_tree(case: dict[str, Any]) -> None:
    block = frontmatter.split(case["after"])
    source = case["after"][block.start : block.end] if block else ""
    assert yaml_core.parse(source, loader=yaml.SafeLoader) == yaml_core.parse(source)


def test_fences_are_exactly_three_dashes() -> None:
    for text in (" ---\na: 1\n---\n", "--- \na: 1\n---\n", "----\na: 1\n---\n", "\n---\na: 1\n---\n", "text", ""):
        assert frontmatter.split(text) is None
        assert not frontmatter.is_unclosed(text)
        assert frontmatter.read(text) == {}


@pytest.mark.row("T9", "H2")
def test_a_block_that_is_never_closed_is_unreadable() -> None:
    for text in ("---\n", "---\r\n", "---\na: 1\n--- \n", "---\na: 1\n ---", "\ufeff---\na: 1"):
        assert frontmatter.split(text) is None
        assert frontmatter.is_unclosed(text)
        with pytest.raises(UnreadableNote, match="never closed"):
            frontmatter.read(text)


def test_a_block_knows_where_it_lies() -> None:
    block = frontmatter.split("\ufeff---\r\na: 1\r\n---\r\nbody")
    assert block == frontmatter.Block(start=6, end=12, body_start=17, newline="\r\n", has_bom=True)


def test_a_problem_names_the_line_of_the_note() -> None:
    with pytest.raises(UnreadableNote, match="line 3"):
        frontmatter.read("---\na: 1\nb: @x\n---\n")


def test_values_are_those_of_yaml_1_2() -> None:
    text = "---\na: .inf\nb: -.INF\nc: .nan\nd: +12\ne: 0o17\nf: 0xff\ng: 1.5e3\nh: .5\ni: 5.\nj: 1e999\nk: '1'\nl: 0x\n---\n"
    values = frontmatter.read(text)
    assert math.isnan(values.pop("c"))  # type: ignore[arg-type]
    assert values == {
        "a": math.inf,
        "b": -math.inf,
        "d": 12,
        "e": 15,
        "f": 255,
        "g": 1500.0,
        "h": 0.5,
        "i": 5.0,
        "j": math.inf,
        "k": "1",
        "l": "0x",
    }


def test_a_number_of_5000_digits_is_infinite() -> None:
    assert frontmatter.read(f"---\na: {'9' * 5000}\nb: -{'9' * 5000}\n---\n") == {"a": math.inf, "b": -math.inf}


def test_keys_are_texts() -> None:
    assert list(frontmatter.read("---\n010: a\ntrue: b\nnull: c\n1.50: d\n---\n")) == ["10", "true", "", "1.5"]


@pytest.mark.row("H3", "S10")
@pytest.mark.parametrize(
    ("yaml", "reason"),
    [
        ("a: [" * 30, "20 levels|twenty|levels"),
        ("a: " + "[" * 21 + "]" * 21, "20 levels"),
        ("a: [" + "1," * 2000 + "]", "2000 values"),
        ("a: " + "x" * 66_000, "64 KB"),
        ("a: " + "é" * 33_000, "64 KB"),
        ("a: *x", "alias"),
        ("a: &x 1", "anchor"),
        ("a: &x [1]", "anchor"),
        ("a: !!bool x", "tag"),
        ("a: !!python/object:os.system x", "tag"),
        ("<<: {a: 1}", "merge key"),
        ("a: 1\n%YAML 1.1", "."),
        ("%YAML 1.1\n--- {}", "directive"),
        ("a: 1\n--- \nb: 2", "second YAML document"),
        ("? [a]\n: 1", "key is a list"),
        ('a: "x"# c', "comment follows"),
        ("a: \x01", "character"),
        ("a: \udc80", "character"),
        ("just text", "no list of keys"),
    ],
)
def test_what_is_no_plain_yaml_is_refused(yaml: str, reason: str) -> None:
    for action in (frontmatter.read, lambda text: frontmatter.edit(text, {"k": 1})):
        with pytest.raises(UnreadableNote, match=reason):
            action(f"---\n{yaml}\n---\nbody")


@pytest.mark.row("H3", "S10")
@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 30_000,
        "a:\n" + "- " * 30_000,
        "\n".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 9)),
    ],
)
def test_bombs_are_refused(yaml: str) -> None:
    with pytest.raises(UnreadableNote):
        frontmatter.read(f"---\n{yaml}\n---\n")


def test_an_unusual_key_is_refused_only_for_a_change() -> None:
    text = "---\n? a\n: 1\n---\n"
    assert frontmatter.read(text) == {"a": 1}
    with pytest.raises(UnreadableNote, match="unusual"):
        frontmatter.edit(text, {"b": 1})


def test_an_edit_that_would_change_another_key_is_refused() -> None:
    # the document ends at the dots, so that a new key behind them would be lost or break the block
    with pytest.raises(UnreadableNote):
        frontmatter.edit("---\na: 1\n...\n---\n", {"b": 2})


def test_an_item_written_over_lines_with_a_comment_between_is_not_taken_apart() -> None:
    text = "---\ntags:\n  -\n    # x-y\n    a\n  - b\n---\n"
    assert frontmatter.read(text) == {"tags": ["a", "b"]}
    with pytest.raises(UnreadableNote, match="safely"):
        frontmatter.edit(text, {"tags": ["b"]})


def test_what_cannot_be_saved_is_refused() -> None:
    for value in (math.nan, math.inf, "a\0b", "\ud800", {"a": 1}, [{"a": 1}], [["x"]]):
        with pytest.raises(InvalidInput):
            frontmatter.edit("---\na: 1\n---\n", {"k": value})  # type: ignore[dict-item]


def test_null_in_a_list_is_kept_as_null() -> None:
    assert frontmatter.edit("---\na: 1\n---\n", {"l": [None, "x"]}) == "---\na: 1\nl:\n  - null\n  - x\n---\n"


def test_a_moved_item_takes_its_line_along() -> None:
    before = "---\ntags:\n  - a # one\n  - b # two\n---\n"
    assert frontmatter.edit(before, {"tags": ["b", "a"]}) == "---\ntags:\n  - b # two\n  - a\n---\n"


def test_new_keys_behind_a_literal_leave_its_blank_lines() -> None:
    before = "---\nmemory_id: k7\ncontext: |+\n  x\n\n---\n"
    after = frontmatter.edit(before, {"source": "s"})
    assert after == "---\nmemory_id: k7\ncontext: |+\n  x\n\nsource: s\n---\n"


def test_line_separators_are_no_line_breaks() -> None:
    before = "---\na: x\u2028y\x85z\nc: 1\n---\n"
    assert frontmatter.read(before) == {"a": "x\u2028y\x85z", "c": 1}
    assert frontmatter.edit(before, {"c": 2}) == "---\na: x\u2028y\x85z\nc: 2\n---\n"


def test_a_new_note_is_composed_in_our_order() -> None:
    values: dict[str, Value] = {"memory_id": "k7", "mine": 1, "tags": ["a"], "created": "2026-01-02T03:04:05"}
    assert frontmatter.compose(values, "---\nbody") == (
        "---\ntags:\n  - a\ncreated: 2026-01-02T03:04:05\nmemory_id: k7\nmine: 1\n---\n---\nbody"
    )


def test_numbers_are_compared_as_numbers_and_checkboxes_are_none() -> None:
    assert same(1, 1.0)
    assert same(math.nan, math.nan)
    assert not same(1, True)
    assert not same(0, False)
    assert not same([1], [1, 2])
    assert not same("1", 1)


WORDS = st.sampled_from(
    [
        "yes",
        "no",
        "~",
        "null",
        "12:30",
        "010",
        "1e3",
        "0x1f",
        "2026-01-02",
        "[[A|b]]",
        "#t",
        "a: b",
        "x #y",
        "- z",
        "é",
        "😀",
    ]
)
TEXTS = st.one_of(WORDS, st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=40))
SCALARS = st.one_of(TEXTS, st.integers(-(10**9), 10**9), st.booleans(), st.floats(-1e6, 1e6))
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=5))
KEYS = st.sampled_from([*KEY_ORDER, "mine", "with space"])
STYLES = st.sampled_from(["\n", "\r\n"])


def written(value: Value) -> Value:
    text = json.dumps(value)
    return json.loads(text) if isinstance(value, list) else value


@given(st.dictionaries(KEYS, VALUES, max_size=8), st.dictionaries(KEYS, st.none() | VALUES, max_size=5), STYLES, TEXTS)
def test_every_edit_gives_the_values_asked_for_and_keeps_the_rest(
    first: dict[str, Value], changes: dict[str, Value], newline: str, body: str
) -> None:
    before = frontmatter.compose(first, body, newline=newline)
    after = frontmatter.edit(before, changes)
    found, old = frontmatter.read(after), frontmatter.read(before)
    for key in {*first, *changes}:
        wanted = changes.get(key, old.get(key)) if key in changes else old.get(key)
        if key in changes and wanted is None:
            assert key not in found
        else:
            assert same(found[key], frontmatter.read(frontmatter.compose({key: wanted}, ""))[key])
    assert after.endswith(f"---{newline}{body}")
    assert frontmatter.edit(after, changes) == after


LINES = st.sampled_from(
    [
        "# note",
        "",
        "  ",
        "a: 1 # c",
        "b:",
        "c: [x,  y] # z",
        "d: |",
        "  text",
        "  - p",
        "  - q # r",
        "e: 'it''s'",
        "f: >-",
        "g: no",
    ]
)


@pytest.mark.row("T11")
@given(st.lists(LINES, max_size=10), STYLES, st.booleans())
def test_only_the_lines_of_the_key_change(lines: list[str], newline: str, bom: bool) -> None:
    head = [*lines, "use_count: 1  # keep", "date: 2026-06-29"]
    before = ("\ufeff" if bom else "") + newline.join(["---", *head, "---", "body", "---"])
    try:
        frontmatter.read(before)
    except UnreadableNote:
        with pytest.raises(UnreadableNote):
            frontmatter.edit(before, {"use_count": 2})
        return
    changed = before.replace("use_count: 1", "use_count: 2")
    assert frontmatter.edit(before, {"use_count": 2}) == changed
    assert frontmatter.edit(changed, {"use_count": 1}) == before


FRAGMENTS = st.sampled_from(
    [
        "---",
        "\n",
        "\r\n",
        "a",
        ":",
        " ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "#",
        "|",
        ">",
        "&x",
        "*x",
        "!t",
        "%",
        "@",
        "\t",
        "\ufeff",
        "?",
        ",",
        "<<",
        "~",
        "2024-13-45",
        "+99:99",
        "\x85",
        "\u2028",
        "é",
        "\r",
        "...",
        "memory_id: k7\n",
        "tags: [a]\n",
    ]
)


@given(st.lists(FRAGMENTS, max_size=25).map("".join))
def test_any_text_is_read_or_refused_and_an_edit_keeps_the_body(text: str) -> None:
    text = f"---\n{text}\n---\nbody"
    try:
        values = frontmatter.read(text)
        after = frontmatter.edit(text, {"use_count": 7})
    except UnreadableNote:
        return
    assert frontmatter.read(after) == {**values, "use_count": 7}
    block, old = frontmatter.split(after), frontmatter.split(text)
    assert block is not None
    assert old is not None
    assert after[block.body_start :] == text[old.body_start :]
