from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.errors import NotAllowed, NoteNotFound, OperationNotFound
from mnemex_vault.index.generated_log import CATALOG_NAME
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock

SECRET = "The zanzibar safe opens with quizzaciously."


def everywhere(*folders: Path) -> bytes:
    return b"\n".join(path.read_bytes() for root in folders for path in root.rglob("*") if path.is_file())


def test_a_purged_memory_is_nowhere_in_vault_and_state(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=SECRET, title="Zanzibar"))
    other = app.collection.save(Draft(content="The pump needs oil."))
    app.store.text.flush()
    app.lifecycle.touch(saved.memory.id)
    app.editing.update(saved.memory.id, Revision(title="Safe of Zanzibar", tags=["keys"]))
    app.lifecycle.forget(saved.memory.id)
    purged = app.purge.purge(saved.memory.id)
    assert purged.paths == (f"Memories/Archive/{app.store.clock().year}/Safe of Zanzibar.md",)
    assert purged.versions >= 2
    left = everywhere(vault, app.state).lower()
    assert b"zanzibar" not in left
    assert b"quizzaciously" not in left
    with pytest.raises(NoteNotFound):
        app.store.entry(saved.memory.id)
    assert [hit.entry.path for hit in app.recall.search(Request(query="oil pump")).hits] == [other.path]


def test_a_purge_reaches_the_indexes_that_other_versions_left(app: App) -> None:
    saved = app.collection.save(Draft(content=SECRET, title="Zanzibar"))
    app.store.text.flush()
    index = app.state / "index"
    shutil.copytree(app.store.text.folder, index / "index-v1-older")
    for left in ("catalog-v0.log", "catalog-v1.4711.new"):
        shutil.copy(index / CATALOG_NAME, index / left)
    assert app.purge.purge(saved.memory.id).unreached == app.purge.purge(_another(app)).unreached
    assert b"quizzaciously" not in everywhere(index)
    assert b"zanzibar" not in everywhere(index).lower()
    assert not list(index.glob("*older*")) + list(index.glob("catalog-v0*"))


def _another(app: App) -> str:
    return app.collection.save(Draft(content="The pump needs oil.")).memory.id


@pytest.mark.row("T23")
def test_a_memory_in_the_trash_is_purged_only_on_request(app: App, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text('{"trashOption": "local"}')
    saved = app.collection.save(Draft(content=SECRET))
    before = (vault / saved.path).read_bytes()
    moved = app.lifecycle.forget(saved.memory.id, to_trash=True)
    assert (vault / moved.path).read_bytes() == before
    purged = app.purge.purge(saved.memory.id)
    assert purged.paths == (moved.path,)
    assert b"quizzaciously" not in everywhere(vault, app.state)
    with pytest.raises(OperationNotFound):
        app.history.undo(moved.operation_id)


def test_a_purge_names_what_it_cannot_reach(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=SECRET, title="Zanzibar"))
    (vault / ".git").mkdir()
    (vault / "Plan.md").write_text("See [[Zanzibar]].\n")
    app.follow(None)
    unreached = app.purge.purge(saved.memory.id).unreached
    assert "Plan.md, which links to it" in unreached
    assert "the history of git in this vault" in unreached
    assert any("backups" in place for place in unreached)


def test_the_history_of_other_notes_stays(app: App) -> None:
    saved = app.collection.save(Draft(content=SECRET, title="Zanzibar"))
    other = app.collection.save(Draft(content="The pump needs oil."))
    app.purge.purge(saved.memory.id)
    assert [step.path for operation in app.history.operations() for step in operation.steps] == [other.path]
    assert app.history.undo(other.operation_id).undoes is not None


def test_an_earlier_note_of_the_same_name_keeps_its_versions(app: App, vault: Path) -> None:
    first = app.collection.save(Draft(content="The pump needs oil.", title="Zanzibar"))
    changed = app.editing.update(first.memory.id, Revision(title="Pump"))
    second = app.collection.save(Draft(content=SECRET, title="Zanzibar"))
    assert second.path == first.path
    app.purge.purge(second.memory.id)
    app.history.undo(changed.operation_id)
    assert (vault / first.path).is_file()


def test_nothing_is_purged_that_may_not_be_written(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    with open_app(vault, clock=clock, environ=environ) as app:
        saved = app.collection.save(Draft(content=SECRET))
        with pytest.raises(NoteNotFound):
            app.purge.purge("unknown")
    with open_app(vault, clock=clock, environ=environ, options={"read_only": True}) as app, pytest.raises(NotAllowed):
        app.purge.purge(saved.memory.id)
    assert (vault / saved.path).is_file()


def test_undo_after_a_purge_says_so_and_leaves_older_changes_alone(
    app: App, vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    older = app.collection.save(Draft(content="The pump needs oil."))
    purged = app.collection.save(Draft(content=SECRET))
    app.purge.purge(purged.memory.id)
    before = everywhere(vault)
    with pytest.raises(NotAllowed, match="purge"):
        app.history.undo()
    latest = app.history.operations()[0]
    with pytest.raises(NotAllowed, match="cannot be undone"):
        app.history.undo(latest.id)
    with open_app(vault, clock=clock, environ=environ) as other, pytest.raises(NotAllowed, match="purge"):
        other.history.last()
    assert everywhere(vault) == before
    # what came after can be taken back, and the older change by its name
    later = app.collection.save(Draft(content="The gate is green."))
    assert app.history.undo().undoes == later.operation_id
    with pytest.raises(NotAllowed, match="purge"):
        app.history.undo()
    assert app.history.undo(older.operation_id).undoes == older.operation_id


def test_a_purge_that_was_cut_off_is_the_last_change_all_the_same(app: App, clock: StandingClock) -> None:
    app.collection.save(Draft(content="The pump needs oil."))
    app.store.journal.begin("purge", (), now=clock(), actor="cut off", summary="", final=True)
    for _ in range(2):
        with pytest.raises(NotAllowed, match="purge"):
            app.history.undo()
        app.catch_up()
