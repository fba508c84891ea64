"""A first index of many notes: cut off, gone on with, and saved into meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock
from tests.waiting import PATIENCE

NOTES = 400
CHUNK = 100
# reads until 250 notes are done, then dies as by `kill -9`
CUT_OFF = f"""
import os, sys
from mnemex_vault.app import make_app

app = make_app(sys.argv[1], options={{"timezone": "UTC"}})
app.reconciler.most_staged = {CHUNK}
app.catch_up(progress=lambda done, total: os._exit(9) if done >= 250 else None)
"""


@pytest.fixture
def vault(vault: Path) -> Path:
    for number in range(NOTES):
        note = vault / f"{number}.md"
        note.write_text(f"Field {number} was sown.\n")
        # long enough ago that nothing needs a second look
        os.utime(note, (1_700_000_000, 1_700_000_000))
    return vault


@pytest.fixture
def unread(vault: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    app = make_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"})
    yield app
    app.close()


def found(app: App, query: str) -> list[str]:
    return [hit.entry.path for hit in app.recall.search(Request(query=query, ordinary=True)).hits]


@pytest.mark.slow
def test_a_first_index_that_was_killed_is_gone_on_with(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    killed = subprocess.run([sys.executable, "-c", CUT_OFF, str(vault)], env=os.environ | environ, check=False)
    assert killed.returncode == 9
    read: list[int] = []
    with open_app(vault, clock=clock, environ=environ, progress=lambda _, total: read.append(total)) as app:
        # only what came after the last commit is read once more
        assert max(read) <= NOTES - 250 + CHUNK
        assert len(app.store.catalog) == NOTES
        app.store.text.flush()
        assert app.store.text.committed().keys() == {f"{number}.md" for number in range(NOTES)}
        assert found(app, "399") == ["399.md"]


def test_what_was_read_before_the_server_was_stopped_is_kept(
    unread: App, vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 100:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        unread.catch_up(progress=stop)
    unread.close()
    read: list[int] = []
    with open_app(vault, clock=clock, environ=environ, progress=lambda _, total: read.append(total)) as app:
        assert max(read) == NOTES - 100
        assert found(app, "7") == ["7.md"]


def test_a_first_index_reads_every_note_once(unread: App) -> None:
    read: list[int] = []
    unread.catch_up(progress=lambda done, _total: read.append(done))
    assert read == sorted(set(read))


def test_a_save_does_not_wait_for_a_first_index(unread: App) -> None:
    half, saved = threading.Event(), threading.Event()

    def pause(done: int, _total: int) -> None:
        if done == 100:
            half.set()
            # the first index cannot go on before the save has returned
            assert saved.wait(PATIENCE)

    first = threading.Thread(target=unread.catch_up, kwargs={"progress": pause})
    first.start()
    assert half.wait(PATIENCE)
    save = threading.Thread(target=_save_and_find, args=(unread, saved))
    save.start()
    save.join(PATIENCE)
    waited = not saved.is_set()
    saved.set()
    first.join(PATIENCE)
    assert not waited
    assert found(unread, "gate") == found(unread, "green") != []
    assert found(unread, "399") == ["399.md"]
    assert len(unread.store.catalog) == NOTES + 1


def _save_and_find(app: App, saved: threading.Event) -> None:
    memory = app.collection.save(Draft(content="The gate is green."))
    if found(app, "gate") == [memory.path]:
        saved.set()


def test_scans_beside_changes_leave_the_index_as_a_new_one(
    app: App, tmp_path: Path, vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    done = threading.Event()

    def scan() -> None:
        while not done.is_set():
            app.follow(None)

    with ThreadPoolExecutor() as pool:
        scans = pool.submit(scan)
        try:
            _change(app, vault)
        finally:
            done.set()
        scans.result(PATIENCE)
    app.follow(None)
    app.store.text.flush()
    anew = environ | {"MNEMEX_STATE_PATH": str(tmp_path / "anew")}
    with open_app(vault, clock=clock, environ=anew, options={"timezone": "UTC"}) as new:
        new.store.text.flush()
        assert facts(app) == facts(new)
        assert app.store.text.committed() == new.store.text.committed()


def _change(app: App, vault: Path) -> None:
    for number in range(20):
        memory = app.collection.save(Draft(content=f"Gate {number} is green."))
        if number % 2:
            app.lifecycle.forget(memory.memory.id)
        (vault / f"{number}.md").write_text(f"Barn {number} is red.\n")
        (vault / f"{number + 100}.md").rename(vault / f"Moved {number}.md")
        app.follow({f"{number}.md", f"{number + 100}.md", f"Moved {number}.md"})


def facts(app: App) -> dict[str, tuple[str, str, str | None]]:
    return {entry.path: (entry.etag, entry.tier.value, entry.memory_id) for entry in app.store.catalog}
