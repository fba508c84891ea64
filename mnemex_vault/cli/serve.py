"""`serve` and `hook`: what an assistant runs."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli.failures import advice
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import MnemexError, VaultUnavailable

if TYPE_CHECKING:
    from mnemex_vault.app import App


def serve(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, several clients at once, with a token.")
    ] = False,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="NUMBER", min=0, max=65_535, help="With --http: the port.")
    ] = 7337,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run the MCP server for an assistant. Speaks the protocol over stdin and stdout until they are closed."""
    session = Session.of(context, as_json=as_json)
    if http:
        _serve_http(session, vault, host=host, port=port)
    else:
        serve_vault(session, vault)


def _serve_http(session: Session, vault: Path | None, *, host: str, port: int) -> None:
    from mnemex_vault.mcp.http import serve_http

    root = session.find_vault(vault)
    if host not in ("127.0.0.1", "localhost", "::1"):
        session.console.warn(f"listening on {host}: other computers can reach it, and the token goes over the wire")
    # the server has a log of its own
    logging.getLogger("mnemex_vault").handlers.clear()
    serve_http(root, environ=session.environ, host=host, port=port)


def serve_vault(session: Session, vault: Path | None) -> None:
    """Serve until the client is gone; a vault that is away is told to the client, for it may come back."""
    from mnemex_vault.mcp.server import main

    try:
        root = session.find_vault(vault)
    except VaultUnavailable as error:
        root = error.root
    # the server has a log of its own
    logging.getLogger("mnemex_vault").handlers.clear()
    main(root, environ=session.environ)


def hook(
    context: typer.Context,
    event: Annotated[
        Literal["session-start", "pre-compact", "stop"], typer.Argument(metavar="EVENT", help="What happened.")
    ],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a client's hook. session-start, pre-compact or stop, with the client's JSON on the input."""
    session = Session.of(context, as_json=as_json)
    payload = "" if session.stdin.isatty() else session.stdin.read()
    try:
        with session.open(vault) as app:
            _answer(session, app, event, payload)
    except (MnemexError, OSError) as error:
        # a failure here must not keep the assistant from its work
        session.console.warn(advice(error) if isinstance(error, MnemexError) else str(error))


def _answer(session: Session, app: App, event: str, payload: str) -> None:
    from mnemex_vault.clients.hook_runs import HookCall, brief, count_after_answer, keep_before_compaction

    call = HookCall.of(payload)
    if event == "session-start":
        text = brief(app, call)
        if text:
            session.console.say_exactly(json.dumps(call.answer(text)))
    elif event == "pre-compact":
        kept = keep_before_compaction(app, call)
        session.console.answer({"saved": kept.saved, "asked_not_to_be_kept": kept.refused}, [])
    else:
        used = count_after_answer(app, call)
        session.console.answer({"used": used}, [])
