"""Disks that are full, slow, broken or read-only: the old note stays, the error says so, and work goes on."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, WriteFailed
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from tests.system import faults
from tests.system.checking import check_all, check_vault, found
from tests.system.conftest import Opened, save

NOBODY = 65534


def everything(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


@pytest.mark.row("B1")
def test_a_full_disk_refuses_a_write_and_keeps_the_note(vault: Path, opened: Opened) -> None:
    with faults.small_disk(vault, "256k"), opened() as app:
        memory_id = save(app, 1)
        app.lifecycle.touch(memory_id)
        before = everything(vault)
        filler = vault / "filler.bin"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 512)
        with pytest.raises(WriteFailed) as update:
            app.editing.update(memory_id, Revision(tags=["changed"]))
        with pytest.raises(WriteFailed):
            app.collection.save(Draft(content="word " * 1000))
        assert "No space left" in update.value.reason
        filler.unlink()
        assert everything(vault) == before
        save(app, 2)
        check_vault(vault)


@pytest.mark.row("B2")
# files that could not be finished are let go of when they are collected
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_full_disk_of_the_index_fails_no_save_and_is_made_up_for(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    with opened() as app:
        save(app, 1)
        index = app.state / "index"
    with faults.small_disk(index, "24k"), opened() as app:
        for number in range(2, 40):
            save(app, number, words="padding " * 40)
        assert len(list((vault / "Memories/Short-term").iterdir())) == 39
        assert len(found(app, "garden")) == 39
        assert app.store.text.flush().reason
    check_all(vault, environ, tmp_path / "scratch", words=("garden", "padding"))


CALLS = ("write", "fsync", "renameat2", "fdatasync")


@pytest.mark.slow
@pytest.mark.row("B4")
@pytest.mark.parametrize("error", ["EIO", "EDQUOT"])
def test_an_error_of_any_system_call_leaves_the_old_or_the_new_note(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, error: str
) -> None:
    faults.need_strace()
    refusals = 0
    for call in CALLS:
        for when in range(1, 30):
            number = 100 * (1 + CALLS.index(call)) + when
            with opened() as app:
                memory_id = save(app, number)
                path = vault / app.store.memory_entry(memory_id).path
            before = path.read_text("utf-8")

            def work(say: faults.Say, memory_id: str = memory_id) -> None:
                with opened() as app:
                    say("ready")
                    try:
                        app.editing.update(memory_id, Revision(tags=["changed"]))
                    except MnemexError:
                        os._exit(3)

            fault = f"{call}:error={error}:when={when}"
            with faults.child(work, stopped=True) as child, faults.injected(child, fault):
                code = child.wait()
            after = path.read_text("utf-8")
            assert code in (0, 3)
            assert "changed" in after if code == 0 else after == before
            check_vault(vault)
            refusals += code == 3
            if code == 0 and when > 3:
                break
    assert refusals > 3
    check_all(vault, environ, tmp_path / "scratch")


@pytest.mark.row("B4")
def test_an_fsync_that_fails_is_told_and_nothing_is_left(vault: Path, environ: dict[str, str], opened: Opened) -> None:
    faults.programs("fiu-run")
    with opened() as app:
        memory_id = save(app, 1)
        path = vault / app.store.memory_entry(memory_id).path
    before = path.read_bytes()
    script = (
        "import sys; from mnemex_vault.app import open_app; from mnemex_vault.memories.editing import Revision\n"
        "from mnemex_vault.errors import WriteFailed\n"
        "with open_app(sys.argv[1]) as app:\n"
        "    try: app.editing.update(sys.argv[2], Revision(tags=['changed']))\n"
        "    except WriteFailed as error: print('refused', error.reason)\n"
    )
    command: list[str | Path] = [
        "fiu-run",
        "-x",
        "-c",
        "enable name=posix/io/sync/fsync",
        sys.executable,
        "-c",
        script,
        vault,
        memory_id,
    ]
    ran = subprocess.run(
        command,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("refused")
    assert path.read_bytes() == before
    check_vault(vault)


@pytest.mark.row("B6")
def test_a_read_only_vault_is_read_and_says_why_it_is_not_written(vault: Path, opened: Opened) -> None:
    with opened() as app:
        memory_id = save(app, 1)
    with faults.read_only_mount(vault), opened() as app:
        assert len(found(app, "garden")) == 1
        with pytest.raises(WriteFailed, match="Read-only"):
            save(app, 2)
        with pytest.raises(WriteFailed, match="Read-only"):
            app.editing.update(memory_id, Revision(tags=["changed"]))
        touched = app.lifecycle.touch(memory_id)
        assert (touched.written, touched.usage.use_count) == (False, 2)
    with opened() as app:
        assert "use_count: 2\n" in (vault / app.store.memory_entry(memory_id).path).read_text("utf-8")


@pytest.mark.row("B8")
def test_a_note_that_may_not_be_read_is_listed_and_the_rest_is_found() -> None:
    faults.need_root()
    place = Path(tempfile.mkdtemp())
    environ = {"MNEMEX_STATE_PATH": str(place / "state"), "XDG_CONFIG_HOME": str(place / "config")}

    def work(say: faults.Say) -> None:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        vault = place / "vault"
        vault.mkdir()
        (vault / "Open.md").write_text("Rye grows.\n")
        (vault / "Closed.md").write_text("Rye grows here too.\n")
        (vault / "Closed.md").chmod(0)
        with open_app(vault, environ=environ) as app:
            say(str(sorted(found(app, "rye"))))
            say(str([finding.path for finding in app.overview.findings()]))

    place.chmod(0o777)
    with faults.child(work) as child:
        assert child.wait() == 0
        assert child.said() == ["['Open.md']", "['Closed.md']"]


@pytest.mark.row("B9")
def test_without_a_usable_state_folder_the_notes_themselves_are_searched(vault: Path, opened: Opened) -> None:
    with opened() as app:
        save(app, 1)
        save(app, 2)
        state = app.state
    with faults.read_only_mount(state), opened() as app:
        assert len(page_of(app)) == 2
        with pytest.raises(MnemexError):
            save(app, 3)
    with opened() as app:
        expected = found(app, "garden fact")
        for path in sorted((state / "index").rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        (state / "index").rmdir()
        (state / "index").write_text("in the way")
        page = app.recall.search(Request(query="garden fact"))
        assert page.degraded
        assert "notes themselves" in page.degraded
        assert {hit.entry.path: round(hit.relevance, 9) for hit in page.hits} == expected
        (state / "index").unlink()
        save(app, 3)
        app.follow(None)
        app.store.text.flush()
        assert len(found(app, "garden")) == 3


def page_of(app: App) -> list[str]:
    return [hit.entry.path for hit in app.recall.search(Request(query="garden")).hits]


@pytest.mark.row("B10")
@pytest.mark.parametrize("error", ["EINVAL", "ENOSYS"])
def test_without_exchange_and_exclusive_rename_everything_works(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, error: str
) -> None:
    with opened() as app:
        memory_id = save(app, 1)

    def work(say: faults.Say) -> None:
        with opened() as app:
            say("ready")
            app.editing.update(memory_id, Revision(tags=["changed"]))
            candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
            app.lifecycle.promote([candidate] if candidate else [])
            save(app, 2)

    with faults.child(work, stopped=True) as child, faults.injected(child, f"renameat2:error={error}"):
        assert child.wait() == 0
    with opened() as app:
        entry = app.store.memory_entry(memory_id)
        assert (entry.tier, entry.tags) == (Tier.LONG_TERM, ("changed",))
    check_all(vault, environ, tmp_path / "scratch")


@pytest.mark.row("B11")
def test_a_memory_folder_on_another_disk_is_promoted_into(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    (vault / "Memories").mkdir()
    with faults.small_disk(vault / "Memories" / "Long-term", "1m"):
        with opened() as app:
            memory_id = save(app, 1)
            candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
            [moved] = app.lifecycle.promote([candidate] if candidate else [])
            assert (vault / moved.path).read_text("utf-8").rstrip().endswith("end00001")
            app.history.undo(moved.operation_id)
            assert app.store.memory_entry(memory_id).tier is Tier.SHORT_TERM
            candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
            app.lifecycle.promote([candidate] if candidate else [])
        check_all(vault, environ, tmp_path / "scratch")


@pytest.mark.slow
@pytest.mark.row("B12", "F8")
def test_without_file_watches_the_vault_is_polled_and_status_says_so(vault: Path, environ: dict[str, str]) -> None:
    limit = "echo 0 > /proc/sys/user/max_inotify_watches"
    probe = ["unshare", "--user", "--map-root-user", "sh", "-c", limit]
    faults.need(subprocess.run(probe, capture_output=True, check=False).returncode == 0, "user namespaces with limits")
    script = (
        "import sys, time; from pathlib import Path; from mnemex_vault.app import make_app\n"
        "from mnemex_vault.service import Service; from mnemex_vault.memories.recall import Request\n"
        "service = Service(make_app(sys.argv[1])); service.start(); assert service.wait_ready(60)\n"
        "print(service.app.overview.status().watching)\n"
        "(Path(sys.argv[1]) / 'New.md').write_text('Rye grows.\\n')\n"
        "end = time.monotonic() + 60\n"
        "query = Request(query='rye', ordinary=True)\n"
        "while not (hits := service.app.recall.search(query).hits) and time.monotonic() < end: time.sleep(0.05)\n"
        "print([hit.entry.path for hit in hits]); service.close()\n"
    )
    command = [*probe[:-1], f'{limit} && exec "$@"', "sh", sys.executable, "-c", script, str(vault)]
    ran = subprocess.run(
        command,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert ran.stdout.splitlines() == ["polling", "['New.md']"], ran.stderr
    assert "polled instead" in ran.stderr


@pytest.mark.slow
@pytest.mark.row("B13", "F8")
def test_a_slow_disk_holds_up_no_reader(vault: Path, opened: Opened) -> None:
    with opened() as app:
        save(app, 1)

    def work(say: faults.Say) -> None:
        with opened() as app:
            found(app, "garden")
            say("ready")
            writer = threading.Thread(target=save, args=(app, 2))
            writer.start()
            searches = 0
            while writer.is_alive():
                found(app, "garden")
                searches += 1
            say(str(searches))

    with faults.child(work, stopped=True) as child, faults.injected(child, "fsync:delay_enter=1s"):
        assert child.wait() == 0
        # a reader that waits for the disk gets one answer for each wait of the writer
        assert int(child.said()[-1]) > 20
