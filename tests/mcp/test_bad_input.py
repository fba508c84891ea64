"""Bad input is refused with a line that helps, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
from tests.mcp.conftest import files_of
from tests.mcp.talking import SettableClock, Talk

LONG = "x" * 60_000
KNOWN = "<the saved memory>"

BAD: list[tuple[str, dict[str, object], str]] = [
    ("save_memory", {}, "content"),
    ("save_memory", {"content": ""}, "content"),
    ("save_memory", {"content": " \n\t"}, "content"),
    ("save_memory", {"content": LONG}, "content"),
    ("save_memory", {"content": 5}, "content"),
    ("save_memory", {"content": ["x"]}, "content"),
    ("save_memory", {"content": "a\x00b"}, "NUL"),
    ("save_memory", {"content": "x", "title": "t" * 501}, "title"),
    ("save_memory", {"content": "x", "tags": ""}, "tags"),
    ("save_memory", {"content": "x", "tags": "one,,two"}, "tags"),
    ("save_memory", {"content": "x", "tags": {"one": "two"}}, "tags"),
    ("save_memory", {"content": "x", "entities": "Acme, Inc."}, "comma"),
    ("save_memory", {"content": "x", "strength": "nan"}, "strength"),
    ("save_memory", {"content": "x", "pinned": 1}, "pinned"),
    ("save_memory", {"content": "x", "tags": [5]}, "tags"),
    ("save_memory", {"content": "x", "tags": ["t"] * 51}, "tags"),
    ("save_memory", {"content": "x", "tags": ["t" * 101]}, "tags"),
    ("save_memory", {"content": "x", "entities": ["e"] * 101}, "entities"),
    ("save_memory", {"content": "x", "source": "s" * 501}, "source"),
    ("save_memory", {"content": "x", "context": "c" * 1_001}, "context"),
    ("save_memory", {"content": "x", "meta": "text"}, "meta"),
    ("save_memory", {"content": "x", "meta": {"long": "m" * 1_001}}, "context"),
    ("save_memory", {"content": "x", "strength": 2.1}, "strength"),
    ("save_memory", {"content": "x", "strength": -0.1}, "strength"),
    ("save_memory", {"content": "x", "strength": True}, "strength"),
    ("save_memory", {"content": "x", "half_life_days": 0}, "half_life_days"),
    ("save_memory", {"content": "x", "pinned": "yes"}, "pinned"),
    ("save_memory", {"content": "x", "origin": "nobody"}, "origin"),
    ("save_memory", {"content": "x", "supersedes": ["unknown"]}, "unknown"),
    ("save_memory", {"content": "x", "supersedes": ["a"] * 11}, "supersedes"),
    ("save_memory", {"content": "The known fact.", "on_duplicate": "refuse"}, "already remembered"),
    ("save_memory", {"content": "x", "strenght": 2}, "no argument strenght"),
    ("search_memory", {"query": LONG}, "query"),
    ("search_memory", {"query": 5}, "query"),
    ("search_memory", {"query": "x", "limit": 0}, "limit"),
    ("search_memory", {"query": "x", "limit": 101}, "limit"),
    ("search_memory", {"query": "x", "limit": True}, "limit"),
    ("search_memory", {"query": "x", "limit": "ten"}, "limit"),
    ("search_memory", {"query": "x", "limit": 5.5}, "limit"),
    ("search_memory", {"query": "x", "limit": "1,000"}, "limit"),
    ("search_memory", {"query": "x", "limit": "true"}, "limit"),
    ("search_memory", {"query": "x", "limit": "[5]"}, "limit"),
    ("search_memory", {"query": "x", "limit": "[" * 400}, "limit"),
    ("search_memory", {"query": "x", "limit": 5, "top_k": 6}, "both of its names"),
    ("search_memory", {"query": "x", "top_k": 0}, "limit"),
    ("search_memory", {"query": "x", "limit": 10**400}, "limit"),
    ("search_memory", {"query": "x", "window_days": 3_651}, "window_days"),
    ("search_memory", {"query": "x", "after": "some day"}, "after"),
    ("search_unified", {"query": "x", "before": "13"}, "before"),
    ("search_memory", {"query": "x", "min_score": -1}, "min_score"),
    ("search_memory", {"query": "x", "status": "forgotten"}, "status"),
    ("search_memory", {"query": "x", "status": ["active"] * 6}, "status"),
    ("search_memory", {"query": "x", "page": 0}, "page"),
    ("search_memory", {"query": "x", "page_size": 101}, "page_size"),
    ("search_memory", {"query": "x", "preview_length": 5_001}, "preview_length"),
    ("search_memory", {"query": "x", "used_ids": ["a"] * 11}, "used_ids"),
    ("search_unified", {"query": "x", "limit": 101}, "limit"),
    ("search_unified", {"query": "x", "stm_weight": 2.1}, "stm_weight"),
    ("search_unified", {"query": "x", "ltm_weight": -0.1}, "ltm_weight"),
    ("open_memories", {}, "memory_ids"),
    ("open_memories", {"memory_ids": ["a"] * 101}, "memory_ids"),
    ("open_memories", {"memory_ids": 5}, "memory_ids"),
    ("update_memory", {"memory_id": "unknown", "pinned": True}, "unknown"),
    ("update_memory", {"memory_id": KNOWN}, "nothing to change"),
    ("update_memory", {"memory_id": KNOWN, "content": "Without an etag."}, "etag"),
    ("update_memory", {"memory_id": KNOWN, "content": "", "etag": "x"}, "content"),
    ("update_memory", {"memory_id": KNOWN, "content": "x", "etag": "of another version"}, "edited in the meantime"),
    ("update_memory", {"memory_id": KNOWN, "title": " "}, "title"),
    ("update_memory", {"memory_id": KNOWN, "strength": 5}, "strength"),
    ("forget_memory", {"memory_id": "unknown"}, "unknown"),
    ("forget_memory", {"memory_id": ""}, "memory_id"),
    ("forget_memory", {"memory_id": "../../etc/passwd"}, "passwd"),
    ("forget_memory", {"memory_id": KNOWN, "to_trash": 1}, "to_trash"),
    ("touch_memory", {"memory_id": "unknown"}, "unknown"),
    ("touch_memory", {"memory_id": KNOWN, "boost_strength": "very"}, "boost_strength"),
    ("observe_memory_usage", {"memory_ids": " "}, "memory_ids"),
    ("observe_memory_usage", {"memory_ids": [KNOWN], "context_tags": ["t"] * 51}, "context_tags"),
    ("promote_memory", {"memory_id": "unknown", "force": True}, "unknown"),
    ("promote_memory", {"memory_id": KNOWN, "target": "elsewhere"}, "target"),
    ("promote_memory", {"memory_id": KNOWN, "force": True, "folder": "../outside"}, "folder"),
    ("promote_memory", {"memory_id": KNOWN, "force": True, "folder": "Memories/Short-term"}, "folder"),
    ("gc", {"dry_run": False, "limit": 0}, "limit"),
    ("gc", {"dry_run": "no"}, "dry_run"),
    ("create_relation", {"from_memory_id": KNOWN, "to_memory_id": KNOWN, "relation_type": "related"}, "itself"),
    ("create_relation", {"from_memory_id": KNOWN, "to_memory_id": "unknown", "relation_type": "causes"}, "unknown"),
    ("create_relation", {"from_memory_id": KNOWN, "to_memory_id": "x", "relation_type": "likes"}, "relation_type"),
    (
        "create_relation",
        {"from_memory_id": KNOWN, "to_memory_id": "x", "relation_type": "related", "strength": 1.1},
        "strength",
    ),
    ("delete_relation", {"from_memory_id": KNOWN, "to_memory_id": "x", "relation_type": "related"}, "known under"),
    ("undo", {"operation_id": "unknown"}, "unknown"),
]


@dataclass(frozen=True)
class Unchanged:
    """A vault with one memory, which no test of this file may change."""

    talk: Talk
    known: str
    folder: Path
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unchanged]:
    place = tmp_path_factory.mktemp("unchanged")
    (place / "vault").mkdir()
    environ = {"MNEMEX_STATE_PATH": str(place / "state"), "MNEMEX_TIMEZONE": "UTC", "HOME": str(place)}
    with open_app(place / "vault", clock=SettableClock(), environ=environ) as app:
        talk = Talk(app)
        known = talk.call("save_memory", content="The known fact.")["memory_id"]
        yield Unchanged(talk, known, place / "vault", files_of(place / "vault"))


@pytest.mark.parametrize(("tool", "arguments", "told"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_and_changes_nothing(
    unchanged: Unchanged, tool: str, arguments: dict[str, object], told: str
) -> None:
    given = {name: unchanged.known if value == KNOWN else value for name, value in arguments.items()}
    refusal = unchanged.talk.refusal(tool, **given)
    assert told in refusal
    assert len(refusal) < 2_000
    assert files_of(unchanged.folder) == unchanged.files


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("save_memory", {"content": "é" * 1_000_000}),
        ("update_memory", {"memory_id": "x", "etag": "x", "content": "é" * 1_000_000}),
        ("search_memory", {"query": "é" * 1_000_000}),
        ("consolidate_memories", {"cluster_id": "x", "merged_content": "é" * 1_000_000}),
        ("analyze_message", {"message": "é" * 1_000_000}),
    ],
)
def test_a_text_that_is_too_long_is_refused_with_its_true_length(
    unchanged: Unchanged, tool: str, arguments: dict[str, object]
) -> None:
    refusal = unchanged.talk.refusal(tool, **arguments)
    assert "has 1,000,000 characters; at most 50,000 fit" in refusal
    assert "kept" not in refusal


@pytest.mark.row("H10")
@pytest.mark.parametrize(
    "text", [r"a\b", "Ünïcödé 🌱 日本語", "\u2028line\u2029", "---\nid: x\n---", "[[x]] #tag %%c%%"]
)
def test_odd_texts_come_back_exactly(talk: Talk, text: str) -> None:
    saved = talk.call("save_memory", content=text)
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    assert opened["content"].removesuffix("\n") == text
