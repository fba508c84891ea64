"""Long work tells the client how far it is, and one that is cancelled leaves everything as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from mnemex_vault.app import App, open_app
from mnemex_vault.mcp import course
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from tests.index.models import write_static_model
from tests.mcp.talking import SettableClock, structured


def test_a_long_call_shows_that_it_is_at_work(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "_TICK_SECONDS", 0.01)
    heard: list[float] = []

    async def call() -> None:
        async def progress(done: float, total: float | None, message: str | None) -> None:
            heard.append(done)

        async with Client(build_server(app), mode="legacy") as client:
            with app.store.vault.lock:
                with anyio.move_on_after(5):
                    async with anyio.create_task_group() as group:
                        group.start_soon(save, client, progress)
                        while not heard:
                            await anyio.sleep(0.005)
                        group.cancel_scope.cancel()

    async def save(client: Client, progress: Any) -> None:
        await client.call_tool("save_memory", {"content": "It waits for the lock."}, progress_callback=progress)

    anyio.run(call)
    assert heard


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
    heard: list[tuple[float, float | None]] = []

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
