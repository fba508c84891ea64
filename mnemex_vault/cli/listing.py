"""`list`: all memories, in an order of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import facts, outlook, place_line, scale, since, title_line
from mnemex_vault.cli.options import JsonOption, LimitOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry

_Order = Literal["created", "last-used", "score", "title"]
_WHEN = {"created": "Created", "last-used": "Last used"}


def list_memories(
    context: typer.Context,
    sort: Annotated[
        _Order, typer.Option("--sort", metavar="BY", help="By created, last-used, score or title.")
    ] = "created",
    reverse: Annotated[bool, typer.Option("--reverse", help="The other way round.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Forgotten memories as well.")] = False,
    limit: LimitOption = 20,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List memories. The newest first, or in another order."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        tiers = (Tier.SHORT_TERM, Tier.LONG_TERM, *([Tier.ARCHIVED] if archived else []))
        entries = sorted(app.store.catalog.memories(*tiers), key=_key(app, sort), reverse=reverse)
        shown = entries[:limit]
        closing = _closing(shown, len(entries))
        lines = [line for entry in shown for line in _lines(app, entry, sort)]
        drawn = _drawn(app, shown, sort, closing, session.console.columns) if session.console.draws else None
        data = {"total": len(entries), "memories": [facts(app, entry) for entry in shown]}
        session.console.answer(data, [*lines, closing], drawn=drawn)


def _key(app: App, order: _Order) -> Callable[[Entry], tuple[float, str]]:
    usage_of, now = app.store.usages(), app.store.clock()

    def key(entry: Entry) -> tuple[float, str]:
        usage = usage_of(entry)
        first = {
            "created": -usage.created.timestamp(),
            "last-used": -usage.last_used.timestamp(),
            "score": -app.store.score(entry, now=now),
            "title": 0.0,
        }
        return first[order], entry.title.casefold()

    return key


def _when(app: App, entry: Entry, order: _Order) -> str:
    usage = app.store.usage(entry)
    return since(usage.last_used if order == "last-used" else usage.created, app)


def _lines(app: App, entry: Entry, order: _Order) -> list[str]:
    said = f"{_WHEN.get(order, 'Created').lower()} {_when(app, entry, order)}"
    return [
        title_line(entry.title, entry.memory_id or ""),
        place_line(entry, outlook(app, entry), said, indent="   "),
    ]


def _drawn(app: App, entries: Sequence[Entry], order: _Order, closing: str, columns: int) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.look import ROOMY, text
    from mnemex_vault.cli.drawn.memories import Row, memories, place
    from mnemex_vault.cli.drawn.states import score, standing

    rows = [
        Row(
            title=entry.title,
            below=[place(entry)],
            beside=[
                standing(app, entry, joined=", " if columns < ROOMY else "\n"),
                text(_when(app, entry, order)),
                score(app, entry),
            ],
        )
        for entry in entries
    ]
    heads = ["State", _WHEN.get(order, "Created"), "Score"]
    return memories(rows, heads=heads, closing=[closing, *scale(app, rows)], columns=columns)


def _closing(shown: Sequence[Entry], total: int) -> str:
    if not total:
        return "There is no memory yet."
    return f"{words.of(len(shown), total, 'memory', 'memories')}."
