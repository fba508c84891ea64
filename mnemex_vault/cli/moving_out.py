"""`export`: memories for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.domain.memory import Tier

_KINDS = "markdown, jsonl or memory-server"


def export(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.", show_default=False)],
    kind: Annotated[str, typer.Option("--format", metavar="KIND", help=f"{_KINDS}.")] = "markdown",
    tiers: Annotated[
        list[str] | None,
        typer.Option("--tier", metavar="TIER", help="Only short-term, long-term or archived; may be given twice."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write memories for other programs. The vault stays as it is."""
    from mnemex_vault.exporters.formats import FORMATS, check_destination, select, write_files

    session = Session.of(context, as_json=as_json)
    if kind not in FORMATS:
        raise typer.BadParameter(f"{kind!r} is not known; use {_KINDS}")
    wanted = _tiers(tiers or [])
    place = session.working_folder / folder.expanduser()
    with session.open(vault) as app:
        check_destination(place, app.root)
        with session.console.working("Gathering memories"):
            selection = select(app.store, app.relations, wanted)
            files = FORMATS[kind](selection)
        write_files(place, files, progress=session.console.watch("Writing files"))
        memories = words.count(len(selection.memories), "memory", "memories")
        relations = words.count(len(selection.edges), "relation")
        data = {
            "folder": str(place),
            "format": kind,
            "memories": len(selection.memories),
            "relations": len(selection.edges),
            "files": list(files),
        }
        session.console.answer(data, [f"{memories} and {relations} written to {one_line(str(place))}."])


def _tiers(names: list[str]) -> tuple[Tier, ...]:
    unknown = [name for name in names if name not in set(Tier)]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is no tier; use one of {', '.join(Tier)}")
    return tuple(Tier(name) for name in dict.fromkeys(names)) or tuple(Tier)
