"""Where a command writes: text for people or JSON for programs on stdout, warnings and errors on stderr."""

from __future__ import annotations

import io
import json
import os
import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TextIO

from mnemex_vault.cli.bars import Bars
from mnemex_vault.cli.safe_text import one_line, safe
from mnemex_vault.notes.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console as Screen
    from rich.console import RenderableType

_WIDEST = 100
_WIDEST_TABLE = 120
_NARROWEST = 40
_DRAWABLE = ("utf-8", "utf8")
_BOLD, _FAINT, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


# what is drawn on a screen, part by part
Drawing = Callable[["Screen"], Iterable["RenderableType"]]


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
        self._styled = out.isatty() and not around.get("NO_COLOR") and not is_dumb
        self.bars = Bars(err, shown=err.isatty() and not is_dumb, styled=not around.get("NO_COLOR"))
        self._answered = False
        self.as_json = False

    @property
    def width(self) -> int | None:
        """Return how wide a paragraph may be, None where nobody looks at it."""
        if not self._out.isatty():
            return None
        return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))

    def answer(self, data: object, lines: Iterable[str], *, drawn: Drawing | None = None) -> None:
        """Write the data as JSON, or as the person asked: drawn on a terminal if there is a drawing, else as lines."""
        self._answered = True
        self.bars.hide()
        if self.as_json:
            self._write(_json(data))
        elif drawn is not None and self._draws:
            self.draw(drawn)
        else:
            self.say(*lines)

    def draw(self, drawing: Drawing) -> None:
        """Write tables and the like, as wide as the terminal is; only where `draws` says so."""
        screen = self._screen()
        for part in drawing(screen):
            screen.print(part)
        self._out.flush()

    @property
    def draws(self) -> bool:
        """Tell whether a person looks at a terminal that can show tables."""
        return self._draws and not self.as_json

    def plain(self) -> None:
        """Write without colours from now on."""
        self._styled = False
        self.bars.plain()

    def _screen(self) -> Screen:
        from rich.console import Console as Screen

        return Screen(
            file=self._out,
            width=min(_WIDEST_TABLE, shutil.get_terminal_size().columns),
            color_system="auto" if self._styled else None,
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
                self._write(self._styled_line(line))

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

    def _styled_line(self, line: str) -> str:
        text = safe(line) if self._out.isatty() else str(line)
        if self._styled and isinstance(line, Heading | Faint):
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
