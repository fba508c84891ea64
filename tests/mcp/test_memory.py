from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mcp.talking import SettableClock, Snapshot, Talk


@pytest.fixture
def saved(talk: Talk) -> dict[str, Any]:
    return talk.call(
        "save_memory", content="Zoë prefers TypeScript over JavaScript.", kind="none", tags=["preferences"]
    )


def test_a_saved_memory_is_a_note_and_found_by_the_next_search(talk: Talk, vault: Path, saved: dict[str, Any]) -> None:
    assert (vault / saved["path"]).read_text(encoding="utf-8").endswith("Zoë prefers TypeScript over JavaScript.\n")
    [found] = talk.call("search_memory", query="typescript")["results"]
    assert found["id"] == saved["memory_id"]
    assert found["content"] == "Zoë prefers TypeScript over JavaScript."


def test_saving_answers_every_promised_key(saved: dict[str, Any]) -> None:
    inherited = {"success", "memory_id", "message", "has_embedding", "enrichment_applied", "auto_entities"}
    own = {"calculated_strength", "title", "path", "fades_on", "obsidian_url", "similar", "hints"}
    assert inherited | own <= saved.keys()
    assert saved["fades_on"] == "2027-01-17"
    assert saved["obsidian_url"].startswith("obsidian://open?vault=Notes%20of%20Zo%C3%AB&file=Memories%2FShort-term%2F")


def test_the_text_of_a_save_tells_the_person_what_where_and_for_how_long(talk: Talk) -> None:
    said = talk.text("save_memory", content="Zoë prefers TypeScript over JavaScript.", kind="none")
    saved = talk.call("search_memory", query="TypeScript")["results"][0]
    assert saved["title"] in said
    assert saved["path"] in said
    assert "fades on 2027-01-17" in said


def test_texts_that_look_like_json_stay_as_they_are(talk: Talk) -> None:
    content, title = '["one", {"two": null}]', "null"
    saved = talk.call("save_memory", content=content, title=title)
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    assert opened["content"].rstrip("\n") == content
    assert saved["title"] == title


def test_lists_may_come_as_json_texts_as_some_clients_send_them(talk: Talk) -> None:
    saved = talk.call("save_memory", content="Lists come as texts.", tags='["one", "two"]')
    [opened] = talk.call("open_memories", memory_ids=f'["{saved["memory_id"]}"]')["memories"]
    assert opened["tags"] == ["one", "two"]


def test_null_means_that_an_argument_is_not_given(talk: Talk) -> None:
    saved = talk.call("save_memory", content="Nulls are nothing.", tags=None, strength=None, origin=None, title=None)
    assert saved["calculated_strength"] == 1.0


def test_free_metadata_is_kept_where_a_person_can_read_it(talk: Talk) -> None:
    saved = talk.call("save_memory", content="Ticket is open.", context="stand-up", meta={"ticket": 5})
    [opened] = talk.call("open_memories", memory_ids=[saved["memory_id"]])["memories"]
    assert opened["context"] == 'stand-up {"ticket": 5}'


def test_the_same_text_again_is_a_use_of_the_memory(talk: Talk, saved: dict[str, Any]) -> None:
    again = talk.call("save_memory", content="zoë prefers  typescript over javascript.")
    assert again["memory_id"] == saved["memory_id"]
    assert again["reinforced"]
    assert "Already remembered" in again["message"]


def test_similar_memories_are_named_with_what_to_do(talk: Talk, saved: dict[str, Any]) -> None:
    other = talk.call("save_memory", content="Zoë prefers TypeScript over JavaScript now.")
    assert [each["id"] for each in other["similar"]] == [saved["memory_id"]]
    assert "supersedes" in other["message"]


def test_a_successor_hides_what_it_supersedes(talk: Talk, saved: dict[str, Any]) -> None:
    talk.call("save_memory", content="Zoë prefers Rust.", supersedes=[saved["memory_id"]])
    found = talk.call("search_memory", query="prefers")
    assert [each["content"] for each in found["results"]] == ["Zoë prefers Rust."]
    assert found["hidden"] == {"superseded": 1}
    assert talk.call("search_memory", query="prefers", include_superseded=True)["count"] == 2


def test_used_ids_of_a_save_are_uses(talk: Talk, saved: dict[str, Any]) -> None:
    talk.call("save_memory", content="Another thing entirely.", used_ids=[saved["memory_id"], "unknown"])
    [opened] = talk.call("open_memories", memory_ids=[saved["memory_id"]])["memories"]
    assert opened["use_count"] == 2


def test_memories_of_one_conversation_carry_its_name(talk: Talk, clock: SettableClock) -> None:
    names = []
    for number, pause in enumerate((0, 29, 31)):
        clock.wait(minutes=pause)
        saved = talk.call("save_memory", content=f"Number {number} of the conversation.")
        [opened] = talk.call("open_memories", memory_ids=[saved["memory_id"]])["memories"]
        names.append(opened["session"])
    assert names[:2] == ["conversation 2026-11-29 22:30"] * 2
    assert names[2] == "conversation 2026-11-29 23:30"


