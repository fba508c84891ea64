"""`touch` and `pin`: what keeps a memory alive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.editing import updated_facts, updated_lines
from mnemex_vault.cli.facts import today
from mnemex_vault.cli.naming import each_of, identified
from mnemex_vault.cli.options import JsonOption, MemoryArgument, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.lifecycle import Touched


def touch(
    context: typer.Context,
    names: MemoryArgument,
    boost: Annotated[bool, typer.Option("--boost", help="Make it more important as well (strength + 0.1).")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Use a memory now, which strengthens it."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = identified(app, names, working_folder=session.working_folder)
        outcome = each_of(ids, lambda memory_id: app.lifecycle.touch(memory_id, boost=boost))
        if outcome.done:
            lines = [line for each in outcome.done for line in _touched_lines(app, each)]
            session.console.answer([_touched_facts(each) for each in outcome.done], lines)
        outcome.tell(session.console)


def _touched_facts(touched: Touched) -> dict[str, object]:
    return {
        "memory_id": touched.entry.memory_id,
        "title": touched.entry.title,
        "old_score": round(touched.score_before, 4),
        "new_score": round(touched.score, 4),
        "use_count": touched.usage.use_count,
        "strength": round(touched.usage.strength, 4),
        "fades_on": touched.fades_on,
        "written": touched.written,
    }


def _touched_lines(app: App, touched: Touched) -> list[str]:
    usage, entry = touched.usage, touched.entry
    future = words.fading(touched.fades_on, tier=entry.tier, pinned=usage.pinned, today=today(app))
    lines = [
        f"Used: {one_line(entry.title)} ({entry.memory_id})",
        f"  score {touched.score_before:.2f} -> {touched.score:.2f}, {words.count(usage.use_count, 'use')}, {future}",
    ]
    if not touched.written:
        lines.append("  The note was changed a moment ago: the use counts now, and is written when the note is quiet.")
    return lines


def pin(
    context: typer.Context,
    names: MemoryArgument,
    off: Annotated[bool, typer.Option("--off", help="Let it fade again.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Protect a memory from fading."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = identified(app, names, working_folder=session.working_folder)
        outcome = each_of(ids, lambda memory_id: app.editing.pin(memory_id, pinned=not off))
        if outcome.done:
            done = "Unpinned" if off else "Pinned"
            lines = [line for each in outcome.done for line in updated_lines(app, each, done)]
            session.console.answer([updated_facts(each) for each in outcome.done], lines)
        outcome.tell(session.console)
