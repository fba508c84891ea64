"""The pipe to the client: stdout is kept for the protocol, and the process ends in time whatever happens."""

from __future__ import annotations

import logging
import math
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.lowlevel import EventLoopToken, current_token

if TYPE_CHECKING:
    from mnemex_vault.mcp.frames import Frame

logger = logging.getLogger(__name__)

# clients kill a server two seconds after they closed its input, and a busy machine is late
GRACE_SECONDS = 1.2
# the longest memory has fifty thousand characters
LONGEST_LINE = 16 * 1024 * 1024
_CHUNK = 65_536
_STDIN = 0
_STDOUT = 1
_STDERR = 2


def claim_stdout() -> BinaryIO:
    """Return the pipe to the client; everything else that is printed goes to stderr, also what waits to be written."""
    private = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    sys.stdout.flush()
    return os.fdopen(private, "wb", closefd=False)


def claim_stdin() -> int:
    """Return the pipe from the client; from now on everyone else who reads stdin gets its end."""
    private = os.dup(_STDIN)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.close(nothing)
    return private


def end_in_time(seconds: float = GRACE_SECONDS) -> None:
    """End the process after a while even if a call is still at work.

    A change is then either whole or cut off before its note was exchanged; what a cut-off operation of several
    notes has done is settled at the next start from the journal.
    """

    def end() -> None:
        logger.warning("still at work, ending all the same")
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


class Lines:
    """The lines from the client, read by a thread of their own so that stopping never waits for the next one.

    The thread reads ahead of the server: its end is noticed while many calls are still at work. What is no message
    is answered here.
    """

    def __init__(self, source: int, read_frame: Callable[[bytes], Frame], *, at_end: Callable[[], None]) -> None:
        self._source = source
        self._read_frame = read_frame
        self._at_end = at_end
        self._send, self._receive = anyio.create_memory_object_stream[str](math.inf)
        self._refuse, self._refused = anyio.create_memory_object_stream[str](math.inf)

    def start(self) -> None:
        """Begin to read; must be called in the event loop."""
        token = current_token()
        threading.Thread(target=self._read, args=(token,), name="mnemex-stdin", daemon=True).start()

    def _read(self, token: EventLoopToken) -> None:
        try:
            for lines in _chunks_of_lines(self._source):
                frames = [self._read_frame(line) for line in lines if line.strip()]
                anyio.from_thread.run_sync(self._deliver, frames, token=token)
            self._at_end()
            anyio.from_thread.run_sync(self._close, token=token)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.RunFinishedError):
            # the server stopped first
            return

    def _deliver(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            if frame.text is not None:
                self._send.send_nowait(frame.text)
            for answer in frame.answers:
                self._refuse.send_nowait(answer)

    def _close(self) -> None:
        self._send.close()
        self._refuse.close()

    async def refuse(self, output: Output) -> None:
        """Answer what is no message until the client closes its pipe."""
        async for answer in self._refused:
            await output.write(f"{answer}\n")
            await output.flush()

    def __aiter__(self) -> AsyncIterator[str]:
        return self._receive


def _chunks_of_lines(source: int) -> Iterator[list[bytes]]:
    """Read lines without the buffer of Python's own stream, whose lock would stop the process from ending.

    A line that does not end is not kept whole: only so much of it that it is seen to be too long.
    """
    begun = bytearray()
    while chunk := os.read(source, _CHUNK):
        first, *rest = chunk.replace(b"\r", b"\n").split(b"\n")
        if len(begun) <= LONGEST_LINE:
            begun += first
        if rest:
            yield [bytes(begun), *rest[:-1]]
            begun = bytearray(rest[-1])
    if begun:
        yield [bytes(begun)]


class Output:
    """The pipe to the client, written by a thread of its own: answers never wait for calls that wait."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._own_thread = anyio.CapacityLimiter(1)

    async def write(self, text: str) -> None:
        """Write a text."""
        await anyio.to_thread.run_sync(self._pipe.write, text.encode(), limiter=self._own_thread)

    async def flush(self) -> None:
        """Send what was written."""
        await anyio.to_thread.run_sync(self._pipe.flush, limiter=self._own_thread)


async def until_stopped(serve: Callable[[], Awaitable[None]], stop: Callable[[], None]) -> None:
    """Serve until the client closes a pipe or the process is told to stop, which calls `stop` first."""
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":
            group.start_soon(_stop_on_signal, group.cancel_scope, stop)
        try:
            await serve()
        except* (BrokenPipeError, ConnectionResetError):
            logger.info("the client has gone")
        group.cancel_scope.cancel()


async def _stop_on_signal(scope: anyio.CancelScope, stop: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            stop()
            scope.cancel()
            return
