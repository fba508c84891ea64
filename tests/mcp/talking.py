"""Talking with a server as a client does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
from mcp.client import Client
from mcp.types import CallToolResult, TextContent
from mcp.types import Tool as ListedTool

from mnemex_vault.app import App
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.vault_server import VaultServer, build_server

Snapshot = Callable[[], dict[str, bytes]]


@dataclass
class SettableClock:
    now: datetime = datetime(2026, 11, 29, 22, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


@dataclass
class Talk:
    """A conversation with a server in memory."""

    vault: App | Opening
    server: VaultServer = field(init=False)

    def __post_init__(self) -> None:
        self.server = build_server(self.vault)

    def raw(self, tool: str, **arguments: object) -> CallToolResult:
        async def ask() -> CallToolResult:
            async with Client(self.server) as client:
                return await client.call_tool(tool, arguments)

        return anyio.run(ask)

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        result = self.raw(tool, **arguments)
        assert not result.is_error, text_of(result)
        return structured(result)

    def refusal(self, tool: str, **arguments: object) -> str:
        result = self.raw(tool, **arguments)
        assert result.is_error, result
        return text_of(result)

    def text(self, tool: str, **arguments: object) -> str:
        return text_of(self.raw(tool, **arguments))

    def listing(self) -> list[ListedTool]:
        async def ask() -> list[ListedTool]:
            async with Client(self.server) as client:
                return (await client.list_tools()).tools

        return anyio.run(ask)


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


def structured(result: CallToolResult) -> dict[str, Any]:
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def write_memories(app: App, texts: Iterable[str], properties: str = "") -> None:
    """Write notes of short-term memories that were used once now, as another program would: much quicker than saves."""
    folder = app.root / app.store.vault.layout.short_term
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        head = f"{properties}created: {app.store.clock():%Y-%m-%dT%H:%M:%S}\nmemory_id: m{number:09}\n"
        (folder / f"{text.partition('.')[0]}.md").write_text(f"---\n{head}---\n{text}\n", encoding="utf-8")
    app.follow(None)
