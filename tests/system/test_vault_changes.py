"""What a person does to names, ids, folders and the whole vault, with a server running and without."""

from __future__ import annotations

import shutil
import time
import unicodedata
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteChanged, NoteNotFound, UnreadableNote, VaultEmptied
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from mnemex_vault.text.note import Note
from tests.conftest import StandingClock
from tests.system import faults
from tests.system.checking import check_index, found, notes_of
from tests.system.conftest import Opened, promote, save, serving
from tests.waiting import PATIENCE, wait_until


@pytest.mark.row("E10", "T17")
@pytest.mark.parametrize("running", [True, False])
def test_a_rename_that_changes_only_case_keeps_the_memory(
    vault: Path, environ: dict[str, str], opened: Opened, running: bool
) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        app.lifecycle.touch(memory_id)
        path = vault / app.store.memory_entry(memory_id).path
    shouted = path.with_name("FACT 1.md")
    if running:
        with serving(vault, environ) as service:
            catalog = service.app.store.catalog
            path.rename(shouted)
            wait_until(lambda: (entry := catalog.by_id(memory_id)) and "FACT" in entry.path)
    else:
        path.rename(shouted)
    with opened() as app:
        entry = app.store.memory_entry(memory_id)
        assert entry.path.endswith("FACT 1.md")
        assert app.store.usage(entry).use_count == 2
        assert app.collection.save(Draft(content="Another one.", title="fact 1")).memory.id != memory_id
        assert len({path.name.casefold() for path in notes_of(vault)}) == 2


@pytest.mark.row("E11", "T16")
def test_a_name_in_another_normal_form_is_the_same_memory_and_twins_are_both_kept(opened: Opened, vault: Path) -> None:
    with opened() as app:
        saved = app.collection.save(Draft(content="Crème is sweet.", title="Crème"))
        app.lifecycle.touch(saved.memory.id)
        (vault / "Plan.md").write_text("See [[Crème]].\n", "utf-8")
        path = vault / saved.path
        decomposed = path.with_name(unicodedata.normalize("NFD", path.name))
        path.rename(decomposed)
        app.follow(None)
        entry = app.store.memory_entry(saved.memory.id)
        assert (vault / entry.path).name == decomposed.name
        assert app.store.usage(entry).use_count == 2
        assert [source.path for source in app.store.catalog.linking_to(entry)] == ["Plan.md"]
        path.write_text("Another note of the same name.\n", "utf-8")
        app.follow(None)
        assert set(found(app, "sweet")) == {entry.path}
        assert set(found(app, "another")) == {saved.path}
        assert len(notes_of(vault)) == 3


@pytest.mark.row("E12")
def test_of_two_notes_with_one_id_both_are_found_and_one_answers(opened: Opened, vault: Path) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        copy = path.with_name("A copy.md")
        copy.write_text(path.read_text("utf-8") + "Zanzibar.\n", "utf-8")
        app.follow(None)
        assert set(found(app, "zanzibar")) == {str(copy.relative_to(vault))}
        assert set(found(app, "garden")) == {str(note.relative_to(vault)) for note in (path, copy)}
        first = app.store.memory_entry(memory_id).path
        memories = app.recall.search(Request(query="garden")).hits
        assert [hit.entry.path for hit in memories] == [first]
        assert [finding.trouble.value for finding in app.overview.findings()] == ["same id"]
    with opened() as app:
        assert app.store.memory_entry(memory_id).path == first


@pytest.mark.row("E13")
def test_an_id_that_a_person_removes_or_changes_is_believed(opened: Opened, vault: Path) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        text = path.read_text("utf-8")
        path.write_text(text.replace(f"memory_id: {memory_id}", "memory_id: another-id"), "utf-8")
        app.follow(None)
        assert app.store.catalog.by_id(memory_id) is None
        assert app.store.memory_entry("another-id").path == str(path.relative_to(vault))
        path.write_text(text.replace(f"memory_id: {memory_id}\n", ""), "utf-8")
        app.follow(None)
        assert app.store.catalog.by_id("another-id") is None
        assert app.overview.unmanaged() == [str(path.relative_to(vault))]
        assert len(found(app, "garden")) == 1
        path.write_text(text, "utf-8")
        app.follow(None)
        assert app.store.memory_entry(memory_id).path == str(path.relative_to(vault))


@pytest.mark.row("E15", "T18")
def test_an_empty_mount_over_the_vault_removes_nothing(vault: Path, environ: dict[str, str], opened: Opened) -> None:
    with opened() as app:
        for number in range(15):
            save(app, number)
        expected = found(app, "garden")
        with faults.small_disk(vault, "64k"):
            with pytest.raises(VaultEmptied):
                app.follow(None)
            assert "15" in str(app.guard.problem())
            assert len(app.store.catalog.memories()) == 15
            assert app.collection.save(Draft(content="Saved into what is mounted.")).path
            shutil.rmtree(vault / "Memories")
        app.follow(None)
        assert app.guard.problem() is None
        assert found(app, "garden") == expected


