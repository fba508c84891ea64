"""The call that is being made: for which client, in which conversation, how far it is."""

from __future__ import annotations

import contextlib
import hashlib
import math
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta, tzinfo
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import anyio
import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError

from mnemex_vault.progress import READING_NOTES, Progress, unseen

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.conversations import Event

_SESSION_HEADER = "mcp-session-id"
_MOST_CLIENTS = 1_000


class Calls:
    """What the tools ask about the present call; `client` is set for its time."""

    def __init__(self, client: ContextVar[str] | None = None) -> None:
        self._client: ContextVar[str] = client or ContextVar("client", default="")
        self._program: ContextVar[str] = ContextVar("program", default="")
        # servers that run at the same time name their conversations alike
        self._server = secrets.token_hex(4)
        self._course: ContextVar[Course | None] = ContextVar("course", default=None)
        self._lock = threading.Lock()
        self._names: OrderedDict[str, SessionName] = OrderedDict()

    @contextmanager
    def made(self, context: Context[Any, Any], course: Course) -> Iterator[None]:
        """Take what is done within, also in worker threads, for a call of this request's client."""
        client, before = self._client.set(client_of(context)), self._course.set(course)
        program = self._program.set(_program_of(context))
        try:
            yield
        finally:
            self._program.reset(program)
            self._client.reset(client)
            self._course.reset(before)

    def note(self, app: App, **event: Unpack[Event]) -> None:
        """Remember what the client did in its conversation."""
        now = app.memories.now()
        name = self.conversation(now=now, zone=app.zone)
        app.conversations.note(self._program.get(), f"{self._server} {self._client.get()} {name}", now=now, **event)

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


def _program_of(context: Context[Any, Any]) -> str:
    """Return what the client's program calls itself, nothing if it does not say."""
    client = context.session.client_params
    return client.client_info.name if client else ""


def _short(*parts: str) -> str:
    """Return what names a client in the journal: as good as the parts, and no secret of the protocol."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


T = TypeVar("T")

_TICK_SECONDS = 1.0
# a client need not hear of every one of thousands of notes
_PAUSE_SECONDS = 0.1
# a client that does not listen keeps no answer waiting for longer
_LAST_SECONDS = 0.5
# what has no more steps is over before anybody looks
_FEW = 4
_NOT_HEARD = (MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError)


class Course:
    """Seconds at work, until steps are counted; from then on these.

    What is told never goes back, as the protocol wants it: steps count on top of the seconds, and those of one piece of
    work on top of those before. Where the tool itself counts, the pieces of its work do not. The work never waits for
    the client to listen: it may hold the vault's lock.
    """

    def __init__(self, context: Context[Any, Any]) -> None:
        self._context = context
        self._send, self._receive = anyio.create_memory_object_stream[tuple[int, int]](math.inf)
        self._told = anyio.Event()
        self._seconds = 0.0
        self._steps = 0
        self._next = 0.0
        self._counted_by_tool = False

    def tell(self, done: int, total: int) -> None:
        """Tell from a worker thread that so many of so many steps are done; ends a call that was cancelled."""
        anyio.from_thread.check_cancelled()
        self._counted_by_tool = True
        self._say(done, total)

    def watch(self, work: str) -> Progress:
        """Return what tells the steps of a piece of work; a change that is cancelled is taken back as a whole."""
        before = self._steps

        def progress(done: int, total: int) -> None:
            if work != READING_NOTES:
                anyio.from_thread.check_cancelled()
            if total > _FEW and not self._counted_by_tool:
                self._say(before + done, before + total)

        return progress

    def _say(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done <= self._steps or (now < self._next and done < total):
            return
        self._steps, self._next = done, now + _PAUSE_SECONDS
        anyio.from_thread.run_sync(self._send.send_nowait, (done, total))

    async def pass_on(self) -> None:
        """Pass on to the client what is told, or each second that the call is at work."""
        try:
            while True:
                steps = None
                with anyio.move_on_after(_TICK_SECONDS):
                    steps = await self._receive.receive()
                await self._pass_on_one(steps)
        except anyio.EndOfStream:
            self._told.set()

    async def _pass_on_one(self, steps: tuple[int, int] | None) -> None:
        if steps is not None:
            done, total = steps
            await self._report(self._seconds + done, self._seconds + total, None)
        elif not self._steps:
            self._seconds += _TICK_SECONDS
            await self._report(self._seconds, None, "at work")

    async def _report(self, done: float, total: float | None, message: str | None) -> None:
        with contextlib.suppress(*_NOT_HEARD):
            await self._context.report_progress(done, total, message)

    async def end(self) -> None:
        """Wait until the client has heard everything, but not for long."""
        self._send.close()
        with anyio.move_on_after(_LAST_SECONDS):
            await self._told.wait()

    def close(self) -> None:
        """Let go of what was not passed on."""
        self._send.close()
        self._receive.close()


async def accompanied(course: Course, work: Callable[[], Awaitable[T]]) -> T:
    """Do a piece of work while its course is passed on."""
    failure: ToolError | MCPError | None = None
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(course.pass_on)
            try:
                result = await work()
            except (ToolError, MCPError) as error:
                # raised below, outside of the group, which would wrap it
                failure = error
            await course.end()
            group.cancel_scope.cancel()
    finally:
        course.close()
    if failure is not None:
        raise failure
    return result


PAUSE = timedelta(minutes=30)


class SessionName:
    """One name for a client of a server process, renewed after a pause of half an hour."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: datetime | None = None
        self.name = ""

    def current(self, *, now: datetime, zone: tzinfo, taken: Collection[str] = ()) -> str:
        """Return the name and note that the conversation goes on; called by every search and save.

        A new name is none of those that are taken.

        >>> from datetime import UTC
        >>> SessionName().current(now=datetime(2026, 11, 29, 22, 30, tzinfo=UTC), zone=UTC)
        'conversation 2026-11-29 22:30'
        """
        with self._lock:
            if self._last is None or now - self._last > PAUSE:
                first = f"conversation {now.astimezone(zone):%Y-%m-%d %H:%M}"
                names = (first if number == 1 else f"{first} ({number})" for number in count(1))
                self.name = next(name for name in names if name not in taken)
            self._last = now
            return self.name
