"""Lists and figures as tables of a terminal; texts of notes in them are safe, and no markup acts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from mnemex_vault.cli.sheet import Cell, Grid, Row, Rows, one_line, released, safe

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

# narrower terminals get one column
_ROOMY = 60
_FAINT = "dim"
_STRONG = "bold"
_PREVIEW_LINES = 3
_DOT = "● "


def drawn(part: Rows | Grid, *, columns: int) -> RenderableType:
    """Return a part as a table that fits so many columns."""
    roomy = columns >= _ROOMY
    return _rows(part, roomy=roomy) if isinstance(part, Rows) else _grid(part, roomy=roomy)


def _rows(part: Rows, *, roomy: bool) -> Table:
    heads = [cell.head for cell in part.rows[0].cells] if part.rows else []
    shown = _table(spread=True, heads=roomy)
    if part.first is not None:
        shown.add_column("", justify="right", style=_FAINT, no_wrap=True)
    shown.add_column(part.head, ratio=1, overflow="fold")
    for head in heads if roomy else ():
        shown.add_column(head, justify="right" if head == "Score" else "left")
    for number, row in enumerate(part.rows, part.first or 0):
        mark = [] if part.first is None else [str(number)]
        beside = [_beside(cell, "\n") for cell in row.cells] if roomy else []
        shown.add_row(*mark, Group(*_cell(row, roomy=roomy)), *beside)
    return shown


def _cell(row: Row, *, roomy: bool) -> Iterator[RenderableType]:
    yield _text(row.title, getattr(row.title, "style", "") or _STRONG)
    if not roomy:
        for cell in row.cells:
            yield Text.assemble((f"{cell.head.lower()}: ", _FAINT), _beside(cell, ", "))
    yield from map(_cut, row.facts)
    if row.text:
        yield _Clipped(_text(row.text), lines=_PREVIEW_LINES)
    folder = row.place.rpartition("/")[0] if row.name else row.place
    parts = (row.name, folder, " ".join(f"#{tag}" for tag in row.tags))
    if said := " · ".join(part for part in parts if part):
        yield _cut(said)
    yield from (_text(line, _FAINT) if released(line) == line else _cut(line) for line in row.below)


def _cut(line: str) -> Text:
    """Return a line that ends in dots where there is no more room: what is to be kept whole is not broken."""
    return Text(one_line(line), style=_FAINT, no_wrap=True, overflow="ellipsis")


def _beside(cell: Cell, joined: str) -> Text:
    """Return a value with what stands below it; the state of a memory is marked with a dot."""
    value = cell.value
    mark = _DOT if not cell.named and value.style not in ("", _FAINT) else ""
    more = f"{joined}{cell.more}" if cell.more else ""
    return Text.assemble(_text(f"{mark}{value}", value.style), _text(more, _FAINT))


def _grid(part: Grid, *, roomy: bool) -> Table:
    shown = _table(heads=bool(part.heads))
    # many columns are much for a narrow terminal
    shown.collapse_padding = not roomy
    width = max((len(row) for row in part.rows if not isinstance(row, str)), default=len(part.heads))
    for number in range(width):
        head = part.heads[number] if part.heads else ""
        is_figure = part.figures and bool(number)
        ratio = 1 if part.heads and not number else None
        shown.add_column(head, justify="right" if is_figure else "left", overflow="fold", ratio=ratio)
    for row in part.rows:
        if isinstance(row, str):
            shown.add_row()
            shown.add_row(_text(row, _STRONG))
        else:
            shown.add_row(*(_text(cell, getattr(cell, "style", "")) for cell in row))
    return shown


def _text(value: str, style: str = "") -> Text:
    """Return a text as it stands, whatever looks like markup in it."""
    return Text(safe(value), style=style)


def _table(*, spread: bool = False, heads: bool = True) -> Table:
    """Return a table without columns; `spread` leaves a line between rows."""
    return Table(
        box=SIMPLE_HEAD if heads else None,
        show_header=heads,
        header_style=_FAINT,
        border_style=_FAINT,
        expand=heads,
        pad_edge=False,
        show_edge=False,
        leading=1 if spread and heads else 0,
        # without a box there is no line to lead with
        padding=(0, 1, 1, 0) if spread and not heads else (0, 1),
    )


class _Clipped:
    """The first lines of a text, as many as there is room for."""

    def __init__(self, value: Text, *, lines: int) -> None:
        self._text = value
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wrapped = self._text.wrap(console, options.max_width)
        shown = list(wrapped[: self._lines])
        if len(wrapped) > len(shown):
            shown[-1].rstrip()
            shown[-1].truncate(options.max_width - 1)
            shown[-1].append("…")
        yield from shown

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._text)
