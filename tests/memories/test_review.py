from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.memories.automation import Plan
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.review_note import Action, marker
from tests.conftest import StandingClock

PLAN = Plan(steps=("promote", "review", "archive"), interval_hours=24, folder="Memories", device="desk")


def save(app: App, content: str) -> str:
    return app.collection.save(Draft(content=content, kind="none")).memory.id


def tick(note: Path, words: str) -> None:
    text = note.read_text("utf-8")
    ticked = re.sub(rf"- \[ \] ({words})", r"- [x] \1", text, count=1)
    assert ticked != text
    note.write_text(ticked, "utf-8")


def write(app: App, vault: Path) -> Path:
    app.review.write(folder="Memories", device="desk")
    return vault / "Memories" / "Review.md"


def test_the_queue_is_ordered_by_days_until_forgotten(app: App, clock: StandingClock) -> None:
    first = save(app, "The roof leaks in the north corner.")
    clock.advance(days=10)
    second = save(app, "The roofer comes on the ninth.")
    assert [item.entry.memory_id for item in app.review.queue()] == [first, second]
    assert app.review.queue(days=30) == []
    assert len(app.review.queue(days=40)) == 1


def test_a_ticked_keep_counts_as_a_use(app: App, vault: Path, clock: StandingClock) -> None:
    memory_id = save(app, "The roof leaks in the north corner.")
    clock.advance(days=45)
    note = write(app, vault)
    tick(note, "Keep it")
    app.follow({"Memories/Review.md"})
    assert app.store.usage(app.store.memory_entry(memory_id)).use_count == 2
    assert "Keep it" not in note.read_text("utf-8")


def test_ticked_promote_and_let_go_move_the_notes(app: App, vault: Path, clock: StandingClock) -> None:
    memory_id = save(app, "The roof leaks in the north corner.")
    clock.advance(days=45)
    note = write(app, vault)
    tick(note, "Make it permanent")
    app.follow({"Memories/Review.md"})
    assert app.store.memory_entry(memory_id).tier is Tier.LONG_TERM
    other = save(app, "The cellar is dry.")
    clock.advance(days=45)
    note = write(app, vault)
    tick(note, "Let it go")
    app.follow({"Memories/Review.md"})
    assert app.store.memory_entry(other).tier is Tier.ARCHIVED


def test_an_unmanaged_note_can_be_adopted_by_a_tick(app: App, vault: Path) -> None:
    (vault / "Memories/Short-term").mkdir(parents=True)
    (vault / "Memories/Short-term/Mine.md").write_text("The pump needs oil.\n")
    app.follow(None)
    note = write(app, vault)
    tick(note, "Make ")
    app.follow({"Memories/Review.md"})
    assert [entry.title for entry in app.store.catalog.memories(Tier.SHORT_TERM)] == ["Mine"]


def test_similar_pairs_can_be_kept_and_are_not_asked_again(app: App, vault: Path) -> None:
    save(app, "We had a picnic by the river behind the Mill Street house with Anna.")
    save(app, "We had a picnic by the river behind the Mill Street house with Ben.")
    note = write(app, vault)
    assert "Similar memories" in note.read_text("utf-8")
    tick(note, "Both are true")
    app.follow({"Memories/Review.md"})
    assert "Similar memories" not in note.read_text("utf-8")


def test_the_note_is_written_only_if_its_items_changed(app: App, vault: Path, clock: StandingClock) -> None:
    save(app, "The roof leaks in the north corner.")
    clock.advance(days=45)
    note = write(app, vault)
    before = (note.stat().st_mtime_ns, note.stat().st_ino)
    clock.advance(hours=1)
    write(app, vault)
    assert (note.stat().st_mtime_ns, note.stat().st_ino) == before


def test_a_persons_own_lines_stay(app: App, vault: Path, clock: StandingClock) -> None:
    save(app, "The roof leaks in the north corner.")
    clock.advance(days=45)
    note = write(app, vault)
    note.write_text(note.read_text("utf-8") + "\nAsk the roofer about the gutter.\n", "utf-8")
    tick(note, "Keep it")
    app.follow({"Memories/Review.md"})
    assert "Ask the roofer about the gutter." in note.read_text("utf-8")


