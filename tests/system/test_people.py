"""A person edits, renames, moves and deletes notes at any moment: their word counts, and nothing of it is lost."""

from __future__ import annotations

import json
import shutil
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteChanged, NoteNotFound, UnreadableNote, VaultEmptied
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from mnemex_vault.notes.note import Note
from mnemex_vault.service import Service
from tests.conftest import StandingClock
from tests.system import faults
from tests.system.checking import check_index, found, notes_of
from tests.system.conftest import Opened, save
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


@contextmanager
def serving(vault: Path, environ: dict[str, str], **options: object) -> Iterator[Service]:
    service = Service(make_app(vault, environ=environ, options={"timezone": "UTC", "quiet_seconds": 0, **options}))
    service.start()
    try:
        assert service.wait_ready(15)
        yield service
    finally:
        service.close()


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
        wait_until(lambda: all(each in in_sight() for each in lost), seconds=60)
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
        took = wait_until(lambda: any("typed" in note.read_text("utf-8") for note in notes_of(vault)), seconds=60)
        assert took < 10
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
            with pytest.raises(MnemexError):
                app.editing.update(saved.memory.id, Revision(tags=["changed"]))
            assert path.read_text("utf-8") == whole[:40]
            editor.write(whole[40:])
        wait_until(lambda: found(app, "vermilion"), seconds=5)
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


def promote(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    app.lifecycle.promote([candidate] if candidate else [])


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
        wait_until(lambda: all_found(service.app) == 1000, seconds=20)
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
        assert other.wait(30) == 0
    texts = [path.read_text("utf-8") for path in notes_of(vault) if "conflicted" not in path.name]
    assert len(texts) == 60
    assert [Note.parse("x.md", text.encode()).title for text in texts if not text.endswith("by a template.\n")] == []
