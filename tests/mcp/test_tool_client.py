"""What a client adds to a call: the project of its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.context import ClientRequestContext
from mcp.types import ListRootsResult, Root
from pydantic import FileUrl

from mnemex_vault.app import App
from mnemex_vault.mcp.vault_server import build_server
from tests.mcp.talking import structured

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
