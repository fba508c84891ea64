"""`serve` and `hook`: what an assistant runs, and whom the server lets in from elsewhere."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

import typer

from mnemex_vault.cli.failures import advice
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Heading, one_line
from mnemex_vault.errors import MnemexError, NotPossible, VaultUnavailable

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.clients.remote import RemoteClient, RemoteClients


def serve(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, several clients at once, with a token.")
    ] = False,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="NUMBER", min=0, max=65_535, help="With --http: the port.")
    ] = 7337,
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url",
            metavar="URL",
            help="With --http: the https address of your proxy or tunnel; clients there can ask to be let in.",
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run the MCP server for an assistant. Speaks the protocol over stdin and stdout until they are closed."""
    session = Session.of(context, as_json=as_json)
    if public_url is not None and not http:
        raise typer.BadParameter("--public-url is for --http")
    if http:
        _serve_http(session, vault, host=host, port=port, public_url=public_url)
    else:
        serve_vault(session, vault)


def _serve_http(session: Session, vault: Path | None, *, host: str, port: int, public_url: str | None) -> None:
    from mnemex_vault.mcp.http import serve_http

    root = session.find_vault(vault)
    if host not in ("127.0.0.1", "localhost", "::1"):
        session.console.warn(f"listening on {host}: other computers can reach it, and the token goes over the wire")
    # the server has a log of its own
    logging.getLogger("mnemex_vault").handlers.clear()
    serve_http(root, environ=session.environ, host=host, port=port, public_url=public_url)


def remote_clients(session: Session, vault: Path | None, *, revoke: bool, only: str | None, dry_run: bool) -> None:
    """Show who is let in from elsewhere, with a new code for one more, or let all or one of them in no more."""
    from mnemex_vault.clients.remote import RemoteClients
    from mnemex_vault.settings import state_base, vault_state

    if only is not None and not (revoke and only.strip()):
        raise typer.BadParameter("--only CLIENT is for --revoke, and names one")
    remote = RemoteClients(vault_state(state_base(session.environ), session.find_vault(vault)))
    if revoke:
        _revoke(session, remote, only, dry_run=dry_run)
    else:
        _offer(session, remote, dry_run=dry_run)


def _revoke(session: Session, remote: RemoteClients, only: str | None, *, dry_run: bool) -> None:
    now = session.clock()
    meant = [client for client in remote.connected(now) if client.is_meant(only)]
    if only is not None and not meant:
        raise NotPossible("--only", f"no client is called {only}; mnemex connect remote --dry-run lists them")
    if not dry_run:
        meant = remote.revoke(only, now=now)
    done = "Nothing was written." if dry_run else "They are let in no more." if meant else "Nobody was let in."
    session.console.answer(
        {"revoked": [_facts(client) for client in meant], "written": not dry_run},
        [*(_line(client) for client in meant), done],
    )


def _offer(session: Session, remote: RemoteClients, *, dry_run: bool) -> None:
    from mnemex_vault.clients.remote import CONSENT_CODE

    address = remote.book().address
    if not address:
        raise NotPossible("remote", "start the server for clients elsewhere: mnemex serve --http --public-url URL")
    now = session.clock()
    known, code = remote.connected(now), None if dry_run else remote.offer(now=now)
    within = f"for one client, within {CONSENT_CODE // timedelta(minutes=1)} minutes"
    session.console.answer(
        {"address": address, "code": code, "clients": [_facts(client) for client in known]},
        [
            Heading("Clients elsewhere"),
            f"  address   {one_line(address)}",
            *([f"  code      {code}   {within}"] if code else []),
            *map(_line, known),
        ],
    )


def _facts(client: RemoteClient) -> dict[str, object]:
    grant = client.grant
    return {
        "id": client.id,
        "name": client.name,
        "host": urlsplit(grant.asked.redirect).netloc if grant else "",
        "since": grant.since.isoformat() if grant else "",
        "renewed": grant.renewed.isoformat() if grant else "",
    }


def _line(client: RemoteClient) -> str:
    facts = _facts(client)
    since, renewed = (str(facts[each])[:10] for each in ("since", "renewed"))
    return one_line(f"  {client.id[:8]}  {client.name} ({facts['host']}), since {since}, last seen {renewed}")


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
        Literal["session-start", "prompt", "pre-compact", "stop"],
        typer.Argument(metavar="EVENT", help="What happened."),
    ],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a client's hook. session-start, prompt, pre-compact or stop, with the client's JSON on the input."""
    session = Session.of(context, as_json=as_json)
    payload = "" if session.stdin.isatty() else session.stdin.read()
    try:
        with session.open(vault) as app:
            _answer(session, app, event, payload)
    except (MnemexError, OSError) as error:
        # a failure here must not keep the assistant from its work
        session.console.warn(advice(error) if isinstance(error, MnemexError) else str(error))


def _answer(session: Session, app: App, event: str, payload: str) -> None:
    from mnemex_vault.clients.hook_runs import HookCall, brief, count_after_answer, fitting, keep_before_compaction

    call = HookCall.of(payload)
    if event == "session-start":
        text = brief(app, call)
        if text:
            session.console.say_exactly(json.dumps(call.answer(text)))
    elif event == "prompt":
        text = fitting(app, call)
        if text:
            session.console.say_exactly(json.dumps(call.answer(text, "UserPromptSubmit")))
    elif event == "pre-compact":
        kept = keep_before_compaction(app, call)
        session.console.answer({"saved": kept.saved, "asked_not_to_be_kept": kept.refused}, [])
    else:
        used = count_after_answer(app, call)
        session.console.answer({"used": used}, [])
