"""`plugin install`: shows what it would copy into the vault, asks, and never goes back to an older version."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import InvalidInput, NotAllowed

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.vaultkit.plugin_files import Installation

_INSTALL = "install"


def plugin(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="install.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be copied.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the Obsidian plugin into the vault. Shows what it would copy, and asks."""
    session = Session.of(context, as_json=as_json)
    if action != _INSTALL:
        raise InvalidInput("ACTION", f"is {action!r}; use {_INSTALL}")
    with closing(session.make_app(session.find_vault(vault))) as app:
        app.store.vault.check()
        if app.settings.read_only:
            raise NotAllowed("the vault is read-only for Mnemex Vault (setting read_only)")
        _install(session, app, yes=yes, dry_run=dry_run)


def _install(session: Session, app: App, *, yes: bool, dry_run: bool) -> None:
    from mnemex_vault.vaultkit import plugin_files

    config_folder = app.store.vault.config.folder
    planned = plugin_files.plan(app.root, config_folder, plugin_files.shipped())
    session.console.say(*_preview(planned))
    writes = bool(planned.changes) and not dry_run
    if writes and not yes and not _confirmed(session):
        writes = False
    if writes:
        with app.store.vault.lock:
            plugin_files.install(planned, app.root, config_folder, park=app.store.journal.parking.take)
    session.console.answer(_facts(planned, written=writes), _closing(planned, written=writes))


def _confirmed(session: Session) -> bool:
    if not session.asks:
        raise typer.BadParameter("nothing was written: confirm with --yes, or look with --dry-run")
    return typer.confirm("Copy this?", default=True)


def _preview(planned: Installation) -> list[str]:
    lines: list[str] = [
        Heading(f"Mnemex Vault {planned.version} for Obsidian"),
        Faint(f"the vault has {one_line(planned.found)}" if planned.found else "the vault does not have it yet"),
        "",
    ]
    lines += [f"  {copy.action.value:<9}{whole(copy.path)} ({len(copy.data):,} bytes)" for copy in planned.copies]
    return [*lines, ""] if planned.copies else lines


def _closing(planned: Installation, *, written: bool) -> list[str]:
    if planned.newer:
        return [f"Nothing was written: {one_line(planned.found or '')} is newer than {planned.version}."]
    if planned.changes and not written:
        return ["Nothing was written."]
    first = "Copied." if written else "Everything is there already."
    return [
        first,
        'Enable it in Obsidian: Settings, Community plugins, turn them on, then switch "Mnemex Vault" on.',
        "If Obsidian is open, press the reload button above the list of installed plugins first.",
    ]


def _facts(planned: Installation, *, written: bool) -> dict[str, object]:
    return {
        "folder": planned.folder,
        "version": planned.version,
        "found": planned.found,
        "newer": planned.newer,
        "written": written,
        "files": [{"action": copy.action.value, "path": copy.path, "bytes": len(copy.data)} for copy in planned.copies],
    }
