"""`hook`: what a client runs at certain moments; it never stops the client, whatever happens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli.failures import advice
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import MnemexError

if TYPE_CHECKING:
    from mnemex_vault.app import App


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
