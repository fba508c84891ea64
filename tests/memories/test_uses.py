from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from mnemex_vault.app import App, open_app
from mnemex_vault.memories import uses
from mnemex_vault.memories.draft import Draft
from tests.conftest import StandingClock


def test_a_use_counts_once_however_many_write_it_at_the_same_time(
    vault: Path, environ: dict[str, str], clock: StandingClock
) -> None:
    with ExitStack() as stack:
        options = {"timezone": "UTC", "quiet_seconds": 0}
        apps = [stack.enter_context(open_app(vault, environ=environ, clock=clock, options=options)) for _ in range(4)]
        saved = apps[0].collection.save(Draft(content="The pump needs oil."))
        for app in apps:
            app.follow(None)
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda app: app.lifecycle.touch(saved.memory.id), apps * 10))
        assert "use_count: 41\n" in (vault / saved.path).read_text("utf-8")


def test_a_use_that_a_dead_process_wrote_is_not_written_again(app: App, vault: Path, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content="The pump needs oil."))
    clock.advance(minutes=1)
    entry = app.store.memory_entry(saved.memory.id)
    uses.record(app.store, entry, "touch", now=clock())
    waiting = app.store.pending.all()
    clock.advance(minutes=1)
    assert uses.write_pending(app.store, now=clock()) == [saved.path]
    for use in waiting:
        app.store.pending.add(use)
    clock.advance(minutes=1)
    assert uses.write_pending(app.store, now=clock()) == []
    assert app.store.pending.all() == []
    assert "use_count: 2\n" in (vault / saved.path).read_text("utf-8")
