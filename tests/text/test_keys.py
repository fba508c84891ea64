"""The table of frontmatter keys, and what follows from it elsewhere."""

from __future__ import annotations

from dataclasses import fields

from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.text.keys import FIELDS, ID_KEY, KEY_ORDER, USAGE_FIELDS, Merge, Type
from tests.vectors.make_fields import PLACE, fields_ts


def test_each_key_has_one_row_and_the_id_is_the_last() -> None:
    assert len(set(KEY_ORDER)) == len(FIELDS)
    assert KEY_ORDER[-1] == ID_KEY


def test_every_fact_of_a_memory_has_a_key() -> None:
    facts = {field.name for field in fields(Memory)} - {"usage", "tier", "title", "content"}
    assert {row.attribute for row in FIELDS if row.of is Memory} == facts
    assert {row.attribute for row in USAGE_FIELDS} == {field.name for field in fields(Usage)}


def test_a_number_that_is_absent_reads_as_the_default_of_its_class() -> None:
    defaults = {field.name: field.default for field in fields(Usage)}
    numbers = [row for row in USAGE_FIELDS if row.holds in (Type.COUNT, Type.NUMBER)]
    assert [row.default for row in numbers] == [defaults[row.attribute] for row in numbers]


def test_lists_are_merged_item_by_item() -> None:
    lists = {Type.TAGS, Type.ALIASES, Type.LIST, Type.LINKS}
    assert {row.key for row in FIELDS if row.holds in lists} == {
        row.key for row in FIELDS if row.merge is Merge.ALL_ITEMS
    }


def test_the_plugin_has_the_same_table() -> None:
    assert PLACE.read_text(encoding="utf-8") == fields_ts()
