"""`use`: which vault is meant when none is named."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.options import JsonOption, VaultOption, named_once, vault_argument
from mnemex_vault.cli.safe_text import whole
from mnemex_vault.cli.session import Session, is_set_up
from mnemex_vault.errors import VaultNotSetUp


def use(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        vault_argument("The vault to mean from now on; without, shows which one is meant."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Choose the vault that is meant when none is named."""
    from mnemex_vault.settings import config_folder, remember_vault

    session = Session.of(context, as_json=as_json)
    chosen = named_once(folder, vault)
    if chosen is not None:
        root = session.find_vault(chosen)
        with closing(session.make_app(root)) as app:
            if not is_set_up(app):
                raise VaultNotSetUp(root)
        remember_vault(config_folder(session.environ).resolve(), root)
    found, source = session.vault_and_source(None)
    lines = [whole(str(found)), Faint(f"  by {source}")]
    if chosen is not None and found != root:
        session.console.warn(f"{source} names another vault, {found}, which is meant here")
        lines = [f"{whole(str(root))} is meant from now on where nothing else is named."]
    session.console.answer({"vault": str(found), "by": source, "chosen": str(root) if chosen else None}, lines)
