"""`forget`, `demote`, `restore`, `gc`: where a memory lies, and letting go of what has faded."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import left_lines, scale, scored, when
from mnemex_vault.cli.options import JsonOption, MemoryArgument, VaultOption, again, memories_argument
from mnemex_vault.cli.session import Session, each_of, identified, identify
from mnemex_vault.cli.sheet import Faint, Part, Row, Rows, kept, one_line, take_back, whole

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.forgetting import ForgettingPlan, ForgettingResult, Purged
    from mnemex_vault.memories.lifecycle import Moved


def demote(
    context: typer.Context, names: MemoryArgument, vault: VaultOption = None, as_json: JsonOption = False
) -> None:
    """Let long-term memories fade again. Their notes move back."""
    session = Session.of(context, as_json=as_json)
    _move(session, vault, names, "Demoted", lambda app: app.lifecycle.demote)


def forget(
    context: typer.Context,
    names: Annotated[list[str] | None, memories_argument("all that have faded")] = None,
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

    _move(session, vault, names, _FORGOTTEN, forgetting)


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
            session.console.answer([_moved(each, done) for each in outcome.done], moved_lines(outcome.done, done))
        outcome.tell(session.console)


def _moved(moved: Moved, done: str) -> dict[str, object]:
    """Return the answer of the tool that moves a memory so, with what a program may follow."""
    from mnemex_vault.answers import memory as answers

    told = answers.forgotten(moved, to_trash=not moved.path) if done == _FORGOTTEN else answers.restored(moved)
    return {**told.answer.data(), "from": moved.source, "links_left": [entry.path for entry in moved.left_links]}


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


_SHOWN = 20
_DO_IT = "Do it: "
_FORGOTTEN = "Forgotten"


def gc(
    context: typer.Context,
    apply: Annotated[bool, typer.Option("--apply", help="Do it; without, only show it.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=0, help="At most so many; else a tenth."),
    ] = None,
    trash: Annotated[bool, typer.Option("--trash", help="To the trash that Obsidian uses, not the archive.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what has faded. The same as mnemex forget without a memory."""
    session = Session.of(context, as_json=as_json)
    let_go_what_faded(session, vault, apply=apply, limit=limit, trash=trash, name="gc")


def let_go_what_faded(
    session: Session, vault: Path | None, *, apply: bool, limit: int | None, trash: bool, name: str
) -> None:
    """Show what has faded, or move it into the archive or the trash; `name` is the command that does so."""
    from mnemex_vault.answers import upkeep
    from mnemex_vault.answers.view import EVERYTHING
    from mnemex_vault.memories.forgetting import ForgettingResult

    options = again("--limit", limit) + again("--vault", vault) + (["--trash"] if trash else [])
    do_it = shlex.join(["mnemex", name, *options, "--apply"])
    with session.open(vault) as app:
        with session.console.working("Looking for what has faded"):
            plan = app.forgetting.plan(limit=limit)
            result = app.forgetting.run(plan, to_trash=trash) if apply else ForgettingResult()
        place = "the trash" if trash else "the archive"
        told = upkeep.tidied(plan, result, dry_run=not apply, to_trash=trash, bounds=EVERYTHING).answer
        parts = done_lines(result, place) if apply else _plan_parts(app, plan, place, do_it)
        session.console.answer(told, [*parts, *_kept_lines(plan)])


def _plan_parts(app: App, plan: ForgettingPlan, place: str, do_it: str) -> Iterator[Part]:
    """Give what a run would do."""
    rows = [
        Row(
            title=each.entry.title,
            name=each.entry.memory_id or "",
            cells=[when("Last used", app.memories.usage(each.entry).last_used, app), scored(app, each.entry)],
            place=whole(each.entry.path),
        )
        for each in plan.candidates[:_SHOWN]
    ]
    if rows:
        yield Rows(rows=rows)
    yield from _plan_closing(plan, place, do_it)
    yield from scale(app, rows)


def _plan_closing(plan: ForgettingPlan, place: str, do_it: str) -> list[str]:
    if not plan.candidates:
        return ["Nothing has faded; there is nothing to tidy up."]
    more = [f"... and {len(plan.candidates) - _SHOWN} more"] if len(plan.candidates) > _SHOWN else []
    faded = words.count(len(plan.candidates), "faded memory", "faded memories")
    # a command is not to be broken between two lines
    return [*more, f"{faded} would go to {place}; nothing was changed.", f"{_DO_IT}{kept(do_it)}"]


def done_lines(result: ForgettingResult, place: str) -> list[str]:
    """Return what a run did."""
    lines = [f"{one_line(each.title)} ({each.memory_id}) -> {whole(each.path) or place}" for each in result.moved]
    lines += [f"left as it was: {whole(path)}: {one_line(reason)}" for path, reason in result.failed.items()]
    if not result.moved:
        return [*lines, "Nothing has faded; nothing was moved." if not lines else "Nothing was moved."]
    went = f"{words.count(len(result.moved), 'faded memory', 'faded memories')} went to {place}"
    return [*lines, f"{went}; mnemex restore or mnemex undo takes it back."]


def _kept_lines(plan: ForgettingPlan) -> list[str]:
    kept = [f"{number} kept: {reason.value}." for reason, number in plan.exempt.items()]
    return [*kept, forecast(plan.soon)]


def forecast(soon: int) -> str:
    """Return what the next weeks bring.

    >>> forecast(1), forecast(0)
    ('1 memory fades in the next 30 days unless it is used.', 'No memory fades in the next 30 days.')
    """
    if not soon:
        return "No memory fades in the next 30 days."
    verb, used = ("fades", "it is") if soon == 1 else ("fade", "they are")
    return f"{words.count(soon, 'memory', 'memories')} {verb} in the next 30 days unless {used} used."
