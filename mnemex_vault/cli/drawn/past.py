"""What was done, the newest first: changes of notes, and snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from mnemex_vault.cli.drawn.look import FAINT, ROOMY, STRONG, line, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType

_UNDONE = "strike dim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One change: the name by which it is undone, when, of which kind, what it was, and where notes went."""

    name: str
    when: str
    kind: str = ""
    summary: str
    undone: str = ""
    steps: Sequence[str] = ()


def past(rows: Sequence[Row], *, head: str, columns: int) -> Iterator[RenderableType]:
    """Yield a table with a row a change; `head` says what the names name."""
    roomy = columns >= ROOMY
    shown = table(spread=any(row.steps for row in rows) or not roomy, heads=roomy)
    if roomy:
        shown.add_column(head, style="cyan", no_wrap=True)
        shown.add_column("When", style=FAINT)
    shown.add_column("What", ratio=1, overflow="fold")
    for row in rows:
        beside = [text(row.name), text(row.when)] if roomy else []
        shown.add_row(*beside, Group(*_cell(row, roomy=roomy)))
    yield shown


def _cell(row: Row, *, roomy: bool) -> Iterator[RenderableType]:
    if not roomy:
        yield Text.assemble((row.name, "cyan"), (f"  {row.when}", FAINT))
    kind = f"{row.kind} " if row.kind else ""
    yield Text.assemble(text(kind, STRONG), text(row.summary, _UNDONE if row.undone else ""))
    if row.undone:
        yield text(row.undone, FAINT)
    yield from (line(each.strip(), FAINT) for each in row.steps)
