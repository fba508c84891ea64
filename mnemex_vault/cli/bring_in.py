"""`import` and `migrate`: memories from elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import today
from mnemex_vault.cli.options import JsonOption, VaultOption, folder_named
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, one_line, take_back
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import BadSetting, ConfigError, InvalidInput, NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.importers.bringing_in import ImportPlan, Placed
    from mnemex_vault.importers.env_settings import EnvSettings
    from mnemex_vault.importers.findings import Findings, Problem, Record
    from mnemex_vault.importers.proposals import PassedOver, Proposal, Proposals
    from mnemex_vault.importers.source import Store
    from mnemex_vault.memories.face import Change

_PASSED_OVER = "passed-over"


def proposed(session: Session, app: App, path: Path, *, take: str | None, again: bool, dry_run: bool) -> Job | None:
    """Read an export, show what it offers, and return what was chosen of it; None if nothing was."""
    from mnemex_vault.importers.findings import Findings
    from mnemex_vault.importers.proposals import PassedOver, chosen

    passed = PassedOver(app.state / _PASSED_OVER)
    offered = _read(session, app, path, passed=frozenset() if again else passed.ids())
    if take is None and session.asks and not dry_run and offered.found:
        session.console.say(*_lines(offered))
        take = _ask(offered.found)
    if take is None or not offered.found:
        session.console.answer(_facts(offered), [*_lines(offered), _next(offered)])
        return None
    picked = chosen(offered.found, take)
    if not dry_run:
        _pass_over(passed, offered.found, picked)
    if not picked:
        session.console.answer(_facts(offered), ["Nothing was written. --again shows them once more."])
        return None
    return Job(Findings(records=tuple(each.record for each in picked), remarks=tuple(offered.problems)), [str(path)])


def _read(session: Session, app: App, path: Path, *, passed: frozenset[str]) -> Proposals:
    from mnemex_vault.importers.bringing_in import Importer
    from mnemex_vault.importers.exports import Export
    from mnemex_vault.importers.proposals import read_proposals

    importer = Importer(app.memories)

    def is_known(record: Record) -> bool:
        return record.id in passed or importer.knows(record)

    with session.console.working("Reading conversations"):
        return read_proposals(Export(path), app.vocabulary.lexicon(), now=app.memories.now(), is_known=is_known)


def _pass_over(passed: PassedOver, shown: Sequence[Proposal], picked: Sequence[Proposal]) -> None:
    passed.add({each.record.id for each in shown} - {each.record.id for each in picked})


def _ask(found: Sequence[Proposal]) -> str:
    from mnemex_vault.importers.proposals import chosen

    def check(answer: str) -> str:
        try:
            chosen(found, answer)
        except InvalidInput as error:
            raise typer.BadParameter(str(error)) from error
        return answer

    question = "Which are to be kept? Numbers such as 1-5,9, or all, or none"
    return str(typer.prompt(question, default="none", value_proc=check, err=True))


def _facts(offered: Proposals) -> dict[str, object]:
    return {
        "proposals": [
            {
                "number": number,
                "id": each.record.id,
                "title": each.record.title,
                "content": each.record.content,
                "conversation": each.conversation,
                "service": each.service,
                "said_at": each.said_at.isoformat() if each.said_at else None,
                "remembered": each.remembered,
            }
            for number, each in enumerate(offered.found, 1)
        ],
        "messages": offered.messages,
        "waiting": offered.waiting,
        "known": offered.known,
        "withheld": offered.withheld,
        "remarks": [str(problem) for problem in offered.problems],
        "operation_id": None,
    }


def _lines(offered: Proposals) -> Iterator[str]:
    yield from _remark_lines(offered.problems)
    for number, each in enumerate(offered.found, 1):
        yield f"{number:>3}  {one_line(each.record.content)}"
        yield Faint(f"     {one_line(_whence(each))}")
    yield f"{words.count(offered.messages, 'message')} read, {words.count(len(offered.found), 'proposal')}."
    told = (
        (offered.waiting, "more would be proposed once you decided on these"),
        (offered.known, "known already, or passed over before"),
        (offered.withheld, "withheld: asked not to be kept, or with a key or password in it"),
    )
    yield from (Faint(f"{number:,} {fate}.") for number, fate in told if number)


def _whence(proposal: Proposal) -> str:
    day = f", {proposal.said_at:%Y-%m-%d}" if proposal.said_at else ""
    place = f"“{proposal.conversation}”" if proposal.conversation else proposal.record.project or "about you"
    return f"{'remembered by ' if proposal.remembered else ''}{proposal.service}, {place}{day}"


def _next(offered: Proposals) -> str:
    if not offered.found:
        return "Nothing to propose; nothing was written."
    return "Nothing was written. Say which: --take 1-5,9 or --take all."


_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be brought in, and from where."""

    found: Findings
    sources: Sequence[str]
    settings: EnvSettings | None = None
    hint: str = ""


def report_facts(job: Job, plan: ImportPlan, operation_id: str | None, *, dry_run: bool) -> dict[str, object]:
    """Return what was found and done for programs."""
    remarks = [*job.found.remarks, *(job.settings.remarks if job.settings else ()), *plan.remarks]
    return {
        "dry_run": dry_run,
        "sources": list(job.sources),
        "created": [_placed_facts(each) for each in plan.created],
        "linked": [_placed_facts(each) for each in plan.linked],
        "known": plan.known,
        "relations": plan.relations,
        "settings": dict(job.settings.chosen) if job.settings else {},
        "damaged": [str(problem) for problem in job.found.damaged],
        "remarks": [str(problem) for problem in remarks],
        "operation_id": operation_id,
    }


