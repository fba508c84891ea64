"""What a model has to read: tool lists and answers keep to their budgets, whatever is in the vault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App, open_app
from tests.mcp.talking import SettableClock, Talk, structured, text_of, write_memories

TOKENS = 4
ANSWER = 5_000 * TOKENS


def size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def listed(talk: Talk) -> list[dict[str, Any]]:
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in talk.listing()]


def read_by_a_model(tools: list[dict[str, Any]]) -> int:
    return sum(size({key: tool[key] for key in ("name", "description", "inputSchema")}) for tool in tools)


def test_the_core_tools_keep_to_their_budget(talk: Talk) -> None:
    tools = listed(talk)
    assert read_by_a_model(tools) <= 12_000
    assert size({"tools": tools}) <= 30_000


def test_the_full_tools_keep_to_their_budget(vault: Path, environ: dict[str, str]) -> None:
    with open_app(vault, environ={**environ, "MNEMEX_TOOLS": "full"}) as app:
        tools = listed(Talk(app))
    assert len(tools) > 20
    assert read_by_a_model(tools) <= 22_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("crowded")
    (folder / "vault").mkdir()
    environ = {"MNEMEX_STATE_PATH": str(folder / "state"), "MNEMEX_TIMEZONE": "UTC", "HOME": str(folder)}
    with open_app(folder / "vault", clock=SettableClock(), environ=environ) as app:
        texts = [
            f"Lantern {number * 7919}. " + f"It stands on shelf {number} beside the door to the garden. " * 60
            for number in range(120)
        ]
        write_memories(app, texts, "tags: [lantern, garden]\nentities: [Lantern works]\n")
        yield app


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_memory", {}),
        ("search_memory", {"query": "lantern"}),
        ("search_memory", {"query": "lantern", "preview_length": 0}),
        ("search_memory", {"query": "lantern", "limit": 30, "preview_length": 5_000}),
        ("search_memory", {"tags": ["garden"], "page": 2, "page_size": 20}),
        ("search_unified", {"query": "shelf", "explain": True}),
        ("gc", {}),
        ("promote_memory", {"auto_detect": True, "dry_run": True}),
    ],
)
def test_an_answer_keeps_to_its_budget_in_both_forms(crowded: App, tool: str, arguments: dict[str, Any]) -> None:
    result = Talk(crowded).raw(tool, **arguments)
    assert not result.is_error
    assert len(text_of(result)) <= ANSWER
    assert size(structured(result)) <= ANSWER


def test_a_hundred_results_come_as_their_first_words(crowded: App) -> None:
    result = Talk(crowded).raw("search_memory", query="lantern", limit=100, preview_length=5_000)
    assert structured(result)["count"] == 100
    assert len(text_of(result)) <= ANSWER * 2
    assert size(structured(result)) <= 80_000


def test_several_memories_opened_at_once_are_bounded_and_the_rest_is_named(crowded: App) -> None:
    ids = [entry.memory_id for entry in list(crowded.store.catalog)[:20]]
    answer = Talk(crowded).call("open_memories", memory_ids=ids)
    assert sum(len(memory["content"]) for memory in answer["memories"]) <= ANSWER
    assert len(answer["memories"]) + len(answer["not_shown"]) == 20
