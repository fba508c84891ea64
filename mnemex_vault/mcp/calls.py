"""The call that is being made: for which client, in which conversation, how far it is."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, tzinfo
from typing import Any

from mcp.server.mcpserver import Context

from mnemex_vault.mcp.course import Course
from mnemex_vault.mcp.session import SessionName
from mnemex_vault.notes.progress import Progress, unseen

_SESSION_HEADER = "mcp-session-id"
_MOST_CLIENTS = 1_000


class Calls:
    """What the tools ask about the present call; `client` is set for its time."""

    def __init__(self, client: ContextVar[str] | None = None) -> None:
        self._client: ContextVar[str] = client or ContextVar("client", default="")
        self._course: ContextVar[Course | None] = ContextVar("course", default=None)
        self._lock = threading.Lock()
        self._names: OrderedDict[str, SessionName] = OrderedDict()

    @contextmanager
    def made(self, context: Context[Any, Any], course: Course) -> Iterator[None]:
        """Take what is done within, also in worker threads, for a call of this request's client."""
        client, before = self._client.set(client_of(context)), self._course.set(course)
        try:
            yield
        finally:
            self._client.reset(client)
            self._course.reset(before)

    def tell(self, done: int, total: int) -> None:
        """Tell the client that so many of so many steps are done; ends a call that was cancelled."""
        course = self._course.get()
        if course is not None:
            course.tell(done, total)

    def watch(self, work: str) -> Progress:
        """Return what tells the client how far a piece of the present call's work is."""
        course = self._course.get()
        return unseen if course is None else course.watch(work)

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Finish what is done within, also for a call that was cancelled."""
        before = self._course.set(None)
        try:
            yield
        finally:
            self._course.reset(before)

    def conversation(self, *, now: datetime, zone: tzinfo) -> str:
        """Return the name of the client's conversation and note that it goes on; no two at a time have the same."""
        client = self._client.get()
        with self._lock:
            name = self._names.setdefault(client, SessionName())
            self._names.move_to_end(client)
            if len(self._names) > _MOST_CLIENTS:
                self._names.popitem(last=False)
            taken = {other.name for other in self._names.values() if other is not name}
            return name.current(now=now, zone=zone, taken=taken)


def client_of(context: Context[Any, Any]) -> str:
    """Return a name for the client of a request, the same for all of its requests; nothing for that of a pipe.

    Over HTTP it stands for the session of the protocol. Its newest version has none: there all requests in which a
    program gives itself the same name and version are those of one client.
    """
    if context.headers is None:
        return ""
    session = context.headers.get(_SESSION_HEADER)
    if session is not None:
        return _short("session", session)
    client = context.session.client_params
    return _short("program", *((client.client_info.name, client.client_info.version) if client else ()))


def _short(*parts: str) -> str:
    """Return what names a client in the journal: as good as the parts, and no secret of the protocol."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
