"""What other settings would have made of the memories, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mnemex_vault.cli.drawn.look import ROOMY, STRONG, said, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.domain.replay import Outcome

_HEADS = ("permanent", "forgotten", "of these needed", "uses missed")
_SHORT_HEADS = ("kept", "gone", "needed", "lost")


def outcomes(
    found: Mapping[str, Outcome], *, opening: Sequence[str], closing: Sequence[str], columns: int
) -> Iterator[RenderableType]:
    """Yield the opening lines, a table whose first row is how things are, and the closing lines."""
    yield from said(opening)
    shown = table()
    # five columns are many for a narrow terminal
    shown.collapse_padding = columns < ROOMY
    shown.add_column("Settings", ratio=1, overflow="fold")
    for head in _HEADS if columns >= ROOMY else _SHORT_HEADS:
        shown.add_column(head, justify="right")
    for number, (name, each) in enumerate(found.items()):
        share = each.missed / each.uses if each.uses else 0.0
        cells = (name, f"{each.promoted:,}", f"{each.forgotten:,}", f"{each.needed_later:,}", f"{share:.1%}")
        shown.add_row(*(text(cell, "" if number else STRONG) for cell in cells))
    yield from (shown, text(""))
    yield from said(closing)
