"""What `doctor` says about the program itself: how it is found, and which vault is meant."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.cli.connecting import NAME, machine_of
from mnemex_vault.cli.own_command import own_command

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.session import Session


def program_troubles(session: Session, app: App) -> Iterator[str]:
    """Yield a sentence with its cure for each thing that may keep an assistant from this vault."""
    yield from _path(session)
    yield from _two_vaults(session, app)
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.entries import client_troubles

    yield from client_troubles(machine_of(session), vault=app.root, name=NAME, read=read_text)


def _path(session: Session) -> Iterator[str]:
    """Another program of this name in the path is one that a person starts by mistake."""
    own = Path(own_command(session.working_folder)[0])
    places = session.environ.get("PATH")
    found = shutil.which(own.name, path=places) if places else None
    if places and found is None:
        cure = "uv tool update-shell, or pipx ensurepath"
        yield f"{own.name} is not in the PATH of this terminal; it lies in {own.parent} ({cure})"
    elif found and Path(found).resolve() != own.resolve() and own.name != Path(sys.executable).name:
        yield f"{own.name} in the PATH is {found}, another one than this, {own}; remove one of them"


def _two_vaults(session: Session, app: App) -> Iterator[str]:
    from mnemex_vault.settings import config_folder, remembered_vault

    remembered = remembered_vault(config_folder(session.environ))
    if remembered is not None and not remembered.is_dir():
        yield f"the vault that was chosen, {remembered}, is gone; choose another with: mnemex use FOLDER"
    elif remembered is not None and remembered.resolve() != app.root.resolve():
        yield (
            f"two vaults are in use: this one, {app.root}, and the chosen one, {remembered};"
            " commands without --vault mean the chosen one unless MNEMEX_VAULT_PATH names another"
        )
