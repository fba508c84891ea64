"""`review`: what fades next, one memory after the other, and what is to become of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.facts import future_of, place_line, scale, since, title_line
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, take_back, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import MnemexError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.memories.review import QueueItem

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
        lines = [line for item in items[:limit] for line in _lines(app, item)]
        more = [f"... and {len(items) - limit} more"] if len(items) > limit else []
        data = {"total": len(items), "queue": [_facts(app, item) for item in items[:limit]]}
        closing = more if items else ["Nothing fades in this time."]
        drawn = _drawn(app, items[:limit], closing, session.console.columns) if session.console.draws else None
        session.console.answer(data, [*lines, *closing], drawn=drawn)


def _drawn(app: App, items: Sequence[QueueItem], closing: Sequence[str], columns: int) -> Iterable[RenderableType]:
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


def _facts(app: App, item: QueueItem) -> dict[str, object]:
    entry = item.entry
    return {
        "id": entry.memory_id,
        "title": entry.title,
        "path": entry.path,
        "score": round(item.score, 4),
        "fades_on": item.fades_at.astimezone(app.zone).date(),
    }


def _lines(app: App, item: QueueItem, *, number: str = "") -> list[str]:
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
        session.console.say(*_lines(app, item, number=f"{number}/{len(items)} "))
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