def test_opening_gives_every_promised_key(talk: Talk, saved: dict[str, Any]) -> None:
    opened = talk.call("open_memories", memory_ids=[saved["memory_id"], "unknown"])
    inherited = {"id", "content", "entities", "tags", "source", "context", "created_at", "last_used", "use_count"}
    more = {"strength", "status", "promoted_at", "promoted_to", "score", "age_days", "relations", "etag", "fades_on"}
    assert inherited | more <= opened["memories"][0].keys()
    assert opened["not_found"] == ["unknown"]
    assert "pagination" not in opened


def test_opening_leaves_out_what_is_not_wanted(talk: Talk, saved: dict[str, Any]) -> None:
    answer = talk.call(
        "open_memories", memory_ids=[saved["memory_id"]], include_scores=False, include_relations=False, page=1
    )
    assert not {"score", "age_days", "relations"} & answer["memories"][0].keys()
    assert answer["pagination"]["total_count"] == 1


def test_relations_are_shown_from_both_ends(talk: Talk, saved: dict[str, Any]) -> None:
    newer = talk.call("save_memory", content="Zoë prefers Rust.", supersedes=[saved["memory_id"]])
    opened = talk.call("open_memories", memory_ids=[newer["memory_id"], saved["memory_id"]])["memories"]
    assert opened[0]["relations"]["outgoing"] == [{"to": saved["memory_id"], "type": "supersedes", "strength": 1.0}]
    assert opened[1]["relations"]["incoming"] == [{"from": newer["memory_id"], "type": "supersedes", "strength": 1.0}]


def test_what_does_not_fit_an_answer_is_named(talk: Talk) -> None:
    ids = [
        talk.call("save_memory", content=f"Long text {number}. " + "word " * 3_000)["memory_id"] for number in range(3)
    ]
    opened = talk.call("open_memories", memory_ids=ids)
    assert [each["id"] for each in opened["memories"]] == ids[:1]
    assert opened["not_shown"] == ids[1:]


def test_the_first_note_is_whole_however_long_it_is(talk: Talk) -> None:
    content = "word " * 9_999 + "end"
    saved = talk.call("save_memory", content=content)
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    assert opened["content"].rstrip("\n") == content


def test_a_long_note_is_opened_at_what_answers(talk: Talk) -> None:
    lines = [f"On day {number} the garden was quiet and nothing was planted." for number in range(800)]
    lines[600] = "The zebra finch needs a warm cage in winter."
    name = talk.call("save_memory", content="\n".join(lines))["memory_id"]
    [part] = talk.call("open_memories", memory_ids=name, query="where is the zebra finch in winter")["memories"]
    assert lines[600] in part["content"]
    assert lines[0] not in part["content"]
    assert len(part["content"]) < 7_000
    assert part["etag"] == ""
    [whole] = talk.call("open_memories", memory_ids=name)["memories"]
    assert whole["content"].rstrip("\n") == "\n".join(lines)


def test_ordinary_notes_can_be_opened(talk: Talk, vault: Path) -> None:
    (vault / "Plan.md").write_text("# Plan\nFrom a person.\n", encoding="utf-8")
    [opened] = talk.call("open_memories", memory_ids=["note:Plan.md"])["memories"]
    assert opened["id"] == "note:Plan.md"
    assert opened["origin"] == "user"
    assert opened["score"] is None


def test_an_update_replaces_the_text_of_the_version_it_is_based_on(
    talk: Talk, vault: Path, saved: dict[str, Any]
) -> None:
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    updated = talk.call(
        "update_memory", memory_id=saved["memory_id"], etag=opened["etag"], content="Zoë prefers Go.", pinned=True
    )
    assert "Zoë prefers Go." in (vault / updated["path"]).read_text(encoding="utf-8")
    assert updated["pinned"]
    assert updated["etag"] != opened["etag"]


def test_a_stale_update_is_refused_with_the_difference(
    talk: Talk, vault: Path, saved: dict[str, Any], snapshot: Snapshot
) -> None:
    [opened] = talk.call("open_memories", memory_ids=saved["memory_id"])["memories"]
    note = vault / saved["path"]
    note.write_text(note.read_text(encoding="utf-8") + "The person added this.\n", encoding="utf-8")
    before = snapshot()
    refusal = talk.refusal("update_memory", memory_id=saved["memory_id"], etag=opened["etag"], content="Lost edit?")
    assert "The person added this." in refusal
    assert "open_memories" in refusal
    assert snapshot() == before


def test_forgetting_archives_and_undo_brings_back(talk: Talk, vault: Path, saved: dict[str, Any]) -> None:
    forgotten = talk.call("forget_memory", memory_id=saved["memory_id"], reason="asked for")
    assert forgotten["tier"] == "archived"
    assert forgotten["path"].startswith("Memories/Archive/2026/")
    assert talk.call("search_memory", query="typescript")["hidden"] == {"archived": 1}
    undone = talk.call("undo")
    assert undone["undid"] == forgotten["operation_id"]
    assert (vault / saved["path"]).exists()
