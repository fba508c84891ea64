from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import DuplicateId, NotAllowed, UndoRefused
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.notes.note import Note
from mnemex_vault.notes.vault import Layout


def test_undo_keeps_to_read_only_mode_and_write_scope(app: App) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    app.store.rules = replace(app.store.rules, read_only=True)
    with pytest.raises(NotAllowed):
        app.history.undo(saved.operation_id)
    # where memories lie may always be written
    folders = app.store.vault.layout
    app.store.rules = replace(app.store.rules, read_only=False, write_paths=("Work",))
    app.store.vault.layout = Layout(short_term="Other/Short", long_term="Other/Long", archive="Other/Archive")
    with pytest.raises(NotAllowed):
        app.history.undo(saved.operation_id)
    app.store.vault.layout = folders
    assert app.history.undo(saved.operation_id).undoes == saved.operation_id


def brought_back(app: App, path: str, data: bytes) -> None:
    """Do as a person who brings a note back by hand, somewhere else."""
    place = app.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def ids(vault: Path) -> list[str]:
    notes = (path for path in vault.rglob("*.md") if ".trash" not in path.parts)
    return sorted(str(Note.parse(path.name, path.read_bytes()).memory_id) for path in notes)


@pytest.mark.parametrize("option", ["local", "none"])
def test_a_trashed_memory_does_not_come_back_beside_itself(app: App, vault: Path, option: str) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text(f'{{"trashOption": "{option}"}}')
    saved = app.collection.save(Draft(content="The gate is green."))
    data = (vault / saved.path).read_bytes()
    trashed = app.lifecycle.forget(saved.memory.id, to_trash=True)
    brought_back(app, "Work/Gate.md", data)
    with pytest.raises(DuplicateId) as caught:
        app.history.undo(trashed.operation_id)
    assert set(caught.value.paths) == {saved.path, "Work/Gate.md"}
    assert saved.path in str(caught.value)
    assert ids(vault) == [saved.memory.id]
    (vault / "Work/Gate.md").unlink()
    app.history.undo(trashed.operation_id)
    assert ids(vault) == [saved.memory.id]


def test_an_archived_memory_does_not_come_back_beside_itself(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    data = (vault / saved.path).read_bytes()
    archived = app.lifecycle.forget(saved.memory.id)
    brought_back(app, "Work/Gate.md", data)
    app.follow(None)
    before = sorted(vault.rglob("*.md"))
    for bring_back in (
        lambda: app.lifecycle.restore(saved.memory.id),
        lambda: app.history.undo(archived.operation_id),
    ):
        with pytest.raises(DuplicateId) as caught:
            bring_back()
        assert "Work/Gate.md" in str(caught.value)
        assert str(caught.value).count(".md") == 2
        assert sorted(vault.rglob("*.md")) == before
    (vault / "Work/Gate.md").unlink()
    app.follow(None)
    assert app.lifecycle.restore(saved.memory.id).path == saved.path


def test_a_note_does_not_come_back_to_a_place_that_is_taken(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The gate is green.", title="Gate"))
    renamed = app.editing.update(saved.memory.id, Revision(title="Green gate"))
    (vault / saved.path).write_text("A note of a person.\n")
    app.follow(None)
    with pytest.raises(UndoRefused) as caught:
        app.history.undo(renamed.operation_id)
    assert saved.path in str(caught.value)
    assert renamed.path in str(caught.value)
    assert (vault / saved.path).read_text() == "A note of a person.\n"
    assert (vault / renamed.path).is_file()


def test_a_merge_whose_source_is_live_again_is_not_undone(app: App, vault: Path) -> None:
    one = app.collection.save(Draft(content="The gate is green and made of oak."))
    two = app.collection.save(Draft(content="The gate is green and made of old oak."))
    data = (vault / one.path).read_bytes()
    merged = app.consolidation.merge(
        app.consolidation.preview(app.consolidation.cluster_of([one.memory.id, two.memory.id]))
    )
    brought_back(app, "Work/Gate.md", data)
    app.follow(None)
    before = ids(vault)
    with pytest.raises(DuplicateId):
        app.history.undo(merged.operation_id)
    assert ids(vault) == before
