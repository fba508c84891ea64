"""`serve`: the server for an assistant."""

from __future__ import annotations

import logging
from pathlib import Path

import typer

from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import VaultUnavailable


def serve(context: typer.Context, vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """Run the MCP server for an assistant. Speaks the protocol over stdin and stdout until they are closed."""
    serve_vault(Session.of(context, as_json=as_json), vault)


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
