"""Lists of memories: what has faded, what fades next, what deserves to be permanent, what went where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from mnemex_vault.cli.console import one_line
from mnemex_vault.cli.drawn.look import FAINT, ROOMY, STRONG, line, said, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.index.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory of a list: what stands below its title, and what beside it, in the order of the heads."""

    title: str
    below: Sequence[str] = ()
    beside: Sequence[Text] = ()


def memories(
    rows: Sequence[Row], *, heads: Sequence[str], closing: Sequence[str], columns: int
) -> Iterator[RenderableType]:
    """Yield a table with a row a memory, then the closing lines; what has no room beside goes below."""
    roomy = columns >= ROOMY
    shown = table(spread=True, heads=roomy)
    shown.add_column("Memory", ratio=1, overflow="fold")
    for head in heads if roomy else ():
        shown.add_column(head, justify="right" if head == "Score" else "left")
    for row in rows:
        shown.add_row(Group(*_cell(row, heads, roomy=roomy)), *(row.beside if roomy else ()))
    if rows:
        yield from (shown, text(""))
    yield from said(closing)


def place(entry: Entry) -> str:
    """Return id and folder of a memory."""
    return " · ".join(part for part in (entry.memory_id or "", entry.path.rpartition("/")[0]) if part)


def _cell(row: Row, heads: Sequence[str], *, roomy: bool) -> Iterator[RenderableType]:
    yield text(one_line(row.title), STRONG)
    if not roomy:
        for head, value in zip(heads, row.beside, strict=True):
            yield Text.assemble((f"{head.lower()}: ", FAINT), value)
    yield from (line(each, FAINT) for each in row.below if each)
