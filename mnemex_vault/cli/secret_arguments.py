"""No key or password on the command line reaches a note, the journal, or the line that refuses it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import typer

from mnemex_vault.cli.naming import names_a_note
from mnemex_vault.cli.session import Session


def without_secrets(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command so that it refuses secrets in any argument, unless an option or the settings allow them.

    What a note of the vault is called may be said, whatever it looks like.
    """
    can_be_kept = "allow_secret" in inspect.signature(command).parameters

    @wraps(command)
    def checked(*, context: typer.Context, vault: Path | None = None, **given: object) -> None:
        from mnemex_vault.language.secrets import refuse_secrets

        def may_pass(text: str) -> bool:
            session = Session.of(context, as_json=bool(given.get("as_json")))
            with session.open(vault) as app:
                known = names_a_note(app, text, working_folder=session.working_folder)
                return known or not app.store.rules.detect_secrets

        if not given.get("allow_secret"):
            refuse_secrets(given.items(), can_be_kept=can_be_kept, may_pass=may_pass)
        command(context=context, vault=vault, **given)

    return checked
