"""Values are understood in all the spellings that people and other programs use."""

import pytest

from mnemex_vault.text.values import (
    alias_list,
    as_checkbox,
    as_number,
    entity_list,
    link_name,
    memory_id,
    tag_list,
    targets,
    texts,
)
from mnemex_vault.text.yaml_core import Value, number_text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ("", ()),
        ("one", ("one",)),
        ("#one", ("one",)),
        ("one, two", ("one", "two")),
        ("one two", ("one", "two")),
        (["#a", "a", " b ", None, "", "##c"], ("a", "b", "c")),
        (2024, ("2024",)),
        ([2024, 1.5, True], ("2024", "1.5", "true")),
        ([{"x": 1}, ["y"], "z"], ("z",)),
        ({"x": 1}, ()),
    ],
)
def test_tags(value: Value, expected: tuple[str, ...]) -> None:
    assert tag_list(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, ()), ("A b, C", ("A b", "C")), (["A, b", 7, None], ("A, b", "7")), (7, ("7",))],
)
def test_aliases(value: Value, expected: tuple[str, ...]) -> None:
    assert alias_list(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["[[A]]", "B", "[[dir/C|see]]", "[[A|again]]", r"[[D\|x]]"], ("A", "B", "dir/C", "D")),
        ([["A"]], ("A",)),
        ([[["A"]], [["B"]]], ("A", "B")),
        ("A", ("A",)),
        (None, ()),
    ],
)
def test_entities(value: Value, expected: tuple[str, ...]) -> None:
    assert entity_list(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["[[A]]", "text", "[[B#h]]", "[[A]]", "![[C]]", "[[ ]]", "see [[D]]"], ["A", "B#h", "C"]),
        ("[[A]]", ["A"]),
        ([["A", "b"]], ["A, b"]),
        ([["x", ["y"]]], []),
        ("text", []),
        (7, []),
    ],
)
def test_targets_of_relations(value: Value, expected: list[str]) -> None:
    assert targets(value) == expected


def test_a_link_with_an_alias_has_the_name_of_its_target() -> None:
    assert link_name(" [[A b|c|d]] ") == "A b"
    assert link_name("[[A]] [[B]]") is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("k7q2x4dhw9", "k7q2x4dhw9"),
        ("A_b-9", "A_b-9"),
        (4711, "4711"),
        ("x" * 64, "x" * 64),
        ("x" * 65, None),
        ("", None),
        ("a b", None),
        ("é", None),
        ("a\n", None),
        (True, None),
        (1.5, None),
        (-1, "-1"),
        (None, None),
        (["a"], None),
    ],
)
def test_ids(value: Value, expected: str | None) -> None:
    assert memory_id(value) == expected


@pytest.mark.row("H1")
def test_numbers() -> None:
    assert [as_number(value) for value in (1, 1.5, "2", " 3 ", "1e1")] == [1, 1.5, 2, 3, 10]
    none: list[Value] = [None, True, "x", "", "9" * 500, float("nan"), 10**400, [], {}]
    for value in none:
        assert as_number(value) is None


def test_checkboxes() -> None:
    assert [as_checkbox(value) for value in (True, "Yes", "on", 1)] == [True] * 4
    assert [as_checkbox(value) for value in (False, "No", "off", 0)] == [False] * 4
    neither: list[Value] = [None, "", "perhaps", 2, [], {}]
    assert [as_checkbox(value) for value in neither] == [None] * 6


def test_texts_are_not_repeated() -> None:
    assert texts(["a", "a", " a", 1, 1.0, False]) == ["a", "1", "false"]


def test_numbers_are_written_without_noise() -> None:
    assert [number_text(value) for value in (3, 3.0, 0.1, 1e300, -2.5)] == ["3", "3", "0.1", "1e+300", "-2.5"]
