"""`maintain`: the steps that look after the memories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.memories.upkeep import StepReport

_STEPS = ("decay", "cluster", "merge", "promote", "relate", "forget")
_SHOWN = 10


def maintain(
    context: typer.Context,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="STEP", help=f"Only this step: {', '.join(_STEPS)}; may be given several times."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge what says the same; without, such memories are only named.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look after the memories. Promotes, relates and archives within limits; every change can be undone."""
    from mnemex_vault.memories.upkeep import Step

    session = Session.of(context, as_json=as_json)
    unknown = [step for step in only or () if step not in _STEPS]
    if unknown:
        raise typer.BadParameter(f"there is no step {unknown[0]!r}; the steps are {', '.join(_STEPS)}")
    with session.open(vault) as app:
        steps = [Step(name) for name in only or _STEPS]
        with session.console.working("Looking after the memories"):
            reports = app.upkeep.run(steps, dry_run=dry_run, merging=merge)
        lines = [line for report in reports for line in (Heading(report.step.value), *_lines(report, indent="  "))]
        closing = _closing(reports, dry_run=dry_run)
        drawn = _drawn(reports, closing) if session.console.draws else None
        session.console.answer([_facts(report) for report in reports], [*lines, closing], drawn=drawn)


def _drawn(reports: list[StepReport], closing: str) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.steps import steps

    return steps([(report.step.value, _lines(report, indent="")) for report in reports], closing=[closing])


def _facts(report: StepReport) -> dict[str, object]:
    return {
        "step": report.step.value,
        "dry_run": report.dry_run,
        "lines": report.lines,
        "memory_ids": report.memory_ids,
        "operation_ids": report.operation_ids,
        "failed": report.failed,
    }


def _lines(report: StepReport, *, indent: str) -> list[str]:
    lines: list[str] = [f"{indent}{one_line(line)}" for line in report.lines[:_SHOWN]]
    if len(report.lines) > _SHOWN:
        lines.append(f"{indent}... and {len(report.lines) - _SHOWN} more")
    if not report.lines:
        lines.append(Faint(f"{indent}nothing to do"))
    lines += [f"{indent}left as it was: {whole(path)}: {one_line(why)}" for path, why in report.failed.items()]
    return [*lines, *(Faint(f"{indent}take it back: mnemex undo {each}") for each in report.operation_ids)]


def _closing(reports: list[StepReport], *, dry_run: bool) -> str:
    if dry_run:
        return "Nothing was changed."
    changes = sum(len(report.operation_ids) for report in reports)
    return f"{words.count(changes, 'change')} made." if changes else "Nothing was to be changed."
