"""How things look on a terminal: tables, the colours of states, and texts of notes in which nothing acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from mnemex_vault.cli.console import Faint, Heading, one_line, safe

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

# narrower terminals get one column
ROOMY = 60
FAINT = "dim"
STRONG = "bold"


def text(value: str, style: str = "") -> Text:
    """Return a text as it stands, whatever looks like markup in it."""
    return Text(safe(value), style=style)


def line(value: str, style: str = "") -> Text:
    """Return a text on one line, which ends in dots where there is no more room."""
    return Text(one_line(value), style=style, no_wrap=True, overflow="ellipsis")


def said(lines: Iterable[str]) -> Iterator[Text]:
    """Yield the lines that are written anyway, broken between words where the terminal ends."""
    for each in lines:
        yield text(each, STRONG if isinstance(each, Heading) else FAINT if isinstance(each, Faint) else "")


def listed(lines: Iterable[str]) -> Table:
    """Return lines with a point before each, so that it is seen where a broken one begins."""
    shown = Table.grid(padding=(0, 1, 0, 0))
    shown.add_column(style=FAINT)
    shown.add_column(overflow="fold")
    for each in said(lines):
        shown.add_row("" if each.style == FAINT else "·", each)
    return shown


def table(*, spread: bool = False, heads: bool = True) -> Table:
    """Return a table without columns; `spread` leaves a line between rows."""
    return Table(
        box=SIMPLE_HEAD if heads else None,
        show_header=heads,
        header_style=FAINT,
        border_style=FAINT,
        expand=heads,
        pad_edge=False,
        show_edge=False,
        leading=1 if spread and heads else 0,
        # without a box there is no line to lead with
        padding=(0, 1, 1, 0) if spread and not heads else (0, 1),
    )


class Clipped:
    """The first lines of a text, as many as there is room for."""

    def __init__(self, value: Text, *, lines: int) -> None:
        self._text = value
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines."""
        wrapped = self._text.wrap(console, options.max_width)
        shown = list(wrapped[: self._lines])
        if len(wrapped) > len(shown):
            shown[-1].rstrip()
            shown[-1].truncate(options.max_width - 1)
            shown[-1].append("…")
        yield from shown

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return how wide the whole text would be."""
        return Measurement.get(console, options, self._text)
