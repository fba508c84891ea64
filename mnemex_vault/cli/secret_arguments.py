"""No key or password on the command line reaches a note, the journal, or the line that refuses it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import typer

from mnemex_vault.cli.session import Session
from mnemex_vault.errors import SecretFound


def without_secrets(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command so that it refuses secrets in any argument, unless an option or the settings allow them."""
    parameters = inspect.signature(command).parameters
    can_be_kept = "allow_secret" in parameters

    @wraps(command)
    def checked(*, context: typer.Context, vault: Path | None = None, **given: object) -> None:
        typed = {name: value for name, value in given.items() if value != parameters[name].default}
        if typed and not given.get("allow_secret"):
            # only now: a server that was told nothing else starts sooner without it
            from mnemex_vault.memories.refusal import refuse_secrets

            try:
                refuse_secrets(typed.items(), can_be_kept=can_be_kept)
            except SecretFound:
                if _are_refused(Session.of(context, as_json=bool(given.get("as_json"))), vault):
                    raise
        command(context=context, vault=vault, **given)

    return checked


def _are_refused(session: Session, vault: Path | None) -> bool:
    app = session.make_app(session.find_vault(vault))
    try:
        return app.store.rules.detect_secrets
    finally:
        app.close()
