"""`migrate` and `import`: memories of other programs, brought into the vault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import moving_in_report as report
from mnemex_vault.cli import words
from mnemex_vault.cli.moving_in_report import Job
from mnemex_vault.cli.options import JsonOption, VaultOption, folder_named
from mnemex_vault.cli.proposing import proposed
from mnemex_vault.cli.session import Session
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import BadSetting, ConfigError, NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.history.steps import Change
    from mnemex_vault.importers.findings import Findings
    from mnemex_vault.importers.source import Store

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")]


def migrate(
    context: typer.Context,
    old_path: Annotated[
        Path | None,
        typer.Option(
            "--old-path",
            metavar="PATH",
            help="Their folder, file or database; without, the usual places.",
            show_default=False,
        ),
    ] = None,
    new_path: Annotated[
        Path | None,
        typer.Option(
            "--new-path", metavar="VAULT", parser=folder_named, help="The same as --vault.", show_default=False
        ),
    ] = None,
    migrate_env: Annotated[
        bool, typer.Option("--migrate-env", help="Their settings as well, from .env into the settings note.")
    ] = False,
    env_path: Annotated[
        Path | None,
        typer.Option("--env-path", metavar="FILE", help="The .env to take; without, the usual places."),
    ] = None,
    data_only: Annotated[bool, typer.Option("--data-only", help="Only memories, no settings.")] = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring along memories of Mnemex or CortexGraph. Never asks, and leaves theirs as it is."""
    session = Session.of(context, as_json=as_json)
    if data_only and (migrate_env or env_path):
        raise typer.BadParameter("--data-only leaves settings out; it does not go with --migrate-env or --env-path")
    if vault and new_path:
        raise typer.BadParameter("give the vault once: with --vault or with --new-path")
    variables = _variables(session, env_path)
    root = _vault(session, vault or new_path, variables)
    with session.opened(session.make_app(root, claimed=not (vault or new_path))) as app:
        stores = _stores(session, old_path, variables)
        job = _migration(session, app, stores, variables, with_settings=migrate_env or env_path is not None)
        _bring_in(session, app, job, dry_run=dry_run)


def _config(session: Session) -> Path:
    from mnemex_vault.settings import config_folder

    return config_folder(session.environ).parent


def _variables(session: Session, env_path: Path | None) -> dict[str, str]:
    """Return what the predecessors' .env files say; that of the newest generation counts most."""
    from mnemex_vault.importers.env_settings import read_env, usual_files

    if env_path is not None:
        return read_env(session.working_folder / env_path.expanduser())
    files = usual_files(_config(session), session.working_folder)
    return {name: value for path in files for name, value in read_env(path).items()}


def _vault(session: Session, option: Path | None, variables: Mapping[str, str]) -> Path:
    """Return the vault that is meant, in the end the one that the predecessors wrote to."""
    try:
        return session.find_vault(option)
    except BadSetting:
        raise
    except ConfigError:
        theirs = variables.get("LTM_VAULT_PATH", "").strip()
        if not theirs:
            raise
        return session.find_vault(Path(theirs))


def _stores(session: Session, old_path: Path | None, variables: Mapping[str, str]) -> list[Store]:
    from mnemex_vault.importers.source import stores_at, usual_stores

    known = {**variables, **session.environ}
    if old_path is not None:
        return stores_at(session.working_folder / old_path.expanduser(), known)
    home = Path(session.environ["HOME"]) if session.environ.get("HOME") else Path.home()
    stores = usual_stores(home, _config(session), known)
    if not stores:
        raise NotPossible("", "no store of a predecessor is in its usual place; name it with --old-path")
    return stores


