"""`serve`: the server for an assistant."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import VaultUnavailable


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
