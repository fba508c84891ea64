from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import VaultEmptied, VaultUnavailable
from mnemex_vault.history.steps import Trash
from mnemex_vault.index.generated_log import CATALOG_NAME
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.text.note import NoteKind
from tests.conftest import StandingClock


def save(app: App, content: str = "The well is behind the barn.") -> tuple[str, str]:
    saved = app.collection.save(Draft(content=content, title=content[:30]))
    return saved.memory.id, saved.path


def lose_one_by_one(app: App, vault: Path, paths: list[str]) -> None:
    for path in paths:
        (vault / path).unlink()
        app.follow({path})


def titles(app: App, query: str) -> list[str]:
    return [hit.entry.title for hit in app.recall.search(Request(query=query, ordinary=True)).hits]


def test_reconciling_twice_finds_nothing_the_second_time(app: App, vault: Path) -> None:
    (vault / "a.md").write_text("One.\n")
    assert app.follow(None).added == ["a.md"]
    assert not app.follow(None)


@pytest.mark.row("T13")
def test_an_edited_body_is_found_by_its_new_words_only(app: App, vault: Path) -> None:
    _, path = save(app)
    file = vault / path
    file.write_text(file.read_text("utf-8").replace("behind the barn", "beside the orchard"), "utf-8")
    app.follow({path})
    assert titles(app, "orchard")
    note = vault / path
    note.rename(vault / "Memories/Short-term/Well.md")
    app.follow({path, "Memories/Short-term/Well.md"})
    assert titles(app, "orchard") == ["Well"]


@pytest.mark.row("E5", "E6")
@pytest.mark.parametrize(
    ("folder", "tier"),
    [
        ("Memories/Long-term", Tier.LONG_TERM),
        ("Memories/Archive/2026", Tier.ARCHIVED),
        ("Projects/Farm", Tier.LONG_TERM),
        ("Memories/Short-term/Below", Tier.SHORT_TERM),
    ],
)
def test_a_dragged_note_changes_its_tier(app: App, vault: Path, folder: str, tier: Tier) -> None:
    memory_id, path = save(app)
    (vault / folder).mkdir(parents=True, exist_ok=True)
    (vault / path).rename(vault / folder / Path(path).name)
    changes = app.follow({path, folder})
    assert app.store.memory_entry(memory_id).tier is tier
    assert [(move.memory_id, move.before, move.after) for move in changes.moves] == [(memory_id, Tier.SHORT_TERM, tier)]


def test_a_deleted_note_is_gone(app: App, vault: Path) -> None:
    memory_id, path = save(app)
    (vault / path).unlink()
    app.follow({path})
    assert app.store.catalog.by_id(memory_id) is None
    assert titles(app, "well") == []


def test_a_deleted_folder_takes_its_notes_along(app: App, vault: Path) -> None:
    save(app)
    shutil.rmtree(vault / "Memories/Short-term")
    app.follow({"Memories/Short-term"})
    assert titles(app, "well") == []


@pytest.mark.row("D5")
def test_an_edit_that_keeps_size_and_time_is_found_once_the_note_was_racy(app: App, vault: Path) -> None:
    file = vault / "a.md"
    file.write_text("alpha one\n")
    stamp = app.store.clock().timestamp()
    os.utime(file, (stamp, stamp))
    app.follow(None)
    file.write_text("omega one\n")
    os.utime(file, (stamp, stamp))
    app.follow(None)
    assert titles(app, "omega") == ["a"]
    assert titles(app, "alpha") == []


@pytest.mark.row("D5")
def test_a_rehash_finds_what_no_fingerprint_shows(app: App, vault: Path) -> None:
    file = vault / "a.md"
    file.write_text("alpha one\n")
    app.follow(None)
    entry = app.store.catalog.get("a.md")
    assert entry is not None
    file.write_text("omega one\n")
    app.reconciler.rehash(["a.md"], now=app.store.clock())
    assert titles(app, "omega") == ["a"]


@pytest.mark.row("E15")
def test_a_missing_vault_raises_and_nothing_is_forgotten(app: App, vault: Path) -> None:
    memory_id, _ = save(app)
    vault.rename(vault.with_name("away"))
    with pytest.raises(VaultUnavailable):
        app.follow(None)
    assert app.store.catalog.by_id(memory_id) is not None
    assert app.guard.problem()
    vault.with_name("away").rename(vault)
    app.follow(None)
    assert app.guard.problem() is None


