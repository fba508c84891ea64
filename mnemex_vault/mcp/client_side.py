"""What the client can do for a call: name the folder the person works in, put a question, show that work goes on."""

from __future__ import annotations

import contextlib
import warnings
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import anyio
import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field

T = TypeVar("T")

_ROOTS_SECONDS = 2.0
_TICK_SECONDS = 1.0
_NOT_HEARD = (MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError)
_MOST_CLIENTS = 64
# folders that say nothing about what somebody works on
_NO_PROJECTS = frozenset(
    {"", "desktop", "documents", "downloads", "home", "tmp", "temp", "users", "root", "src", "code"}
)


class Agreement(BaseModel):
    """The one question that is ever asked."""

    agree: bool = Field(title="Go ahead?", description="Change these notes")


class Folders:
    """The project of each client, asked for once a connection."""

    def __init__(self, root: Callable[[], Path | None] = lambda: None) -> None:
        self._root = root
        self._known: OrderedDict[int, tuple[object, str | None]] = OrderedDict()

    async def project(self, context: Context[Any, Any]) -> str | None:
        """Return the name of the one folder that the client works in, None if it has none or several."""
        client = context.session.client_params
        if client is None or client.capabilities.roots is None:
            return None
        held, project = self._known.get(id(client), (None, None))
        if held is not client:
            project = await self._ask(context)
            # the client is kept with the answer so that its number cannot become that of another
            self._known[id(client)] = (client, project)
            if len(self._known) > _MOST_CLIENTS:
                self._known.popitem(last=False)
        return project

    async def _ask(self, context: Context[Any, Any]) -> str | None:
        with anyio.move_on_after(_ROOTS_SECONDS), warnings.catch_warnings():
            # deprecated in the newest protocol, and all that the older ones have
            warnings.simplefilter("ignore")
            try:
                roots = (await context.session.list_roots()).roots
            except MCPError:
                return None
            return project_of([str(root.uri) for root in roots], vault=self._root())
        return None


def project_of(uris: list[str], *, vault: Path | None) -> str | None:
    """Return the project that folders stand for: the name of the only one, unless it says nothing.

    >>> project_of(["file:///home/zoe/src/Atlas%20planner"], vault=None)
    'Atlas planner'
    >>> project_of(["file:///a", "file:///b"], vault=None), project_of(["file:///home/zoe/Downloads"], vault=None)
    (None, None)
    """
    if len(uris) != 1 or not uris[0].startswith("file://"):
        return None
    folder = PurePosixPath(unquote(urlsplit(uris[0]).path))
    is_vault = vault is not None and (folder == PurePosixPath(vault) or folder in PurePosixPath(vault).parents)
    is_home = folder.parent.name.lower() in ("home", "users")
    return None if is_vault or is_home or folder.name.lower() in _NO_PROJECTS else folder.name


async def agreed(context: Context[Any, Any], question: str) -> bool | None:
    """Put the question to the person; None if the client cannot."""
    able = context.client_capabilities
    if able is None or able.elicitation is None:
        return None
    try:
        answer = await context.elicit(question, Agreement)
    except MCPError:
        return None
    return answer.action == "accept" and answer.data.agree


async def with_progress(context: Context[Any, Any], work: Callable[[], Awaitable[T]]) -> T:
    """Do a piece of work, and each second tell a client that wants to know that it goes on."""
    failure: ToolError | MCPError | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_tick, context)
        try:
            result = await work()
        except (ToolError, MCPError) as error:
            # raised below, outside of the group, which would wrap it
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result


async def _tick(context: Context[Any, Any]) -> None:
    seconds = 0.0
    while True:
        await anyio.sleep(_TICK_SECONDS)
        seconds += _TICK_SECONDS
        try:
            await context.report_progress(seconds, message="at work")
        except _NOT_HEARD:
            return


def telling(context: Context[Any, Any]) -> Callable[[int, int], None]:
    """Return what tells the client how many steps of how many are done, from the worker thread of a call.

    It ends a call that was cancelled in the meantime.
    """

    def tell(done: int, total: int) -> None:
        anyio.from_thread.check_cancelled()
        with contextlib.suppress(*_NOT_HEARD):
            anyio.from_thread.run(context.report_progress, done, total)

    return tell
