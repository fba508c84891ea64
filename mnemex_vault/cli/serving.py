"""`serve` and `connect`: the server, and how a client starts it."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import VaultUnavailable

_COMMANDS = ("mnemex", "mnemex-vault")


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


def connect(
    context: typer.Context,
    client: Annotated[
        str, typer.Argument(metavar="CLIENT", help="`print` shows the entry to copy.", show_default=False)
    ],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a client starts the server. `print` shows the entry for its configuration."""
    session = Session.of(context, as_json=as_json)
    if client != "print":
        raise typer.BadParameter(f"{client!r} is not known; `mnemex connect print` shows the entry to copy")
    session.console.as_json = True
    session.console.answer(client_entry(session.find_vault(vault), session.working_folder), ())


def client_entry(root: Path, working_folder: Path) -> dict[str, object]:
    """Return the entry for a client's configuration, with absolute paths."""
    command, *arguments = own_command(working_folder)
    return {
        "mcpServers": {"mnemex": {"command": command, "args": [*arguments, "serve", "--vault", str(root)], "env": {}}}
    }


def entry_text(root: Path, working_folder: Path) -> str:
    """Return the entry as it is copied."""
    return json.dumps(client_entry(root, working_folder), indent=2, ensure_ascii=True)


def own_command(working_folder: Path) -> list[str]:
    """Return the absolute path of this program, or of the interpreter with what makes it this program."""
    started = Path(sys.argv[0])
    beside = Path(sys.executable).parent
    candidates = [
        *([working_folder / started] if started.name in _COMMANDS else []),
        *(beside / name for name in _COMMANDS),
        *(Path(found) for name in _COMMANDS if (found := shutil.which(name))),
    ]
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return [str(candidate.absolute())]
    return [sys.executable, "-m", "mnemex_vault"]
