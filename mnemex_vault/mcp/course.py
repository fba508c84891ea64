"""How far a call is, told to a client that wants to know."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError

from mnemex_vault.notes.progress import READING_NOTES, Progress

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
