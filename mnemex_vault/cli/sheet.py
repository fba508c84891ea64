"""What commands show to people, as values: lines, lists, figures, which are drawn on a terminal and plain in a pipe.

Text from notes is made safe for a terminal: no control character in it can move the cursor or reorder what is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ID_COLUMN = 60
_INDENT = "   "
REPLACEMENT = "�"
# stands for a space between words that stay on one line; a character that no text may hold
_KEPT_SPACE = "\ufdd0"
# C0 but for tab and line feed, DEL, C1, and the marks and overrides of writing direction
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"[\t\n\u2028\u2029]")


def safe(text: str) -> str:
    r"""Return the text without characters that act on a terminal.

    >>> safe("a\x1b[31mb\u202ec\td\n")
    'a�[31mb�c\td\n'
    """
    return _CONTROLS.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    r"""Return the text on a single line.

    >>> one_line("a\nb\tc")
    'a b c'
    """
    return safe(_BREAKS.sub(" ", text))


def kept(text: str) -> str:
    """Return a text that is meant to be copied (a command, a path, a line of JSON), not to be broken at its spaces."""
    return text.replace(" ", _KEPT_SPACE)


def released(text: str) -> str:
    """Return the text as it is written at last.

    >>> released("Do it: " + kept("mnemex forget --apply"))
    'Do it: mnemex forget --apply'
    """
    return text.replace(_KEPT_SPACE, " ")


def whole(text: str) -> str:
    """Return a text on a single line that is not broken where a terminal ends."""
    return kept(one_line(text))


def take_back(operation_id: str, said: str = "Take it back") -> str:
    """Return with which command a change is undone."""
    return f"{said}: {kept(f'mnemex undo {operation_id}')}"


class Styled(str):
    """Words with a style, which says nothing that the words do not."""

    style = ""


class Heading(Styled):
    """A line that stands out on a terminal."""

    style = "bold"


class Faint(Styled):
    """A line that steps back on a terminal."""

    style = "dim"


def styled(text: str, style: str) -> Styled:
    """Return words in a style."""
    words = Styled(text)
    words.style = style
    return words


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands beside a row under its head; `more` stands below the value where there is room."""

    head: str
    value: Styled
    more: str = ""
    # what the value says needs its head where it stands in a line
    named: bool = True

    @property
    def said(self) -> str:
        """Return it as words of a line."""
        value = ", ".join(part for part in (self.value, self.more) if part)
        return f"{self.head.lower()} {value}" if self.named and value else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory, note or change of a list.

    `name` is by which it is meant elsewhere; `text` is cut to some lines on a terminal, `below` are lines of their own.
    """

    title: str
    name: str = ""
    cells: Sequence[Cell] = ()
    facts: Sequence[str] = ()
    place: str = ""
    tags: Sequence[str] = ()
    text: str = ""
    below: Sequence[str] = ()

    def said(self) -> str:
        """Return on one line what is said of it beside its title."""
        parts = [*(cell.said for cell in self.cells), *self.facts, self.place, " ".join(f"#{tag}" for tag in self.tags)]
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A list; its rows are numbered from `first`, if that is given, and `spread` if each takes many lines."""

    rows: Sequence[Row]
    head: str = "Memory"
    first: int | None = None
    spread: bool = False

    def plain(self) -> Iterator[str]:
        """Give it as lines."""
        for number, row in enumerate(self.rows, self.first or 0):
            mark = "" if self.first is None else f"{number:>2} "
            yield title_line(row.title, row.name, mark=mark)
            if said := row.said():
                yield Faint(_INDENT + said)
            if row.text:
                yield _INDENT + row.text
            yield from (Faint(_INDENT + line) for line in row.below)
            if self.spread:
                yield ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells in columns; a row that is one text is a heading. Where `figures`, all columns but the first are numbers."""

    rows: Sequence[Sequence[str] | str]
    heads: Sequence[str] = ()
    figures: bool = False

    def plain(self) -> Iterator[str]:
        """Give it as lines with columns."""
        rows = [[str(cell) for cell in row] for row in (self.heads, *self.rows) if row and not isinstance(row, str)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        if self.heads:
            yield Heading(self._line(self.heads, widths))
        for row in self.rows:
            yield Heading(row) if isinstance(row, str) else self._line(row, widths)

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = [
            cell.rjust(width) if self.figures and number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return f"  {'  '.join(cells)}".rstrip()


Part = str | Rows | Grid


def title_line(title: str, name: str = "", *, mark: str = "") -> Heading:
    """Return a title with its id at the right, where an eye can jump over it."""
    return Heading(f"{f'{mark}{one_line(title)}':<{_ID_COLUMN}}  {one_line(name)}".rstrip())
