"""`show`: reading notes in full."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Console, Faint
from mnemex_vault.cli.curve import curve_lines
from mnemex_vault.cli.facts import facts, outlook, place_line, since, title_line
from mnemex_vault.cli.naming import identify
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.saving import Opened

# columns of the drawing with its scale, and how far it reaches at most
_WIDTH = 72
_SCALE = 6
_FAR = 365.0


def show(
    context: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NOTE...",
            autocompletion=completing.notes,
            help="Id, title or path of a memory or note.",
            show_default=False,
        ),
    ],
    curve: Annotated[
        bool, typer.Option("--curve", help="Draw how it fades, also where nobody looks at a terminal.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read memories in full. Up to three at once count as used, once a day each."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = [identify(app, name, working_folder=session.working_folder, ordinary=True) for name in names]
        opened, missing = app.collection.open(ids)
        if opened:
            data = [_opened_facts(app, each) for each in opened]
            lines = [line for each in opened for line in _opened_lines(app, session.console, each, curve=curve)]
            session.console.answer(data, lines)
        if missing:
            raise app.collection.refusal(missing[0])


def _opened_facts(app: App, opened: Opened) -> dict[str, object]:
    memory = opened.memory
    more: dict[str, object] = {}
    if memory is not None:
        more = {
            "entities": list(memory.entities),
            "relations": [{"to": each.target, "type": each.type.value} for each in memory.relations],
            "source": memory.source,
            "context": memory.context,
            "project": memory.project,
            "session": memory.session,
        }
    return {**facts(app, opened.entry), "content": opened.note.content, "etag": opened.note.etag, **more}


def _opened_lines(app: App, console: Console, opened: Opened, *, curve: bool) -> list[str]:
    entry, usage = opened.entry, opened.usage
    lines: list[str] = [title_line(entry.title, entry.memory_id or "")]
    if usage is None or opened.score is None:
        lines.append(place_line(entry, "note"))
    else:
        used = f"{words.count(usage.use_count, 'use')}, last {since(usage.last_used, app)}"
        lines.append(place_line(entry, outlook(app, entry), f"score {opened.score:.2f}", used))
    for label, value in _said(opened):
        lines.append(Faint(f"{label}: {one_line(value)}"))
    if curve or console.width is not None:
        lines += [Faint(line) for line in _fading_lines(app, opened, width=console.width or _WIDTH)]
    return [*lines, "", *console.paragraph(opened.note.content), ""]


def _fading_lines(app: App, opened: Opened, *, width: int) -> list[str]:
    """Return the drawing of what becomes of a short-term memory that is left alone."""
    usage, now, policy = opened.usage, app.store.clock(), app.store.rules.policy
    if usage is None or usage.pinned or opened.entry.tier is not Tier.SHORT_TERM:
        return []
    fades = scoring.fades_at(usage, policy)
    left = (fades - now) / timedelta(days=1) if fades else _FAR
    return curve_lines(
        lambda days: scoring.score(usage, policy, now=now + timedelta(days=days)),
        days=max(1.0, min(left, _FAR)),
        threshold=policy.forget_threshold,
        width=min(width, _WIDTH) - _SCALE,
    )


def _said(opened: Opened) -> list[tuple[str, str]]:
    """Return what a memory says of itself besides its text."""
    memory = opened.memory
    if memory is None:
        return []
    related = ", ".join(f"{each.type.value} [[{each.target}]]" for each in memory.relations)
    pairs = [
        ("about", ", ".join(memory.entities)),
        ("project", memory.project),
        ("relations", related),
        ("source", memory.source),
        ("context", memory.context),
        ("written by", memory.origin),
    ]
    return [(label, value) for label, value in pairs if value]
