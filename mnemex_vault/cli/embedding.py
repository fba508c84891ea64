"""`embed`: what search by meaning needs, made in advance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import ConfigError

if TYPE_CHECKING:
    from mnemex_vault.memories.meaning import Backfill

_SHOWN = 20
_NO_MODEL = (
    "no model is set up: install mnemex-vault[semantic], and name the model's folder with --model, or in the settings"
    " embed_model and enable_embeddings"
)


def embed(
    context: typer.Context,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="At most so many.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Those that are prepared already as well.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="FOLDER", help="The model's folder; else that of the settings."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prepare search by meaning. Makes a vector of each text that has none yet."""
    session = Session.of(context, as_json=as_json)
    chosen = {} if model is None else {"embed_model": str(session.working_folder / model.expanduser())}
    options = {**chosen, "enable_embeddings": True} if chosen else None
    with session.opened(session.make_app(session.find_vault(vault), options=options)) as app:
        progress = session.console.watch("Making vectors")
        with session.console.working("Opening the model"):
            found = app.meaning.backfill(limit=limit, force=force, dry_run=dry_run, progress=progress)
        if found is None:
            raise ConfigError([_NO_MODEL])
        session.console.answer(_facts(found, dry_run=dry_run), _lines(found, dry_run=dry_run))


def _facts(found: Backfill, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "model": found.model,
        "would_process": found.wanted if dry_run else None,
        "processed": found.made,
        "lacking": found.left,
        "unreadable": list(found.unreadable),
    }


def _lines(found: Backfill, *, dry_run: bool) -> list[str]:
    model = f"with {one_line(found.model)}"
    if dry_run:
        return [f"{words.count(found.wanted, 'text')} would be prepared {model}; nothing was written."]
    lines: list[str] = [Faint(f"cannot be read now: {whole(path)}") for path in found.unreadable[:_SHOWN]]
    left = f"{found.left:,} still lack a vector" if found.left else "none lacks a vector"
    return [*lines, f"{words.count(found.made, 'text')} prepared {model}; {left}."]
