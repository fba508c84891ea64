"""What upkeep did or would do, a row a step; and what was or would be brought in, a row a kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mnemex_vault.cli.drawn.look import STRONG, listed, said, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType


def steps(rows: Sequence[tuple[str, Sequence[str]]], *, closing: Sequence[str]) -> Iterator[RenderableType]:
    """Yield a table of names, each with its lines, then the closing lines."""
    shown = table(spread=True)
    shown.add_column("Step", style=STRONG, no_wrap=True)
    shown.add_column("Found", ratio=1, overflow="fold")
    for name, lines in rows:
        shown.add_row(text(name), listed(lines))
    yield from (shown, text(""))
    yield from said(closing)


def brought_in(
    rows: Sequence[tuple[str, int, str]],
    *,
    opening: Sequence[str],
    closing: Sequence[str],
) -> Iterator[RenderableType]:
    """Yield the opening lines, a table of kinds with their number and what becomes of them, and the closing lines."""
    yield from said(opening)
    shown = table(heads=False)
    shown.add_column(justify="right", style=STRONG, no_wrap=True)
    shown.add_column(no_wrap=True)
    shown.add_column(ratio=1)
    for name, number, fate in rows:
        shown.add_row(f"{number:,}", text(name), text(fate, "dim"))
    yield from (text(""), shown, text(""))
    yield from said(closing)
