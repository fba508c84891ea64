"""`review`, `promote`, `maintain`: what fades next, what deserves to be permanent, the steps that look after both."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import future_of, scale, scored, standing, when
from mnemex_vault.cli.forget import moved_lines
from mnemex_vault.cli.options import JsonOption, VaultOption, again, memories_argument
from mnemex_vault.cli.session import Done, Session, each_of, identified
from mnemex_vault.cli.sheet import Cell, Faint, Part, Row, Rows, kept, one_line, styled, take_back, title_line, whole
from mnemex_vault.errors import InvalidInput, MnemexError, NotAllowed

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.lifecycle import Candidate, Outcome
    from mnemex_vault.memories.review import QueueItem
    from mnemex_vault.memories.upkeep import StepReport

_QUESTION = "  [k]eep, make [p]ermanent, [l]et go, [s]kip, [q]uit"
_SKIP, _QUIT = "s", "q"
_ANSWERS = ("k", "p", "l", _SKIP, _QUIT)


def review(
    context: typer.Context,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", min=0, help="Only what fades within so many days.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="At most so many.")] = 20,
    note: Annotated[
        bool, typer.Option("--note", help="Do what is ticked in the review note, and write it anew.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go through what fades next. On a terminal you decide on each: keep, make permanent, let go."""
    from mnemex_vault.answers import upkeep
    from mnemex_vault.answers.view import EVERYTHING

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if note:
            _write_note(session, app)
            return
        items = app.review.queue(days=days)
        if session.asks and items:
            _go_through(session, app, items[:limit])
            return
        told = upkeep.queue(app, items[:limit], total=len(items), bounds=EVERYTHING).answer
        session.console.answer(told, _queue_parts(app, items[:limit], len(items)))


def _queue_parts(app: App, items: Sequence[QueueItem], total: int) -> Iterator[Part]:
    rows = [_queued(app, item) for item in items]
    if rows:
        yield Rows(rows=rows)
    if total > len(rows):
        yield f"... and {total - len(rows)} more"
    if not total:
        yield "Nothing fades in this time."
    yield from scale(app, rows)


def _queued(app: App, item: QueueItem) -> Row:
    used = when("Last used", item.usage.last_used, app)
    uses = Cell("Uses", styled(f"{item.usage.use_count:,}", ""))
    return Row(
        title=item.entry.title,
        name=item.entry.memory_id or "",
        cells=[standing(app, item.entry), used, uses, scored(app, item.entry)],
        place=whole(item.entry.path),
    )


def _go_through(session: Session, app: App, items: Sequence[QueueItem]) -> None:
    """Ask about each; what fails is told, and the next one comes."""
    done, undoable = 0, ""
    for number, item in enumerate(items, 1):
        session.console.say(*_asked(app, item, number, len(items)))
        try:
            session.console.say(*session.console.paragraph(app.memories.note(item.entry).content, indent="   "))
            answer = _ask()
            if answer == _QUIT:
                break
            if answer != _SKIP:
                said, operation_id = _verbs(app)[answer](item.entry.memory_id or "")
                session.console.say(Faint(f"  {said}"))
                done, undoable = done + 1, operation_id or undoable
        except MnemexError as error:
            session.console.warn(one_line(str(error)))
    session.console.say(f"{words.count(done, 'decision')} made.")
    if undoable:
        # keeping one is a use, and no change that undo would take back
        session.console.say(take_back(undoable, "Take the last change back"))


def _asked(app: App, item: QueueItem, number: int, total: int) -> Iterator[str]:
    """Give the memory that is asked about, in lines."""
    row = _queued(app, item)
    yield title_line(row.title, row.name, mark=f"{number}/{total} ")
    yield Faint(f"   {row.said()}")


def _ask() -> str:
    def check(text: str) -> str:
        letter = text.strip().casefold()[:1]
        if letter not in _ANSWERS:
            raise typer.BadParameter("one of the letters, please")
        return letter

    return str(typer.prompt(_QUESTION, default=_SKIP, show_default=False, value_proc=check))


def _verbs(app: App) -> dict[str, Callable[[str], tuple[str, str]]]:
    """Return what each answer does; it tells what was done, and by which change, if by one."""

    def keep(memory_id: str) -> tuple[str, str]:
        app.lifecycle.touch(memory_id)
        return f"kept: {future_of(app, app.memories.memory_entry(memory_id))}", ""

    def promote(memory_id: str) -> tuple[str, str]:
        (moved,) = app.review.promote(memory_id)
        return f"permanent: {whole(moved.path)}", moved.operation_id

    def let_go(memory_id: str) -> tuple[str, str]:
        moved = app.lifecycle.forget(memory_id, reason="let go in review")
        return f"let go: {whole(moved.path)}", moved.operation_id

    return {"k": keep, "p": promote, "l": let_go}


def _write_note(session: Session, app: App) -> None:
    ticked = app.automation.apply_ticks(app.upkeep_plan)
    plan = app.upkeep_plan
    written = app.review.write(folder=plan.folder, device=plan.device)
    path = app.review.path()
    state = "written" if written else "as it was"
    failed = [(f"{tick.action.value} {', '.join(tick.ids)}", why) for tick, why in ticked.failed]
    lines = [f"{words.count(len(ticked.done), 'tick')} done."]
    lines += [f"could not be done, and stays ticked: {whole(tick)}: {one_line(why)}" for tick, why in failed]
    lines.append(f"The review note is {state}: {whole(path or '')}")
    data = {"ticks_done": len(ticked.done), "ticks_failed": dict(failed), "path": path, "written": written is not None}
    session.console.answer(data, lines)


