"""Git, sync tools and other devices write into the vault: the index follows, and nothing acts on half a state."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.errors import AutomationPaused, MnemexError, NotAllowed
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.upkeep import Step
from mnemex_vault.text.note import Note
from tests.conftest import StandingClock
from tests.system import faults
from tests.system.checking import check_index, found, notes_of
from tests.system.conftest import Opened, save, serving


def git(folder: Path, *arguments: str, ok: bool = True) -> str:
    faults.programs("git")
    who = ["-c", "user.name=Lena", "-c", "user.email=lena@example.org", "-c", "commit.gpgsign=false"]
    ran = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 or not ok, ran.stderr
    return ran.stdout


def branches(vault: Path, count: int) -> None:
    """Make a repository with few notes on one branch and many on another."""
    git(vault, "init", "-q", "-b", "few")
    (vault / "Start.md").write_text("The start.\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "few")
    git(vault, "checkout", "-q", "-b", "many")
    for number in range(count):
        folder = vault / f"{number % 20:02d}"
        folder.mkdir(exist_ok=True)
        (folder / f"Note {number}.md").write_text(f"The omega {number}.\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-q", "-m", "many")
    git(vault, "checkout", "-q", "few")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("F1", "T31")
def test_a_checkout_with_more_events_than_the_system_keeps_is_followed(
    vault: Path, environ: dict[str, str], tmp_path: Path, storms: bool
) -> None:
    count = 5000 if storms else 1000
    branches(vault, count)

    def server(say: faults.Say) -> None:
        with serving(vault, environ, scan_interval_seconds=5) as service:
            say("ready")
            while service.app.recall.search(Request(query="omega", ordinary=True)).total < count:
                signal.sigtimedwait([], 0.1)
            check_index(service.app, tmp_path / "scratch", ("omega 77", "start"))
            say("equal")

    with queue_of_events(64), faults.child(server) as child:
        child.wait_for("ready")
        # while it sleeps nobody empties the queue
        child.signal(signal.SIGSTOP)
        git(vault, "checkout", "-q", "many")
        child.signal(signal.SIGCONT)
        child.wait_for("equal", seconds=120)


@contextmanager
def queue_of_events(length: int) -> Iterator[None]:
    """Let watches that are made now keep only so many events."""
    limit = Path("/proc/sys/fs/inotify/max_queued_events")
    before = limit.read_text()
    try:
        limit.write_text(str(length))
    except OSError:
        pytest.skip("needs root that may set the length of the event queue")
    try:
        yield
    finally:
        limit.write_text(before)


@pytest.mark.row("T36")
def test_nothing_is_done_by_itself_while_a_checkout_is_under_way(app: App, vault: Path, clock: StandingClock) -> None:
    for number in range(12):
        save(app, number)
    clock.advance(days=400)
    (vault / ".git").mkdir()
    (vault / ".git" / "index.lock").touch()
    before = {path: path.read_bytes() for path in notes_of(vault)}
    with pytest.raises(AutomationPaused, match="git is at work"):
        app.upkeep.run(list(Step), dry_run=False)
    with pytest.raises(AutomationPaused, match="git is at work"):
        app.forgetting.run(app.forgetting.plan())
    assert {path: path.read_bytes() for path in notes_of(vault)} == before
    (vault / ".git" / "index.lock").unlink()
    assert app.forgetting.run(app.forgetting.plan()).moved


@pytest.mark.row("T36", "E16")
def test_upkeep_waits_until_many_changes_by_others_have_come_to_rest(
    vault: Path, environ: dict[str, str], clock: StandingClock
) -> None:
    with open_app(vault, environ=environ) as app:
        for number in range(60):
            save(app, number)
        now = app.store.clock()
        assert not app.store.is_unsettled(now=now)
        for path in notes_of(vault):
            path.write_bytes(path.read_bytes() + b"Synced.\n")
        app.follow(None)
        assert app.store.is_unsettled(now=app.store.clock())
        assert not app.store.is_unsettled(now=app.store.clock() + timedelta(seconds=31))


@pytest.mark.row("F2")
def test_a_note_with_merge_markers_is_left_alone_and_listed(app: App, vault: Path, clock: StandingClock) -> None:
    memory_id = save(app, 1)
    path = vault / app.store.memory_entry(memory_id).path
    text = path.read_text("utf-8")
    marked = text.replace("use_count: 1", "<<<<<<< HEAD\nuse_count: 1\n=======\nuse_count: 2\n>>>>>>> other")
    path.write_text(marked, "utf-8")
    clock.advance(minutes=1)
    app.follow(None)
    with pytest.raises(MnemexError):
        app.editing.update(memory_id, Revision(tags=["changed"]))
    app.follow(None)
    assert path.read_text("utf-8") == marked
    assert [finding.trouble.value for finding in app.overview.findings()] == ["unreadable"]
    assert len(found(app, "garden")) == 1


@pytest.mark.row("F3")
@pytest.mark.parametrize(
    "name",
    [
        "Fact 1.sync-conflict-20261130-120000-ABCDEFG.md",
        "Fact 1.sync-conflict-20261130-120000.md",
        "Fact 1 (Lena's conflicted copy 2026-11-30).md",
        "Fact 1 (conflicted copy 2026-11-30 120000).md",
        "Fact 1 (conflicted copy).md",
        "Fact 1 (Conflicted copy laptop 202611301200).md",
        "Fact 1 (conflicted copy 2026-11-30) (1).md",
    ],
)
def test_a_conflict_copy_is_listed_and_counts_for_nothing(app: App, vault: Path, name: str) -> None:
    memory_id = save(app, 1)
    path = vault / app.store.memory_entry(memory_id).path
    (path.with_name(name)).write_bytes(path.read_bytes())
    app.follow(None)
    assert set(found(app, "garden")) == {str(path.relative_to(vault))}
    assert app.store.memory_entry(memory_id).path == str(path.relative_to(vault))
    assert [finding.path for finding in app.overview.conflicts()] == [str(path.with_name(name).relative_to(vault))]


@pytest.mark.row("F5", "T14")
@pytest.mark.parametrize(
    "name",
    [
        ".syncthing.Plan.md.tmp",
        "~syncthing~Plan.md.tmp",
        "~syncthing~Plan.md",
        "Plan.md.part",
        "Plan.md.crdownload",
        "~$Plan.md",
        ".Plan.md.swp",
        ".~lock.Plan.md#",
        "Plan.md~",
        "Plan.tmp",
        ".goutputstream-ABC",
    ],
)
def test_a_temporary_file_is_no_note_and_what_becomes_of_it_is(app: App, vault: Path, name: str) -> None:
    temporary = vault / name
    temporary.write_text("The rye grows.\n")
    app.follow(None)
    app.follow({name})
    assert found(app, "rye") == {}
    assert list(app.overview.findings()) == []
    temporary.rename(vault / "Plan.md")
    app.follow({name, "Plan.md"})
    assert set(found(app, "rye")) == {"Plan.md"}


@pytest.mark.row("F6", "T6")
def test_two_machines_that_use_one_memory_differ_in_its_own_lines_only(tmp_path: Path, clock: StandingClock) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    places[0].mkdir()
    git(places[0], "init", "-q", "-b", "main")
    environs = [{"MNEMEX_STATE_PATH": str(tmp_path / f"state {i}"), "XDG_CONFIG_HOME": str(tmp_path)} for i in (0, 1)]
    with open_app(places[0], environ=environs[0], clock=clock) as app:
        ids = [app.collection.save(Draft(content=f"A fact {n}.\n\nIts second part {n}.")).memory.id for n in range(2)]
        path = app.store.memory_entry(ids[0]).path
    git(places[0], "add", "-A")
    git(places[0], "commit", "-q", "-m", "begin")
    git(tmp_path, "clone", "-q", str(places[0]), str(places[1]))
    clock.advance(days=1)
    with open_app(places[0], environ=environs[0], clock=clock) as app:
        app.lifecycle.touch(ids[0])
    with open_app(places[1], environ=environs[1], clock=clock) as app:
        text = (places[1] / path).read_text("utf-8")
        (places[1] / path).write_text(text.replace("second part 0", "second part, edited"), "utf-8")
        clock.advance(minutes=1)
        app.follow(None)
        app.lifecycle.touch(ids[1])
    for place in places:
        changed = git(place, "diff", "--unified=0").splitlines()
        lines = [line for line in changed if line[:1] in "+-" and not line.startswith(("+++", "---"))]
        keys = {line[1:].split(":")[0] for line in lines if "part" not in line}
        assert keys <= {"use_count", "days_used", "last_used", "fades_on"}
        git(place, "commit", "-q", "-a", "-m", "used")
    git(places[0], "pull", "-q", "--no-rebase", "--no-edit", str(places[1]), "main")
    with open_app(places[0], environ=environs[0], clock=clock) as app:
        assert all(app.store.usage(app.store.memory_entry(each)).use_count == 2 for each in ids)
        assert "edited" in app.store.note(app.store.memory_entry(ids[0])).content


@pytest.mark.row("F7")
def test_a_vault_of_a_newer_version_is_read_and_not_written(opened: Opened, vault: Path) -> None:
    with opened() as app:
        memory_id = save(app, 1)
    settings = vault / "Memories" / "Settings.md"
    settings.write_text("---\nmnemex: settings\nnote_format: 2\n---\n")
    before = {path: path.read_bytes() for path in notes_of(vault)}
    with opened() as app:
        assert len(found(app, "garden")) == 1
        for change in (
            lambda: save(app, 2),
            lambda: app.lifecycle.touch(memory_id),
            lambda: app.editing.update(memory_id, Revision(tags=["changed"])),
        ):
            with pytest.raises(NotAllowed, match="note format 2 is newer"):
                change()
        assert "update" in str(app.guard.problem())
        assert {path: path.read_bytes() for path in notes_of(vault)} == before
        settings.write_text("---\nmnemex: settings\nnote_format: 1\n---\n")
        app.follow(None)
        save(app, 2)


@pytest.mark.row("F7", "T11")
def test_keys_that_a_newer_version_added_stay(opened: Opened, vault: Path) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        text = path.read_text("utf-8").replace("memory_id:", "resonance: {a: 1}  # of tomorrow\nmemory_id:")
        path.write_text(text, "utf-8")
        app.follow(None)
        app.lifecycle.touch(memory_id)
        app.editing.update(memory_id, Revision(tags=["changed"]))
        assert "resonance: {a: 1}  # of tomorrow\n" in path.read_text("utf-8")
        assert Note.parse("x.md", path.read_bytes()).memory_id == memory_id


@pytest.mark.row("F8")
def test_an_error_of_the_drive_on_one_note_does_not_hold_up_the_rest(
    vault: Path, environ: dict[str, str], opened: Opened
) -> None:
    with opened() as app:
        for number in range(5):
            save(app, number)

    def work(say: faults.Say) -> None:
        app = make_app(vault, environ={**environ, "MNEMEX_STATE_PATH": str(vault.parent / "other")})
        say("ready")
        app.catch_up()
        say(str(len(found(app, "garden"))))
        app.follow(None)
        app.close()

    with faults.child(work, stopped=True) as child, faults.injected(child, "openat2:error=ESTALE:when=7"):
        assert child.wait() == 0
        assert int(child.said()[-1]) >= 4
    assert os.path.isdir(vault)  # noqa: PTH112
