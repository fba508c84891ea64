"""Several servers, commands and sessions on one vault at the same time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import AutomationPaused, LockTimeout, MnemexError
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.upkeep import Step
from tests.conftest import StandingClock
from tests.mcp.piped import Pipe, dispose
from tests.system import faults
from tests.system.checking import check_all, check_vault, found, notes_of
from tests.system.conftest import Opened, save
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]


@contextmanager
def servers(vault: Path, environ: dict[str, str], count: int, **more: str) -> Iterator[list[Pipe]]:
    surroundings = {**environ, "MNEMEX_TIMEZONE": "UTC", "MNEMEX_QUIET_SECONDS": "0", **more}
    pipes = [Pipe(vault, surroundings) for _ in range(count)]
    try:
        for pipe in pipes:
            pipe.greet()
        yield pipes
    finally:
        for pipe in pipes:
            dispose(pipe)


def text(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.row("G1", "T2", "T28")
def test_three_servers_save_and_use_without_a_loss(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, storms: bool
) -> None:
    saves, touches = (200, 100) if storms else (40, 20)
    with opened() as app:
        shared = [save(app, number) for number in range(10)]
    refused: list[str] = []

    def client(pipe: Pipe, which: int) -> None:
        for number in range(saves):
            answer = pipe.call("save_memory", content=f"Server {which} keeps fact {number}, end{which}{number:04d}.")
            refused.extend([text(answer)] if answer["isError"] else [])
            if number * touches // saves != (number + 1) * touches // saves:
                answer = pipe.call("touch_memory", memory_id=shared[number % len(shared)])
                refused.extend([text(answer)] if answer["isError"] else [])

    with servers(vault, environ, 3) as pipes:
        threads = [threading.Thread(target=client, args=(pipe, which)) for which, pipe in enumerate(pipes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == []
        for pipe in pipes:
            pipe.stdin.close()
            pipe.process.wait(timeout=PATIENCE)
    with opened() as app:
        check_vault(vault)
        assert len(app.store.catalog.memories()) == 3 * saves + len(shared)
        uses = sum(app.store.usage(app.store.memory_entry(each)).use_count - 1 for each in shared)
        assert uses == 3 * touches
        texts = "\n".join(path.read_text("utf-8") for path in notes_of(vault))
        assert [n for n in range(saves) for which in range(3) if f"end{which}{n:04d}." not in texts] == []
    check_all(vault, environ, tmp_path / "scratch", words=("server fact", "garden"))


@pytest.mark.slow
@pytest.mark.row("T1")
def test_fifty_calls_at_once_in_one_session_all_take_effect(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    with opened() as app:
        first = save(app, 0)
    saves: list[dict[str, object]] = [{"content": f"Fact {n} of many, end{n:05d}."} for n in range(1, 41)]
    updates: list[dict[str, object]] = [{"memory_id": first, "strength": 1.0 + n / 10} for n in range(5)]
    touches: list[dict[str, object]] = [{"memory_id": first}] * 5
    calls = [("save_memory", each) for each in saves]
    calls += [("touch_memory", each) for each in touches] + [("update_memory", each) for each in updates]
    with servers(vault, environ, 1) as [pipe]:
        for tool, arguments in calls:
            pipe.request("tools/call", name=tool, arguments=arguments)
        answers = [pipe.answer()["result"] for _ in calls]
        assert [text(answer) for answer in answers if answer["isError"]] == []
    with opened() as app:
        assert len(app.store.catalog.memories()) == 41
        usage = app.store.usage(app.store.memory_entry(first))
        assert usage.use_count == 6
        assert 1.0 <= usage.strength <= 1.4
    check_all(vault, environ, tmp_path / "scratch", words=("fact", "garden"))


def promote(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    app.lifecycle.promote([candidate] if candidate else [])


@pytest.mark.slow
@pytest.mark.row("G2")
@pytest.mark.parametrize("verb", [promote, lambda app, memory_id: app.lifecycle.forget(memory_id)])
def test_of_two_servers_that_move_one_note_one_does_and_the_other_says_so(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, verb: Callable[[App, str], None]
) -> None:
    for number in range(5):
        with opened() as app:
            memory_id = save(app, number)

        def work(say: faults.Say, memory_id: str = memory_id) -> None:
            with opened() as app:
                say("ready")
                try:
                    verb(app, memory_id)
                    say("did")
                except MnemexError as error:
                    say(f"refused: {error}")

        with faults.child(work, stopped=True) as one, faults.child(work, stopped=True) as other:
            one.signal(signal.SIGCONT)
            other.signal(signal.SIGCONT)
            assert (one.wait(), other.wait()) == (0, 0)
            said = [one.said()[-1], other.said()[-1]]
        assert said.count("did") == 1, said
        with opened() as app:
            assert app.store.memory_entry(memory_id).tier is not Tier.SHORT_TERM
            check_vault(vault)
    check_all(vault, environ, tmp_path / "scratch")


@pytest.mark.slow
@pytest.mark.row("G3", "T28")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_the_lock_of_a_killed_process_is_free_at_once_and_of_a_stopped_one_is_told(
    vault: Path, environ: dict[str, str], opened: Opened, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened() as app:
        memory_id = save(app, 1)

    def work(say: faults.Say) -> None:
        with opened() as app, app.store.vault.lock:
            say("locked")
            signal.pause()

    monkeypatch.setattr("mnemex_vault.app._LOCK_SECONDS", 2.0)
    with faults.child(work) as holder:
        holder.wait_for("locked")
        holder.signal(number)
        if number == signal.SIGKILL:
            holder.wait()
        with opened() as app:
            if number == signal.SIGKILL:
                app.editing.update(memory_id, Revision(tags=["changed"]))
            else:
                assert len(found(app, "garden")) == 1
                with pytest.raises(LockTimeout):
                    app.editing.update(memory_id, Revision(tags=["changed"]))
                assert app.lifecycle.touch(memory_id).usage.use_count == 2
    with opened() as app:
        assert app.store.usage(app.store.memory_entry(memory_id)).use_count == 1 + (number == signal.SIGSTOP)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.row("G4")
def test_a_command_tidies_up_while_a_server_serves(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    from datetime import UTC, datetime, timedelta

    long_ago = StandingClock(datetime.now(UTC) - timedelta(days=300))
    with open_app(vault, environ=environ, clock=long_ago, options={"timezone": "UTC"}) as app:
        for number in range(30):
            save(app, number)
    with servers(vault, environ, 1) as [pipe]:
        command = [sys.executable, "-m", "mnemex_vault", "gc", "--apply", "--vault", str(vault)]
        surroundings = {**os.environ, **environ, "MNEMEX_TIMEZONE": "UTC"}
        tidying = subprocess.Popen(command, env=surroundings, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for number in range(100, 120):
            assert not pipe.call("save_memory", content=f"Meanwhile fact {number}, end{number}.")["isError"]
        _, errors = tidying.communicate(timeout=60)
        assert tidying.returncode == 0, errors
        archived = len(list((vault / "Memories" / "Archive").rglob("*.md")))
        assert archived >= 3
        wait_until(lambda: archived_by(pipe) == archived)
    check_all(vault, environ, tmp_path / "scratch")


def archived_by(pipe: Pipe) -> int:
    answer = pipe.call("search_memory", query="garden", status="archived", top_k=50)
    return len(answer["structuredContent"]["results"])


@pytest.mark.row("G5")
def test_a_number_in_a_lock_file_means_nothing(opened: Opened) -> None:
    with opened() as app:
        lock = app.state / "vault.lock"
    lock.write_text(f"{os.getppid()}\n")
    for stale in lock.parent.rglob("*LOCK*"):
        stale.write_text(f"{os.getppid()}\n")
    with opened() as app:
        save(app, 1)
        assert app.store.text.flush().committed


@pytest.mark.row("G6")
def test_two_programs_with_other_memory_folders_stop_automatic_change(
    vault: Path, environ: dict[str, str], opened: Opened
) -> None:
    with opened() as one:
        save(one, 1)
        assert one.guard.problem() is None
        other = make_app(vault, environ=environ, options={"timezone": "UTC", "short_term_folder": "Inbox"})
        try:
            for app in (one, other):
                assert "other memory folders" in str(app.guard.problem())
                with pytest.raises(AutomationPaused):
                    app.upkeep.run(list(Step), dry_run=False)
        finally:
            other.close()
        assert one.guard.problem() is None
        save(one, 2)


@pytest.mark.row("T3")
def test_a_state_file_cut_anywhere_stops_no_start(opened: Opened, vault: Path) -> None:
    with opened() as app:
        ids = [save(app, number) for number in range(4)]
        app.lifecycle.touch(ids[0])
        app.guard.check()
        app.brief.make()
        state = app.state
    files = [path for path in state.rglob("*") if path.is_file() and path.stat().st_size and "index-v" not in str(path)]
    whole = {path: path.read_bytes() for path in files}
    for path, data in whole.items():
        for cut in sorted({0, 1, len(data) // 2, len(data) - 1}):
            path.write_bytes(data[:cut])
            with opened() as app:
                assert len(found(app, "garden")) == 4, path
                assert app.store.usage(app.store.memory_entry(ids[0])).use_count == 2, path
            for each, before in whole.items():
                each.parent.mkdir(exist_ok=True)
                each.write_bytes(before)
