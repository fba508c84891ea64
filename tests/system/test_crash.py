"""Processes that are killed, stopped, starved, or lose their disk: what was acknowledged is there and whole."""

from __future__ import annotations

import random
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.text.note import Note
from tests.system import faults
from tests.system.checking import check_all, check_vault, notes_of
from tests.system.conftest import Opened, save
from tests.waiting import wait_until

# every system call by which a change reaches the disk
CALLS = ("write", "fsync", "fdatasync", "renameat2", "rename", "renameat", "unlink", "unlinkat", "mkdirat")
Verb = Callable[[App, str], object]


def promote(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    assert candidate
    app.lifecycle.promote([candidate])


def restore(app: App, memory_id: str) -> None:
    app.lifecycle.restore(memory_id)


def killed_at_every_call(
    opened: Opened, vault: Path, environ: dict[str, str], scratch: Path, prepare: Verb, verb: Verb, *, every: int
) -> int:
    """Kill the verb at its n-th call of every kind, look at everything, until all were survived; return how often."""
    kills = 0
    for call in CALLS:
        for when in range(1, 60, every):
            with opened() as app:
                memory_id = save(app, 1000 * (1 + CALLS.index(call)) + when)
                prepare(app, memory_id)

            def work(say: faults.Say, memory_id: str = memory_id) -> None:
                with opened() as app:
                    say("ready")
                    verb(app, memory_id)
                    say("done")

            with faults.child(work, stopped=True) as child:
                with faults.injected(child, f"{call}:signal=KILL:when={when}"):
                    wait_until(lambda: child.poll() is not None)
                code = child.wait()
            assert code in (0, -signal.SIGKILL)
            check_all(vault, environ, scratch)
            texts = [Note.parse("x.md", path.read_bytes()) for path in notes_of(vault)]
            present = [note for note in texts if note.memory_id == memory_id]
            assert len(present) == 1
            assert present[0].content.rstrip().endswith(f"end{1000 * (1 + CALLS.index(call)) + when:05d}")
            if code == 0:
                break
            kills += 1
    return kills


def nothing(app: App, memory_id: str) -> None: ...


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A1", "A2", "A3")
@pytest.mark.parametrize(
    ("prepare", "verb"),
    [
        (nothing, lambda app, memory_id: app.editing.update(memory_id, Revision(tags=["changed"]))),
        (nothing, promote),
        (nothing, lambda app, memory_id: app.lifecycle.forget(memory_id)),
        (lambda app, memory_id: app.lifecycle.forget(memory_id), restore),
    ],
    ids=["update", "promote", "forget", "restore"],
)
def test_a_kill_at_any_system_call_leaves_one_whole_note(
    opened: Opened, vault: Path, environ: dict[str, str], tmp_path: Path, prepare: Verb, verb: Verb, storms: bool
) -> None:
    faults.need_strace()
    kills = killed_at_every_call(opened, vault, environ, tmp_path / "scratch", prepare, verb, every=1 if storms else 3)
    assert kills > 4


@pytest.mark.slow
@pytest.mark.row("A1")
def test_a_kill_at_any_system_call_of_a_save_leaves_it_whole_or_absent(
    opened: Opened, vault: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    kills = 0
    for call in CALLS:
        for when in range(1, 20):

            def work(say: faults.Say, number: int = 100 * when + CALLS.index(call)) -> None:
                with opened() as app:
                    say("ready")
                    save(app, number)
                    say("done")

            with faults.child(work, stopped=True) as child:
                with faults.injected(child, f"{call}:signal=KILL:when={when}"):
                    wait_until(lambda: child.poll() is not None)
                done, code = "done" in child.said(), child.wait()
            check_all(vault, environ, tmp_path / "scratch")
            for path in notes_of(vault):
                assert path.read_text("utf-8").rstrip().endswith(f"end{int(path.stem.split()[1]):05d}")
            if code == 0:
                assert done
                break
            kills += 1
    assert kills > 3


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A4")
def test_a_kill_at_any_system_call_of_a_merge_leaves_the_sources_or_the_whole(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, storms: bool
) -> None:
    faults.need_strace()
    kills = 0
    for call in ("write", "fsync", "renameat2"):
        for when in range(1, 60, 1 if storms else 4):
            word = f"{call}{when}"
            texts = [f"The group {word} meets in the {word} library on floor {word}{end}" for end in (".", " always.")]
            with opened() as app:
                ids = [app.collection.save(Draft(content=each, on_duplicate="save")).memory.id for each in texts]

            def work(say: faults.Say, ids: list[str] = ids) -> None:
                with opened() as app:
                    say("ready")
                    cluster = app.consolidation.cluster_of(ids)
                    app.consolidation.merge(app.consolidation.preview(cluster))

            with faults.child(work, stopped=True) as child:
                with faults.injected(child, f"{call}:signal=KILL:when={when}"):
                    wait_until(lambda: child.poll() is not None)
                code = child.wait()
            with opened() as app:
                tiers = {app.store.memory_entry(each).tier for each in ids}
                assert len(tiers) == 1
                about = [entry for entry in app.store.catalog.memories() if word in app.store.note(entry).content]
                assert len(about) == (2 if tiers == {Tier.SHORT_TERM} else 3)
                everything = "".join(path.read_text("utf-8") for path in notes_of(vault))
                assert all(each in everything for each in texts)
            if code == 0:
                assert tiers == {Tier.ARCHIVED}
                break
            kills += 1
    assert kills > 4
    check_all(vault, environ, tmp_path / "scratch", words=("library",))


def load(environ: dict[str, str], vault: Path, seed: int) -> Callable[[faults.Say], None]:
    """Save and change without a pause; say what is acknowledged."""

    def work(say: faults.Say) -> None:
        chance = random.Random(seed)
        with open_app(vault, environ=environ, options={"timezone": "UTC", "quiet_seconds": 0}) as app:
            say("ready")
            mine: list[str] = []
            for number in range(100_000):
                whole = 100_000 * seed + number
                saved = app.collection.save(Draft(content=f"Storm fact {whole}, end{whole}.", title=f"Storm {whole}"))
                say(f"saved {saved.memory.id} end{whole}.")
                mine.append(saved.memory.id)
                disturb(app, chance.choice(mine), chance)

    return work


def let_it_save(child: faults.Child, saves: int, then_seconds: float) -> None:
    """Wait for so many saves, and so long that the next thing is under way."""
    child.wait_for("ready")
    wait_until(lambda: child.poll() is not None or len(saves_of(child.said())) >= saves)
    time.sleep(then_seconds)


def saves_of(said: list[str]) -> dict[str, str]:
    """Return id -> last word of every acknowledged save."""
    return {line.split()[1]: line.split()[2] for line in said if line.startswith("saved ")}


def disturb(app: App, memory_id: str, chance: random.Random) -> None:
    verbs: list[Callable[[], object]] = [
        lambda: app.lifecycle.touch(memory_id),
        lambda: app.editing.update(memory_id, Revision(tags=[f"t{chance.randrange(9)}"])),
        lambda: promote(app, memory_id),
        lambda: app.lifecycle.forget(memory_id),
        lambda: app.lifecycle.restore(memory_id),
    ]
    try:
        chance.choice(verbs)()
    except MnemexError:
        # not in a tier from which this is possible
        return


def storm(vault: Path, environ: dict[str, str], kills: int) -> dict[str, str]:
    """Let processes work, kill each at a random moment; return id -> last word of every acknowledged save."""
    chance = random.Random(kills)
    acknowledged: dict[str, str] = {}
    for seed in range(1, kills + 1):
        with faults.child(load(environ, vault, seed)) as child:
            let_it_save(child, chance.randrange(12), chance.uniform(0, 0.05))
            child.kill()
            acknowledged |= saves_of(child.said())
    return acknowledged


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.row("A6", "A5")
def test_a_storm_of_kills_loses_no_acknowledged_save(
    vault: Path, environ: dict[str, str], tmp_path: Path, storms: bool
) -> None:
    acknowledged = storm(vault, environ, 200 if storms else 20)
    with open_app(vault, environ=environ, options={"timezone": "UTC"}):
        check_vault(vault)
    notes = {note.memory_id: note for path in notes_of(vault) if (note := Note.parse("x.md", path.read_bytes()))}
    assert len(acknowledged) > 40
    assert [each for each, end in acknowledged.items() if not notes[each].content.rstrip().endswith(end)] == []
    check_all(vault, environ, tmp_path / "scratch", words=("storm",))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A7")
@pytest.mark.parametrize("kind", ["ext4", "xfs"])
@pytest.mark.parametrize("how", [faults.JOURNAL_FLUSHED, faults.JOURNAL_LOST], ids=["kept", "lost"])
def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path, kind: str, how: int, storms: bool) -> None:
    disk = faults.Disk(tmp_path / "image", kind, tmp_path / "disk")
    vault = disk.place / "vault"
    environ = {"MNEMEX_STATE_PATH": str(disk.place / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    chance = random.Random(how)
    for seed in range(1, 4 if storms else 2):
        with disk.mounted():
            vault.mkdir(exist_ok=True)
            with faults.child(load(environ, vault, seed)) as child:
                let_it_save(child, chance.randint(4, 40), chance.uniform(0, 0.05))
                disk.cut_power(how)
                acknowledged = saves_of(child.said())
                child.kill()
        assert len(acknowledged) > 3
        with disk.mounted():
            with open_app(vault, environ=environ, options={"timezone": "UTC"}):
                check_vault(vault)
            notes = {Note.parse("x.md", path.read_bytes()).memory_id: path.read_text() for path in notes_of(vault)}
            assert [each for each, end in acknowledged.items() if not notes[each].rstrip().endswith(end)] == []
            check_all(vault, environ, tmp_path / "scratch", words=("storm",))


@pytest.mark.row("A12", "D7")
def test_a_stopped_process_does_not_overwrite_what_was_saved_meanwhile(
    opened: Opened, vault: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path

    def work(say: faults.Say) -> None:
        with opened() as app:
            reached: list[str] = []

            def hook(step: str) -> None:
                if step == "replace: temp named" and not reached:
                    reached.append(step)
                    say("ready")

            app.store.vault.files._hook = hook
            app.editing.update(memory_id, Revision(tags=["changed"]))
            say("done")

    with faults.child(work, stopped=True) as child:
        path.write_text(path.read_text("utf-8") + "My own line.\n", "utf-8")
        child.signal(signal.SIGCONT)
        child.wait_for("done")
        assert child.wait() == 0
    text = path.read_text("utf-8")
    assert text.endswith("My own line.\n")
    assert "changed" in text
    check_all(vault, environ, tmp_path / "scratch")


def fill_memory(ballast: list[bytes]) -> None:
    for size in (1 << 20, 1 << 16, 1 << 12, 1 << 10):
        try:
            while True:
                ballast.append(bytes(size))
        except MemoryError:
            continue


@pytest.mark.row("A13")
def test_running_out_of_memory_leaves_whole_notes(
    opened: Opened, vault: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    with opened() as app:
        memory_id = save(app, 1)

    def work(say: faults.Say) -> None:
        with opened() as app:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), resource.RLIM_INFINITY))
            ballast: list[bytes] = []
            refusals = 0
            for blocks in (0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
                try:
                    fill_memory(ballast)
                    # taking one off the end needs no memory, unlike a slice
                    for _ in range(min(blocks, len(ballast))):
                        ballast.pop()
                    app.editing.update(memory_id, Revision(context=f"word {blocks}"))
                    save(app, 100 + blocks, words="long " * 10_000)
                except (MemoryError, MnemexError):
                    refusals += 1
            ballast.clear()
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            say(f"refused {refusals > 0}")

    with faults.child(work) as child:
        child.wait_for("refused True", seconds=60)
        child.wait()
    check_all(vault, environ, tmp_path / "scratch")
    for path in notes_of(vault):
        assert path.read_text("utf-8").rstrip()[-8:-5] == "end"


@pytest.mark.row("E8", "T20")
def test_a_note_deleted_by_hand_is_not_brought_back_by_a_waiting_use(opened: Opened, vault: Path) -> None:
    with opened(quiet_seconds=10) as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
        path.write_text(path.read_text("utf-8") + "typing\n", "utf-8")
        app.follow(None)
        assert not app.lifecycle.touch(memory_id).written
    path.unlink()
    with opened() as app:
        assert app.store.catalog.by_id(memory_id) is None
        assert [entry.tier for entry in app.store.catalog.memories(Tier.SHORT_TERM)] == []
    assert notes_of(vault) == []
