"""The server of a vault: its tools, and which of them are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, InputRequiredResult
from mcp.types import Tool as ListedTool

from mnemex_vault import __version__
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.client_side import Folders
from mnemex_vault.mcp.metrics import Metrics
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.prompts import add_prompts
from mnemex_vault.mcp.resources import Resources
from mnemex_vault.mcp.secret_arguments import without_secrets
from mnemex_vault.mcp.tool import CheckedTool, Spec, Toolbox, make_tool
from mnemex_vault.mcp.tools_memories import MemoryTools
from mnemex_vault.mcp.tools_relations import RelationTools
from mnemex_vault.mcp.tools_search import SearchTools
from mnemex_vault.mcp.tools_upkeep import UpkeepTools
from mnemex_vault.mcp.tools_uses import UseTools

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.service import Service

# the answer goes out before the work on the vault begins
_ANSWERED_SECONDS = 0.05


class VaultServer(MCPServer[Any]):
    """An MCP server whose settings decide how many tools it lists.

    Those beyond the core, `rest`, are made when they are first listed or one of them is called.
    """

    def __init__(self, opening: Opening, core: list[CheckedTool], rest: Callable[[], Iterable[CheckedTool]]) -> None:
        super().__init__(
            name=texts.NAME,
            instructions=texts.INSTRUCTIONS,
            version=__version__,
            tools=[*core],
            log_level="WARNING",
        )
        self._opening = opening
        self._core = {tool.name for tool in core}
        self._rest: Callable[[], Iterable[CheckedTool]] | None = rest

    async def list_tools(self) -> list[ListedTool]:
        """List the core tools, or all if the settings say so."""
        full = await anyio.to_thread.run_sync(self._opening.tool_set) == "full"
        listed = await self.all_tools() if full else await super().list_tools()
        self._opening.start(after=_ANSWERED_SECONDS)
        return listed if full else [tool for tool in listed if tool.name in self._core]

    async def all_tools(self) -> list[ListedTool]:
        """List every tool, also those that the settings leave out."""
        self._make_rest()
        return await super().list_tools()

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool, be it listed or not."""
        if name not in self._core:
            self._make_rest()
        return await super().call_tool(name, arguments, context)

    def _make_rest(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            # the SDK takes tools that are made already at the start only
            self._tool_manager._tools.update({tool.name: tool for tool in rest()})


def _specs(boxes: Iterable[Toolbox], *, core: bool) -> Iterator[Spec]:
    return (spec for box in boxes for spec in box.specs() if spec.core is core)


def build_server(vault: Service | App | Opening) -> VaultServer:
    """Return a server on a vault; a service that was not started yet is best given as an Opening."""
    opening = vault if isinstance(vault, Opening) else Opening.of(vault)
    calls = Calls(opening.client)
    opening.watch = calls.watch
    metrics = Metrics()
    folders = Folders(opening.root)
    boxes: list[Toolbox] = [
        SearchTools(opening, calls),
        MemoryTools(opening, calls),
        UseTools(opening),
        UpkeepTools(opening),
        RelationTools(opening),
    ]

    def made(specs: Iterable[Spec]) -> Iterator[CheckedTool]:
        for spec in specs:
            tool = make_tool(replace(spec, answer=metrics.timed(without_secrets(spec.answer, opening))))
            tool.shares(folders, calls)
            yield tool

    def rest() -> Iterator[CheckedTool]:
        from mnemex_vault.mcp.full_set import full_boxes

        yield from made(_specs([*boxes, *full_boxes(opening, calls, metrics)], core=False))

    server = VaultServer(opening, list(made(_specs(boxes, core=True))), rest)
    Resources(opening).add_to(server)
    add_prompts(server)
    return server