def promote(
    context: typer.Context,
    names: Annotated[list[str] | None, memories_argument("all that deserve it")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Without a memory: promote all that deserve it.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Also what the rules would not promote.")] = False,
    folder: Annotated[
        str | None, typer.Option("--folder", metavar="FOLDER", help="Another folder of the vault than Long-term.")
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make memories permanent. Their notes move; without a memory, shows which ones deserve it."""
    from mnemex_vault.answers import upkeep
    from mnemex_vault.answers.view import EVERYTHING

    session = Session.of(context, as_json=as_json)
    if folder is not None and not folder.strip():
        raise InvalidInput("--folder", "is empty; / is the top of the vault")
    with session.open(vault) as app:
        ids = identified(app, names or (), working_folder=session.working_folder)
        named = each_of(ids, lambda memory_id: _candidate(app, memory_id, force=force, folder=folder))
        if not named.done:
            named.tell(session.console)
        candidates = named.done
        if not names:
            candidates = app.lifecycle.promotion_candidates(now=app.memories.now(), folder=folder)
        does = (bool(names) or apply) and not dry_run
        plans = upkeep.plan(app.memories, candidates, EVERYTHING)
        with session.console.working("Promoting"):
            outcome = _promoted(app, candidates if does else [])
        told = upkeep.promoted(plans, outcome, found=len(candidates), dry_run=not does, bounds=EVERYTHING).answer
        do_it = shlex.join(["mnemex", "promote", *again("--folder", folder), *again("--vault", vault), "--apply"])
        parts = moved_lines(outcome.moved, "Promoted") if does else _plan_parts(candidates, "" if names else do_it)
        session.console.answer(told, parts)
        Done(candidates, [*named.failed, *outcome.failed.items()]).tell(session.console)


def _promoted(app: App, candidates: Sequence[Candidate]) -> Outcome:
    from mnemex_vault.memories.lifecycle import Outcome

    if len(candidates) == 1:
        return Outcome(moved=app.lifecycle.promote(candidates))
    return app.lifecycle.promote_each(candidates)


def _plan_parts(candidates: Sequence[Candidate], do_it: str) -> Iterator[Part]:
    rows = [
        Row(
            title=each.entry.title,
            name=each.entry.memory_id or "",
            cells=[Cell("Why", styled(each.reason, ""), named=False)],
            facts=[f"to {whole(each.destination)}"],
            below=[f"linked from {whole(path)}" for path in each.links_in],
        )
        for each in candidates
    ]
    if rows:
        yield Rows(rows=rows)
    yield from _plan_closing(candidates, do_it)


def _candidate(app: App, memory_id: str, *, force: bool, folder: str | None) -> Candidate:
    candidate = app.lifecycle.promotion_candidate(
        memory_id, now=app.memories.now(), force=force, folder=folder, by_person=True
    )
    if candidate is not None:
        return candidate
    entry = app.memories.memory_entry(memory_id)
    usage, policy = app.memories.usage(entry), app.memories.policy
    needs = f"{words.count(1 + policy.promote_min_uses, 'use')} on {words.count(policy.promote_min_days, 'day')}"
    has = f"{usage.use_count} on {usage.days_used}"
    score = app.memories.score(entry, now=app.memories.now())
    often = words.count(policy.promote_use_count, "use")
    raise NotAllowed(
        f"{entry.title!r} does not deserve it yet: the rules ask for {needs} (it has {has}) and a score of "
        f"{policy.promote_threshold:g} (it has {score:.2f}) or {often} while it is young; "
        "--force promotes it anyway"
    )


def _plan_closing(candidates: Sequence[Candidate], do_it: str) -> list[str]:
    if not candidates:
        return ["No memory deserves promotion now."]
    lines = [f"{words.count(len(candidates), 'memory', 'memories')} would be promoted; nothing was changed."]
    return [*lines, f"Do it: {kept(do_it)}"] if do_it else lines


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
        session.console.answer([_step_facts(report) for report in reports], _step_parts(reports, dry_run=dry_run))


def _step_parts(reports: Sequence[StepReport], *, dry_run: bool) -> Iterator[Part]:
    yield Rows(rows=[Row(title=each.step.value, below=_step_lines(each)) for each in reports], head="Step")
    yield _step_closing(reports, dry_run=dry_run)


def _step_facts(report: StepReport) -> dict[str, object]:
    return {
        "step": report.step.value,
        "dry_run": report.dry_run,
        "lines": report.lines,
        "memory_ids": report.memory_ids,
        "operation_ids": report.operation_ids,
        "failed": report.failed,
    }


def _step_lines(report: StepReport) -> list[str]:
    lines: list[str] = [one_line(line) for line in report.lines[:_SHOWN]]
    if len(report.lines) > _SHOWN:
        lines.append(f"... and {len(report.lines) - _SHOWN} more")
    if not report.lines:
        lines.append("nothing to do")
    lines += [f"left as it was: {one_line(path)}: {one_line(why)}" for path, why in report.failed.items()]
    return [*lines, *(f"take it back: mnemex undo {each}" for each in report.operation_ids)]


def _step_closing(reports: Sequence[StepReport], *, dry_run: bool) -> str:
    if dry_run:
        return "Nothing was changed."
    changes = sum(len(report.operation_ids) for report in reports)
    return f"{words.count(changes, 'change')} made." if changes else "Nothing was to be changed."
