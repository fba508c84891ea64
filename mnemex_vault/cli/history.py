"""`history` and `undo`: what was done, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli.facts import since
from mnemex_vault.cli.failures import FAILED
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Cell, Faint, Part, Row, Rows, one_line, styled, take_back, whole
from mnemex_vault.errors import NotAllowed
from mnemex_vault.language.words import counted

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.backup.team import Contribution
    from mnemex_vault.memories.face import Operation
    from mnemex_vault.memories.history import Undoing

_PATHS = 5
_USES = 3


def history(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="How many changes.")] = 20,
    uses: Annotated[bool, typer.Option("--uses", help="The writing of uses as well.")] = False,
    team: Annotated[bool, typer.Option("--team", help="Who learnt what, by the vault's own git repository.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was done to the notes."""
    from mnemex_vault.memories.history import REINFORCEMENTS

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if team:
            from mnemex_vault.backup.team import Team

            found = Team(app.memories.files).contributions(limit=limit)
            session.console.answer([_contribution_facts(each) for each in found], [_contributions(app, found)])
            return
        done = [each for each in app.history.operations() if uses or each.kind not in REINFORCEMENTS]
        session.console.answer([_operation_facts(each) for each in done[:limit]], _history_parts(app, done[:limit]))


def _history_parts(app: App, done: Sequence[Operation]) -> Iterator[Part]:
    rows = [
        Row(
            title=styled(one_line(f"{each.kind} {each.summary}"), "strike dim" if each.undone_by else "bold"),
            name=each.id,
            cells=[Cell("When", styled(since(each.at, app), "dim"), named=False)],
            facts=[f"undone by {each.undone_by}"] if each.undone_by else [],
            below=_step_lines(each),
        )
        for each in done
    ]
    yield Rows(rows=rows, head="What") if rows else "Nothing was done yet."


def _contribution_facts(done: Contribution) -> dict[str, object]:
    return {
        "who": done.who,
        "at": done.at,
        "commit": done.commit,
        "kind": done.kind,
        "memory_id": done.memory_id,
        "title": done.title,
        "path": done.path,
        "from": done.before or None,
    }


def _contributions(app: App, found: Sequence[Contribution]) -> Part:
    rows = [
        Row(
            title=styled(one_line(f"{each.who} {each.kind} “{each.title}”"), "bold"),
            name=each.commit,
            cells=[Cell("When", styled(since(each.at, app), "dim"), named=False)],
            below=[f"{whole(each.before)} -> {whole(each.path)}" if each.before else whole(each.path)],
        )
        for each in found
    ]
    return Rows(rows=rows, head="What") if rows else "Nobody has learnt anything yet."


def undo(
    context: typer.Context,
    operation_id: Annotated[
        str | None,
        typer.Argument(metavar="[CHANGE]", help="Its id from `history`; without, the last change.", show_default=False),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Write a text of ours once more over which an older one was saved.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a change back. Refused if someone has edited the notes since; undoing an undo does it again."""
    session = Session.of(context, as_json=as_json)
    if again and operation_id is None:
        raise typer.BadParameter("--again takes the id of the change, which `mnemex doctor` names")
    with session.open(vault) as app:
        if app.settings.read_only:
            raise NotAllowed("the vault is read-only for Mnemex Vault (setting read_only)")
        if again and operation_id:
            done = app.history.again(operation_id)
            lines = [f"Written once more: {one_line(done.summary)}", *map(_indented, _step_lines(done))]
            session.console.answer(_operation_facts(done), [*lines, take_back(done.id)])
            return
        with session.console.working("Taking it back"):
            undone = app.history.take_back(operation_id)
        session.console.answer(_undoing_facts(undone), _undoing_lines(undone))
        for refusal in undone.left:
            session.console.fail(f"{one_line(refusal.path)} stays as it is: {refusal}")
        if undone.left:
            raise typer.Exit(FAILED)


def _undoing_facts(undone: Undoing) -> dict[str, object]:
    return {
        **_operation_facts(undone.operation),
        "failed": {refusal.path: str(refusal) for refusal in undone.left},
        "uses_kept": [use.id for use in undone.uses],
    }


def _undoing_lines(undone: Undoing) -> Iterator[str]:
    yield f"Undone: {undone.undid.kind} {one_line(undone.undid.summary)}"
    yield from map(_indented, _step_lines(undone.operation))
    for use in undone.uses[:_USES]:
        yield f"The use of {one_line(use.summary)} is no change and stays. {take_back(use.id)}"
    if len(undone.uses) > _USES:
        yield f"So do {counted(len(undone.uses) - _USES, 'earlier use')}: mnemex history --uses"
    yield take_back(undone.operation.id, "Do it again")


def _operation_facts(operation: Operation) -> dict[str, object]:
    return {
        "operation_id": operation.id,
        "kind": operation.kind,
        "at": operation.at,
        "summary": operation.summary,
        "outcome": operation.outcome,
        "undoes": operation.undoes,
        "undone_by": operation.undone_by,
        "steps": [{"kind": step.kind, "path": step.path, "to": step.to} for step in operation.steps],
    }


def _step_lines(operation: Operation) -> list[str]:
    """Return where notes went; a change inside a note that moves as well is not worth a line."""
    moved = {step.to for step in operation.steps if step.to}
    lines: list[str] = []
    for step in operation.steps:
        if step.path in moved and step.kind == "update":
            continue
        target = f" -> {whole(step.to)}" if step.to else ""
        lines.append(f"{step.kind} {whole(step.path)}{target}")
    return lines[:_PATHS] + ([f"... and {len(lines) - _PATHS} more"] if len(lines) > _PATHS else [])


def _indented(line: str) -> Faint:
    return Faint(f"  {line}")
