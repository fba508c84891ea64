"""`promote`: what deserves to be permanent."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.facts import moved_facts, scale, title_line
from mnemex_vault.cli.moving import moved_lines
from mnemex_vault.cli.naming import Done, each_of, identified
from mnemex_vault.cli.options import JsonOption, VaultOption, again
from mnemex_vault.cli.safe_text import kept, one_line, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import InvalidInput, NotAllowed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.memories.lifecycle import Candidate, Outcome


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
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=force, folder=folder)
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
