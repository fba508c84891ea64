"""What an import found and did, or would do: for programs, and for people as lines or a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.facts import today
from mnemex_vault.cli.safe_text import one_line, take_back
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.importers.bringing_in import ImportPlan, Placed
    from mnemex_vault.importers.env_settings import EnvSettings
    from mnemex_vault.importers.findings import Findings, Problem

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be brought in, and from where."""

    found: Findings
    sources: Sequence[str]
    settings: EnvSettings | None = None
    hint: str = ""


def facts(job: Job, plan: ImportPlan, operation_id: str | None, *, dry_run: bool) -> dict[str, object]:
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


def lines(app: App, job: Job, plan: ImportPlan, operation_id: str | None, *, dry_run: bool) -> list[str]:
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
    days = (app.store.fades_on(each.record.usage, tier=each.record.tier) for each in plan.created)
    faded = sum(1 for day in days if day is not None and day <= today(app))
    if not faded:
        return []
    many = words.count(faded, "memory", "memories")
    return [f"Faded already, being of long ago: {many}; `mnemex forget` shows what it would put away."]


def _last_line(operation_id: str | None, *, dry_run: bool) -> str:
    if dry_run:
        return "Nothing was written."
    return take_back(operation_id) if operation_id else "Nothing was new; nothing was written."


def drawn(app: App, job: Job, plan: ImportPlan, operation_id: str | None, *, dry_run: bool) -> Iterable[RenderableType]:
    """Return what was found and done as a table."""
    from mnemex_vault.cli.drawn.steps import brought_in

    number = Counter(each.record.tier for each in plan.created)
    will = "would be" if dry_run else "were"
    rows = [
        *((tier.value, number[tier], f"{will} brought in") for tier in Tier),
        ("relations", plan.relations, f"{will} written"),
        ("promoted notes", len(plan.linked), f"{will} linked, not doubled"),
        ("known already", plan.known, "left as they are"),
        ("damaged lines", len(job.found.damaged), "could not be read, listed above"),
    ]
    return brought_in(
        [row for row in rows if row[1] or row[0] in set(Tier)],
        opening=_opening(job, plan),
        closing=[
            *_settings_lines(job, _would(dry_run=dry_run)),
            *_advice(app, job, plan),
            _last_line(operation_id, dry_run=dry_run),
        ],
    )
