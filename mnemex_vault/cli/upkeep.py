"""`gc` and `reindex`: tidying up."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.examination import read_again
from mnemex_vault.cli.facts import moved_facts, scale, since, title_line
from mnemex_vault.cli.housekeeping import relations_of
from mnemex_vault.cli.options import JsonOption, VaultOption, again
from mnemex_vault.cli.safe_text import kept, one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.memories.forgetting import Faded, ForgettingPlan, ForgettingResult

_SHOWN = 20
_DO_IT = "Do it: "


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
    from mnemex_vault.memories.forgetting import ForgettingResult

    options = again("--limit", limit) + again("--vault", vault) + (["--trash"] if trash else [])
    do_it = shlex.join(["mnemex", name, *options, "--apply"])
    with session.open(vault) as app:
        with session.console.working("Looking for what has faded"):
            plan = app.forgetting.plan(limit=limit)
            result = app.forgetting.run(plan, to_trash=trash) if apply else ForgettingResult()
        data = {
            "dry_run": not apply,
            "candidates": [_faded_facts(each) for each in plan.candidates],
            "exempt": {reason.value: number for reason, number in plan.exempt.items()},
            "fading_within_30_days": plan.soon,
            "moved": [moved_facts(each) for each in result.moved],
            "failed": result.failed,
        }
        place = "the trash" if trash else "the archive"
        lines = done_lines(result, place) if apply else plan_lines(app, plan, place, do_it)
        drawn = None
        if session.console.draws and not apply:
            drawn = _drawn_plan(app, plan, _plan_closing(plan, place, do_it), session.console.columns)
        session.console.answer(data, [*lines, *_kept_lines(plan)], drawn=drawn)


def _faded_facts(faded: Faded) -> dict[str, object]:
    entry = faded.entry
    return {"id": entry.memory_id, "title": entry.title, "path": entry.path, "score": round(faded.score, 4)}


def _drawn_plan(app: App, plan: ForgettingPlan, said: Sequence[str], columns: int) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.look import text
    from mnemex_vault.cli.drawn.memories import Row, memories, place
    from mnemex_vault.cli.drawn.states import score

    rows = [
        Row(
            title=each.entry.title,
            below=[place(each.entry)],
            beside=[text(since(app.store.usage(each.entry).last_used, app)), score(app, each.entry)],
        )
        for each in plan.candidates[:_SHOWN]
    ]
    # a command is not to be broken between two lines
    closing = [line.replace(f" {_DO_IT}", f"\n{_DO_IT}") for line in said]
    closing += [*_kept_lines(plan), *scale(app, rows)]
    return memories(rows, heads=["Last used", "Score"], closing=closing, columns=columns)


def plan_lines(app: App, plan: ForgettingPlan, place: str, do_it: str) -> list[str]:
    """Return what a run would do."""
    lines: list[str] = []
    for each in plan.candidates[:_SHOWN]:
        used = since(app.store.usage(each.entry).last_used, app)
        lines.append(title_line(each.entry.title, each.entry.memory_id or ""))
        lines.append(Faint(f"   last used {used} · score {each.score:.3f} · {whole(each.entry.path)}"))
    return [*lines, *_plan_closing(plan, place, do_it)]


def _plan_closing(plan: ForgettingPlan, place: str, do_it: str) -> list[str]:
    if not plan.candidates:
        return ["Nothing has faded; there is nothing to tidy up."]
    more = [f"... and {len(plan.candidates) - _SHOWN} more"] if len(plan.candidates) > _SHOWN else []
    faded = words.count(len(plan.candidates), "faded memory", "faded memories")
    return [*more, f"{faded} would go to {place}; nothing was changed. {_DO_IT}{kept(do_it)}"]


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


def reindex(
    context: typer.Context,
    accept_losses: Annotated[
        bool, typer.Option("--accept-losses", help="Take the notes that are there as all, however many are gone.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing when all went well.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the search index anew. It is a cache of the notes, and nothing in it can be lost."""
    session = Session.of(context, as_json=as_json)
    app = session.make_app(session.find_vault(vault))
    if accept_losses:
        app.reconciler.accept_losses()
    with closing(app):
        app.catch_up(progress=session.console.watch("Reading notes"))
        before, _ = app.catalog_file.extent()
        _make_anew(app, session)
        after, _ = app.catalog_file.extent()
        status, relations = app.overview.status(), relations_of(app)
        memories = status.short_term + status.long_term + status.archived
        data = {
            "notes": status.notes,
            "memories": memories,
            "memories_before": before,
            "memories_after": after,
            "relations_before": relations,
            "relations_after": relations,
        }
        read = (
            f"Read {words.count(status.notes, 'note')} anew, {words.count(memories, 'memory', 'memories')} among them."
        )
        if not quiet:
            session.console.answer(data, [read])


def _make_anew(app: App, session: Session) -> None:
    with session.console.working("Making the index anew"):
        read_again(app, progress=session.console.watch("Reading notes again"))
        app.store.text.start_anew()
        app.reconciler.start_anew()
        app.store.text.flush()
