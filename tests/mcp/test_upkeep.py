from __future__ import annotations

from pathlib import Path

from mnemex_vault.app import App
from tests.mcp.talking import SettableClock, Snapshot, Talk, text_of


def save(talk: Talk, count: int) -> list[str]:
    return [
        talk.call("save_memory", content=f"Fact {number} of many.", kind="none")["memory_id"] for number in range(count)
    ]


def test_a_memory_that_does_not_qualify_stays_and_is_told_why(talk: Talk, snapshot: Snapshot) -> None:
    [memory_id] = save(talk, 1)
    before = snapshot()
    answer = talk.call("promote_memory", memory_id=memory_id)
    assert not answer["success"]
    assert answer["score"] == 1.0
    assert "force=true" in answer["message"]
    assert snapshot() == before


def test_a_forced_promotion_shows_its_plan_and_moves_the_note(talk: Talk, vault: Path, snapshot: Snapshot) -> None:
    [memory_id] = save(talk, 1)
    before = snapshot()
    plan = talk.call("promote_memory", memory_id=memory_id, force=True, dry_run=True)
    assert snapshot() == before
    assert plan["candidates_found"] == 1
    assert plan["promoted_count"] == 0
    done = talk.call("promote_memory", memory_id=memory_id, force=True)
    assert done["promoted_ids"] == [memory_id]
    assert (vault / plan["candidates"][0]["destination"]).exists()
    [found] = talk.call("search_memory", query="fact")["results"]
    assert (found["tier"], found["status"], found["fades_on"]) == ("long-term", "promoted", None)


def test_used_memories_are_detected(talk: Talk, clock: SettableClock) -> None:
    used, _ = save(talk, 2)
    for _ in range(3):
        clock.wait(hours=20)
        talk.call("touch_memory", memory_id=used)
    answer = talk.call("promote_memory", auto_detect=True)
    assert answer["promoted_ids"] == [used]
    assert answer["candidates"][0]["content_preview"] == "Fact 0 of many."


def test_promotion_needs_an_id_or_the_wish_to_detect(talk: Talk) -> None:
    assert "auto_detect=true" in talk.refusal("promote_memory")


def test_a_permanent_memory_cannot_be_promoted_again(talk: Talk) -> None:
    [memory_id] = save(talk, 1)
    talk.call("promote_memory", memory_id=memory_id, force=True)
    assert "long-term already" in talk.refusal("promote_memory", memory_id=memory_id, force=True)


def test_tidying_up_shows_the_plan_unless_told_otherwise(
    talk: Talk, vault: Path, clock: SettableClock, snapshot: Snapshot
) -> None:
    ids = save(talk, 20)
    clock.wait(days=60)
    before = snapshot()
    plan = talk.call("gc")
    assert snapshot() == before
    assert plan["dry_run"]
    assert plan["total_affected"] == 2
    assert plan["exempt"] == {"over the limit of one run": 18}
    done = talk.call("gc", dry_run=False)
    assert done["archived_count"] == 2
    assert set(done["memory_ids"]) <= set(ids)
    assert len(list(vault.glob("Memories/Archive/*/*.md"))) == 2


def test_more_than_ten_faded_memories_need_a_yes(talk: Talk, clock: SettableClock, snapshot: Snapshot) -> None:
    save(talk, 12)
    clock.wait(days=60)
    before = snapshot()
    assert "confirm=true" in talk.refusal("gc", dry_run=False, limit=100)
    assert snapshot() == before
    assert talk.call("gc", dry_run=False, limit=100, confirm=True)["archived_count"] == 12


def test_undo_takes_back_the_last_change_but_not_a_use(talk: Talk, clock: SettableClock) -> None:
    [memory_id] = save(talk, 1)
    other = talk.call("save_memory", content="Something else.")["memory_id"]
    forgotten = talk.call("forget_memory", memory_id=memory_id)
    clock.wait(days=1)
    assert talk.call("touch_memory", memory_id=other)["written"]
    undone = talk.call("undo")
    assert undone["undid"] == forgotten["operation_id"]
    assert "a forget;" in undone["message"]
    assert "What was used since then is no change and stays used" in undone["message"]
    use = undone["message"].rpartition(" ")[2].removesuffix(".")
    assert talk.call("undo", operation_id=use)["undid"] == use


