from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.talking import Talk


@pytest.fixture
def ids(talk: Talk) -> list[str]:
    contents = ("Zoë prefers Rust.", "Zoë prefers TypeScript.")
    return [talk.call("save_memory", content=content)["memory_id"] for content in contents]


def test_a_relation_is_a_link_in_the_note(talk: Talk, vault: Path, ids: list[str]) -> None:
    made = talk.call("create_relation", from_memory_id=ids[0], to_memory_id=ids[1], relation_type="contradicts")
    assert {"success", "relation_id", "from", "to", "type", "strength", "message", "notice"} == made.keys()
    assert (made["from"], made["to"], made["type"], made["strength"]) == (*ids, "contradicts", 1.0)
    [opened] = talk.call("open_memories", memory_ids=ids[0])["memories"]
    assert 'contradicts:\n  - "[[' in (vault / opened["path"]).read_text(encoding="utf-8")
    assert opened["relations"]["outgoing"] == [{"to": ids[1], "type": "contradicts", "strength": 1.0}]


def test_the_same_relation_again_changes_nothing(talk: Talk, ids: list[str]) -> None:
    first, second = (
        talk.call("create_relation", from_memory_id=ids[0], to_memory_id=ids[1], relation_type="related")
        for _ in range(2)
    )
    assert first["success"]
    assert not second["success"]
    assert second["existing_relation_id"] == first["relation_id"]


def test_a_superseded_memory_is_no_longer_found(talk: Talk, ids: list[str]) -> None:
    talk.call("create_relation", from_memory_id=ids[0], to_memory_id=ids[1], relation_type="supersedes")
    assert [each["id"] for each in talk.call("search_memory", query="prefers")["results"]] == [ids[0]]


def test_a_relation_can_be_deleted_and_the_deletion_undone(talk: Talk, ids: list[str]) -> None:
    ends = {"from_memory_id": ids[0], "to_memory_id": ids[1], "relation_type": "supersedes"}
    made = talk.call("create_relation", **ends)
    assert talk.call("delete_relation", **ends)["relation_id"] == made["relation_id"]
    assert talk.call("search_memory", query="prefers")["count"] == 2
    talk.call("undo")
    assert talk.call("search_memory", query="prefers")["count"] == 1