def test_the_review_note_is_never_found_and_protects_nothing(app: App, vault: Path, clock: StandingClock) -> None:
    from mnemex_vault.memories.recall import Request

    save(app, "The roof leaks in the north corner.")
    clock.advance(days=60)
    write(app, vault)
    app.follow(None)
    assert app.recall.search(Request(query="fading tick box", ordinary=True)).total == 0
    assert len(app.forgetting.plan().candidates) == 1


def test_upkeep_runs_at_the_earliest_after_ten_minutes_and_once_a_day(app: App, clock: StandingClock) -> None:
    save(app, "The roof leaks in the north corner.")
    assert app.automation.run_if_due(PLAN) == []
    clock.advance(minutes=11)
    assert len(app.automation.run_if_due(PLAN)) == 2
    assert app.automation.run_if_due(PLAN) == []
    clock.advance(hours=25)
    assert len(app.automation.run_if_due(PLAN)) == 2


def test_one_device_a_day_runs_upkeep(app: App, vault: Path, clock: StandingClock) -> None:
    save(app, "The roof leaks in the north corner.")
    clock.advance(minutes=11)
    app.review.write(folder="Memories", device="laptop")
    assert app.automation.run_if_due(PLAN) == []
    clock.advance(hours=25)
    assert len(app.automation.run_if_due(PLAN)) == 2


@pytest.mark.row("T25")
def test_nothing_runs_by_itself_that_nobody_allowed(app: App, clock: StandingClock) -> None:
    save(app, "The roof leaks in the north corner.")
    clock.advance(days=60)
    plan = Plan(steps=(), interval_hours=24, folder="Memories", device="desk")
    assert app.automation.run_if_due(plan) == []
    assert app.store.catalog.memories(Tier.ARCHIVED) == []


OLD, NEW = "Our office is in Bergen.", "Our office is in Tromsø."


@pytest.mark.parametrize(
    ("words", "present"), [("The newer one", [NEW]), ("The older one", [OLD]), ("Both are true", [NEW, OLD])]
)
def test_which_of_two_versions_holds_is_asked_first_and_once(
    app: App, vault: Path, clock: StandingClock, words: str, present: list[str]
) -> None:
    save(app, OLD)
    clock.advance(days=1)
    save(app, NEW)
    note = write(app, vault)
    lines = note.read_text("utf-8").splitlines()
    assert next(line for line in lines if line.startswith("## ")) == "## Which is true?"
    tick(note, words)
    app.follow({"Memories/Review.md"})
    superseded = app.store.catalog.superseded()
    left = [entry for entry in app.store.catalog.memories() if entry.path not in superseded]
    assert sorted(app.store.note(entry).content for entry in left) == sorted(present)
    assert app.review.unsettled() == []
    assert "Which is true?" not in note.read_text("utf-8")
    app.history.undo(app.history.last().id)
    assert len(app.review.unsettled()) == 1


def test_what_is_marked_as_contradicting_is_asked_until_it_is_settled(app: App, clock: StandingClock) -> None:
    ids = [save(app, text) for text in ("Tea keeps Ben awake at night.", "Ben sleeps best after a pot of black tea.")]
    assert app.review.unsettled() == []
    app.relations.create(ids[1], ids[0], RelationType.CONTRADICTS)
    [found] = app.review.unsettled()
    assert (found.newer.memory_id, found.older.memory_id, found.said) == (ids[1], ids[0], True)
    app.review.settle(*ids, both=True)
    assert app.review.unsettled() == []


def test_two_facts_about_different_things_are_never_asked_about(app: App) -> None:
    for text in ("Anna's birthday is on 3 March.", "Ben's birthday is on 5 May.", "The upper shelf is for glasses."):
        save(app, text)
    save(app, "The lower shelf is for plates.")
    assert app.review.unsettled() == []