def _placed_facts(placed: Placed) -> dict[str, object]:
    record = placed.record
    return {"id": record.id, "title": record.title, "tier": record.tier.value, "path": placed.path}


def report_lines(app: App, job: Job, plan: ImportPlan, operation_id: str | None, *, dry_run: bool) -> list[str]:
    """Return what was found and done for people."""
    told = [*_opening(job, plan), *_created_lines(plan, _would(dry_run=dry_run))]
    if plan.known:
        told.append(f"{words.count(plan.known, 'memory', 'memories')} known already; left as they are.")
    told += _settings_lines(job, _would(dry_run=dry_run))
    if job.found.damaged:
        told.append(f"{words.count(len(job.found.damaged), 'damaged line')} could not be read, listed above.")
    return [*told, *_advice(app, job, plan), _last_line(operation_id, dry_run=dry_run)]


def _opening(job: Job, plan: ImportPlan) -> list[str]:
    """Return where it is from, and what was odd."""
    lines: list[str] = [Faint(f"from {one_line(source)}") for source in job.sources]
    lines += [one_line(str(problem)) for problem in job.found.damaged]
    return [
        *lines,
        *_remark_lines([*job.found.remarks, *(job.settings.remarks if job.settings else ()), *plan.remarks]),
    ]


def _would(*, dry_run: bool) -> str:
    return "would be " if dry_run else ""


def _settings_lines(job: Job, would: str) -> list[str]:
    if not job.settings or not job.settings.chosen:
        return []
    return [f"Settings {would}kept in the settings note: {', '.join(job.settings.chosen)}."]


def _advice(app: App, job: Job, plan: ImportPlan) -> list[str]:
    return [*_faded_lines(app, plan), *([job.hint] if job.hint else [])]


def _created_lines(plan: ImportPlan, would: str) -> list[str]:
    number = Counter(each.record.tier for each in plan.created)
    tiers = ", ".join(f"{number[tier]:,} {tier.value}" for tier in Tier if number[tier])
    lines = [
        f"{words.count(len(plan.created), 'memory', 'memories')} {would}brought in"
        f"{f' ({tiers})' if tiers else ''}, {words.count(plan.relations, 'relation')}."
    ]
    if plan.linked:
        lines.append(f"{words.count(len(plan.linked), 'promoted note')} of the vault {would}linked, not doubled.")
    return lines


def _remark_lines(remarks: Sequence[Problem]) -> list[str]:
    lines: list[str] = [Faint(one_line(str(problem))) for problem in remarks[:_SHOWN]]
    more = len(remarks) - _SHOWN
    return [*lines, Faint(f"... and {more:,} more remarks; --json lists all")] if more > 0 else lines


def _faded_lines(app: App, plan: ImportPlan) -> list[str]:
    """Say how many are so old that they have faded: they stay until somebody lets them go."""
    days = (app.memories.fades_on(each.record.usage, tier=each.record.tier) for each in plan.created)
    faded = sum(1 for day in days if day is not None and day <= today(app))
    if not faded:
        return []
    many = words.count(faded, "memory", "memories")
    return [f"Faded already, being of long ago: {many}; `mnemex forget` shows what it would put away."]


def _last_line(operation_id: str | None, *, dry_run: bool) -> str:
    if dry_run:
        return "Nothing was written."
    return take_back(operation_id) if operation_id else "Nothing was new; nothing was written."


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
    session.console.answer(*brought_in(session, app, job, dry_run=dry_run))


def brought_in(session: Session, app: App, job: Job, *, dry_run: bool) -> tuple[dict[str, object], list[str]]:
    """Bring in, or only plan; return what was found and done, for programs and as lines."""
    from mnemex_vault.importers.bringing_in import Importer

    chosen = dict(job.settings.chosen) if job.settings else {}
    steps = _settings_steps(session, app, chosen)
    folder = chosen.get("long_term_folder")
    importer = Importer(
        app.memories, long_term_folder=str(folder) if folder and not app.settings.long_term_folder else None
    )
    operation_id = None
    with session.console.working("Planning what to bring in" if dry_run else "Bringing memories in"):
        if dry_run:
            plan = importer.plan(job.found)
        else:
            plan, operation_id = importer.run(job.found, summary=_summary(job), besides=steps)
            if steps:
                app.reload_settings()
    facts = report_facts(job, plan, operation_id, dry_run=dry_run)
    return facts, report_lines(app, job, plan, operation_id, dry_run=dry_run)


def _settings_steps(session: Session, app: App, chosen: dict[str, object]) -> list[Change]:
    from mnemex_vault.importers.env_settings import settings_step
    from mnemex_vault.settings import machine_zone_name
    from mnemex_vault.vaultkit.init import look

    if not chosen:
        return []
    zone = app.settings.timezone or machine_zone_name(session.environ)
    present = look(app.root, app.settings_path, app.memories.notes)
    return [settings_step({**chosen, **({"timezone": zone} if zone else {})}, present)]


def _summary(job: Job) -> str:
    memories = words.count(len(job.found.records), "memory", "memories")
    return f"{memories} from {', '.join(job.sources)}"
