"""How things stand: counts as bars, states as dots; settings as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from mnemex_vault.cli.console import one_line
from mnemex_vault.cli.drawn.look import FAINT, ROOMY, STRONG, line, said, table, text
from mnemex_vault.cli.drawn.states import PERMANENT, STYLES, dot
from mnemex_vault.domain.scoring import State

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.memories.status import Status

_BAR = 24


def status(app: App, found: Status, *, closing: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the figures of a vault, then the closing lines."""
    yield text(one_line(app.root.name), STRONG)
    yield line(str(app.root), FAINT)
    yield ""
    yield _counts(found)
    yield ""
    yield _states(found)
    yield from said(closing)


def _counts(found: Status) -> Table:
    rows = [
        ("short-term", found.short_term, STYLES[State.FRESH]),
        ("long-term", found.long_term, PERMANENT),
        ("archived", found.archived, FAINT),
        ("other notes", found.ordinary, FAINT),
    ]
    most = max(number for _, number, _ in rows)
    shown = table(heads=False)
    shown.add_column(no_wrap=True)
    shown.add_column(justify="right", style=STRONG, no_wrap=True)
    shown.add_column(no_wrap=True, overflow="crop")
    for name, number, style in rows:
        shown.add_row(name, f"{number:,}", Text("━" * ceil(_BAR * number / most if most else 0), style=style))
    return shown


def _states(found: Status) -> Text:
    fresh = found.short_term - found.fading - found.due
    return Text("   ").join(
        [
            dot(State.FRESH, f"{fresh:,} fresh or pinned"),
            dot(State.DUE, f"{found.due:,} due for review"),
            dot(State.FADING, f"{found.fading:,} fading"),
        ]
    )


def settings(
    groups: Sequence[tuple[str, Sequence[tuple[str, str, str]]]], *, closing: Sequence[str], columns: int
) -> Iterator[RenderableType]:
    """Yield settings by group: name, value and origin; those that nobody chose step back."""
    shown = table()
    shown.add_column("Setting")
    if columns >= ROOMY:
        shown.add_column("Value", ratio=1, overflow="fold")
        shown.add_column("From", no_wrap=True)
    for number, (group, rows) in enumerate(groups):
        if number:
            shown.add_row()
        shown.add_row(text(group, STRONG))
        for name, value, origin in rows:
            style = FAINT if origin == "default" else ""
            cells = [f"  {name}", value, origin] if columns >= ROOMY else [f"  {name}: {value}"]
            shown.add_row(*(text(cell, style) for cell in cells))
    yield shown
    yield from said(closing)