def test_what_strangers_said_is_trusted_by_one_tick_a_source(app: App, vault: Path) -> None:
    for number, source in enumerate(("shop.example", "shop.example", "blog.example")):
        app.collection.save(Draft(content=f"Parcel {number} costs {number} euros.", origin="web", source=source))
    assert sorted(map(len, app.review.waiting())) == [1, 2]
    note = write(app, vault)
    tick(note, "Trust what came from shop.example")
    app.follow({"Memories/Review.md"})
    [left] = app.review.waiting()
    assert [entry.source for entry in left] == ["blog.example"]
    operation = app.history.last()
    assert (operation.kind, len(operation.steps)) == ("approve", 2)
    app.history.undo(operation.id)
    assert sorted(map(len, app.review.waiting())) == [1, 2]


def relied_on(app: App, clock: StandingClock, memory_id: str, *projects: str) -> None:
    for number, project in enumerate(projects):
        app.conversations.note("codex", f"{project} {number}", now=clock(), project=project, relied=[memory_id])


def test_what_three_projects_relied_on_is_proposed_for_all_and_one_tick_makes_it_so(
    app: App, vault: Path, clock: StandingClock
) -> None:
    memory_id = app.collection.save(Draft(content="Always use tabs.", project="shop", kind="rule")).memory.id
    relied_on(app, clock, memory_id, "shop", "blog", "Blog")
    assert app.review.wider() == []
    relied_on(app, clock, memory_id, "site")
    [found] = app.review.wider()
    assert found.entry.memory_id == memory_id
    assert [name.casefold() for name in found.projects] == ["blog", "shop", "site"]
    path = vault / found.entry.path
    before = path.read_bytes()
    tick(write(app, vault), "It holds for every project")
    app.follow({"Memories/Review.md"})
    assert b"project" not in path.read_bytes()
    assert app.review.wider() == []
    assert [item.section for item in app.brief.make(project="garden")] == ["always"]
    app.history.undo()
    assert path.read_bytes() == before


def test_what_belongs_to_no_project_or_lies_in_the_archive_is_not_proposed(app: App, clock: StandingClock) -> None:
    nowhere = save(app, "The cellar is dry.")
    gone = app.collection.save(Draft(content="Always use tabs.", project="shop")).memory.id
    app.lifecycle.forget(gone)
    for memory_id in (nowhere, gone, "unknown"):
        relied_on(app, clock, memory_id, "shop", "blog", "site")
    assert app.review.wider() == []


def test_what_a_person_keeps_for_its_project_is_not_proposed_again(app: App, vault: Path, clock: StandingClock) -> None:
    memory_id = app.collection.save(Draft(content="Always use tabs.", project="shop")).memory.id
    relied_on(app, clock, memory_id, "shop", "blog", "site")
    note = write(app, vault)
    tick(note, "It holds for every project")
    tick(note, "Only for shop")
    app.follow({"Memories/Review.md"})
    assert app.store.memory_entry(memory_id).project == "shop"
    relied_on(app, clock, memory_id, "garden")
    assert app.review.wider() == []
    assert "tabs" not in note.read_text("utf-8")


def test_a_tick_that_takes_back_all_notes_but_one_is_told_with_the_reason(app: App, vault: Path) -> None:
    ids = [save(app, f"The {name} is in the shed.") for name in ("ladder", "saw")]
    candidates = [app.lifecycle.promotion_candidate(each, now=app.store.clock(), force=True) for each in ids]
    moved = app.lifecycle.promote([each for each in candidates if each])
    edited = vault / moved[0].path
    edited.write_text(edited.read_text("utf-8") + "Really.\n", "utf-8")
    note = write(app, vault)
    ticked = f"- [x] Undo {marker(Action.UNDO, moved[0].operation_id)}\n"
    note.write_text(note.read_text("utf-8") + ticked, "utf-8")
    outcome = app.review.apply_ticks()
    assert [tick.action for tick, _ in outcome.failed] == [Action.UNDO]
    assert edited.exists()
    assert not (vault / moved[1].path).exists()
