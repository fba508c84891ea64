"""How alive each of some memories is, as bars in the colours of their states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from mnemex_vault.cli import words
from mnemex_vault.cli.console import one_line
from mnemex_vault.cli.drawn.look import FAINT, table, text
from mnemex_vault.cli.drawn.states import PERMANENT, STYLES, state_of
from mnemex_vault.cli.facts import future_of
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry


def strengths(app: App, entries: Sequence[tuple[Entry, float]]) -> Iterator[RenderableType]:
    """Yield a table of memories with their share of the greatest strength, which is 1."""
    shown = table(heads=False)
    shown.add_column(no_wrap=True)
    shown.add_column(ratio=1, overflow="fold")
    shown.add_column(style=FAINT)
    for entry, share in entries:
        style = PERMANENT if entry.tier is Tier.LONG_TERM else STYLES[state_of(app, entry)]
        shown.add_row(Text(words.bar(share), style=style), text(one_line(entry.title)), text(future_of(app, entry)))
    yield shown
