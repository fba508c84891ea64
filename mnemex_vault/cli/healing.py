"""`heal`: joins memories with the copies that sync tools left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.healing import Healed, Healing, Left


def heal(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Join memories with copies that sync tools left. The same as the first part of mnemex doctor --fix."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        session.console.answer(*join_copies(session, app, dry_run=dry_run))


def join_copies(session: Session, app: App, *, dry_run: bool = False) -> tuple[dict[str, object], list[str]]:
    """Join what can be joined; return what was done and what is left, as data and as lines."""
    if not dry_run:
        app.store.check_allowed(())
    with session.console.working("Comparing copies"):
        done = app.healer.heal(dry_run=dry_run)
    return _facts(done, dry_run=dry_run), _lines(done, dry_run=dry_run)


def _facts(done: Healing, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "healed": [
            {
                "path": each.path,
                "copy": each.copy,
                "use_count": each.use_count,
                "exact": each.exact,
                "operation_id": each.operation_id,
            }
            for each in done.healed
        ],
        "left": [{"copy": each.copy, "path": each.path, "reason": each.reason} for each in done.left],
    }


def _lines(done: Healing, *, dry_run: bool) -> list[str]:
    if not done.healed and not done.left:
        return ["There are no copies."]
    lines = [line for each in done.healed for line in _healed(each, dry_run=dry_run)]
    lines += [line for each in done.left for line in _left(each)]
    if dry_run:
        return [*lines, "Nothing was changed."]
    closing = f"{words.count(len(done.healed), 'copy', 'copies')} joined"
    return [*lines, f"{closing}, {len(done.left)} left to you." if done.left else f"{closing}."]


def _healed(each: Healed, *, dry_run: bool) -> list[str]:
    how = "" if each.exact else "; the version that both started from is not known, so the larger count holds"
    verb = "would be joined" if dry_run else "joined"
    lines = [
        f"{verb}: {whole(each.path)} ({words.count(each.use_count, 'use')}{how})",
        Faint(f"  copy to the trash: {one_line(each.copy)}"),
    ]
    return lines if each.operation_id is None else [*lines, Faint(f"  take it back: mnemex undo {each.operation_id}")]


def _left(each: Left) -> list[str]:
    lines = [f"left to you: {one_line(each.copy)} ({one_line(each.reason)})"]
    return lines if each.path is None else [*lines, Faint(f"  its original: {whole(each.path)}")]
