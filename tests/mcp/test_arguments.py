"""Every argument of every tool takes what can only be meant in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest
from pydantic import ValidationError

from mnemex_vault.app import App
from tests.mcp.talking import Talk

Arguments = dict[str, Any]
# names where a text with a comma may be one name
NAMES = {"entities"}
IDS = {"memory_ids", "used_ids", "supersedes"}


@pytest.fixture
def known(talk: Talk) -> dict[str, tuple[Arguments, Callable[[Arguments], Arguments]]]:
    """Give the schema of every tool's arguments, and what reads them."""
    listed = anyio.run(talk.server.all_tools)
    tools = talk.server._tool_manager._tools
    return {tool.name: (tool.input_schema, tools[tool.name].fn_metadata.validate_arguments) for tool in listed}


def kinds(schema: Arguments) -> set[str]:
    each = schema.get("anyOf", [schema])
    return {"enum" if "enum" in kind or "const" in kind else kind["type"] for kind in each}


def plain(schema: Arguments) -> Any:
    """Give a value that is right for an argument."""
    found = kinds(schema)
    if found & {"integer", "number"}:
        return min(schema.get("maximum", 5), max(schema.get("minimum", 1), 1))
    if "array" in found:
        items = next(each for each in schema.get("anyOf", [schema]) if "items" in each)["items"]
        return [plain(items)]
    if "enum" in found:
        return schema.get("enum", [schema.get("const")])[0]
    others: Arguments = {"object": {}, "boolean": True, "string": "k7q2x4dhw9"}
    return others[next(iter(found))]


def walk(known: dict[str, tuple[Arguments, Callable[[Arguments], Arguments]]], kind: str) -> Iterator[Any]:
    """Give all arguments of a kind: tool, name, schema, and what reads a value for it."""
    for tool, (schema, read) in known.items():
        required = {name: plain(schema["properties"][name]) for name in schema.get("required", ())}
        for name, each in schema["properties"].items():
            if kind in kinds(each):

                def take(value: object, name: str = name, rest: Arguments = required, read: Any = read) -> object:
                    return read({**rest, name: value})[name]

                yield tool, name, each, take


def test_a_whole_number_may_be_a_text_or_have_an_empty_fraction(known: Any) -> None:
    taken = 0
    for tool, name, schema, take in walk(known, "integer"):
        value = plain(schema)
        for given in (value, str(value), f" {value} ", float(value), f"{value}.0"):
            assert take(given) == value, (tool, name)
            assert type(take(given)) is int, (tool, name)
        for wrong in (value + 0.5, f"{value + 0.5}", True, "true", "five", "1,000", "0x5", "", [value], "NaN"):
            with pytest.raises(ValidationError):
                take(wrong)
        taken += 1
    assert taken > 10


def test_a_number_may_be_a_text(known: Any) -> None:
    taken = 0
    for tool, name, schema, take in walk(known, "number"):
        value = plain(schema)
        for given in (value, str(value), f" {value}", float(value), f"{value}.0", f"{value}e0"):
            assert take(given) == value, (tool, name)
        for wrong in (True, "true", "one", "0,5", "", "NaN", "Infinity", "1e999", float("nan"), [value]):
            with pytest.raises(ValidationError):
                take(wrong)
        taken += 1
    assert taken > 8


def test_a_yes_or_no_may_be_a_text(known: Any) -> None:
    taken = 0
    for tool, name, _, take in walk(known, "boolean"):
        assert [take(given) for given in (True, "true", "True", " TRUE ")] == [True] * 4, (tool, name)
        assert [take(given) for given in (False, "false", "False")] == [False] * 3, (tool, name)
        for wrong in (1, 0, "1", "yes", "", 1.0, [True]):
            with pytest.raises(ValidationError):
                take(wrong)
        taken += 1
    assert taken > 15


def test_a_list_may_be_a_text(known: Any) -> None:
    taken = 0
    for tool, name, schema, take in walk(known, "array"):
        one = plain(schema)
        assert take(one) == one, (tool, name)
        assert take(one[0]) in (one, one[0]), (tool, name)
        assert take(f'["{one[0]}"]') == one, (tool, name)
        several = f"{one[0]}, {one[0]}"
        if name in NAMES:
            with pytest.raises(ValidationError, match="comma"):
                take(several)
        else:
            assert take(several) == one * 2, (tool, name)
        if name in IDS:
            assert take("note:Tea, green.md") == ["note:Tea, green.md"]
            assert take("note:Tea") == ["note:Tea"]
        for wrong in ("", " ", 5, True, {}, *([] if name in IDS else [f"{one[0]},,{one[0]}"])):
            with pytest.raises(ValidationError):
                take(wrong)
        taken += 1
    assert taken > 8


def test_every_argument_is_of_a_kind_that_is_tried(known: Any) -> None:
    tried = {"integer", "number", "boolean", "array", "string", "enum", "object"}
    for schema, _ in known.values():
        for name, each in schema["properties"].items():
            assert kinds(each) <= tried, name


def test_what_was_meant_is_done(talk: Talk, app: App) -> None:
    saved = talk.call(
        "save_memory", content="Zoë prefers tea.", tags="tea, green tea", entities="Zoë", strength="1.5", pinned="true"
    )
    talk.call("save_memory", content="Zoë lives in Bonn.", tags="people")
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    assert set(opened["tags"]) >= {"tea", "green-tea"}
    assert "Zoë" in opened["entities"]
    assert (opened["strength"], opened["pinned"]) == (1.5, True)
    assert talk.call("search_memory", query="Zoë", limit="1")["count"] == 1
    assert talk.call("search_memory", query="Zoë", status="active, promoted", tags="people")["count"] == 1
    assert talk.call("gc", dry_run="true", limit=10.0)["dry_run"] is True


def test_both_names_of_how_many_results_are_known_to_both_searches(talk: Talk) -> None:
    for number in range(3):
        talk.call("save_memory", content=f"The lantern number {number} hangs in room {number}.")
    for tool in ("search_memory", "search_unified"):
        assert [talk.call(tool, query="lantern", **{name: 2})["count"] for name in ("limit", "top_k")] == [2, 2]
        assert talk.call(tool, query="lantern", limit=2, top_k=2)["count"] == 2
        assert "both of its names" in talk.refusal(tool, query="lantern", limit=2, top_k=3)
