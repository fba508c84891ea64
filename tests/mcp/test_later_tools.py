"""The tools of the full set, as a client calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from tests.mcp.talking import SettableClock, Snapshot, Talk

TWINS = (
    "The reading group meets in the library on the first floor.",
    "The reading group meets in the library on the first floor, together.",
)
FLOORS = (
    "The dentist is on floor 3 of the Mill Street house by the river.",
    "The dentist is on floor 4 of the Mill Street house by the river.",
)


def save(talk: Talk, *contents: str, **more: object) -> list[str]:
    return [talk.call("save_memory", content=content, on_duplicate="save", **more)["memory_id"] for content in contents]


def test_a_cluster_that_was_shown_is_previewed_merged_and_restored_by_one_undo(talk: Talk, snapshot: Snapshot) -> None:
    ids = save(talk, *TWINS)
    before = snapshot()
    found = talk.call("cluster_memories", threshold=0.61)
    assert (found["mode"], found["clusters_found"], found["strategy"]) == ("clustering", 1, "similarity")
    [cluster] = found["clusters"]
    assert sorted(cluster["memory_ids"]) == sorted(ids)
    preview = talk.call("consolidate_memories", cluster_id=cluster["id"])
    assert (preview["can_consolidate"], preview["num_memories"], preview["space_saved"]) == (True, 2, 1)
    assert {each["id"] for each in preview["original_memories"]} == set(ids)
    assert snapshot() == before
    receipt = talk.call("consolidate_memories", cluster_id=cluster["id"], mode="apply")
    assert receipt["new_memory_id"] not in ids
    assert sorted(receipt["archived"]) == sorted(receipt["consolidated_ids"]) == sorted(ids)
    assert receipt["merged_content_length"] == len(preview["merged_memory"]["content"])
    talk.call("undo")
    assert {path: data for path, data in snapshot().items() if ".trash" not in path} == before


def test_memories_that_differ_in_a_number_wait_for_a_text_of_a_person(talk: Talk, snapshot: Snapshot) -> None:
    save(talk, *FLOORS)
    [cluster] = talk.call("cluster_memories", threshold=0.7)["clusters"]
    before = snapshot()
    preview = talk.call("consolidate_memories", cluster_id=cluster["id"])
    assert not preview["can_consolidate"]
    assert preview["cautions"]
    assert "needs a person" in talk.refusal("consolidate_memories", cluster_id=cluster["id"], mode="apply")
    assert snapshot() == before
    merged = talk.call(
        "consolidate_memories", cluster_id=cluster["id"], mode="apply", merged_content="The dentist is on floor 4."
    )
    [opened] = talk.call("open_memories", memory_ids=merged["new_memory_id"])["memories"]
    assert opened["content"].strip() == "The dentist is on floor 4."


def test_all_coherent_clusters_are_previewed_linked_and_merged(talk: Talk) -> None:
    save(talk, *TWINS, *FLOORS)
    preview = talk.call("consolidate_memories", auto_detect=True)
    assert (preview["mode"], preview["candidates_found"], preview["showing"]) == ("auto_detect_preview", 2, 2)
    linked = talk.call("consolidate_memories", auto_detect=True, mode="link")
    assert (linked["linked_clusters"], linked["total_relations_created"]) == (2, 2)
    again = talk.call("consolidate_memories", auto_detect=True, mode="link")
    assert (again["total_relations_created"], again["skipped_existing"]) == (0, 2)
    done = talk.call("consolidate_memories", auto_detect=True, mode="apply")
    assert (done["consolidated_clusters"], done["total_memories_saved"], len(done["skipped"])) == (1, 1, 1)


def test_one_cluster_is_linked_by_its_id(talk: Talk) -> None:
    save(talk, *TWINS)
    [cluster] = talk.call("cluster_memories")["clusters"]
    linked = talk.call("consolidate_memories", cluster_id=cluster["id"], mode="link")
    assert (linked["relations_created"], linked["pairs_linked"], linked["cluster_size"]) == (1, 1, 2)
    assert linked["cluster_id"] == cluster["id"]


def test_consolidation_refuses_what_it_cannot_know(talk: Talk) -> None:
    assert "auto_detect=true" in talk.refusal("consolidate_memories")
    assert "list the clusters again" in talk.refusal("consolidate_memories", cluster_id="0" * 16)
    assert "cluster_id" in talk.refusal("consolidate_memories", auto_detect=True, merged_content="One.")


def test_many_notes_are_merged_only_with_a_yes(talk: Talk, snapshot: Snapshot) -> None:
    words = ("river", "garden", "market", "harbour", "station", "castle")
    for word in words:
        save(talk, *(f"The walk to the {word} by the old mill is long and lovely{end}" for end in (".", ", truly.")))
    before = snapshot()
    call = {"auto_detect": True, "mode": "apply", "cohesion_threshold": 0.9}
    assert "confirm=true" in talk.refusal("consolidate_memories", **call)
    assert snapshot() == before
    assert talk.call("consolidate_memories", **call, confirm=True)["consolidated_clusters"] == len(words)


def test_duplicates_come_as_pairs(talk: Talk) -> None:
    one, other = save(talk, *TWINS)
    found = talk.call("cluster_memories", find_duplicates=True)
    assert (found["mode"], found["duplicates_found"]) == ("duplicate_detection", 1)
    [pair] = found["duplicates"]
    assert {pair["id1"], pair["id2"]} == {one, other}
    assert talk.call("cluster_memories", strategy="duplicates", duplicate_threshold=1.0)["duplicates_found"] == 0


def test_a_threshold_of_zero_is_zero_and_a_cluster_of_one_none(talk: Talk) -> None:
    save(talk, *TWINS)
    assert talk.call("cluster_memories", threshold=0.0)["threshold"] == 0.0
    assert talk.call("cluster_memories", max_cluster_size=1)["clusters"] == []


def test_memories_are_grouped_by_a_shared_tag(talk: Talk) -> None:
    ids = save(talk, "Bees sleep at night.", "Honey is sweet.", tags=["bees"])
    [cluster] = talk.call("cluster_memories", strategy="tag")["clusters"]
    assert sorted(cluster["memory_ids"]) == sorted(ids)
    assert cluster["label"] == "bees"


def test_the_graph_is_read_in_pages_with_figures_of_the_whole(talk: Talk, clock: SettableClock) -> None:
    ids = []
    for number in range(5):
        ids += save(talk, f"Fact number {number} stands alone.")
        clock.wait(hours=1)
    talk.call("create_relation", from_memory_id=ids[0], to_memory_id=ids[4], relation_type="supports", strength=0.5)
    first = talk.call("read_graph", page=1, page_size=2)
    assert [node["id"] for node in first["memories"]] == [ids[4], ids[3]]
    assert first["pagination"] == {
        "page": 1, "page_size": 2, "total_count": 5, "total_pages": 3, "has_more": True, "has_previous": False,
    }  # fmt: skip
    [relation] = first["relations"]
    assert {"id", "from", "to", "type", "strength", "created_at"} == relation.keys()
    assert (relation["from"], relation["to"], relation["type"], relation["strength"]) == (
        ids[0],
        ids[4],
        "supports",
        0.5,
    )
    assert talk.call("read_graph", page=2, page_size=2)["relations"] == []
    stats = first["stats"]
    assert (stats["total_memories"], stats["total_relations"], stats["avg_use_count"]) == (5, 1, 1.0)


def test_the_graph_around_a_memory_reaches_ordinary_notes(talk: Talk, app: App, vault: Path) -> None:
    (vault / "Farm.md").write_text("Our [[Barn]].\n", encoding="utf-8")
    (vault / "Barn.md").write_text("Red.\n", encoding="utf-8")
    app.follow(None)
    [memory_id] = save(talk, "The harvest at [[Farm]] failed.")
    save(talk, "Nothing to do with it.")
    near = talk.call("read_graph", memory_id=memory_id)
    assert {node["id"] for node in near["memories"]} == {memory_id, "note:Farm.md"}
    far = talk.call("read_graph", memory_id=memory_id, depth=2, include_content=True)
    assert {node["id"] for node in far["memories"]} == {memory_id, "note:Farm.md", "note:Barn.md"}
    assert {edge["type"] for edge in far["relations"]} == {"link"}


def test_whole_texts_come_only_on_request(talk: Talk) -> None:
    text = "A long story about the harvest. " * 20
    save(talk, text.strip())
    assert len(talk.call("read_graph")["memories"][0]["content"]) < 100
    assert talk.call("read_graph", include_content=True)["memories"][0]["content"].strip() == text.strip()
    assert "score" not in talk.call("read_graph", include_scores=False)["memories"][0]


def test_the_queue_begins_with_what_fades_first(talk: Talk, clock: SettableClock) -> None:
    [old] = save(talk, "The old one.")
    clock.wait(days=20)
    [new] = save(talk, "The new one.")
    queue = talk.call("review_queue")
    assert [each["id"] for each in queue["memories"]] == [old, new]
    assert 27 <= queue["memories"][0]["days_left"] <= 29
    soon = talk.call("review_queue", days=30, limit=5)
    assert (soon["count"], soon["total"]) == (1, 1)


def test_an_archived_memory_comes_back_and_does_not_fade_at_once(talk: Talk, clock: SettableClock, vault: Path) -> None:
    [memory_id] = save(talk, "The ferry leaves at noon.")
    clock.wait(days=60)
    talk.call("gc", dry_run=False)
    restored = talk.call("restore_memory", memory_id=memory_id)
    assert restored["tier"] == "short-term"
    assert (vault / restored["path"]).exists()
    assert talk.call("gc")["total_affected"] == 0
    assert "not archived" in talk.refusal("restore_memory", memory_id=memory_id)


def test_the_status_tells_counts_problems_and_what_waits(talk: Talk, vault: Path) -> None:
    save(talk, "The ferry leaves at noon.")
    (vault / "Broken.md").write_text("---\na: 1\na: 2\n---\n", encoding="utf-8")
    talk.call("open_memories", memory_ids=["note:Broken.md"])
    status = talk.call("vault_status")
    assert (status["short_term"], status["long_term"], status["archived"]) == (1, 0, 0)
    assert [each["kind"] for each in status["last_problems"]] == ["unreadable"]
    assert status["index_ready"]
    assert status["paused"] is None


@pytest.mark.parametrize(("watching", "said"), [("events", False), ("polling", True), ("not watching", True)])
def test_the_status_says_how_changes_by_others_are_noticed(app: App, talk: Talk, watching: str, said: bool) -> None:
    assert talk.call("vault_status")["watching"] is None
    app.watching = lambda: watching
    status = talk.call("vault_status")
    assert status["watching"] == watching
    assert ("changed by others" in status["message"]) == said


def test_a_message_is_judged_for_saving(talk: Talk, snapshot: Snapshot) -> None:
    before = snapshot()
    yes = talk.call("analyze_message", message="Remember this: I decided to use PostgreSQL. It is critical.")
    assert yes["should_save"]
    assert yes["phrase_signals"]["save_request"]
    assert yes["suggested_content"]
    no = talk.call("analyze_message", message="What is Python?")
    assert not no["should_save"]
    assert no["phrase_signals"] == {"exclusion_pattern": True}
    assert not talk.call("analyze_message", message="")["should_save"]
    assert snapshot() == before


def test_a_message_is_judged_for_recall(talk: Talk) -> None:
    yes = talk.call("analyze_for_recall", message="What did I say about my dog?")
    assert yes["should_search"]
    assert "dog" in yes["suggested_query"]
    assert yes["phrase_signals"]["recall_request"]
    assert yes["phrase_signals"]["matched_phrases"]
    assert not talk.call("analyze_for_recall", message="What is the capital of France?")["should_search"]


def test_a_message_is_judged_by_the_words_of_the_vault_too(talk: Talk, app: App, vault: Path) -> None:
    words = "---\nmnemex: words\nfirst_names:\n  - Teun\ntopic_bees:\n  - hive\nsave:\n  - for the files\n---\n"
    (vault / "Words.md").write_text(words, "utf-8")
    app.reconciler.reconcile(now=app.store.clock())
    found = talk.call("analyze_message", message="For the files: teun sold a hive to Teun")
    assert found["should_save"]
    assert found["suggested_entities"] == ["Teun"]
    assert found["suggested_tags"] == ["bees"]
    assert talk.call("analyze_for_recall", message="Does Teun keep goats?")["should_search"]


def test_what_fits_a_message_is_recalled_and_mentioning_is_no_use(talk: Talk, clock: SettableClock) -> None:
    [memory_id] = save(talk, "Zoë prefers TypeScript over JavaScript.")
    recalled = talk.call("auto_recall_process_message", message="Zoë asked me about TypeScript again.")
    assert [each["id"] for each in recalled["memories"]] == [memory_id]
    assert (recalled["memories_found"], recalled["memories_reinforced"], recalled["mode"]) == (1, [], "silent")
    again = talk.call("auto_recall_process_message", message="Zoë asked me about TypeScript again.")
    assert again["memories_found"] == 0
    assert "a moment ago" in again["message"]
    clock.wait(minutes=6)
    confirmed = talk.call("auto_recall_process_message", message="Yes, it's still true that Zoë prefers TypeScript.")
    assert confirmed["memories_reinforced"] == [memory_id]


def test_recalling_by_itself_can_be_switched_off(vault: Path, environ: dict[str, str]) -> None:
    with open_app(vault, environ={**environ, "MNEMEX_AUTO_RECALL_ENABLED": "false"}) as app:
        answer = Talk(app).call("auto_recall_process_message", message="Zoë asked me about TypeScript again.")
    assert (answer["enabled"], answer["memories_found"]) == (False, 0)


def test_embeddings_need_a_model(talk: Talk) -> None:
    answer = talk.call("backfill_embeddings", limit=10)
    assert not answer["success"]
    assert answer["error"]
    assert "semantic" in answer["hint"]


def test_calls_are_measured_by_operation(talk: Talk) -> None:
    save(talk, "One.", "Two.")
    talk.refusal("open_memories", memory_ids=5)
    measured = talk.call("get_performance_metrics")
    assert measured["save_memory_count"] == 2
    assert {"count", "avg_ms", "min_ms", "max_ms", "total_ms", "p50_ms", "p95_ms"} == measured["save_memory"].keys()
    talk.call("reset_performance_metrics")
    assert "save_memory" not in talk.call("get_performance_metrics")


@pytest.mark.parametrize("tool", ["cluster_memories", "read_graph", "review_queue", "vault_status"])
def test_an_empty_vault_has_an_answer(talk: Talk, tool: str) -> None:
    assert talk.call(tool)["success"]


@pytest.mark.slow
def test_answers_stay_short_however_long_the_memories_are(talk: Talk, clock: SettableClock) -> None:
    long = "The walk along the river to the old mill was long and lovely and led past the castle. " * 60
    for number in range(12):
        save(talk, f"{long}{'gladly ' * (number // 2)}{number}")
        clock.wait(minutes=1)
    for tool, arguments in (
        ("cluster_memories", {}),
        ("consolidate_memories", {"auto_detect": True}),
        ("read_graph", {"include_content": True}),
        ("review_queue", {}),
    ):
        result = talk.raw(tool, **arguments)
        assert not result.is_error, tool
        assert len(result.content[0].model_dump_json()) <= 22_000, tool
        assert len(json.dumps(result.structured_content)) <= 44_000, tool
