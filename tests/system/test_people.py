"""A person edits, renames, moves and deletes notes at any moment: their word counts, and nothing of it is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from tests.system import faults
from tests.system.checking import found, notes_of
from tests.system.conftest import Opened, promote, save, serving
from tests.waiting import wait_until

RACE_SECONDS = 4.0
PATIENCE = 0.25


def save_in_place(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def save_by_rename(path: Path, text: str) -> None:
    temporary = path.with_name(".editor.swp")
    temporary.write_text(text, "utf-8")
    temporary.rename(path)


def person(path: Path, save_as: Callable[[Path, str], None], say: faults.Say) -> None:
    """Write a new last line again and again; tell which ones were not in the note soon after."""
    head = path.read_text("utf-8").rsplit("human", 1)[0]
    saves, missing = 0, []
    end = time.monotonic() + RACE_SECONDS
    while time.monotonic() < end:
        saves += 1
        save_as(path, f"{head}human {saves:05d}\n")
        if not stays(path, saves):
            missing.append(saves)
        time.sleep(0.004 * (saves % 8))
    say(json.dumps([saves, missing]))


def stays(path: Path, number: int) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if path.read_text("utf-8").endswith(f"human {number:05d}\n"):
            return True
    return False


@pytest.mark.slow
@pytest.mark.row("E1", "E2", "T5")
@pytest.mark.parametrize("save_as", [save_in_place, save_by_rename])
def test_no_save_of_a_person_is_lost_in_a_race_with_explicit_changes(
    vault: Path, environ: dict[str, str], save_as: Callable[[Path, str], None]
) -> None:
    with serving(vault, environ) as service:
        app = service.app
        saved = app.collection.save(Draft(content="A note.\n\nhuman 00000"))
        path = vault / saved.path
        changes, refused = 0, 0
        with faults.child(lambda say: person(path, save_as, say)) as child:
            while child.poll() is None:
                try:
                    app.editing.update(saved.memory.id, Revision(tags=[f"t{changes}"]))
                    app.lifecycle.touch(saved.memory.id)
                    changes += 1
                except MnemexError:
                    refused += 1
            saves, missing = json.loads(child.said()[-1])
        assert saves > 50
        assert changes > 10

        def in_sight() -> str:
            return "".join(note.read_text("utf-8") for note in notes_of(vault))

        lost = [f"human {number:05d}\n" for number in missing]
        wait_until(lambda: all(each in in_sight() for each in lost))
        assert list(vault.rglob(".mnemex-*")) == []


@pytest.mark.row("E3")
def test_what_an_editor_writes_late_into_the_old_file_is_put_in_sight(vault: Path, environ: dict[str, str]) -> None:
    with serving(vault, environ) as service:
        saved = service.app.collection.save(Draft(content="A note."))
        path = vault / saved.path
        with path.open("r+", encoding="utf-8") as editor:
            mine = editor.read() + "What I typed.\n"
            service.app.editing.update(saved.memory.id, Revision(tags=["changed"]))
            editor.seek(0)
            editor.write(mine)
        assert "typed" not in path.read_text("utf-8")
        wait_until(lambda: any("typed" in note.read_text("utf-8") for note in notes_of(vault)))
        [copy] = [note for note in notes_of(vault) if "typed" in note.read_text("utf-8")]
        assert "conflicted copy" in copy.name
        assert [finding.path for finding in service.app.overview.conflicts()] == [str(copy.relative_to(vault))]
        assert found(service.app, "note").keys() == {saved.path}


@pytest.mark.row("E4", "F4")
def test_a_note_that_is_half_written_keeps_its_bookkeeping_until_it_is_whole(
    vault: Path, environ: dict[str, str]
) -> None:
    with serving(vault, environ) as service:
        app = service.app
        saved = app.collection.save(Draft(content="The gate is green.", pinned=True))
        path = vault / saved.path
        whole = path.read_text("utf-8").replace("green", "vermilion")
        with path.open("w", encoding="utf-8") as editor:
            editor.write(whole[:40])
            editor.flush()
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                entry = app.store.catalog.by_id(saved.memory.id)
                assert entry is not None
                assert entry.usage is not None
                assert entry.usage.pinned
                time.sleep(0.01)
            with pytest.raises(MnemexError):
                app.editing.update(saved.memory.id, Revision(tags=["changed"]))
            assert path.read_text("utf-8") == whole[:40]
            editor.write(whole[40:])
        wait_until(lambda: found(app, "vermilion"))
        assert app.store.memory_entry(saved.memory.id).usage == app.store.usage(app.store.memory_entry(saved.memory.id))


def hooked(app: App, at: str, work: Callable[[], object]) -> None:
    """Let the person do something at a step of our next change."""
    done: list[str] = []

    def hook(step: str) -> None:
        if step == at and not done:
            done.append(step)
            work()

    app.store.vault.files._hook = hook


@pytest.mark.row("E7")
@pytest.mark.parametrize("at", ["replace: temp named", "replace: compared", "replace: exchanged"])
def test_a_note_renamed_during_our_write_gets_no_second_copy(opened: Opened, vault: Path, at: str) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        other = path.with_name("My own name.md")
        hooked(app, at, lambda: path.rename(other))
        try:
            app.editing.update(memory_id, Revision(tags=["changed"]))
        except MnemexError:
            app.follow(None)
        app.follow(None)
        assert [note.name for note in notes_of(vault)] == ["My own name.md"]
        assert app.store.memory_entry(memory_id).path.endswith("My own name.md")
        assert list(vault.rglob(".mnemex-*")) == []


@pytest.mark.row("E8")
@pytest.mark.parametrize("verb", ["touch", "update", "promote", "forget"])
@pytest.mark.parametrize("at", ["replace: temp named", "replace: compared", "move: renamed"])
def test_a_note_deleted_during_our_change_stays_deleted(opened: Opened, vault: Path, verb: str, at: str) -> None:
    with opened() as app:
        memory_id = save(app, 1)

        def delete() -> None:
            for note in notes_of(vault):
                note.unlink()

        hooked(app, at, delete)
        verbs: dict[str, Callable[[], object]] = {
            "touch": lambda: app.lifecycle.touch(memory_id),
            "update": lambda: app.editing.update(memory_id, Revision(tags=["changed"])),
            "promote": lambda: promote(app, memory_id),
            "forget": lambda: app.lifecycle.forget(memory_id),
        }
        try:
            verbs[verb]()
        except MnemexError:
            app.follow(None)
        app.follow(None)
        if at == "move: renamed" and verb in ("touch", "update"):
            return
        assert notes_of(vault) == []
        assert app.store.catalog.by_id(memory_id) is None
        assert list(vault.rglob(".mnemex-*")) == []


@pytest.mark.row("E8", "E9")
@pytest.mark.parametrize("deleted", [False, True])
def test_a_source_edited_or_deleted_during_a_merge_is_not_touched(app: App, vault: Path, deleted: bool) -> None:
    text = "The reading group meets in the library on the first floor"
    ids = [
        app.collection.save(Draft(content=f"{text}{end}", on_duplicate="save")).memory.id for end in (".", ", always.")
    ]
    paths = [vault / app.store.memory_entry(each).path for each in ids]
    [cluster] = app.consolidation.clusters()

    def edit() -> None:
        if deleted:
            paths[1].unlink()
        else:
            paths[1].write_text(paths[1].read_text("utf-8") + "My own line.\n", "utf-8")

    hooked(app, "create: flushed", edit)
    try:
        app.consolidation.merge(app.consolidation.preview(cluster))
    except MnemexError:
        app.follow(None)
    app.follow(None)
    everything = "".join(note.read_text("utf-8") for note in notes_of(vault))
    assert ("My own line." in everything) is not deleted
    if deleted:
        assert not paths[1].exists()
        assert app.store.catalog.by_id(ids[1]) is None
    else:
        assert app.store.memory_entry(ids[1]).tier is Tier.SHORT_TERM
