"""Facts of memories for programs, and the lines in which people read them.

Keys that the predecessors had keep their names and epoch seconds; new ones hold ISO days.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from mnemex_vault.cli import words
from mnemex_vault.cli.sheet import Cell, Faint, Row, one_line, styled, whole
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.scoring import State

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry

STYLES = {State.FRESH: "green", State.DUE: "yellow", State.FADING: "red", State.PINNED: "cyan"}
PERMANENT, FAINT = "blue", "dim"


def facts(app: App, entry: Entry) -> dict[str, object]:
    """Return what is known of a note besides its text."""
    known: dict[str, object] = {
        "id": entry.item_id,
        "title": entry.title,
        "tier": entry.tier.value,
        "status": entry.tier.status if entry.is_memory else None,
        "path": entry.path,
        "tags": list(entry.tags),
        "origin": entry.origin or "user",
    }
    if entry.is_memory:
        known |= _usage_facts(app, entry, app.memories.usage(entry))
    return known


def _usage_facts(app: App, entry: Entry, usage: Usage) -> dict[str, object]:
    fades_on = app.memories.fades_on(usage, tier=entry.tier)
    return {
        "score": round(app.memories.score(entry, now=app.memories.now()), 4),
        "use_count": usage.use_count,
        "strength": round(usage.strength, 4),
        "pinned": usage.pinned,
        "created_at": int(usage.created.timestamp()),
        "last_used": int(usage.last_used.timestamp()),
        "fades_on": fades_on.isoformat() if fades_on else None,
    }


def state_style(app: App, entry: Entry) -> str:
    """Return the colour in which people see how a memory stands."""
    if entry.tier is not Tier.SHORT_TERM:
        return PERMANENT if entry.tier is Tier.LONG_TERM else FAINT
    return STYLES[scoring.state(app.memories.usage(entry), app.memories.policy, now=app.memories.now())]


def standing(app: App, entry: Entry) -> Cell:
    """Return the state of a note and what becomes of it; the word says all, for whom the colour says nothing."""
    if not entry.is_memory:
        return Cell("State", styled("note", FAINT), named=False)
    style = state_style(app, entry)
    if entry.tier is not Tier.SHORT_TERM:
        return Cell("State", styled(future_of(app, entry), style), named=False)
    state = scoring.state(app.memories.usage(entry), app.memories.policy, now=app.memories.now())
    more = "" if state is State.PINNED else future_of(app, entry)
    return Cell("State", styled(state.value, style), more, named=False)


def scored(app: App, entry: Entry) -> Cell:
    """Return the score of a short-term memory; others have none that matters."""
    if not entry.is_memory or entry.tier is not Tier.SHORT_TERM:
        return Cell("Score", styled("", ""))
    return Cell("Score", styled(f"{app.memories.score(entry, now=app.memories.now()):.2f}", state_style(app, entry)))


def when(head: str, moment: datetime, app: App) -> Cell:
    """Return how long ago something was, under its head."""
    return Cell(head, styled(since(moment, app), FAINT))


def left_lines(left: Iterable[Entry]) -> list[str]:
    """Return the notes whose links could not follow a move."""
    paths = sorted({entry.path for entry in left})
    return [Faint(f"  its link could not be rewritten, and leads nowhere now: {whole(path)}") for path in paths]


def today(app: App) -> date:
    """Return the day it is in the vault's time zone."""
    return app.memories.now().astimezone(app.zone).date()


def outlook(app: App, entry: Entry) -> str:
    """Return state and future of a memory in words: "fresh, fades in 12 days"."""
    usage = app.memories.usage(entry)
    if entry.tier is not Tier.SHORT_TERM:
        return words.fading(None, tier=entry.tier, pinned=usage.pinned, today=today(app))
    future = future_of(app, entry)
    state = scoring.state(usage, app.memories.policy, now=app.memories.now())
    # of these two the future says it all
    return future if state in (State.PINNED, State.FADING) else f"{state.value}, {future}"


def future_of(app: App, entry: Entry) -> str:
    """Return what becomes of a memory that is left alone, in words."""
    usage = app.memories.usage(entry)
    fades_on = app.memories.fades_on(usage, tier=entry.tier)
    return words.fading(fades_on, tier=entry.tier, pinned=usage.pinned, today=today(app))


def scale(app: App, rows: Sequence[Row]) -> list[str]:
    """Return what scores mean, for a list that shows some."""
    if not any(cell.value for row in rows for cell in row.cells if cell.head == "Score"):
        return []
    policy = app.memories.policy
    told = f"due for review below {policy.review_max:g}, forgotten below {policy.forget_level:g}"
    return [Faint(f"Score: 1 when new, more with every use, less with time; {told}.")]


def since(moment: datetime, app: App) -> str:
    """Return how long ago something was, as the vault's people count days."""
    return words.ago(moment.astimezone(app.zone), now=app.memories.now().astimezone(app.zone))


def listed(values: Iterable[str]) -> str:
    """Return values on one line."""
    return ", ".join(one_line(value) for value in values)