@pytest.mark.row("T18")
def test_an_emptied_vault_raises_and_nothing_is_forgotten(app: App, vault: Path) -> None:
    paths = [save(app, f"Field {n} was sown in week {n}.")[1] for n in range(12)]
    app.follow(None)
    kept = {path: (vault / path).read_bytes() for path in paths}
    for path in paths[:8]:
        (vault / path).unlink()
    with pytest.raises(VaultEmptied):
        app.follow(set(paths[:8]))
    with pytest.raises(VaultEmptied):
        app.follow(None)
    assert len(app.store.catalog.memories()) == 12
    for path in paths[:8]:
        (vault / path).write_bytes(kept[path])
    app.follow(None)
    assert app.guard.problem() is None


def test_what_we_trashed_ourselves_is_no_loss_and_does_not_hide_one(app: App, vault: Path) -> None:
    saved = [save(app, f"Field {n} was sown in week {n}.") for n in range(40)]
    app.follow(None)
    steps = [Trash(path) for _, path in saved[:25]]
    app.store.commit("trash", steps, summary="25 fields", now=app.store.clock())
    assert len(app.store.catalog.memories()) == 15
    for _, path in saved[25:34]:
        (vault / path).unlink()
    with pytest.raises(VaultEmptied):
        app.follow(None)


