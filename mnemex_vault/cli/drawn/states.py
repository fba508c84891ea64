"""The state of a memory as a coloured word; the word says all, for whom the colour says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from mnemex_vault.cli.drawn.look import FAINT
from mnemex_vault.cli.facts import future_of
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.scoring import State

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry

STYLES = {State.FRESH: "green", State.DUE: "yellow", State.FADING: "red", State.PINNED: "cyan"}
PERMANENT = "blue"
_DOT = "● "


def state_of(app: App, entry: Entry) -> State:
    """Return what people are told of a short-term memory."""
    return scoring.state(app.store.usage(entry), app.store.rules.policy, now=app.store.clock())


def standing(app: App, entry: Entry, *, joined: str = "\n") -> Text:
    """Return the state of a note and what becomes of it."""
    if not entry.is_memory:
        return Text("note", style=FAINT)
    if entry.tier is Tier.LONG_TERM:
        return Text(f"{_DOT}permanent", style=PERMANENT)
    if entry.tier is Tier.ARCHIVED:
        return Text("archived", style=FAINT)
    state = state_of(app, entry)
    shown = dot(state, state.value)
    if state is State.PINNED:
        return shown
    return Text.assemble(shown, (joined, STYLES[state]), (future_of(app, entry), FAINT))


def dot(state: State, words: str) -> Text:
    """Return words with a dot in the colour of a state."""
    return Text(f"{_DOT}{words}", style=STYLES[state])


def score(app: App, entry: Entry) -> Text:
    """Return the score of a short-term memory in the colour of its state; others have none that matters."""
    if not entry.is_memory or entry.tier is not Tier.SHORT_TERM:
        return Text("")
    value = app.store.score(entry, now=app.store.clock())
    return Text(f"{value:.2f}", style=STYLES[state_of(app, entry)])
