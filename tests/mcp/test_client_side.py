"""What a client adds to a call: the project of its folder, the person's yes, and news that work goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.context import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult, ListRootsResult, Root
from pydantic import FileUrl

from mnemex_vault.app import App, open_app
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from tests.index.models import write_static_model
from tests.mcp.talking import SettableClock, structured, text_of

FOLDER = "file:///home/zoe/work/Atlas%20planner"


async def saved_from(app: App, *folders: str, asked: list[int] | None = None) -> list[dict[str, Any]]:
    async def roots(context: ClientRequestContext) -> ListRootsResult:
        if asked is not None:
            asked.append(1)
        return ListRootsResult(roots=[Root(uri=FileUrl(folder)) for folder in folders])

    async with Client(build_server(app), mode="legacy", list_roots_callback=roots) as client:
        answers = [
            await client.call_tool("save_memory", {"content": "The planner starts in May."}),
            await client.call_tool("save_memory", {"content": "The other plan starts in June.", "project": "Other"}),
        ]
        return [structured(answer) for answer in answers]


def project(app: App, saved: dict[str, Any]) -> str | None:
    return app.store.memory(app.store.memory_entry(saved["memory_id"])).project


def test_the_project_is_the_folder_that_the_client_works_in(app: App) -> None:
    asked: list[int] = []
    first, second = anyio.run(lambda: saved_from(app, FOLDER, asked=asked))
    assert (project(app, first), project(app, second)) == ("Atlas planner", "Other")
    assert len(asked) == 1


@pytest.mark.parametrize("folders", [[], [FOLDER, "file:///home/zoe/b"], ["file:///home/zoe"]])
def test_none_or_several_folders_or_a_home_are_no_project(app: App, folders: list[str]) -> None:
    first, _ = anyio.run(lambda: saved_from(app, *folders))
    assert project(app, first) is None


def test_the_vault_itself_is_no_project(app: App, vault: Path) -> None:
    first, _ = anyio.run(lambda: saved_from(app, vault.as_uri()))
    assert project(app, first) is None


@pytest.fixture
def faded(app: App, clock: SettableClock) -> App:
    for number in range(150):
        app.collection.save(Draft(content=f"Box {number * 7919} holds the letter {number}."))
    clock.wait(days=90)
    return app


async def tidied(app: App, action: str, agree: bool, questions: list[str]) -> str:
    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action=action, content={"agree": agree} if action == "accept" else None)  # type: ignore[arg-type]

    async with Client(build_server(app), mode="legacy", elicitation_callback=answer) as client:
        return text_of(await client.call_tool("gc", {"dry_run": False}))


def test_a_change_of_many_notes_asks_the_person(faded: App) -> None:
    questions: list[str] = []
    answer = anyio.run(lambda: tidied(faded, "accept", True, questions))
    assert questions == ["Archive faded memories: 15 notes would change. Go ahead?"]
    assert "15" in answer
    assert faded.overview.status().archived == 15


@pytest.mark.parametrize(("action", "agree"), [("accept", False), ("decline", False), ("cancel", False)])
def test_without_a_yes_nothing_changes(faded: App, action: str, agree: bool) -> None:
    answer = anyio.run(lambda: tidied(faded, action, agree, []))
    assert "did not agree; nothing was changed" in answer
    assert faded.overview.status().archived == 0


def test_a_client_that_cannot_ask_is_told_to_confirm(faded: App) -> None:
    async def ask() -> str:
        async with Client(build_server(faded), mode="legacy") as client:
            return text_of(await client.call_tool("gc", {"dry_run": False}))

    assert "confirm=true" in anyio.run(ask)


def test_a_long_call_shows_that_it_is_at_work(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemex_vault.mcp import course

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