def test_what_another_process_took_away_is_no_loss_and_does_not_hide_one(
    app: App, vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    saved = [save(app, f"Field {n} was sown in week {n}.") for n in range(40)]
    app.follow(None)
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as other:
        steps = [Trash(path) for _, path in saved[:25]]
        trashed = other.store.commit("trash", steps, summary="25 fields", now=clock())
        for start in range(0, 25, 5):
            app.follow({path for _, path in saved[start : start + 5]})
        assert len(app.store.catalog.memories()) == 15
        assert app.guard.problem() is None
        other.history.undo(trashed.id)
    # back in their places they are lost like any other
    app.follow(None)
    for _, path in saved[:25]:
        (vault / path).unlink()
    with pytest.raises(VaultEmptied):
        app.follow({path for _, path in saved[:25]})


def test_losses_in_small_lots_add_up(app: App, vault: Path) -> None:
    paths = [save(app, f"Field {n} was sown in week {n}.")[1] for n in range(12)]
    app.follow(None)
    lose_one_by_one(app, vault, paths[:6])
    (vault / paths[6]).unlink()
    with pytest.raises(VaultEmptied):
        app.follow({paths[6]})
    assert len(app.store.catalog.memories()) >= 6


def test_losses_that_a_person_meant_can_be_accepted(app: App, vault: Path) -> None:
    paths = [save(app, f"Field {n} was sown in week {n}.")[1] for n in range(12)]
    app.follow(None)
    for path in paths[:8]:
        (vault / path).unlink()
    app.reconciler.accept_losses()
    app.follow(None)
    assert len(app.store.catalog.memories()) == 4


def test_a_renamed_folder_is_not_an_emptied_vault(app: App, vault: Path) -> None:
    (vault / "Old").mkdir()
    for n in range(20):
        (vault / "Old" / f"{n}.md").write_text(f"Note {n}.\n")
    app.follow(None)
    (vault / "Old").rename(vault / "New")
    app.follow(None)
    assert all(entry.folder == "New" for entry in app.store.catalog)


@pytest.mark.row("E17")
def test_broken_frontmatter_keeps_the_last_good_bookkeeping_and_the_text_searchable(
    app: App, vault: Path, clock: StandingClock
) -> None:
    memory_id, path = save(app)
    file = vault / path
    good = file.read_text("utf-8")
    file.write_text(good.replace("memory_id:", "memory_id: [").replace("barn", "orchard"), "utf-8")
    app.follow({path})
    entry = app.store.catalog.by_id(memory_id)
    assert entry is not None
    assert entry.kind is NoteKind.UNREADABLE
    assert entry.problems
    assert titles(app, "orchard")
    file.write_text(good, "utf-8")
    app.follow({path})
    assert app.store.memory_entry(memory_id).is_memory


def test_numbers_that_change_with_use_never_index_the_text_again(app: App, clock: StandingClock) -> None:
    memory_id, _ = save(app)
    app.store.text.flush()
    clock.advance(days=1)
    app.lifecycle.touch(memory_id, boost=True)
    app.editing.pin(memory_id)
    assert app.store.text.pending == 0


def test_a_new_start_reads_only_what_changed(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    for n in range(5):
        (vault / f"{n}.md").write_text(f"Note {n}.\n")
    with open_app(vault, clock=clock, environ=environ):
        pass
    (vault / "3.md").write_text("Changed.\n")
    with open_app(vault, clock=clock, environ=environ) as app:
        assert titles(app, "changed") == ["3"]
        assert app.follow(None).changed == []
        assert len(app.store.catalog) == 5


@pytest.mark.row("C8")
def test_what_was_deleted_while_nobody_watched_is_no_ghost(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    (vault / "a.md").write_text("The well.\n")
    with open_app(vault, clock=clock, environ=environ):
        pass
    (vault / "a.md").unlink()
    with open_app(vault, clock=clock, environ=environ) as app:
        assert titles(app, "well") == []


def test_an_index_that_was_deleted_is_made_again(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    (vault / "a.md").write_text("The well.\n")
    with open_app(vault, clock=clock, environ=environ) as app:
        state = app.state
    shutil.rmtree(state / "index")
    with open_app(vault, clock=clock, environ=environ) as app:
        assert titles(app, "well") == ["a"]


def test_generated_private_and_foreign_notes_are_never_found(app: App, vault: Path) -> None:
    (vault / "Settings.md").write_text("---\nmnemex: settings\n---\nThe well.\n")
    (vault / "Private.md").write_text("The well. #private/diary\n")
    (vault / "Off.md").write_text("---\nmnemex: false\n---\nThe well.\n")
    (vault / "Board.md").write_text("---\nkanban-plugin: basic\n---\nThe well.\n")
    (vault / ".trash").mkdir()
    (vault / ".trash" / "x.md").write_text("The well.\n")
    app.follow(None)
    assert titles(app, "well") == []


@pytest.mark.row("E14")
def test_a_renamed_short_term_folder_changes_no_tier_and_stops_automatic_change(app: App, vault: Path) -> None:
    ids = [save(app, f"Field {n} was sown in week {n}.")[0] for n in range(3)]
    (vault / "Memories/Short-term").rename(vault / "Memories/Fresh")
    changes = app.follow(None)
    assert changes.renamed == {"short_term": "Memories/Fresh"}
    assert all(app.store.memory_entry(each).tier is Tier.SHORT_TERM for each in ids)
    assert "Memories/Fresh" in str(app.guard.problem())
    _, path = save(app, "The gate is green.")
    assert path.startswith("Memories/Fresh/")
    (vault / "Memories/Fresh").rename(vault / "Memories/Short-term")
    app.follow(None)
    assert app.guard.problem() is None
    assert all(app.store.memory_entry(each).tier is Tier.SHORT_TERM for each in ids)


def test_a_renamed_folder_is_remembered_over_a_restart(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    with open_app(vault, clock=clock, environ=environ) as app:
        memory_id, _ = save(app)
    (vault / "Memories/Short-term").rename(vault / "Memories/Fresh")
    for _ in range(2):
        with open_app(vault, clock=clock, environ=environ) as app:
            assert app.store.memory_entry(memory_id).tier is Tier.SHORT_TERM
            assert app.guard.problem()
    (vault / "Memories/Settings.md").write_text("---\nmnemex: settings\nshort_term_folder: Memories/Fresh\n---\n")
    with open_app(vault, clock=clock, environ=environ) as app:
        assert app.guard.problem() is None
        assert app.store.memory_entry(memory_id).tier is Tier.SHORT_TERM


def test_dragging_the_last_note_out_of_a_folder_is_no_rename(app: App, vault: Path) -> None:
    memory_id, path = save(app)
    (vault / "Kept").mkdir()
    (vault / path).rename(vault / "Kept" / Path(path).name)
    app.follow(None)
    assert app.store.memory_entry(memory_id).tier is Tier.LONG_TERM
    assert app.guard.problem() is None


@pytest.mark.slow
def test_a_first_index_of_many_notes_is_committed_on_the_way(app: App, vault: Path) -> None:
    for number in range(2_100):
        (vault / f"{number}.md").write_text(f"Note {number}.\n")
    app.follow(None)
    assert app.store.text.pending == 100
    assert len(app.store.text.committed()) == 2_000
    assert titles(app, "1999") == ["1999"]
    assert titles(app, "2099") == ["2099"]


def test_rows_that_another_process_keeps_from_being_written_down_are_written_with_the_next(app: App) -> None:
    with FileLock(app.state / "index" / f"{CATALOG_NAME}.lock"):
        _, first = save(app)
        assert first not in {entry.path for entry in app.catalog_file.load()}
    _, second = save(app, "The gate is green.")
    assert {first, second} <= {entry.path for entry in app.catalog_file.load()}


def test_notes_looked_at_again_while_an_index_is_filled_are_not_left_out(
    app: App, vault: Path, clock: StandingClock
) -> None:
    stamp = app.store.clock().timestamp()
    for number in range(150):
        note = vault / f"{number}.md"
        note.write_text(f"Field {number} was sown.\n")
        os.utime(note, (stamp, stamp))
    app.follow(None)
    assert not app.store.text.flush().reason
    app.store.text.start_anew()

    def look(_done: int, _total: int) -> None:
        clock.advance(minutes=1)
        app.reconciler.reconcile(now=app.store.clock())

    app.reconciler.stage_missing(progress=look)
    assert app.recall.search(Request(query="sown", ordinary=True)).total == 150
