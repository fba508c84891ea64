"""The server of a vault: its tools, and which of them are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.types import Tool as ListedTool

from mnemex_vault import __version__
from mnemex_vault.app import App
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.client_side import Folders
from mnemex_vault.mcp.metrics import Metrics
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.prompts import add_prompts
from mnemex_vault.mcp.resources import Resources
from mnemex_vault.mcp.tool import CheckedTool, Spec, Toolbox, make_tool
from mnemex_vault.mcp.tools_activation import ActivationTools
from mnemex_vault.mcp.tools_clusters import ClusterTools
from mnemex_vault.mcp.tools_graph import GraphTools
from mnemex_vault.mcp.tools_memories import MemoryTools
from mnemex_vault.mcp.tools_metrics import MetricsTools
from mnemex_vault.mcp.tools_relations import RelationTools
from mnemex_vault.mcp.tools_review import ReviewTools
from mnemex_vault.mcp.tools_search import SearchTools
from mnemex_vault.mcp.tools_upkeep import UpkeepTools
from mnemex_vault.mcp.tools_uses import UseTools
from mnemex_vault.service import Service


class VaultServer(MCPServer[Any]):
    """An MCP server whose settings decide how many tools it lists."""

    def __init__(self, opening: Opening, calls: Calls, specs: list[Spec]) -> None:
        super().__init__(
            name=texts.NAME,
            instructions=texts.INSTRUCTIONS,
            version=__version__,
            tools=[*_tools(opening, calls, specs)],
            log_level="WARNING",
        )
        self._opening = opening
        self._core = {spec.answer.__name__ for spec in specs if spec.core}

    async def list_tools(self) -> list[ListedTool]:
        """List the core tools, or all if the settings say so."""
        tools = await super().list_tools()
        if await anyio.to_thread.run_sync(self._opening.tool_set) == "full":
            return tools
        return [tool for tool in tools if tool.name in self._core]


def _tools(opening: Opening, calls: Calls, specs: list[Spec]) -> Iterator[CheckedTool]:
    folders = Folders(opening.root)
    for spec in specs:
        tool = make_tool(spec)
        tool.shares(folders, calls)
        yield tool


def build_server(vault: Service | App | Opening) -> VaultServer:
    """Return a server on a vault; a service that was not started yet is best given as an Opening."""
    opening = vault if isinstance(vault, Opening) else Opening.of(vault)
    calls = Calls(opening.client)
    metrics = Metrics()
    boxes: list[Toolbox] = [
        SearchTools(opening, calls),
        MemoryTools(opening, calls),
        UseTools(opening),
        UpkeepTools(opening),
        RelationTools(opening),
        GraphTools(opening),
        ClusterTools(opening),
        ReviewTools(opening),
        ActivationTools(opening),
        MetricsTools(opening, metrics, calls),
    ]
    specs = [spec for box in boxes for spec in box.specs()]
    server = VaultServer(opening, calls, [replace(spec, answer=metrics.timed(spec.answer)) for spec in specs])
    Resources(opening).add_to(server)
    add_prompts(server)
    return server
