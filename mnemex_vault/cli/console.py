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
from mnemex_vault.cli.sheet import Faint, Grid, Heading, Part, Rows, one_line, released, safe
from mnemex_vault.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console as Screen

_WIDEST = 100
_WIDEST_TABLE = 120
_NARROWEST = 40
_DRAWABLE = ("utf-8", "utf8")
_BOLD, _FAINT, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


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

    def answer(self, data: object | Callable[[], object], parts: Iterable[Part] = ()) -> None:
        """Write the data, such as a view or what makes it, as JSON, or for a person what is shown of it."""
        self._answered = True
        self.bars.hide()
        if self.as_json:
            from mnemex_vault.answers.view import as_data

            self._write(_json(as_data(data() if callable(data) else data)))
        else:
            self.show(parts)

    def show(self, parts: Iterable[Part]) -> None:
        """Show lines and lists to a person: lists as tables on a terminal that can, else as lines."""
        for part in parts:
            if isinstance(part, str):
                self.say(part)
            elif self._draws:
                self._draw(part)
                self.say("")
            else:
                self.say(*part.plain())

    def _draw(self, part: Rows | Grid) -> None:
        from mnemex_vault.cli.drawing import drawn

        screen = self._screen()
        with screen.capture() as caught:
            screen.print(drawn(part, columns=self._columns))
        self._out.write(released(caught.get()))
        self._out.flush()

    @property
    def _columns(self) -> int:
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
            width=self._columns,
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
