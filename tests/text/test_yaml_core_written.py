"""Text is written so that every reader of YAML gives the same text back: of version 1.1, of 1.2, and Obsidian's."""

from __future__ import annotations

import re
from typing import Any

import frontmatter as python_frontmatter
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.text import frontmatter
from mnemex_vault.text.keys import DATE_KEYS, ID_KEY, TEXT_FIELDS, WORD_FIELDS
from mnemex_vault.text.yaml_core import Value, one_line

TEXT_KEYS = [row.key for row in (*TEXT_FIELDS, *WORD_FIELDS) if row.key != ID_KEY]


class CoreLoader(yaml.SafeLoader):
    """Reads the core schema of YAML 1.2, by the table in its specification."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for tag, pattern in {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
}.items():
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})\Z"), None)

LISTS = ("tags", "aliases", "entities", "related", "relation_details")
OTHERWISE_READ = [
    "2026-01-01", "2026-01-01T10:00", "2026-01-01T10:00:00", "2026-01-01 10:00:00", "2026-1-1", "2026-01-01T10:00:00Z",
    "2001-12-14t21:59:43.10-05:00", "20:03:20", "12:30", "1:2", "190:20:30.15", "-1:30", "0o14", "014", "0x1F", "0b101",
    "1_000", "1,000", "-1", "+1", "1.", ".5", "1e3", "1E+3", "6.8523015e+5", "685.230_15e+03", ".inf", "-.INF", ".nan",
    "yes", "No", "ON", "off", "y", "N", "true", "False", "null", "Null", "~", "", " ", "=", "<<", "@home", "`code`", "%x",
    "&anchor", "*alias", "!tag", "!!str x", "| x", "> x", "- item", "-", "--", "---", "--- x", "...", "... x", "? key", "?",
    ": x", ":", "a: b", "a:", "a #b", "#tag", "'quoted'", '"double"', "it's", 'say "hi"', "it's \"both\"", "[[Link]]",
    "[a, b]", "{a: 1}", "a, b", "]", "}", "back\\slash", "tab\there", "line\nbreak", "\r\n", "\u2028", "\x85", "\ufeff",
    "\u200b", "e\u0301", "💥", "true ", " true", "1 000", "08", "0", "-0", "0.0", "1__0", "+.inf", "0x", "1:60", "9:05",
]  # fmt: skip


def written(value: str) -> str:
    keys: dict[str, Value] = dict.fromkeys((*TEXT_KEYS, "title", *DATE_KEYS), value)
    for key in DATE_KEYS:
        # what is no date there is text as well
        keys[key] = f"about {value}"
    return frontmatter.compose({**keys, **{key: [value, "other", value] for key in LISTS}}, "")


def readings(text: str) -> dict[str, dict[str, Any]]:
    block = frontmatter.split(text)
    assert block is not None
    source = text[block.start : block.end]
    loaders: dict[str, Any] = {"1.1": yaml.SafeLoader, "1.1, libyaml": yaml.CSafeLoader, "1.2": CoreLoader}
    read = {name: yaml.load(source, Loader=loader) for name, loader in loaders.items()}
    read["another program's"] = python_frontmatter.loads(text).metadata
    return {**read, "Obsidian": frontmatter.read(text)}


def check(value: str) -> None:
    text, expected = written(value), one_line(value)
    for reader, values in readings(text).items():
        for key in (*TEXT_KEYS, "title"):
            assert values[key] == expected, (reader, key)
            assert isinstance(values[key], str)
        for key in LISTS:
            assert values[key] == [expected, "other", expected], (reader, key)
            assert all(isinstance(item, str) for item in values[key])
    flow = frontmatter.edit("---\ntags: [a]\nsource: x\n---\n", {"tags": ["a", value], "source": value})
    for reader, values in readings(flow).items():
        assert values == {"tags": ["a", expected], "source": expected}, reader


@pytest.mark.parametrize("value", OTHERWISE_READ)
def test_text_that_looks_like_something_else_is_read_back_as_text(value: str) -> None:
    check(value)


PIECES = st.sampled_from(
    [*OTHERWISE_READ, *"0123456789+-._:eExo TZ,#'\"\\[]{}&*!|>%@`~?=<", "\u00a0", "\u2029", "\x07"]
)
TEXT = st.one_of(
    st.lists(PIECES, max_size=6).map("".join),
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=30),
    st.from_regex(r"[-+]?[0-9_.:eExobTZ, -]{1,20}", fullmatch=True),
)


@settings(max_examples=settings().max_examples)
@given(value=TEXT)
def test_whatever_text_is_written_every_reader_gives_it_back(value: str) -> None:
    check(value)


def test_a_date_stands_bare_only_where_a_date_belongs() -> None:
    text = frontmatter.compose({"created": "2026-01-01T10:00:00", "fades_on": "2026-02-01", "source": "2026-01-01"}, "")
    assert text == '---\nsource: "2026-01-01"\nfades_on: 2026-02-01\ncreated: 2026-01-01T10:00:00\n---\n'
    assert frontmatter.edit(text, {"source": "2026-03-01", "fades_on": "2026-03-01"}) == (
        '---\nsource: "2026-03-01"\nfades_on: 2026-03-01\ncreated: 2026-01-01T10:00:00\n---\n'
    )
