from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.disk.vault import Layout
from mnemex_vault.errors import DuplicateId, NotAllowed, NotPossible, UndoRefused
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.text.note import Note
from tests.conftest import StandingClock


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


def stale(app: App, path: str, data: bytes, more: bytes = b"") -> None:
    """Do as an editor that saves what it loaded before our change, in place."""
    (app.root / path).write_bytes(data + more)
    app.follow({path})


@pytest.mark.parametrize("more", [b"", b"\nTyped meanwhile.\n"])
def test_a_text_over_which_an_editor_saved_its_older_one_is_found_and_written_again(
    app: App, vault: Path, more: bytes
) -> None:
    saved = app.collection.save(Draft(content="The office is in Bergen.\n\nAnna has the key.", title="Office"))
    old = (vault / saved.path).read_bytes()
    opened = app.collection.open([saved.memory.id])[0][0]
    text = "The office is in Tromso.\n\nAnna has the key."
    updated = app.editing.update(saved.memory.id, Revision(content=text), etag=opened.note.etag)
    assert updated.operation_id
    assert list(app.overview.overwritten()) == []
    stale(app, saved.path, old, more)
    app.lifecycle.touch(saved.memory.id)
    (finding,) = app.overview.overwritten()
    assert finding.path == saved.path
    assert updated.operation_id in finding.detail
    again = app.history.again(updated.operation_id)
    assert "Tromso" in (vault / saved.path).read_text()
    assert list(app.overview.overwritten()) == []
    app.history.undo(again.id)
    assert "Bergen" in (vault / saved.path).read_text()