def test_undo_of_many_leaves_one_that_was_edited_since_and_names_it(
    talk: Talk, clock: SettableClock, vault: Path
) -> None:
    save(talk, 20)
    clock.wait(days=400)
    assert isinstance(talk.vault, App)
    talk.vault.guard.accept_clock()
    assert len(talk.call("gc", dry_run=False)["memory_ids"]) == 2
    edited, other = sorted((vault / "Memories/Archive").rglob("*.md"))
    edited.write_text(edited.read_text(encoding="utf-8") + "The person added this.\n", encoding="utf-8")
    undone = talk.call("undo")
    assert not undone["success"]
    assert [Path(path).name for path in undone["failed"]] == [edited.name]
    assert edited.exists()
    assert not other.exists()


def test_undo_is_refused_with_the_difference_after_an_edit_by_hand(talk: Talk, vault: Path, snapshot: Snapshot) -> None:
    [memory_id] = save(talk, 1)
    forgotten = talk.call("forget_memory", memory_id=memory_id)
    note = vault / forgotten["path"]
    note.write_text(note.read_text(encoding="utf-8") + "The person added this.\n", encoding="utf-8")
    before = snapshot()
    assert "The person added this." in talk.refusal("undo")
    assert snapshot() == before


def test_undo_knows_only_changes_of_this_session(talk: Talk) -> None:
    assert "changed nothing" in talk.refusal("undo")
    assert "mnemex undo" in talk.refusal("undo", operation_id="op00000000")


def test_a_memory_that_cannot_be_promoted_is_named_and_the_others_are(
    talk: Talk, vault: Path, clock: SettableClock
) -> None:
    ids = save(talk, 3)
    for _ in range(3):
        clock.wait(hours=20)
        talk.call("observe_memory_usage", memory_ids=ids)
    clock.wait(hours=1)
    [spoiled] = [path for path in vault.rglob("*.md") if "Fact 1 of many." in path.read_text()]
    spoiled.write_bytes(b"---\nmemory_id: \xff\n---\nNot UTF-8 any more.\n")
    answer = talk.call("promote_memory", auto_detect=True)
    assert sorted(answer["promoted_ids"]) == sorted([ids[0], ids[2]])
    assert list(answer["failed"]) == [spoiled.relative_to(vault).as_posix()]
    assert "UTF-8" in next(iter(answer["failed"].values()))


def test_links_that_a_merge_or_a_move_had_to_leave_are_told(talk: Talk, vault: Path) -> None:
    texts = ("The reading group meets in the library.", "The reading group meets in the library there.")
    ids = [talk.call("save_memory", content=text, on_duplicate="save")["memory_id"] for text in texts]
    places = [path.relative_to(vault).as_posix().removesuffix(".md") for path in sorted(vault.rglob("The*.md"))]
    board = "---\nbroken: [\n---\n" + "".join(f"- [ ] [[{place}]]\n" for place in places)
    (vault / "Odd.md").write_text(board)
    # an id that nothing bears lets it look through the vault
    talk.refusal("touch_memory", memory_id="nobody")
    merged = talk.raw("consolidate_memories", auto_detect=True, mode="apply", cohesion_threshold=0.5, confirm=True)
    assert "Links in 1 note could not be rewritten, and lead nowhere now." in text_of(merged)
    assert "Not rewritten: " in text_of(merged)
    assert "Odd.md" in text_of(merged)
    talk.call("undo")
    moved = talk.text("promote_memory", memory_id=ids[0], force=True)
    assert "Links in 1 note could not be rewritten, and lead nowhere now." in moved
    assert "Not rewritten: " in moved
    assert "Odd.md" in moved
