"""What the client can do for a call: name the folder the person works in, put a question, bring a yes."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field

from mnemex_vault.errors import NotAllowed
from mnemex_vault.language.words import counted

_ROOTS_SECONDS = 2.0
_MOST_CLIENTS = 64
_ASKS_BY_ANSWER = "2026-07-28"
_QUESTION = "agreement"
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


async def agreed(context: Context[Any, Any], question: str) -> bool | InputRequiredResult | None:
    """Put the question to the person; None if the client cannot.

    Since 2026-07-28 a server does not ask by itself: the question is the answer of the call, which the client makes
    again with what the person said. An answer to another question, such as one about fewer notes, does not count.
    """
    if not _can_ask(context):
        return None
    if is_version_at_least(context.protocol_version or "", _ASKS_BY_ANSWER):
        given = (context.input_responses or {}).get(_QUESTION)
        if not isinstance(given, ElicitResult) or context.request_state != question:
            return _asking(question)
        return given.action == "accept" and (given.content or {}).get("agree") is True
    try:
        answer = await context.elicit(question, Agreement)
    except (MCPError, ValueError):
        return None
    return answer.action == "accept" and answer.data.agree


def _can_ask(context: Context[Any, Any]) -> bool:
    """Tell whether the client shows forms; one that says nothing of modes does."""
    able = context.client_capabilities.elicitation if context.client_capabilities else None
    return able is not None and (able.form is not None or able.url is None)


def _asking(question: str) -> InputRequiredResult:
    # the SDK seals the state, so that what comes back is what was asked, for the same call
    form = ElicitRequestFormParams(message=question, requested_schema=render_elicitation_schema(Agreement))
    return InputRequiredResult(input_requests={_QUESTION: ElicitRequest(params=form)}, request_state=question)


UNASKED = 10


class Unconfirmed(NotAllowed):
    """Nobody has agreed to a change of so many notes; nothing was changed."""

    def __init__(self, notes: int) -> None:
        super().__init__(f"{counted(notes, 'note')} would change; ask the user, then call again with confirm=true")
        self.notes = notes


def need_confirmation(notes: int, *, confirm: bool) -> None:
    """Raise Unconfirmed for a call that would change more than ten notes without `confirm`."""
    if notes > UNASKED and not confirm:
        raise Unconfirmed(notes)
