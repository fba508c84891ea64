"""`prompt`: the rules for assistants whose client keeps them in no file."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session


def prompt(
    context: typer.Context,
    length: Annotated[Literal["short", "full"], typer.Argument(metavar="[short|full]", help="How much it says.")] = (
        "short"
    ),
    vault: VaultOption = None,  # noqa: ARG001  # the rules are the same for every vault
    as_json: JsonOption = False,
) -> None:
    """Print the rules for an assistant. They say when to search and when to save, to copy into its settings."""
    from mnemex_vault.clients.connecting import FULL, SHORT

    session = Session.of(context, as_json=as_json)
    text = SHORT if length == "short" else FULL
    session.console.answer({"prompt": text}, text.splitlines())
