"""`review`, `approve`, `promote`, `maintain`: what needs a person, and the steps that look after the rest."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
    from mnemex_vault.memories.face import Entry
    from mnemex_vault.memories.lifecycle import Candidate, Outcome
    from mnemex_vault.memories.review import Needs, QueueItem, Wider
    from mnemex_vault.memories.upkeep import StepReport
    from mnemex_vault.memories.versions import Unsettled

# each question with what its answers do, by their letters
_SKIP, _QUIT = "s", "q"
_FADING = "  [k]eep, make [p]ermanent, [l]et go, [s]kip, [q]uit"
_UNSETTLED = "  Which is true: the [n]ew one, the [o]ld one, [b]oth, [s]kip, [q]uit"
_WAITING = "  [y]es, trust them, [l]et them go, [s]kip, [q]uit"
_WIDER = "  Does it hold for [e]very project, or [o]nly there? [s]kip, [q]uit"
_NAMED = 5
# what an answer does: it tells what was done, and by which change, if by one
Verb = Callable[[], tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """One thing to decide: what is asked about, with its texts, and what each answer does, by its letter."""

    title: str
    name: str = ""
    about: str = ""
    texts: Callable[[], Sequence[str]]
    question: str
    verbs: Mapping[str, Verb]


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
    """Go through what needs you: versions, strangers, what fades."""
    from mnemex_vault.answers import upkeep
    from mnemex_vault.answers.view import EVERYTHING

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if note:
            _write_note(session, app)
            return
        found = app.review.needs(days=days)
        if session.asks and found:
            _go_through(session, app, replace(found, fading=found.fading[:limit]))
            return
        total = len(found.fading)
        found = replace(found, fading=found.fading[:limit])
        told = upkeep.queue(app, found, total=total, bounds=EVERYTHING).answer
        session.console.answer(told, _queue_parts(app, found, total))


def _queue_parts(app: App, found: Needs, total: int) -> Iterator[Part]:
    for pair in found.unsettled:
        yield f"Which is true: {_named(pair.newer)}, or the older {_named(pair.older)}?"
    for entries in found.waiting:
        count = words.count(len(entries), "memory", "memories")
        yield f"{count} {_from(entries)}: see {kept('mnemex approve')}"
    yield from _wider_lines(found.wider)
    rows = [_queued(app, item) for item in found.fading]
    if rows:
        yield Rows(rows=rows)
    if total > len(rows):
        yield f"... and {total - len(rows)} more"
    if not total:
        yield "Nothing fades in this time."
    yield from scale(app, rows)


def _wider_lines(found: Sequence[Wider]) -> Iterator[str]:
    for each in found:
        do_it = kept(f"mnemex update {each.entry.memory_id} --project none")
        yield f"{_named(each.entry)} was relied on in {_listed(each.projects)}. Let it hold for every project: {do_it}"


def _listed(projects: Sequence[str]) -> str:
    shown = [one_line(name) for name in projects[:_NAMED]]
    return ", ".join([*shown[:-1], *([f"and {shown[-1]}"])]) if len(projects) <= _NAMED else ", ".join([*shown, "..."])


def _named(entry: Entry) -> str:
    return f"{one_line(entry.title)!r} ({entry.memory_id})"


def _from(entries: Sequence[Entry]) -> str:
    """Say where memories come from that wait for a yes."""
    source = one_line(entries[0].source or "")
    return f"from {source or 'others'}, waiting for your yes"


def _queued(app: App, item: QueueItem) -> Row:
    used = when("Last used", item.usage.last_used, app)
    uses = Cell("Uses", styled(f"{item.usage.use_count:,}", ""))
    return Row(
        title=item.entry.title,
        name=item.entry.memory_id or "",
        cells=[standing(app, item.entry), used, uses, scored(app, item.entry)],
        place=whole(item.entry.path),
    )


def _go_through(session: Session, app: App, found: Needs) -> None:
    """Ask about each, what nobody but a person can tell first; what fails is told, and the next one comes."""
    cards = [*_cards(app, found)]
    done, undoable = 0, ""
    for number, card in enumerate(cards, 1):
        session.console.say(title_line(card.title, card.name, mark=f"{number}/{len(cards)} "))
        session.console.say(*([Faint(f"   {card.about}")] if card.about else []))
        try:
            for text in card.texts():
                session.console.say(*session.console.paragraph(text, indent="   "))
            answer = _ask(card)
            if answer == _QUIT:
                break
            if answer != _SKIP:
                said, operation_id = card.verbs[answer]()
                session.console.say(Faint(f"  {said}"))
                done, undoable = done + 1, operation_id or undoable
        except MnemexError as error:
            session.console.warn(one_line(str(error)))
    session.console.say(f"{words.count(done, 'decision')} made.")
    if undoable:
        # keeping one is a use, and no change that undo would take back
        session.console.say(take_back(undoable, "Take the last change back"))


def _cards(app: App, found: Needs) -> Iterator[_Card]:
    for pair in found.unsettled:
        yield _Card(
            title=f"{pair.newer.title}, or {pair.older.title}?",
            texts=partial(_dated_texts, app, [pair.newer, pair.older]),
            question=_UNSETTLED,
            verbs=_settling(app, pair),
        )
    for entries in found.waiting:
        yield _Card(
            title=f"{words.count(len(entries), 'memory', 'memories')} {_from(entries)}",
            texts=partial(_dated_texts, app, entries[:_NAMED]),
            question=_WAITING,
            verbs=_trusting(app, entries),
        )
    for each in found.wider:
        yield _Card(
            title=each.entry.title,
            name=each.entry.memory_id or "",
            about=f"belongs to {one_line(each.entry.project or '')}; relied on in {_listed(each.projects)}",
            texts=partial(_texts, app, each.entry),
            question=_WIDER,
            verbs=_widening(app, each.entry.memory_id or ""),
        )
    for item in found.fading:
        row = _queued(app, item)
        yield _Card(
            title=row.title,
            name=row.name,
            about=row.said(),
            texts=partial(_texts, app, item.entry),
            question=_FADING,
            verbs=_keeping(app, item.entry.memory_id or ""),
        )


def _texts(app: App, entry: Entry) -> list[str]:
    return [app.memories.note(entry).content]


def _dated_texts(app: App, entries: Sequence[Entry]) -> list[str]:
    """Return the texts of several memories, each with the day on which it was saved."""
    days = [app.memories.usage(entry).created.astimezone(app.zone).date() for entry in entries]
    return [f"{day}: {app.memories.note(entry).content}" for day, entry in zip(days, entries, strict=True)]


def _ask(card: _Card) -> str:
    def check(text: str) -> str:
        letter = text.strip().casefold()[:1]
        if letter not in (*card.verbs, _SKIP, _QUIT):
            raise typer.BadParameter("one of the letters, please")
        return letter

    return str(typer.prompt(card.question, default=_SKIP, show_default=False, value_proc=check))


def _settling(app: App, pair: Unsettled) -> Mapping[str, Verb]:
    newer, older = pair.newer.memory_id or "", pair.older.memory_id or ""

    def settle(holds: str, other: str, said: str, *, both: bool = False) -> tuple[str, str]:
        return said, app.review.settle(holds, other, both=both) or ""

    return {
        "n": lambda: settle(newer, older, "the new one replaces the old one"),
        "o": lambda: settle(older, newer, "the old one replaces the new one"),
        "b": lambda: settle(newer, older, "both are true", both=True),
    }


def _widening(app: App, memory_id: str) -> Mapping[str, Verb]:
    def only_there() -> tuple[str, str]:
        app.review.keep_apart(memory_id)
        return "stays with its project", ""

    return {"e": lambda: ("belongs to no single project now", app.review.widen(memory_id) or ""), "o": only_there}


def _trusting(app: App, entries: Sequence[Entry]) -> Mapping[str, Verb]:
    ids = [entry.memory_id or "" for entry in entries]

    def approve() -> tuple[str, str]:
        operation = app.editing.approve(ids)
        return f"trusted: {words.count(len(ids), 'memory', 'memories')}", operation.id if operation else ""

    def let_go() -> tuple[str, str]:
        now = app.memories.now()
        outcome = app.lifecycle.forget_each(entries, now=now, to_trash=False, reason="let go in review")
        done = outcome.moved[0].operation_id if outcome.moved else ""
        return f"let go: {words.count(len(outcome.moved), 'memory', 'memories')}", done

    return {"y": approve, "l": let_go}


def _keeping(app: App, memory_id: str) -> Mapping[str, Verb]:
    def keep() -> tuple[str, str]:
        app.lifecycle.touch(memory_id)
        return f"kept: {future_of(app, app.memories.memory_entry(memory_id))}", ""

    def promote() -> tuple[str, str]:
        (moved,) = app.review.promote(memory_id)
        return f"permanent: {whole(moved.path)}", moved.operation_id

    def let_go() -> tuple[str, str]:
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


def approve(
    context: typer.Context,
    names: Annotated[list[str] | None, memories_argument("those that the options choose")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="TEXT", help="What came from this source.")] = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="What belongs to a project.")] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="CHANGE", help="What one change brought, such as an import.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that waits.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Trust what came from others. Until then it is found, but stands in no brief and is never made permanent."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = identified(app, names or (), working_folder=session.working_folder)
        chooses = everything or any(each is not None for each in (source, project, batch))
        waiting = app.review.waiting_of(source=source, project=project, batch=batch)
        if not names and not chooses:
            rows = [_stranger(app, each) for each in waiting]
            closing = f"{words.count(len(waiting), 'memory', 'memories')} waiting for your yes."
            parts: list[Part] = [Rows(rows=rows), closing] if rows else [closing]
            session.console.answer({"waiting": [each.memory_id for each in waiting]}, parts)
            return
        ids += [entry.memory_id or "" for entry in waiting] if chooses else []
        operation = app.editing.approve(ids)
        count = len(operation.steps) if operation else 0
        lines: list[Part] = [f"Trusted: {words.count(count, 'memory', 'memories')}."]
        lines += [take_back(operation.id)] if operation else []
        session.console.answer({"approved": count, "operation_id": operation.id if operation else None}, lines)


def _stranger(app: App, entry: Entry) -> Row:
    source = Cell("Source", styled(one_line(entry.source or ""), ""))
    return Row(title=entry.title, name=entry.memory_id or "", cells=[standing(app, entry), source])


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
        parts = [*parts, *_wider_lines([] if names else app.review.wider())]
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
