"""Long work tells the client how far it is, and a call that is cancelled leaves everything as it was."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import anyio
import anyio.to_thread
import pytest
from mcp.client import Client
from mcp.server.mcpserver import Context
from mcp.shared.dispatcher import ProgressFnT

from mnemex_vault.app import App, open_app
from mnemex_vault.mcp import calls
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from tests.index.models import write_static_model
from tests.mcp.talking import SettableClock, Snapshot, structured, text_of
from tests.waiting import PATIENCE

Heard = list[tuple[float, float | None]]
MODES = ["legacy", "2026-07-28"]
WORDS = ["harbour", "lantern", "orchard", "quarry", "saddle", "tunnel"]


@pytest.fixture
def full(vault: Path, clock: SettableClock, environ: dict[str, str]) -> Iterator[App]:
    """Open a vault with six groups of three twins, all of them faded and promoted by the rules."""
    own = {"MNEMEX_TOOLS": "full", "MNEMEX_PROMOTE_MIN_USES": "0", "MNEMEX_PROMOTE_MIN_DAYS": "0"}
    with open_app(vault, clock=clock, environ={**environ, **own, "MNEMEX_PROMOTE_THRESHOLD": "0.0001"}) as app:
        for word in WORDS:
            for end in ("is old", "is so old", "is very old"):
                text = " ".join(f"{word}{number}" for number in range(30))
                app.collection.save(Draft(content=f"The {text} {end}.", title=f"{word} {end}"))
        clock.wait(days=200)
        yield app


LONG_WORK: list[tuple[str, dict[str, Any]]] = [
    ("gc", {"dry_run": False, "limit": 18}),
    ("promote_memory", {"auto_detect": True}),
    ("consolidate_memories", {"auto_detect": True, "mode": "apply"}),
    ("consolidate_memories", {"auto_detect": True, "mode": "link"}),
]


@pytest.mark.parametrize("mode", [pytest.param(MODES[0], marks=pytest.mark.slow), MODES[1]])
@pytest.mark.parametrize(("tool", "arguments"), LONG_WORK)
def test_long_work_tells_how_far_it_is(full: App, mode: str, tool: str, arguments: dict[str, Any]) -> None:
    heard: Heard = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async def work() -> None:
        async with Client(build_server(full), mode=mode) as client:
            result = await client.call_tool(tool, {**arguments, "confirm": True}, progress_callback=listen)
            assert not result.is_error, text_of(result)

    anyio.run(work)
    counted = [(done, total) for done, total in heard if total is not None]
    assert counted
    assert all(earlier[0] < later[0] for earlier, later in pairwise(heard))
    assert counted[-1][0] == counted[-1][1]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("tool", "arguments"), LONG_WORK)
def test_a_call_that_is_cancelled_half_way_leaves_everything_as_it_was(
    full: App, mode: str, tool: str, arguments: dict[str, Any], snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # each step is told, so that the cancellation comes between two of them
    monkeypatch.setattr(calls, "_PAUSE_SECONDS", 0.0)
    before, found = snapshot(), paths(full)
    heard: Heard = []

    async def work() -> None:
        async with Client(build_server(full), mode=mode) as client:
            with anyio.CancelScope() as scope:

                async def listen(progress: float, total: float | None, message: str | None) -> None:
                    heard.append((progress, total))
                    if total is not None and progress >= 2:
                        scope.cancel()

                await client.call_tool(tool, {**arguments, "confirm": True}, progress_callback=listen)
            assert scope.cancelled_caught

    anyio.run(work)
    assert heard
    assert snapshot() == before
    assert paths(full) == found
    assert structured(anyio.run(lambda: called(full, "gc", {})))["total_affected"] == 2


def paths(app: App) -> dict[str, str]:
    return {entry.path: entry.etag for entry in app.store.catalog}


async def called(app: App, tool: str, arguments: dict[str, Any]) -> Any:
    async with Client(build_server(app)) as client:
        return await client.call_tool(tool, arguments)


@pytest.mark.slow
def test_what_a_finished_call_did_is_one_undo(full: App, snapshot: Snapshot) -> None:
    before = snapshot()
    for tool, arguments in LONG_WORK:
        if arguments.get("mode") != "apply":
            done = anyio.run(partial(called, full, tool, {**arguments, "confirm": True}))
            assert not done.is_error, text_of(done)
            assert snapshot() != before
            anyio.run(lambda: called(full, "undo", {}))
            assert snapshot() == before


def test_a_long_call_shows_that_it_is_at_work(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_TICK_SECONDS", 0.01)
    heard: list[float] = []

    async def call() -> None:
        async def listen(progress: float, total: float | None, message: str | None) -> None:
            heard.append(progress)

        async with Client(build_server(app), mode="legacy") as client:
            with app.store.vault.lock:
                with anyio.move_on_after(PATIENCE):
                    async with anyio.create_task_group() as group:
                        group.start_soon(save, client, listen)
                        while not heard:
                            await anyio.sleep(0.005)
                        group.cancel_scope.cancel()

    async def save(client: Client, listen: ProgressFnT) -> None:
        await client.call_tool("save_memory", {"content": "It waits for the lock."}, progress_callback=listen)

    anyio.run(call)
    assert heard


class Deaf:
    async def report_progress(self, progress: float, total: float | None, message: str | None) -> None:
        await anyio.sleep_forever()


def test_a_client_that_does_not_listen_holds_up_no_work() -> None:
    told = calls.Course(cast("Context[Any, Any]", Deaf()))

    def steps() -> str:
        for number in range(1, 101):
            told.tell(number, 100)
        return "done"

    async def work() -> str:
        with anyio.fail_after(PATIENCE):
            return await calls.accompanied(told, partial(anyio.to_thread.run_sync, steps))

    assert anyio.run(work) == "done"


def test_making_vectors_tells_how_many_of_how_many_are_done(
    vault: Path, tmp_path: Path, clock: SettableClock, environ: dict[str, str]
) -> None:
    pytest.importorskip("tokenizers")
    pytest.importorskip("numpy")
    own = {
        "MNEMEX_TOOLS": "full",
        "MNEMEX_ENABLE_EMBEDDINGS": "true",
        "MNEMEX_EMBED_MODEL": str(write_static_model(tmp_path / "model")),
    }
    heard: Heard = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async def call(app: App) -> dict[str, Any]:
        async with Client(build_server(app), mode="legacy") as client:
            return structured(await client.call_tool("backfill_embeddings", {}, progress_callback=listen))

    with open_app(vault, clock=clock, environ={**environ, **own}) as app:
        for number in range(20):
            app.collection.save(Draft(content=f"The boat {number}"))
        made = anyio.run(call, app)
    assert (made["success"], made["processed"], made["memories_without_embeddings"]) == (True, 20, 0)
    assert heard == [(16, 20), (20, 20)]
