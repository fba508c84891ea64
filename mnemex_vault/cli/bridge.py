"""`bridge`: a coding assistant's own memory and the vault as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.bring_in import DryRunOption, Job, brought_in
from mnemex_vault.cli.connect import machine_of, originals_of
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, kept, one_line
from mnemex_vault.errors import ConfigError, MnemexError, NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.clients.connecting import FileChange
    from mnemex_vault.clients.places import Places

_TAKEN_IN = "taken-in.json"
_HOOKS = "mnemex connect claude-code --hooks"


def bridge(
    context: typer.Context,
    client: Annotated[
        str,
        typer.Argument(metavar="CLIENT", autocompletion=completing.bridged, help="claude-code.", show_default=False),
    ],
    brief: Annotated[
        bool, typer.Option("--brief", help="Let its CLAUDE.md import what you wrote or approved, where hooks cannot.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take that line out again, and nothing else.")] = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make Claude Code's own memory part of the vault. Takes in what is new in it; its files stay as they are."""
    session = Session.of(context, as_json=as_json)
    if client not in completing.BRIDGED:
        raise typer.BadParameter(f"{client!r} is not known; the bridge is for {', '.join(completing.BRIDGED)}")
    if brief and remove:
        raise typer.BadParameter("--brief puts the line in, --remove takes it out; give one of them")
    where = _places(session)
    if remove:
        _remove(session, where, vault, dry_run=dry_run)
        return
    with session.open(vault) as app:
        if not dry_run:
            app.memories.check_writable()
        changes = _line(session, app, where) if brief else []
        if brief and not dry_run:
            _keep(session, app, changes)
        facts, lines = _taken_in(session, app, where, dry_run=dry_run)
        if not dry_run:
            app.kept_brief.refresh()
        told = _shown(changes) if dry_run else [*_written(changes), *_way_out(app, where)]
        data = {"client": client, "brief": str(app.kept_brief.path) if app.kept_brief.path.exists() else None, **facts}
        session.console.answer(data, [*lines, *told])


def _places(session: Session) -> Places:
    from mnemex_vault.clients.places import ClientName, places

    return places(ClientName.CLAUDE_CODE, machine_of(session))


def _taken_in(session: Session, app: App, where: Places, *, dry_run: bool) -> tuple[dict[str, object], list[str]]:
    from mnemex_vault.importers.assistant_files import Intake, claude_code_folders, read_claude_code

    own = Path(where.hooks or where.servers).parent
    if not claude_code_folders(own):
        return {"sources": [], "created": []}, [f"Claude Code keeps no memories below {one_line(str(own))} yet."]
    intake = Intake(app.memories, app.state / _TAKEN_IN)
    with session.console.working("Reading memories"):
        found = intake.fresh(read_claude_code(own, zone=app.zone, knows=intake.knows))
    facts, lines = brought_in(session, app, Job(found, [str(own)]), dry_run=dry_run)
    if not dry_run:
        intake.remember()
    same = [f"{words.count(intake.unchanged, 'memory', 'memories')} unchanged since the last time."]
    return {**facts, "unchanged": intake.unchanged}, [*lines, *(same if intake.unchanged else [])]


def _line(session: Session, app: App, where: Places) -> list[FileChange]:
    """Plan the line that imports the brief; raises NotPossible where a repository would take one of the two files."""
    from mnemex_vault.backup.git import keeper_of
    from mnemex_vault.clients.connecting import plan_import, read_text

    brief = app.kept_brief.path
    if any(map(str.isspace, str(brief))):
        raise NotPossible(str(brief), "has a space in its path, where an import would end; set MNEMEX_STATE_PATH")
    rules = where.rules or where.servers
    for path in (Path(rules), brief):
        repository = keeper_of(path)
        if repository is not None:
            raise NotPossible(
                str(path),
                f"lies in the repository {repository}, and memories stay out of those; nothing was written. Let git "
                f"ignore it, or leave it to the hook: {_HOOKS}",
            )
    return plan_import(rules, brief, remove=False, read=read_text, originals=originals_of(session))


def _keep(session: Session, app: App, changes: Sequence[FileChange]) -> None:
    """Write the brief, then the line that imports it; no brief stays behind a line that could not be written."""
    from mnemex_vault.clients.connecting import apply

    was_kept = app.kept_brief.path.exists()
    app.kept_brief.begin()
    try:
        apply(changes, now=session.clock().astimezone(), originals=originals_of(session))
    except MnemexError:
        if not was_kept:
            app.kept_brief.end()
        raise


def _remove(session: Session, where: Places, vault: Path | None, *, dry_run: bool) -> None:
    """Take out the lines of all vaults, the briefs that they name, and that of this vault."""
    from mnemex_vault.clients.connecting import apply, drop_brief, imported_by, plan_import, read_text

    rules = where.rules or where.servers
    briefs = [*imported_by(rules, read=read_text), *_kept_here(session, vault)]
    changes = plan_import(rules, Path(), remove=True, read=read_text, originals=originals_of(session))
    if not dry_run:
        apply(changes, now=session.clock().astimezone(), originals=originals_of(session))
        for brief in briefs:
            drop_brief(brief)
    data = {"files": [str(change.path) for change in changes], "dry_run": dry_run}
    nothing = "Nothing of the bridge is there. Nothing was written."
    done = [f"Took the line out of {one_line(str(change.path))}." for change in changes]
    session.console.answer(data, _shown(changes) if dry_run else done or [nothing])


def _kept_here(session: Session, vault: Path | None) -> Iterator[Path]:
    """Yield where the brief of this vault is kept, also if somebody took the line out by hand."""
    from mnemex_vault.app import brief_kept_at
    from mnemex_vault.settings import state_base, state_folder

    with suppress(MnemexError):
        yield brief_kept_at(state_folder(state_base(session.environ), session.find_vault(vault)), session.environ)


def _shown(changes: Sequence[FileChange]) -> list[str]:
    return [one_line(line) for change in changes for line in change.diff()]


def _written(changes: Sequence[FileChange]) -> Iterator[str]:
    for change in changes:
        yield f"Wrote one line into {one_line(str(change.path))}."
        yield Faint("Take it out again: " + kept("mnemex bridge claude-code --remove"))


def _way_out(app: App, where: Places) -> Iterator[str]:
    """Say how what is in the vault comes back into its conversations."""
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.entries import has_hooks
    from mnemex_vault.clients.places import ClientName

    hooked = False
    # settings that cannot be read tell nothing of hooks
    with suppress(ConfigError):
        hooked = where.hooks is not None and has_hooks(ClientName.CLAUDE_CODE, read_text(where.hooks) or "")
    path = app.kept_brief.path
    if path.exists():
        yield f"What you wrote or approved stands in {one_line(str(path))}, which it reads at its start."
        if hooked:
            yield "Its hook gives the brief as well; one of the two is enough."
    elif hooked:
        yield "The way back is its hook, which gives the brief at session start; no file holds any memory."
    else:
        yield "The way back, at session start and without any file: " + kept(_HOOKS)
