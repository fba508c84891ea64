"""Several clients of one HTTP server: each has its own conversation, and undoes its own changes only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from mnemex_vault.text.note import Note
from tests.mcp.served import Served, client_of, serving
from tests.mcp.talking import structured, text_of


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("http-sessions")
    root = folder / "vault"
    root.mkdir()
    with serving(root, folder / "state") as running:
        yield running


async def call(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return structured(result)


def session_of(served: Served, saved: dict[str, Any]) -> object:
    return Note.parse("x.md", (served.root / saved["path"]).read_bytes()).values["session"]


@pytest.mark.row("S5")
@pytest.mark.parametrize(
    ("mode", "names"), [("legacy", ("twin", "twin")), ("auto", ("desk", "editor"))], ids=["sessions", "programs"]
)
def test_each_client_has_its_own_conversation_and_undoes_its_own_changes(
    served: Served, mode: str, names: tuple[str, str]
) -> None:
    async def talk() -> None:
        async with (
            client_of(served, mode=mode, name=names[0]) as one,
            client_of(served, mode=mode, name=names[1]) as two,
        ):
            first = await call(one, "save_memory", content=f"The ferry of {mode} clients leaves at nine.")
            second = await call(two, "save_memory", content=f"The bakery of {mode} clients opens at six.")
            assert session_of(served, first) != session_of(served, second)
            again = await call(one, "save_memory", content=f"The ferry of {mode} clients is blue.")
            assert session_of(served, again) == session_of(served, first)

            refused = await one.call_tool("undo", {"operation_id": second["operation_id"]})
            assert "This session made no change" in text_of(refused)
            assert (await call(one, "undo"))["undid"] == again["operation_id"]
            assert (await call(one, "undo"))["undid"] == first["operation_id"]
            assert (await one.call_tool("undo", {})).is_error
            assert (served.root / second["path"]).exists()
            assert (await call(two, "undo"))["undid"] == second["operation_id"]
            assert not (served.root / second["path"]).exists()

    anyio.run(talk)


def test_a_program_that_comes_again_by_the_newest_protocol_is_the_same_client(served: Served) -> None:
    async def talk() -> None:
        async with client_of(served, name="notebook") as client:
            saved = await call(client, "save_memory", content="The notebook remembers a song.")
        async with client_of(served, name="notebook") as client:
            assert (await call(client, "undo"))["undid"] == saved["operation_id"]

    anyio.run(talk)
    assert not [path for path in Path(served.root).rglob("*.md") if b"a song" in path.read_bytes()]


def test_the_pause_of_recalling_by_itself_is_kept_for_each_client(served: Served) -> None:
    async def talk() -> None:
        async with client_of(served, name="first") as one, client_of(served, name="second") as two:
            message = "What did we decide about PostgreSQL?"
            for client in (one, two):
                recalled = await call(client, "auto_recall_process_message", message=message)
                assert "a moment ago" not in recalled["message"]
            again = await call(one, "auto_recall_process_message", message=message)
            assert "a moment ago" in again["message"]

    anyio.run(talk)
