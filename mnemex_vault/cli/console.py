"""Where a command writes: text for people or JSON for programs on stdout, warnings and errors on stderr.

Text from notes is made safe for a terminal: no control character in it can move the cursor or reorder what is read.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TextIO

from mnemex_vault.cli.bars import Bars
from mnemex_vault.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console as Screen
    from rich.console import RenderableType

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


_WIDEST = 100
_WIDEST_TABLE = 120
_NARROWEST = 40
_DRAWABLE = ("utf-8", "utf8")
_BOLD, _FAINT, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Heading(str):
    """A line that stands out on a terminal."""

    __slots__ = ()


class Faint(str):
    """A line that steps back on a terminal."""

    __slots__ = ()


class Console:
    """Writes for a person or a program; `as_json` is decided by the command that runs."""

    def __init__(self, out: TextIO, err: TextIO, *, environ: Mapping[str, str] | None = None) -> None:
        # made lenient at the first word: it flushes what an import printed, which a server keeps from its client
        self._out = out
        self._is_lenient = False
        self._err = _lenient(err)
        around = environ or {}
        is_dumb = around.get("TERM") == "dumb"
        self._draws = out.isatty() and not is_dumb and (getattr(out, "encoding", None) or "utf-8").lower() in _DRAWABLE
        self._has_styles = out.isatty() and not around.get("NO_COLOR") and not is_dumb
        self.bars = Bars(err, shown=err.isatty() and not is_dumb, styled=not around.get("NO_COLOR"))
        self._answered = False
        self.as_json = False

    @property
    def width(self) -> int | None:
        """Return how wide a paragraph may be, None where nobody looks at it."""
        if not self._out.isatty():
            return None
        return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))

    def answer(self, data: object, lines: Iterable[str], *, drawn: Iterable[RenderableType] | None = None) -> None:
        """Write the data as JSON, or for a person what is drawn, which needs `draws`, else the lines."""
        self._answered = True
        self.bars.hide()
        if self.as_json:
            self._write(_json(data))
        elif drawn is not None:
            self.draw(drawn)
        else:
            self.say(*lines)

    def draw(self, parts: Iterable[RenderableType]) -> None:
        """Write tables and the like."""
        self.bars.hide()
        screen = self._screen()
        with screen.capture() as caught:
            for part in parts:
                screen.print(part)
        self._out.write(released(caught.get()))
        self._out.flush()

    @property
    def draws(self) -> bool:
        """Tell whether a person looks at a terminal that can show tables."""
        return self._draws and not self.as_json

    @property
    def columns(self) -> int:
        """Return how wide a table may be."""
        return min(_WIDEST_TABLE, shutil.get_terminal_size().columns)

    def plain(self) -> None:
        """Write without colours from now on."""
        self._has_styles = False
        self.bars.plain()

    def _screen(self) -> Screen:
        from rich.console import Console as Screen

        return Screen(
            file=self._out,
            width=self.columns,
            color_system="auto" if self._has_styles else None,
            force_terminal=True,
            markup=False,
            emoji=False,
            highlight=False,
        )

    def say(self, *lines: str) -> None:
        """Write lines for a person; not a word when JSON was asked for."""
        if not self.as_json:
            self.bars.hide()
            for line in lines:
                for part in self._fitted(line):
                    self._write(self._styled(part, line))

    def say_exactly(self, text: str) -> None:
        """Write a text as it is, made safe only where a terminal would act on it."""
        self._write(safe(text) if self._out.isatty() else text)

    def paragraph(self, text: str, *, indent: str = "") -> list[str]:
        """Return the lines of a text, broken where a terminal ends."""
        width = self.width
        lines = []
        for line in text.splitlines() or [""]:
            if width is None or len(indent) + len(line) <= width:
                lines.append(indent + line)
            else:
                lines += textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent) or [indent]
        return lines

    def fail(self, message: str, *, data: Mapping[str, object] | None = None, details: str = "") -> None:
        """Write one line on stderr; to a program also what went wrong as JSON, to a person the details."""
        self.bars.hide()
        self._err.write(f"mnemex: {one_line(message)}\n")
        self._err.flush()
        if self.as_json and not self._answered:
            # after an answer a second document would spoil the first
            self._write(_json({"error": message, **(data or {})}))
        elif details and not self.as_json:
            self.say_exactly(details)

    def warn(self, message: str) -> None:
        """Write one line on stderr."""
        self.bars.hide()
        self._err.write(f"mnemex: {one_line(message)}\n")
        self._err.flush()

    def watch(self, what: str) -> Progress:
        """Return what is to be told how far this work is; it shows on a terminal when the work lasts."""
        return self.bars.watch(what)

    def working(self, what: str) -> AbstractContextManager[None]:
        """Show on a terminal that the work of a block goes on when it lasts."""
        return self.bars.working(what)

    def _fitted(self, line: str) -> list[str]:
        """Return a line as the terminal can show it, broken between words where it ends, never in what is kept."""
        if not self._out.isatty():
            return [released(line)]
        text, width = safe(line), max(_NARROWEST // 2, shutil.get_terminal_size().columns)
        if len(text) <= width:
            return [released(text)]
        indent = " " * min(len(text) - len(text.lstrip(" ")), width // 2)
        wrapped = textwrap.wrap(
            text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=released(text) == text
        )
        return [released(part) for part in wrapped] or [text]

    def _styled(self, text: str, line: str) -> str:
        if self._has_styles and isinstance(line, Heading | Faint):
            return f"{_BOLD if isinstance(line, Heading) else _FAINT}{text}{_PLAIN}"
        return text

    def _write(self, line: str) -> None:
        if not self._is_lenient:
            _lenient(self._out)
            self._is_lenient = True
        self._out.write(f"{line}\n")
        self._out.flush()


def _lenient(stream: TextIO) -> TextIO:
    """Let a character that the terminal's encoding lacks be shown by its number, in place of a failure."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _json(data: object) -> str:
    # DEL is the one control character that JSON leaves as it is
    return json.dumps(data, indent=2, ensure_ascii=True, default=_plain).replace("\x7f", "\\u007f")


def _plain(value: object) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