def test_an_editor_that_saves_under_an_old_name_hides_no_text(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The office is in Bergen."))
    old = (vault / saved.path).read_bytes()
    revision = Revision(content="The office is in Tromso.")
    updated = app.editing.update(saved.memory.id, revision, etag=Note.parse("x", old).etag)
    assert updated.path != saved.path
    stale(app, saved.path, old)
    assert "Tromso" in (vault / updated.path).read_text()
    assert [(each.trouble.value, each.path) for each in app.overview.findings()] == [("same id", updated.path)]


def test_a_text_that_was_overwritten_is_found_wherever_its_note_went(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The office is in Bergen."))
    old = (vault / saved.path).read_bytes()
    app.editing.update(saved.memory.id, Revision(content="The office is in Tromso."), etag=Note.parse("x", old).etag)
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=app.store.clock(), force=True)
    assert candidate is not None
    (moved,) = app.lifecycle.promote([candidate])
    stale(app, moved.path, old)
    assert [each.path for each in app.overview.overwritten()] == [moved.path]


def test_an_edit_that_goes_on_from_our_text_or_says_something_else_is_a_persons_own(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The office is in Bergen.", title="Office"))
    etag = app.collection.open([saved.memory.id])[0][0].note.etag
    done = app.editing.update(saved.memory.id, Revision(content="The office is in Tromso."), etag=etag)
    note = vault / saved.path
    ours = note.read_text()
    for text in (ours + "\nOn the first floor.\n", ours.replace("The office is in Tromso.", "We work from home.")):
        stale(app, saved.path, text.encode())
        assert list(app.overview.overwritten()) == []
    with pytest.raises(NotPossible):
        app.history.again(done.operation_id or "")


def test_what_was_acknowledged_is_kept_for_every_kind_of_text(app: App) -> None:
    one = app.collection.save(Draft(content="The gate is green and made of oak."))
    two = app.collection.save(Draft(content="The gate is green and made of old oak.", supersedes=(one.memory.id,)))
    app.consolidation.merge(app.consolidation.preview(app.consolidation.cluster_of([one.memory.id, two.memory.id])))
    written = [step for each in app.history.operations() for step in each.steps if step.kind in ("create", "update")]
    assert written
    assert [step for step in written if app.store.journal.image(step.after or "") is None] == []


PLAIN = "---\nmood: good # mine\n---\nBuy nails.\n"


@pytest.mark.parametrize("before", ["Buy nails.\n", PLAIN, ""])
def test_an_adoption_is_undone_after_uses_relations_and_marks_of_our_own(
    app: App, vault: Path, clock: StandingClock, before: str
) -> None:
    note = vault / "Plan.md"
    note.write_text(before)
    app.follow(None)
    adopted = app.editing.adopt("Plan.md")
    for _ in range(3):
        clock.advance(days=1)
        app.lifecycle.touch(adopted.memory.id, boost=True)
        app.lifecycle.observe([adopted.memory.id])
    assert "use_count: 1\n" not in note.read_text()
    assert "days_used: " in note.read_text()
    app.history.undo(adopted.operation_id)
    assert note.read_text() == before


def test_an_update_is_undone_and_the_uses_since_stay(app: App, vault: Path, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    changed = app.editing.update(saved.memory.id, Revision(tags=["garden"], half_life_days=9))
    for _ in range(2):
        clock.advance(days=1)
        app.lifecycle.touch(saved.memory.id)
    app.history.undo(changed.operation_id)
    text = (vault / saved.path).read_text()
    assert "garden" not in text
    assert "half_life_days" not in text
    assert "use_count: 3\n" in text
    assert "days_used: 3\n" in text


def test_what_a_person_wrote_before_our_own_use_is_kept_or_keeps_the_note(
    app: App, vault: Path, clock: StandingClock
) -> None:
    (vault / "Plan.md").write_text("Buy nails.\n")
    app.follow(None)
    adopted = app.editing.adopt("Plan.md")
    saved = app.collection.save(Draft(content="The gate is green."))
    for path in ("Plan.md", saved.path):
        note = vault / path
        note.write_text(note.read_text() + "And screws.\n")
    app.follow(None)
    clock.advance(days=1)
    for memory_id in (adopted.memory.id, saved.memory.id):
        app.lifecycle.touch(memory_id)
    app.history.undo(adopted.operation_id)
    assert (vault / "Plan.md").read_text() == "Buy nails.\nAnd screws.\n"
    with pytest.raises(UndoRefused):
        app.history.undo(saved.operation_id)
    assert "And screws." in (vault / saved.path).read_text()


def promoted(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    app.lifecycle.promote([candidate] if candidate else [])


def demoted(app: App, memory_id: str) -> None:
    promoted(app, memory_id)
    app.lifecycle.demote(memory_id)


def archived(app: App, memory_id: str) -> None:
    app.lifecycle.forget(memory_id)


def retitled(app: App, memory_id: str) -> None:
    app.editing.update(memory_id, Revision(title="Quite another title"))


def promoted_and_retitled(app: App, memory_id: str) -> None:
    promoted(app, memory_id)
    retitled(app, memory_id)


MOVES = [promoted, demoted, archived, retitled, promoted_and_retitled]


@pytest.mark.parametrize("move", MOVES)
def test_a_save_is_undone_wherever_we_moved_its_note(
    app: App, vault: Path, clock: StandingClock, move: Callable[[App, str], None]
) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    clock.advance(days=1)
    move(app, saved.memory.id)
    undone = app.history.undo(saved.operation_id)
    assert ids(vault) == []
    app.history.undo(undone.id)
    assert ids(vault) == [saved.memory.id]


@pytest.mark.parametrize("move", MOVES)
def test_an_update_is_undone_wherever_we_moved_its_note(
    app: App, clock: StandingClock, move: Callable[[App, str], None]
) -> None:
    saved = app.collection.save(Draft(content="The gate is green.", title="Gate"))
    etag = app.store.memory_entry(saved.memory.id).etag
    updated = app.editing.update(saved.memory.id, Revision(content="The gate is red."), etag=etag)
    clock.advance(days=1)
    move(app, saved.memory.id)
    place = app.store.memory_entry(saved.memory.id).path
    assert updated.operation_id
    app.history.undo(updated.operation_id)
    entry = app.store.memory_entry(saved.memory.id)
    assert entry.path == place
    assert app.store.note(entry).content.strip() == "The gate is green."


@pytest.mark.parametrize("move", MOVES)
def test_an_adoption_is_undone_wherever_we_moved_its_note(
    app: App, vault: Path, clock: StandingClock, move: Callable[[App, str], None]
) -> None:
    folder = vault / "Memories/Short-term"
    folder.mkdir(parents=True)
    (folder / "Gate.md").write_text("---\ncolour: green\n---\nThe gate is green.\n")
    app.follow(None)
    adopted = app.editing.adopt("Memories/Short-term/Gate.md")
    clock.advance(days=1)
    move(app, adopted.memory.id)
    app.history.undo(adopted.operation_id)
    (note,) = (path for path in vault.rglob("*.md") if ".trash" not in path.parts)
    assert Note.parse(note.name, note.read_bytes()).memory_id is None
    assert "colour: green" in note.read_text()


def test_a_note_that_a_person_moved_or_changed_since_is_not_undone_over_their_head(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    promoted(app, saved.memory.id)
    place = vault / app.store.memory_entry(saved.memory.id).path
    place.write_text(place.read_text() + "\nAnd oiled.\n")
    app.follow(None)
    with pytest.raises(UndoRefused):
        app.history.undo(saved.operation_id)
    assert "And oiled." in place.read_text()
    place.rename(vault / "Mine.md")
    app.follow(None)
    with pytest.raises(UndoRefused):
        app.history.undo(saved.operation_id)
    assert "And oiled." in (vault / "Mine.md").read_text()


def test_a_promotion_is_undone_after_a_new_title_and_keeps_that(app: App) -> None:
    saved = app.collection.save(Draft(content="The gate is green.", title="Gate"))
    promoted(app, saved.memory.id)
    (promotion, *_) = app.history.operations(limit=1)
    retitled(app, saved.memory.id)
    app.history.undo(promotion.id)
    assert app.store.memory_entry(saved.memory.id).path == "Memories/Short-term/Quite another title.md"


def test_an_undo_names_only_those_uses_that_its_session_could_take_back(app: App, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    app.editing.pin(saved.memory.id)
    for client in ("other", "mine"):
        app.store.client.set(client)
        clock.advance(days=1)
        app.editing.update(saved.memory.id, Revision(tags=[client]))
        clock.advance(days=1)
        assert app.lifecycle.touch(saved.memory.id).written
    undone = app.history.take_back(own_only=True)
    assert undone.undid.kind == "update"
    assert [use.actor for use in undone.uses] == [app.store.session]
    assert app.history.undo(undone.uses[0].id, own_only=True).undoes == undone.uses[0].id
    app.store.client.set("other")
    assert len(app.history.take_back().uses) == 1
