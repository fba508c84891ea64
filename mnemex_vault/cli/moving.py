"""`demote`, `forget`, `restore`: where a memory lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.facts import left_lines, moved_facts
from mnemex_vault.cli.naming import each_of, identified, identify
from mnemex_vault.cli.options import JsonOption, MemoryArgument, VaultOption
from mnemex_vault.cli.safe_text import one_line, take_back, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.upkeep import let_go_what_faded

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.forgetting import Purged
    from mnemex_vault.memories.lifecycle import Moved


def demote(
    context: typer.Context, names: MemoryArgument, vault: VaultOption = None, as_json: JsonOption = False
) -> None:
    """Let long-term memories fade again. Their notes move back."""
    session = Session.of(context, as_json=as_json)
    _move(session, vault, names, "Demoted", lambda app: app.lifecycle.demote)


def forget(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MEMORY]...",
            autocompletion=completing.memories,
            help="Id, title or path of a memory; without, all that have faded.",
        ),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Without a memory: let go what has faded.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-n",
            metavar="N",
            min=0,
            help="Of what has faded so many at most; else a tenth.",
        ),
    ] = None,
    trash: Annotated[bool, typer.Option("--trash", help="To the trash that Obsidian uses, not the archive.")] = False,
    purge: Annotated[bool, typer.Option("--purge", help="For good, with every earlier version: no undo.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Purge without asking.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for the history.")] = "",
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let memories go. They lie in the archive then; without a memory, shows what has faded."""
    session = Session.of(context, as_json=as_json)
    if not names:
        if purge:
            raise typer.BadParameter("--purge erases the memories that are named, and none is")
        let_go_what_faded(session, vault, apply=apply, limit=limit, trash=trash, name="forget")
        return
    if apply or limit is not None:
        raise typer.BadParameter("--apply and --limit are for what has faded; a memory that is named goes anyway")
    if purge:
        _purge(session, vault, names, yes=yes)
        return

    def forgetting(app: App) -> Callable[[str], Moved]:
        return lambda memory_id: app.lifecycle.forget(memory_id, to_trash=trash, reason=reason)

    _move(session, vault, names, "Forgotten", forgetting)


def _purge(session: Session, vault: Path | None, names: Sequence[str], *, yes: bool) -> None:
    """Erase memories after a yes; what cannot be reached is named."""
    with session.open(vault) as app:
        ids = list(dict.fromkeys(identify(app, name, working_folder=session.working_folder) for name in names))
        if not yes and not session.asks:
            raise typer.BadParameter("nothing was erased: this cannot be undone, so confirm it with --yes")
        if not yes and not typer.confirm(f"Erase {words.count(len(ids), 'memory', 'memories')} for good?"):
            session.console.answer([], ["Nothing was erased."])
            return
        with session.console.working("Erasing"):
            purged = each_of(ids, app.purge.purge)
        if purged.done:
            session.console.answer([asdict(each) for each in purged.done], _purged_lines(purged.done))
        purged.tell(session.console)


def _purged_lines(purged: Sequence[Purged]) -> list[str]:
    lines: list[str] = []
    for each in purged:
        lines.append(f"Erased: {each.memory_id}, with {words.count(each.versions, 'earlier version')}")
        lines += [Faint(f"  {whole(path)}") for path in each.paths]
    left = dict.fromkeys(place for each in purged for place in each.unreached)
    return [*lines, "Not reached, and it may still be there:", *(Faint(f"  {one_line(place)}") for place in left)]


def restore(
    context: typer.Context, names: MemoryArgument, vault: VaultOption = None, as_json: JsonOption = False
) -> None:
    """Bring memories back from the archive."""
    session = Session.of(context, as_json=as_json)
    _move(session, vault, names, "Restored", lambda app: app.lifecycle.restore)


def _move(
    session: Session, vault: Path | None, names: list[str], done: str, verb: Callable[[App], Callable[[str], Moved]]
) -> None:
    """Move each memory; one that cannot be is named, and holds no other up."""
    with session.open(vault) as app:
        ids = identified(app, names, working_folder=session.working_folder)
        with session.console.working("Moving notes"):
            outcome = each_of(ids, verb(app))
        if outcome.done:
            session.console.answer([moved_facts(each) for each in outcome.done], moved_lines(outcome.done, done))
        outcome.tell(session.console)


def moved_lines(moved: Sequence[Moved], done: str) -> list[str]:
    """Return where memories went, and how to take it back."""
    lines = []
    for each in moved:
        lines.append(f"{done}: {one_line(each.title)} ({each.memory_id})")
        lines.append(f"  {whole(each.path) if each.path else 'in the trash of the system'}")
    if not moved:
        return ["No memory deserves promotion now."]
    left = left_lines(entry for each in moved for entry in each.left_links)
    return [*lines, *left, take_back(moved[-1].operation_id)]
