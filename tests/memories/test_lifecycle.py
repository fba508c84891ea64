from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import InvalidInput, NoteNotFound, NotPossible
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.lifecycle import Touched
from mnemex_vault.memories.saving import Saved
from tests.conftest import StandingClock


def save(app: App, content: str = "Anna plays the cello on Mondays.", **values: object) -> Saved:
    return app.collection.save(Draft(content=content, **{"kind": "none", **values}))  # type: ignore[arg-type]


def use(app: App, clock: StandingClock, memory_id: str, times: int) -> None:
    for _ in range(times):
        clock.advance(days=1)
        app.lifecycle.touch(memory_id)


def test_a_use_counts_and_is_written_when_the_note_is_quiet(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    clock.advance(days=3)
    touched = app.lifecycle.touch(saved.memory.id)
    assert touched.score_before == pytest.approx(0.5)
    assert touched.score == pytest.approx(2**0.6)
    assert touched.written
    assert "use_count: 2\n" in (vault / saved.path).read_text("utf-8")
    assert "days_used: 2\n" in (vault / saved.path).read_text("utf-8")


def test_a_use_of_a_note_that_someone_edits_waits_but_counts(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    clock.advance(days=3)
    path = vault / saved.path
    path.write_text(path.read_text("utf-8") + "And on Fridays.\n", "utf-8")
    os.utime(path, (clock().timestamp(), clock().timestamp()))
    app.follow({saved.path})
    before = path.read_bytes()
    touched = app.lifecycle.touch(saved.memory.id)
    assert not touched.written
    assert touched.usage.use_count == 2
    assert path.read_bytes() == before
    assert app.store.score(app.store.memory_entry(saved.memory.id), now=clock()) == touched.score


@pytest.mark.row("T11")
def test_a_touch_changes_only_our_lines(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    path = vault / saved.path
    own = "---\n# mine\nmood: 'good'  # today\n" + path.read_text("utf-8").removeprefix("---\n") + "\n\nMore.  \n"
    path.write_text(own, "utf-8")
    clock.advance(days=1)
    app.follow(None)
    app.lifecycle.touch(saved.memory.id)
    before, after = own.splitlines(), path.read_text("utf-8").splitlines()
    changed = {line.partition(":")[0] for line in set(before) ^ set(after)}
    assert changed <= {"use_count", "last_used", "days_used", "fades_on"}


def test_a_boost_adds_strength_up_to_two(app: App, clock: StandingClock) -> None:
    saved = save(app, strength=1.95)
    clock.advance(days=1)
    assert app.lifecycle.touch(saved.memory.id, boost=True).usage.strength == 2.0


def test_observing_counts_a_review_and_another_domain(app: App, clock: StandingClock) -> None:
    saved = save(app, tags=["music"])
    clock.advance(days=1)
    results = app.lifecycle.observe([saved.memory.id, saved.memory.id, "nobody"], ["cooking", "kitchen"])
    touched = results[saved.memory.id]
    assert isinstance(results["nobody"], NoteNotFound)
    assert isinstance(touched, Touched)
    assert (touched.usage.use_count, touched.usage.review_count, touched.cross_domain) == (2, 1, True)
    assert touched.usage.strength == pytest.approx(1.05)


def test_a_new_memory_is_not_promoted_by_rule(app: App, clock: StandingClock) -> None:
    saved = save(app)
    assert app.lifecycle.promotion_candidates(now=clock()) == []
    assert app.lifecycle.promotion_candidate(saved.memory.id, now=clock()) is None


def test_three_uses_on_two_days_promote_by_moving_the_note(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    use(app, clock, saved.memory.id, 3)
    (candidate,) = app.lifecycle.promotion_candidates(now=clock())
    (moved,) = app.lifecycle.promote([candidate])
    assert not (vault / saved.path).exists()
    text = (vault / moved.path).read_text("utf-8")
    assert moved.path == f"Memories/Long-term/{Path(saved.path).name}"
    assert "promoted: " in text
    assert "fades_on" not in text
    assert app.store.memory_entry(saved.memory.id).tier is Tier.LONG_TERM


@pytest.mark.row("E6")
def test_an_idle_memory_that_was_promoted_and_dragged_back_stays_back(
    app: App, clock: StandingClock, vault: Path
) -> None:
    saved = save(app)
    use(app, clock, saved.memory.id, 5)
    clock.advance(hours=1)
    (moved,) = app.lifecycle.promote(app.lifecycle.promotion_candidates(now=clock()))
    (vault / moved.path).rename(vault / saved.path)
    app.follow(None)
    assert app.store.memory_entry(saved.memory.id).tier is Tier.SHORT_TERM
    assert app.lifecycle.promotion_candidates(now=clock()) == []
    clock.advance(days=1)
    app.lifecycle.touch(saved.memory.id)
    assert len(app.lifecycle.promotion_candidates(now=clock())) == 1


@pytest.mark.row("S7")
def test_web_text_is_never_promoted_by_rule_or_tool_but_can_be_by_a_person(app: App, clock: StandingClock) -> None:
    saved = save(app, origin="web")
    use(app, clock, saved.memory.id, 6)
    assert app.lifecycle.promotion_candidates(now=clock()) == []
    with pytest.raises(NotPossible, match="waits for a person"):
        app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True, by_person=True)
    assert candidate is not None
    # that is the yes, which stays when it comes back
    app.lifecycle.promote([candidate])
    app.lifecycle.demote(saved.memory.id)
    entry = app.store.memory_entry(saved.memory.id)
    assert entry.approved == clock()
    assert app.store.trusts(entry)


def test_a_long_term_memory_cannot_be_promoted_again(app: App, clock: StandingClock) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    assert candidate is not None
    app.lifecycle.promote([candidate])
    with pytest.raises(InvalidInput):
        app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)


def test_a_memory_can_be_promoted_into_a_folder_of_ones_own(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True, folder="People")
    assert candidate is not None
    app.lifecycle.promote([candidate])
    assert (vault / "People" / Path(saved.path).name).is_file()
    with pytest.raises(InvalidInput):
        app.lifecycle.promotion_candidate(
            save(app, "Other.").memory.id, now=clock(), force=True, folder="Memories/Archive"
        )


def test_demotion_moves_the_note_back(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    assert candidate is not None
    app.lifecycle.promote([candidate])
    app.lifecycle.demote(saved.memory.id)
    text = (vault / saved.path).read_text("utf-8")
    assert "promoted: " in text
    assert "fades_on: " in text


def test_forgetting_archives_and_restoring_brings_back(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    moved = app.lifecycle.forget(saved.memory.id, reason="over")
    assert moved.path.startswith(f"Memories/Archive/{clock().year}/")
    assert (vault / moved.path).is_file()
    clock.advance(days=200)
    back = app.lifecycle.restore(saved.memory.id)
    assert back.path == saved.path
    assert app.store.score(app.store.memory_entry(saved.memory.id), now=clock()) > 1


def test_a_forgotten_long_term_memory_comes_back_to_its_folder(app: App, clock: StandingClock) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True, folder="People")
    assert candidate is not None
    (moved,) = app.lifecycle.promote([candidate])
    app.lifecycle.forget(saved.memory.id)
    assert app.lifecycle.restore(saved.memory.id).path == moved.path


@pytest.mark.row("T23")
def test_forgetting_to_the_trash_leaves_the_memory_folders(app: App, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text('{"trashOption": "local"}')
    saved = save(app)
    before = (vault / saved.path).read_bytes()
    app.lifecycle.forget(saved.memory.id, to_trash=True)
    assert not (vault / saved.path).exists()
    assert [path.read_bytes() for path in (vault / ".trash").rglob("*.md")] == [before]
    with pytest.raises(NoteNotFound):
        app.store.memory_entry(saved.memory.id)


def test_every_change_can_be_undone(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    before = (vault / saved.path).read_bytes()
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    assert candidate is not None
    app.lifecycle.promote([candidate])
    app.history.undo()
    assert (vault / saved.path).read_bytes() == before
    app.lifecycle.forget(saved.memory.id)
    app.history.undo()
    assert (vault / saved.path).read_bytes() == before


def test_a_use_is_not_the_last_change(app: App, clock: StandingClock, vault: Path) -> None:
    saved = save(app)
    clock.advance(days=1)
    app.lifecycle.touch(saved.memory.id)
    operation = app.history.last(own_only=True)
    assert operation.kind == "save"


def test_what_was_written_where_no_note_is_any_more_is_not_remembered(app: App) -> None:
    for number in range(3):
        saved = app.collection.save(Draft(content=f"Fact {number} of the flood."))
        app.editing.pin(saved.memory.id)
        app.lifecycle.forget(saved.memory.id, to_trash=number == 0)
    assert set(app.store.last_writes) == {entry.path for entry in app.store.catalog}


def in_the_root(app: App, clock: StandingClock, vault: Path) -> str:
    """Save a memory and drag its note to the top of the vault, where it is permanent."""
    saved = save(app)
    (vault / saved.path).rename(vault / Path(saved.path).name)
    app.follow(None)
    clock.advance(days=1)
    return saved.memory.id


def test_a_note_in_the_root_of_the_vault_comes_back_to_the_root(app: App, clock: StandingClock, vault: Path) -> None:
    memory_id = in_the_root(app, clock, vault)
    path = app.store.memory_entry(memory_id).path
    app.lifecycle.forget(memory_id)
    back = app.lifecycle.restore(memory_id)
    assert (back.path, back.tier) == (path, Tier.LONG_TERM)
    assert app.store.memory_entry(memory_id).path == path


def test_a_memory_in_the_root_can_be_retitled_and_merged(app: App, clock: StandingClock, vault: Path) -> None:
    memory_id = in_the_root(app, clock, vault)
    updated = app.editing.update(memory_id, Revision(title="Anna and her cello"))
    assert updated.path == "Anna and her cello.md"
    assert (vault / updated.path).is_file()
    other = save(app, "Anna plays the cello on Mondays and Fridays.").memory.id
    cluster = app.consolidation.cluster_of([memory_id, other])
    receipt = app.consolidation.merge(app.consolidation.preview(cluster))
    assert (vault / receipt.path).is_file()


@pytest.mark.parametrize("folder", ["", "/"])
def test_a_memory_can_be_promoted_into_the_root(app: App, clock: StandingClock, vault: Path, folder: str) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True, folder=folder)
    assert candidate is not None
    (moved,) = app.lifecycle.promote([candidate])
    assert moved.path == Path(saved.path).name
    assert (vault / moved.path).is_file()


def test_a_permanent_memory_whose_way_to_the_archive_is_forgotten_stays_permanent(
    app: App, clock: StandingClock
) -> None:
    saved = save(app)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    assert candidate is not None
    app.lifecycle.promote([candidate])
    app.lifecycle.forget(saved.memory.id)
    app.store.journal.drop(operation.id for operation in app.store.journal.operations())
    assert app.lifecycle.restore(saved.memory.id).tier is Tier.LONG_TERM


def deserving(app: App, clock: StandingClock, count: int = 4) -> list[str]:
    """Save memories and use them until the rules promote them."""
    ids = [app.collection.save(Draft(content=f"Hen {n} laid its {n * 7 + 3}th egg.")).memory.id for n in range(count)]
    for _ in range(4):
        clock.advance(hours=20)
        for memory_id in ids:
            app.lifecycle.touch(memory_id)
    return ids


def spoil(place: Path) -> None:
    place.write_bytes(b"---\nmemory_id: \xff\xfe\n---\nNot UTF-8 any more.\n")


def take_its_place(place: Path) -> None:
    """Do as a sync that brings a note to where the promotion wants to go."""
    there = place.parents[1] / "Long-term" / place.name
    there.parent.mkdir(exist_ok=True)
    there.write_text("A note of a person.\n")


@pytest.mark.parametrize("ruin", [spoil, Path.unlink, take_its_place])
def test_one_of_many_that_cannot_be_promoted_is_named_and_the_others_are(
    app: App, clock: StandingClock, ruin: Callable[[Path], None]
) -> None:
    ids = deserving(app, clock)
    bad = app.store.memory_entry(ids[1]).path
    candidates = app.lifecycle.promotion_candidates(now=app.store.clock())
    ruin(app.root / bad)
    outcome = app.lifecycle.promote_each(candidates)
    assert sorted(each.memory_id for each in outcome.moved) == sorted({*ids} - {ids[1]})
    assert list(outcome.failed) == [bad]
    assert len({each.operation_id for each in outcome.moved}) == 1


def test_a_note_that_links_to_many_and_goes_away_holds_none_of_them_up(
    app: App, clock: StandingClock, vault: Path
) -> None:
    ids = deserving(app, clock, 3)
    paths = [app.store.memory_entry(each).path.removesuffix(".md") for each in ids]
    (vault / "Diary.md").write_text("".join(f"[[{path}]]\n" for path in paths))
    app.follow(None)
    candidates = app.lifecycle.promotion_candidates(now=app.store.clock())
    (vault / "Diary.md").unlink()
    assert {each.memory_id for each in app.lifecycle.promote_each(candidates).moved} == {*ids}


def test_of_several_uses_one_that_cannot_be_counted_holds_no_other_up(app: App, vault: Path) -> None:
    ids = [app.collection.save(Draft(content=f"Hen {n} laid an egg.")).memory.id for n in range(3)]
    place = vault / app.store.memory_entry(ids[0]).path
    place.write_text(f"---\nmemory_id: {ids[0]}\ntags: [a\n---\nHen 0 laid an egg.\n")
    app.follow(None)
    results = app.lifecycle.observe([*ids, "01J00000000000000000000000"])
    assert [isinstance(results[each], Touched) for each in ids] == [False, True, True]