def _migration(
    session: Session, app: App, stores: Sequence[Store], variables: Mapping[str, str], *, with_settings: bool
) -> Job:
    from mnemex_vault.importers.env_settings import settings_of
    from mnemex_vault.importers.source import read_stores

    with session.console.working("Reading memories"):
        found = read_stores(stores, zone=app.zone)
    settings = settings_of(variables, place=".env")
    hint = (
        ""
        if with_settings or not settings.chosen
        else "Their settings differ from the defaults: --migrate-env takes them."
    )
    sources = [str(store.path) for store in stores]
    return Job(found, sources, settings if with_settings else None, hint)


def import_memories(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A folder of markdown, a store, or an export of ChatGPT or Claude."),
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="KIND",
            help="markdown, memory-server, mnemex, chatgpt, claude, claude-code or codex; else found out.",
        ),
    ] = None,
    take: Annotated[
        str | None,
        typer.Option(
            "--take", metavar="WHICH", help="Of an export's proposals: numbers (1-5,9), all or none; without, asks."
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Propose also what you passed over before.")] = False,
    short_term: Annotated[
        bool, typer.Option("--short-term", help="Let what comes as permanent fade like new memories.")
    ] = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring in memories from elsewhere. What is there already, by its id, stays as it is."""
    from mnemex_vault.importers.source import Kind, kind_of, read_source

    session = Session.of(context, as_json=as_json)
    if kind is not None and kind not in set(Kind):
        raise typer.BadParameter(f"{kind!r} is not known; use one of {', '.join(Kind)}")
    path = session.working_folder / source.expanduser()
    with session.open(vault) as app:
        found_kind = kind_of(path) if kind is None else Kind(kind)
        if found_kind.is_export:
            job = proposed(session, app, path, take=take, again=again, dry_run=dry_run)
            if job is not None:
                _bring_in(session, app, job, dry_run=dry_run)
            return
        if take is not None or again:
            raise typer.BadParameter("--take and --again are for exports of ChatGPT and Claude")
        with session.console.working("Reading memories"):
            found = read_source(path, zone=app.zone, kind=found_kind)
        _bring_in(session, app, Job(_fading(found) if short_term else found, [str(path)]), dry_run=dry_run)


def _fading(found: Findings) -> Findings:
    """Make permanent memories short-term ones."""
    records = (
        replace(record, tier=Tier.SHORT_TERM, usage=replace(record.usage, promoted=None))
        if record.tier is Tier.LONG_TERM
        else record
        for record in found.records
    )
    return replace(found, records=tuple(records))


def _bring_in(session: Session, app: App, job: Job, *, dry_run: bool) -> None:
    from mnemex_vault.importers.bringing_in import Importer

    chosen = dict(job.settings.chosen) if job.settings else {}
    steps = _settings_steps(session, app, chosen)
    folder = chosen.get("long_term_folder")
    importer = Importer(
        app.store, long_term_folder=str(folder) if folder and not app.settings.long_term_folder else None
    )
    operation_id = None
    with session.console.working("Planning what to bring in" if dry_run else "Bringing memories in"):
        if dry_run:
            plan = importer.plan(job.found)
        else:
            plan, operation_id = importer.run(job.found, summary=_summary(job), besides=steps)
            if steps:
                app.reload_settings()
    session.console.answer(
        report.facts(job, plan, operation_id, dry_run=dry_run),
        report.lines(app, job, plan, operation_id, dry_run=dry_run),
        drawn=report.drawn(app, job, plan, operation_id, dry_run=dry_run) if session.console.draws else None,
    )


def _settings_steps(session: Session, app: App, chosen: dict[str, object]) -> list[Change]:
    from mnemex_vault.importers.env_settings import settings_step
    from mnemex_vault.settings import machine_zone_name
    from mnemex_vault.vaultkit.init import look

    if not chosen:
        return []
    zone = app.settings.timezone or machine_zone_name(session.environ)
    present = look(app.root, app.settings_path, app.store.catalog)
    return [settings_step({**chosen, **({"timezone": zone} if zone else {})}, present)]


def _summary(job: Job) -> str:
    memories = words.count(len(job.found.records), "memory", "memories")
    return f"{memories} from {', '.join(job.sources)}"
