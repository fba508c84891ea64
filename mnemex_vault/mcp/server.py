"""The MCP server over stdin and stdout: it answers at once, and its vault opens behind it."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import anyio

from mnemex_vault.mcp.stdio import Lines, Output, claim_stdin, claim_stdout, end_in_time, until_stopped

if TYPE_CHECKING:
    from mnemex_vault.service import Service

# a client that lists tools does so at once; one that never does finds the vault open all the same
_UNASKED_SECONDS = 2.0
# the first call is most likely answered by then, by one of the core tools
_LATER_SECONDS = 2.0


def main(
    vault: Path | str, *, environ: Mapping[str, str] | None = None, options: Mapping[str, object] | None = None
) -> None:
    """Serve a vault over stdin and stdout until the client closes them or SIGTERM comes.

    A vault that cannot be opened is told by every tool, so that a client shows it to the person.
    """
    source, pipe = claim_stdin(), claim_stdout()
    # what is made until a client sees the tools stays for good, and looking through it for garbage takes long
    gc.disable()
    # only now, so that nothing that is printed on import reaches the client
    from mcp.server.stdio import stdio_server

    from mnemex_vault.mcp.frames import read_frame
    from mnemex_vault.mcp.opening import Opening, early_tool_set
    from mnemex_vault.mcp.vault_server import build_server, later_tools

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    around = os.environ if environ is None else environ

    def open_vault() -> Service:
        gc.freeze()
        gc.enable()
        # so that a server goes on with one version of this package when it is upgraded
        later = threading.Timer(_LATER_SECONDS, later_tools)
        later.daemon = True
        later.start()
        return open_service(vault, environ, options)

    opening = Opening(
        open_vault,
        early_tools=lambda: early_tool_set(Path(vault), around, options or {}),
    )
    server = build_server(opening)
    opening.start(after=_UNASKED_SECONDS)

    def stop() -> None:
        end_in_time()
        opening.stop()

    async def serve() -> None:
        lines, output = Lines(source, read_frame, at_end=stop), Output(pipe)
        lines.start()
        # the transport only iterates over its input, and only writes and flushes its output
        stdin, stdout = (cast("anyio.AsyncFile[str]", each) for each in (lines, output))
        async with anyio.create_task_group() as group, stdio_server(stdin=stdin, stdout=stdout) as (incoming, outgoing):
            group.start_soon(lines.refuse, output)
            low = server._lowlevel_server
            await low.run(incoming, outgoing, low.create_initialization_options())

    try:
        anyio.run(until_stopped, serve, stop)
    finally:
        opening.close()


def open_service(vault: Path | str, environ: Mapping[str, str] | None, options: Mapping[str, object] | None) -> Service:
    """Return the service of a vault, not started yet; its log speaks as the settings want."""
    from mnemex_vault.app import make_app
    from mnemex_vault.service import Service

    app = make_app(vault, environ=environ, options=options)
    logging.getLogger("mnemex_vault").setLevel(app.settings.log_level)
    return Service(app)
