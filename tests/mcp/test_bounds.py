"""Every answer of every tool is bounded, whatever is in the vault and whatever is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent, TextResourceContents

from mnemex_vault.answers.graph import Unrelated
from mnemex_vault.answers.view import MOST, USUAL, fitting, within
from mnemex_vault.app import App, open_app
from mnemex_vault.mcp.vault_server import build_server
from tests.mcp.crowd import GROUP, LONG_ONES, TWINS, fill, memory_id
from tests.mcp.talking import SettableClock, Talk, text_of

COUNT = TWINS + LONG_ONES
IDS = [memory_id(number) for number in range(COUNT)]
UNKNOWN = [f"{'unknown' * 500}{number}" for number in range(30)]
MESSAGE = " ".join(f"Remember that I prefer Tool{number}Kit of Zoë{number} over tea." for number in range(700))
ONE_SENTENCE = "I decided to use " + " and ".join(f"PostgreSQL{number}" for number in range(2_500))

USUAL_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_memory", {}),
    ("search_memory", {"query": "lantern"}),
    ("search_memory", {"query": "lantern", "explain": True}),
    ("search_memory", {"query": "lantern", "page": 2}),
    ("search_memory", {"tags": ["tag000"], "used_ids": UNKNOWN[:10]}),
    ("search_unified", {"query": "lantern"}),
    ("search_unified", {"query": "lantern", "explain": True}),
    ("open_memories", {"memory_ids": UNKNOWN}),
    ("read_graph", {}),
    ("read_graph", {"include_content": True}),
    ("read_graph", {"memory_id": IDS[0], "depth": 2}),
    ("cluster_memories", {}),
    ("cluster_memories", {"strategy": "tag", "max_cluster_size": 100}),
    ("cluster_memories", {"find_duplicates": True, "duplicate_threshold": 0.1}),
    ("consolidate_memories", {"auto_detect": True}),
    ("gc", {}),
    ("gc", {"limit": 10_000}),
    ("promote_memory", {"auto_detect": True, "dry_run": True}),
    ("promote_memory", {"memory_id": IDS[0], "dry_run": True, "force": True}),
    ("review_queue", {}),
    ("vault_status", {}),
    ("analyze_message", {"message": MESSAGE}),
    ("analyze_message", {"message": ONE_SENTENCE}),
    ("analyze_for_recall", {"message": f"What did we decide? {ONE_SENTENCE}?"}),
    ("auto_recall_process_message", {"message": f"What about the lantern? {MESSAGE}"}),
    ("observe_memory_usage", {"memory_ids": UNKNOWN, "confirm": True}),
    ("get_performance_metrics", {}),
    ("backfill_embeddings", {}),
]
MUCH_ASKED: list[tuple[str, dict[str, Any]]] = [
    ("search_memory", {"query": "lantern", "limit": 100, "preview_length": 0, "explain": True}),
    ("search_memory", {"query": "lantern", "page_size": 100, "page": 1}),
    ("search_unified", {"query": "lantern", "limit": 100, "preview_length": 5_000, "explain": True}),
    ("open_memories", {"memory_ids": IDS[0]}),
    ("open_memories", {"memory_ids": IDS[TWINS - 10 :]}),
    ("open_memories", {"memory_ids": "note:Huge.md"}),
    ("open_memories", {"memory_ids": "note:Odd.md"}),
    ("read_graph", {"limit": 10_000, "include_content": True}),
    ("read_graph", {"page": 1, "page_size": 100}),
    ("review_queue", {"limit": 100}),
]
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("save_memory", {"content": " ".join(f"word3x{each}" for each in range(300)), "supersedes": [IDS[20]]}),
    ("update_memory", {"memory_id": IDS[3], "title": "A lantern " * 50}),
    ("touch_memory", {"memory_id": IDS[0]}),
    ("observe_memory_usage", {"memory_ids": IDS[:50], "confirm": True}),
    ("create_relation", {"from_memory_id": IDS[3], "to_memory_id": IDS[9], "relation_type": "supports"}),
    ("delete_relation", {"from_memory_id": IDS[3], "to_memory_id": IDS[9], "relation_type": "supports"}),
    ("forget_memory", {"memory_id": IDS[5], "reason": "r" * 400}),
    ("restore_memory", {"memory_id": IDS[5]}),
    ("promote_memory", {"auto_detect": True, "confirm": True}),
    ("undo", {}),
    ("consolidate_memories", {"auto_detect": True, "mode": "link", "confirm": True}),
    ("undo", {}),
    ("consolidate_memories", {"auto_detect": True, "mode": "apply", "confirm": True}),
    ("undo", {}),
    ("gc", {"dry_run": False, "confirm": True, "limit": 10_000}),
    ("undo", {}),
    ("reset_performance_metrics", {}),
]
REFUSALS: list[tuple[str, dict[str, Any]]] = [
    ("forget_memory", {"memory_id": UNKNOWN[0]}),
    ("undo", {"operation_id": "x" * 200}),
    ("update_memory", {"memory_id": IDS[-1], "etag": "0" * 32, "content": "z" * 40_000}),
    ("promote_memory", {"memory_id": IDS[0], "folder": "f" * 1_000}),
    ("save_memory", {"content": "x", "surplus": "y" * 40_000}),
    ("consolidate_memories", {"cluster_id": "c" * 100}),
]


@contextmanager
def crowded(folder: Path, **sizes: int) -> Iterator[App]:
    root = folder / "vault"
    root.mkdir()
    fill(root, **sizes)
    (root / "Huge.md").write_text("A huge note of a lantern. " * 40_000, encoding="utf-8")
    (root / "Odd.md").write_text("\n" * 60_000 + "\x01\x02" * 10_000, encoding="utf-8")
    environ = {"MNEMEX_STATE_PATH": str(folder / "state"), "HOME": str(folder), "MNEMEX_TOOLS": "full"}
    with open_app(root, clock=SettableClock(), environ={**environ, "MNEMEX_TIMEZONE": "UTC"}) as app:
        yield app


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with crowded(tmp_path_factory.mktemp("crowd")) as app:
        yield Talk(app)


def lengths(result: CallToolResult) -> tuple[int, int]:
    [block] = result.content
    assert isinstance(block, TextContent)
    whole = json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    return len(block.text), len(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments"), USUAL_CALLS)
def test_a_usual_answer_keeps_to_five_thousand_tokens(reading: Talk, tool: str, arguments: dict[str, Any]) -> None:
    result = reading.raw(tool, **arguments)
    assert not result.is_error, text_of(result)
    assert max(lengths(result)) <= USUAL


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments"), MUCH_ASKED)
def test_no_answer_exceeds_the_limit_whatever_is_asked_for(reading: Talk, tool: str, arguments: dict[str, Any]) -> None:
    result = reading.raw(tool, **arguments)
    assert not result.is_error, text_of(result)
    assert max(lengths(result)) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "arguments"), REFUSALS)
def test_a_refusal_is_short(reading: Talk, tool: str, arguments: dict[str, Any]) -> None:
    assert len(reading.refusal(tool, **arguments)) <= USUAL / 2


@pytest.mark.slow
def test_what_changes_many_notes_answers_briefly(tmp_path: Path) -> None:
    with crowded(tmp_path, twins=2 * GROUP, long=0, broken=0) as app:
        talk = Talk(app)
        for tool, arguments in CHANGES:
            result = talk.raw(tool, **arguments)
            assert not result.is_error, (tool, text_of(result))
            assert max(lengths(result)) <= USUAL, tool


@pytest.mark.slow
def test_no_tool_is_left_out(reading: Talk) -> None:
    called = {tool for tool, _ in (*USUAL_CALLS, *MUCH_ASKED, *CHANGES)}
    assert called == {tool.name for tool in reading.listing()}


@pytest.mark.slow
def test_what_has_no_room_is_told(reading: Talk) -> None:
    graph = reading.call("read_graph", page=1, page_size=100)
    assert f"{len(graph['memories'])} of {COUNT} notes" in graph["message"]
    assert "ask for a smaller page_size" in graph["message"]
    found = reading.call("search_memory", query="lantern", limit=100)
    assert f"{COUNT - found['count']} more had no room" in found["message"]
    assert "open_memories" in found["message"]
    hub = reading.call("open_memories", memory_ids=IDS[0])["memories"][0]
    assert (len(hub["relations"]["outgoing"]), hub["relations"]["more"]) == (50, COUNT - 1 - 50)
    several = reading.call("open_memories", memory_ids=IDS[TWINS - 10 :])
    assert len(several["memories"]) + len(several["not_shown"]) == LONG_ONES + 10
    unknown = reading.call("open_memories", memory_ids=UNKNOWN)
    assert len(unknown["not_found"]) + unknown["unnamed"] == len(UNKNOWN)
    assert f"{unknown['unnamed']} more of these ids" in reading.text("open_memories", memory_ids=UNKNOWN)
    many = reading.call("consolidate_memories", auto_detect=True)
    assert f"the first {many['showing']} are shown" in many["message"]


@pytest.mark.slow
def test_each_note_of_the_graph_comes_on_some_page(reading: Talk) -> None:
    seen: list[str] = []
    page = 1
    while (part := reading.call("read_graph", page=page, page_size=10))["memories"]:
        assert len(part["memories"]) == 10
        seen += [each["id"] for each in part["memories"]]
        page += 1
    assert sorted(seen) == IDS


@pytest.mark.slow
def test_each_result_of_a_search_comes_on_some_page(reading: Talk) -> None:
    seen: list[str] = []
    for page in range(1, 1 + COUNT // 10):
        answer = reading.call("search_memory", query="lantern", page=page, include_review_candidates=False)
        seen += [each["id"] for each in answer["results"]]
    assert sorted(seen) == IDS


@pytest.mark.slow
def test_a_note_that_no_answer_holds_is_cut_and_cannot_be_replaced_from_what_is_left(reading: Talk) -> None:
    [huge] = reading.call("open_memories", memory_ids="note:Huge.md")["memories"]
    assert huge["etag"] == ""
    assert "characters in all" in huge["content"]
    [whole] = reading.call("open_memories", memory_ids=IDS[-1])["memories"]
    assert whole["etag"]
    assert whole["content"].endswith(f"Lantern number {COUNT - 1}. ")


@pytest.mark.slow
def test_the_brief_shows_memories_however_long_their_facts_are(reading: Talk) -> None:
    assert reading.call("search_memory")["count"] >= 3


@pytest.mark.slow
def test_resources_and_prompts_are_bounded(reading: Talk) -> None:
    async def read() -> list[str]:
        async with Client(build_server(reading.vault)) as client:
            uris = ["mnemex://session-brief", "mnemex://fading", f"memory://{IDS[-1]}", "memory://note%3AHuge.md"]
            texts = []
            for uri in uris:
                [content] = (await client.read_resource(uri)).contents
                assert isinstance(content, TextResourceContents)
                texts.append(content.text)
            for name, arguments in (("recall", {"topic": "t" * 1_000}), ("save_conversation", {"name": "n" * 500})):
                messages = (await client.get_prompt(name, arguments)).messages
                texts.append("".join(each.content.text for each in messages if isinstance(each.content, TextContent)))
            return texts

    brief, fading, memory, huge, *prompts = anyio.run(read)
    assert len(brief) <= 4_800
    assert len(fading) <= USUAL
    assert memory.rstrip().endswith(f"Lantern number {COUNT - 1}.")
    assert len(huge) <= MOST
    assert "more characters" in huge
    assert max(len(prompt) for prompt in prompts) <= 2_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"), [("recall", {"topic": "t" * 1_001}), ("save_conversation", {"name": "n" * 501})]
)
def test_a_prompt_takes_no_long_text(reading: Talk, name: str, arguments: dict[str, str]) -> None:
    async def ask() -> None:
        async with Client(build_server(reading.vault), mode="legacy") as client:
            with pytest.raises(MCPError):
                await client.get_prompt(name, arguments)

    anyio.run(ask)


@pytest.mark.parametrize("text", ["one two three " * 50, "\n" * 500, '"' * 500, "\x01" * 500, "💥" * 500, ""])
@pytest.mark.parametrize("room", [3, 10, 100])
def test_a_cut_text_keeps_to_its_room_in_both_forms(text: str, room: int) -> None:
    cut = within(text, room)
    assert len(json.dumps(cut, ensure_ascii=False)) - 2 <= room
    assert len(cut) + 3 * cut.count("\n") <= room
    assert within("short", 100) == "short"


def test_views_are_shown_as_long_as_they_fit() -> None:
    views = [Unrelated(success=True, relation_id=str(number), message="m" * 100) for number in range(10)]
    assert len(fitting(views, 500)) == 3
    assert fitting(views, 0) == []