@pytest.mark.row("T19")
def test_a_vault_that_moved_is_not_made_again_in_its_old_place(opened: Opened, vault: Path) -> None:
    with opened() as app:
        save(app, 1)
        vault.rename(vault.with_name("Elsewhere"))
        with pytest.raises(MnemexError):
            save(app, 2)
        assert not vault.exists()
        vault.with_name("Elsewhere").rename(vault)
        save(app, 2)


def all_found(app: App) -> int:
    return app.recall.search(Request(query="omega", ordinary=True)).total


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.row("E16")
def test_a_bulk_change_by_hand_is_followed_and_answered_with_no_write(
    vault: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    for number in range(1000):
        (vault / f"{number % 10}").mkdir(exist_ok=True)
        (vault / f"{number % 10}" / f"Note {number}.md").write_text(f"---\ntags: [old]\n---\nThe alpha {number}.\n")
    with serving(vault, environ, scan_interval_seconds=5) as service:
        wanted = {}
        for path in notes_of(vault):
            path.write_text(path.read_text().replace("old", "new").replace("alpha", "omega"))
            wanted[path] = path.read_bytes()
        wait_until(lambda: all_found(service.app) == 1000)
        assert service.app.store.is_unsettled(now=service.app.store.clock())
        assert {path: path.read_bytes() for path in notes_of(vault)} == wanted
        check_index(service.app, tmp_path / "scratch", ("alpha", "omega 77", "tag:new omega"))


@pytest.mark.row("E17", "T10")
def test_frontmatter_that_is_broken_for_a_while_loses_no_use(app: App, vault: Path, clock: StandingClock) -> None:
    memory_id = save(app, 1)
    clock.advance(minutes=1)
    app.lifecycle.touch(memory_id)
    path = vault / app.store.memory_entry(memory_id).path
    whole = path.read_bytes()
    broken = whole.replace(b"created:", b'description: "a "b" c"\ncreated:')
    path.write_bytes(broken)
    clock.advance(minutes=1)
    app.follow(None)
    for change in (
        lambda: app.editing.update(memory_id, Revision(tags=["changed"])),
        lambda: promote(app, memory_id),
        lambda: app.lifecycle.forget(memory_id),
        lambda: app.lifecycle.touch(memory_id),
    ):
        with pytest.raises(MnemexError):
            change()
    assert path.read_bytes() == broken
    assert [finding.path for finding in app.overview.findings()] == [str(path.relative_to(vault))]
    path.write_bytes(whole)
    clock.advance(minutes=1)
    app.follow(None)
    assert app.store.usage(app.store.memory_entry(memory_id)).use_count == 2


@pytest.mark.row("E18")
def test_a_note_taken_out_of_the_trash_lives_again(opened: Opened, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text('{"trashOption": "local"}')
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        moved = app.lifecycle.forget(memory_id, to_trash=True)
        assert app.store.catalog.by_id(memory_id) is None
        (vault / moved.path).rename(path)
        app.follow(None)
        assert app.store.memory_entry(memory_id).tier is Tier.SHORT_TERM
        assert len(found(app, "garden")) == 1


@pytest.mark.slow
@pytest.mark.row("T7")
def test_a_program_that_rewrites_each_new_note_keeps_its_text(vault: Path, environ: dict[str, str]) -> None:
    def rewriter(say: faults.Say) -> None:
        done: set[Path] = set()
        say("ready")
        while len(done) < 60:
            time.sleep(0.002)
            for path in (vault / "Memories" / "Short-term").glob("*.md"):
                if path not in done:
                    path.write_text(path.read_text("utf-8") + "Added by a template.\n", "utf-8")
                    done.add(path)

    (vault / "Memories" / "Short-term").mkdir(parents=True)
    with serving(vault, environ) as service, faults.child(rewriter) as other:
        other.wait_for("ready")
        for number in range(60):
            memory_id = save(service.app, number)
            try:
                service.app.lifecycle.touch(memory_id)
                service.app.editing.update(memory_id, Revision(tags=["seen"]))
            except (NoteChanged, NoteNotFound, UnreadableNote):
                # in the middle of being rewritten
                continue
        assert other.wait(PATIENCE) == 0
    texts = [path.read_text("utf-8") for path in notes_of(vault) if "conflicted" not in path.name]
    assert len(texts) == 60
    assert [Note.parse("x.md", text.encode()).title for text in texts if not text.endswith("by a template.\n")] == []
