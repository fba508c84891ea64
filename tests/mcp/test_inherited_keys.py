"""Every tool that the predecessors had answers over the pipes of a real server with at least their keys."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TextIO

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.mcp.talking import structured, text_of

SERVE = "import sys; from mnemex_vault.mcp.server import main; main(sys.argv[1])"
TWINS = (
    "The reading group meets in the library on the first floor.",
    "The reading group meets in the library on the first floor, together.",
)
PAGES = {"page", "page_size", "total_count", "total_pages", "has_more", "has_previous"}
FOUND = {"id", "content", "tags", "score", "similarity", "use_count", "last_used", "age_days", "review_priority"}
FOUND_ANYWHERE = {"content", "title", "source", "score", "path", "memory_id", "tags", "created_at", "last_used"}
CANDIDATE = {"id", "content_preview", "reason", "score", "use_count", "age_days"}
OPENED = {
    "id", "content", "entities", "tags", "source", "context", "created_at", "last_used", "use_count", "strength",
    "status", "promoted_at", "promoted_to", "score", "age_days", "relations",
}  # fmt: skip
NODE = {
    "id", "content", "entities", "tags", "created_at", "last_used", "use_count", "strength", "status", "score",
    "age_days",
}  # fmt: skip
MERGED = {"content", "tags", "entities", "source", "context", "created_at", "last_used", "use_count", "strength"}
Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.mark.slow
def test_every_inherited_tool_answers_with_its_keys(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        anyio.run(talk, vault, tmp_path, log)


async def talk(vault: Path, folder: Path, log: TextIO) -> None:
    environ = {"MNEMEX_STATE_PATH": str(folder / "state"), "HOME": str(folder), "MNEMEX_TOOLS": "full"}
    parameters = StdioServerParameters(command=sys.executable, args=["-c", SERVE, str(vault)], env=environ)
    async with Client(stdio_client(parameters, errlog=log)) as client:

        async def call(tool: str, *, keys: set[str], **arguments: object) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, text_of(result)
            answer = structured(result)
            assert keys <= answer.keys(), (tool, keys - answer.keys())
            return answer

        ids = await saving(call)
        await finding(call, ids)
        await strengthening(call, ids)
        await relating(call, ids)
        await consolidating(call)
        await tidying(call, ids)
        await judging(call)


async def saving(call: Call) -> list[str]:
    keys = {"success", "memory_id", "message", "has_embedding", "enrichment_applied", "auto_entities",
            "calculated_strength"}  # fmt: skip
    saved = [
        await call("save_memory", keys=keys, content=text, tags=["reading"], entities=["library"], on_duplicate="save")
        for text in TWINS
    ]
    return [each["memory_id"] for each in saved]


async def finding(call: Call, ids: list[str]) -> None:
    listed = {"success", "count", "results", "pagination"}
    found = await call("search_memory", keys=listed, query="reading group", page=1)
    assert found["results"][0].keys() >= FOUND
    assert found["pagination"].keys() == PAGES
    anywhere = await call("search_unified", keys=listed, query="reading group", page=1)
    assert anywhere["results"][0].keys() >= FOUND_ANYWHERE
    opened = await call("open_memories", keys={"success", "count", "memories", "not_found"}, memory_ids=ids)
    assert opened["memories"][0].keys() >= OPENED


async def strengthening(call: Call, ids: list[str]) -> None:
    keys = {"success", "memory_id", "old_score", "new_score", "use_count", "strength", "message"}
    await call("touch_memory", keys=keys, memory_id=ids[0], boost_strength=True)
    observed = await call(
        "observe_memory_usage", keys={"reinforced", "count", "cross_domain_count", "results"}, memory_ids=[*ids, "none"]
    )
    assert {"id", "status", "cross_domain", "new_use_count", "new_review_count", "strength"} <= observed["results"][
        0
    ].keys()
    assert observed["results"][2] == {"id": "none", "status": "not_found"}


async def relating(call: Call, ids: list[str]) -> None:
    ends = {"from_memory_id": ids[0], "to_memory_id": ids[1], "relation_type": "causes"}
    keys = {"success", "relation_id", "from", "to", "type", "strength", "message"}
    await call("create_relation", keys=keys, **ends)
    await call("create_relation", keys=keys | {"existing_relation_id"}, **ends)
    graph = await call("read_graph", keys={"success", "memories", "relations", "stats", "pagination"}, page=1)
    assert graph["memories"][0].keys() >= NODE
    assert {"id", "from", "to", "type", "strength", "created_at"} <= graph["relations"][0].keys()
    assert {"total_memories", "total_relations", "avg_score", "avg_use_count", "status_filter"} <= graph["stats"].keys()


async def consolidating(call: Call) -> None:
    keys = {"success", "mode", "clusters_found", "strategy", "threshold", "clusters", "message"}
    [cluster] = (await call("cluster_memories", keys=keys))["clusters"]
    assert {"id", "size", "cohesion", "suggested_action", "memory_ids", "content_previews"} <= cluster.keys()
    pairs = await call(
        "cluster_memories", keys={"success", "mode", "duplicates_found", "duplicates", "message"}, find_duplicates=True
    )
    assert {"id1", "id2", "content1_preview", "content2_preview", "similarity"} <= pairs["duplicates"][0].keys()
    one = {"cluster_id": cluster["id"]}
    keys = {"can_consolidate", "cluster_id", "num_memories", "cohesion", "suggested_action", "merged_memory",
            "original_memories", "space_saved"}  # fmt: skip
    preview = await call("consolidate_memories", keys=keys, **one)
    assert preview["merged_memory"].keys() >= MERGED
    assert {"id", "content_preview", "tags", "use_count", "strength"} <= preview["original_memories"][0].keys()
    every = {"success", "mode", "message"}
    await call("consolidate_memories", keys=every | {"candidates_found", "showing", "previews"}, auto_detect=True)
    linked = {"success", "cluster_id", "cluster_size", "cohesion", "relations_created", "pairs_linked",
              "skipped_existing", "memory_ids", "message"}  # fmt: skip
    await call("consolidate_memories", keys=linked, mode="link", **one)
    linked = {"linked_clusters", "total_relations_created", "results"}
    await call("consolidate_memories", keys=every | linked, mode="link", auto_detect=True)
    merged = {"success", "new_memory_id", "consolidated_ids", "space_saved", "merged_content_length", "merged_tags",
              "merged_entities", "merged_strength"}  # fmt: skip
    await call("consolidate_memories", keys=merged, mode="apply", **one)
    merged = {"consolidated_clusters", "total_memories_saved", "results"}
    await call("consolidate_memories", keys=every | merged, mode="apply", auto_detect=True)


async def tidying(call: Call, ids: list[str]) -> None:
    keys = {"success", "dry_run", "removed_count", "archived_count", "freed_score_sum", "memory_ids",
            "total_affected", "message"}  # fmt: skip
    await call("gc", keys=keys)
    keys = {"success", "dry_run", "candidates_found", "promoted_count", "promoted_ids", "candidates", "message"}
    plan = await call("promote_memory", keys=keys, memory_id=ids[0], force=True, dry_run=True)
    assert plan["candidates"][0].keys() >= CANDIDATE
    await call("promote_memory", keys=keys, auto_detect=True)


async def judging(call: Call) -> None:
    message = {"message": "Remember: I decided to use PostgreSQL."}
    keys = {"should_save", "confidence", "suggested_entities", "suggested_tags", "suggested_strength", "reasoning",
            "phrase_signals"}  # fmt: skip
    await call("analyze_message", keys=keys, **message)
    keys = {"should_search", "confidence", "suggested_query", "suggested_tags", "suggested_entities", "reasoning",
            "phrase_signals"}  # fmt: skip
    recall = await call("analyze_for_recall", keys=keys, **message)
    assert {"save_request", "recall_request", "importance_marker", "matched_phrases"} <= recall["phrase_signals"].keys()
    keys = {"success", "enabled", "topics_found", "memories_found", "memories_reinforced", "mode", "message"}
    await call("auto_recall_process_message", keys=keys, **message)
    keys = {"success", "dry_run", "processed", "errors", "model", "total_memories", "memories_without_embeddings",
            "message"}  # fmt: skip
    await call("backfill_embeddings", keys=keys)
    measured = await call("get_performance_metrics", keys={"save_memory", "save_memory_count", "search_memory"})
    assert {"count", "avg_ms", "min_ms", "max_ms", "total_ms"} <= measured["save_memory"].keys()
    await call("reset_performance_metrics", keys={"success", "message"})
