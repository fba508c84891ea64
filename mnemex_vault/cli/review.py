"""`review`, `promote`, `maintain`: what fades next, what deserves to be permanent, the steps that look after both."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Faint, Heading, kept, one_line, take_back, whole
from mnemex_vault.cli.facts import future_of, moved_facts, place_line, scale, since, title_line
from mnemex_vault.cli.forget import moved_lines
from mnemex_vault.cli.options import JsonOption, VaultOption, again
from mnemex_vault.cli.session import Done, Session, each_of, identified
from mnemex_vault.errors import InvalidInput, MnemexError, NotAllowed

if TYPE_CHECKING:
    from rich.console import RenderableType

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
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if note:
            _write_note(session, app)
            return
        items = app.review.queue(days=days)
        if session.asks and items:
            _go_through(session, app, items[:limit])
            return
        lines = [line for item in items[:limit] for line in _review_lines(app, item)]
        more = [f"... and {len(items) - limit} more"] if len(items) > limit else []
        data = {"total": len(items), "queue": [_review_facts(app, item) for item in items[:limit]]}
        closing = more if items else ["Nothing fades in this time."]
        drawn = _review_drawn(app, items[:limit], closing, session.console.columns) if session.console.draws else None
        session.console.answer(data, [*lines, *closing], drawn=drawn)


def _review_drawn(
    app: App, items: Sequence[QueueItem], closing: Sequence[str], columns: int
) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.look import ROOMY
    from mnemex_vault.cli.drawn.memories import Row, memories
    from mnemex_vault.cli.drawn.states import score, standing

    rows = [
        Row(
            title=item.entry.title,
            below=[f"{item.entry.memory_id} · last used {since(item.usage.last_used, app)}"],
            beside=[standing(app, item.entry, joined=", " if columns < ROOMY else "\n"), score(app, item.entry)],
        )
        for item in items
    ]
    return memories(rows, heads=["State", "Score"], closing=[*closing, *scale(app, rows)], columns=columns)


def _review_facts(app: App, item: QueueItem) -> dict[str, object]:
    entry = item.entry
    return {
        "id": entry.memory_id,
        "title": entry.title,
        "path": entry.path,
        "score": round(item.score, 4),
        "fades_on": item.fades_at.astimezone(app.zone).date(),
    }


def _review_lines(app: App, item: QueueItem, *, number: str = "") -> list[str]:
    used = f"last used {since(item.usage.last_used, app)}"
    uses = words.count(item.usage.use_count, "use")
    return [
        title_line(item.entry.title, item.entry.memory_id or "", number=number),
        place_line(item.entry, future_of(app, item.entry), used, uses, indent="   "),
    ]


def _go_through(session: Session, app: App, items: Sequence[QueueItem]) -> None:
    """Ask about each; what fails is told, and the next one comes."""
    done, undoable = 0, ""
    for number, item in enumerate(items, 1):
        session.console.say(*_review_lines(app, item, number=f"{number}/{len(items)} "))
        try:
            session.console.say(*session.console.paragraph(app.store.note(item.entry).content, indent="   "))
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
        return f"kept: {future_of(app, app.store.memory_entry(memory_id))}", ""

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
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MEMORY]...",
            autocompletion=completing.memories,
            help="Id, title or path of a memory; without, all that deserve it.",
        ),
    ] = None,
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
            candidates = app.lifecycle.promotion_candidates(now=app.store.clock(), folder=folder)
        does = (bool(names) or apply) and not dry_run
        with session.console.working("Promoting"):
            outcome = _promoted(app, candidates if does else [])
        data = {
            "dry_run": not does,
            "candidates": [_candidate_facts(each) for each in candidates],
            "promoted": [moved_facts(each) for each in outcome.moved],
            "failed": {path: str(error) for path, error in outcome.failed.items()},
        }
        do_it = shlex.join(["mnemex", "promote", *again("--folder", folder), *again("--vault", vault), "--apply"])
        closing = _plan_closing(candidates, "" if names else do_it)
        lines = moved_lines(outcome.moved, "Promoted") if does else [*_plan_lines(candidates), *closing]
        drawn = None
        if session.console.draws and not does:
            drawn = _drawn_plan(app, candidates, closing, session.console.columns)
        session.console.answer(data, lines, drawn=drawn)
        Done(candidates, [*named.failed, *outcome.failed.items()]).tell(session.console)


def _promoted(app: App, candidates: Sequence[Candidate]) -> Outcome:
    from mnemex_vault.memories.lifecycle import Outcome

    if len(candidates) == 1:
        return Outcome(moved=app.lifecycle.promote(candidates))
    return app.lifecycle.promote_each(candidates)


def _drawn_plan(
    app: App, candidates: Sequence[Candidate], closing: Sequence[str], columns: int
) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.look import text
    from mnemex_vault.cli.drawn.memories import Row, memories
    from mnemex_vault.cli.drawn.states import score

    rows = [
        Row(
            title=each.entry.title,
            below=[
                f"{each.entry.memory_id} · to {each.destination.rpartition('/')[0]}",
                *(f"linked from {path}" for path in each.links_in),
            ],
            beside=[text(each.reason), score(app, each.entry)],
        )
        for each in candidates
    ]
    return memories(rows, heads=["Why", "Score"], closing=[*closing, *scale(app, rows)], columns=columns)


def _candidate(app: App, memory_id: str, *, force: bool, folder: str | None) -> Candidate:
    candidate = app.lifecycle.promotion_candidate(
        memory_id, now=app.store.clock(), force=force, folder=folder, by_person=True
    )
    if candidate is not None:
        return candidate
    entry = app.store.memory_entry(memory_id)
    usage, policy = app.store.usage(entry), app.store.rules.policy
    needs = f"{words.count(1 + policy.promote_min_uses, 'use')} on {words.count(policy.promote_min_days, 'day')}"
    has = f"{usage.use_count} on {usage.days_used}"
    score = app.store.score(entry, now=app.store.clock())
    often = words.count(policy.promote_use_count, "use")
    raise NotAllowed(
        f"{entry.title!r} does not deserve it yet: the rules ask for {needs} (it has {has}) and a score of "
        f"{policy.promote_threshold:g} (it has {score:.2f}) or {often} while it is young; "
        "--force promotes it anyway"
    )


def _candidate_facts(candidate: Candidate) -> dict[str, object]:
    return {
        "id": candidate.entry.memory_id,
        "title": candidate.entry.title,
        "reason": candidate.reason,
        "score": round(candidate.score, 4),
        "use_count": candidate.usage.use_count,
        "path": candidate.entry.path,
        "destination": candidate.destination,
        "links_in": list(candidate.links_in),
    }


def _plan_lines(candidates: Sequence[Candidate]) -> list[str]:
    lines: list[str] = []
    for each in candidates:
        lines.append(title_line(each.entry.title, each.entry.memory_id or ""))
        lines.append(Faint(f"   {each.reason} · would go to {one_line(each.destination)}"))
        lines += [Faint(f"   link to be kept alive in {whole(path)}") for path in each.links_in]
    return lines


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
        lines = [line for report in reports for line in (Heading(report.step.value), *_step_lines(report, indent="  "))]
        closing = _closing(reports, dry_run=dry_run)
        drawn = _step_drawn(reports, closing) if session.console.draws else None
        session.console.answer([_step_facts(report) for report in reports], [*lines, closing], drawn=drawn)


def _step_drawn(reports: list[StepReport], closing: str) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.steps import steps

    return steps([(report.step.value, _step_lines(report, indent="")) for report in reports], closing=[closing])


def _step_facts(report: StepReport) -> dict[str, object]:
    return {
        "step": report.step.value,
        "dry_run": report.dry_run,
        "lines": report.lines,
        "memory_ids": report.memory_ids,
        "operation_ids": report.operation_ids,
        "failed": report.failed,
    }


def _step_lines(report: StepReport, *, indent: str) -> list[str]:
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
