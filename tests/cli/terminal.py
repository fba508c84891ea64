"""A terminal of a given width, in which a command runs as for a person: a real one, with a program at its end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.cli.main import main
from mnemex_vault.clock import Clock

_STYLE = re.compile(r"\x1b\[([0-9;]*)m")
_ACTION = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Shown:
    """What a terminal got, byte for byte, and how the command ended."""

    raw: str
    code: int

    @property
    def lines(self) -> list[str]:
        """The lines without styles."""
        return [line.rstrip() for line in _ACTION.sub("", self.raw).replace("\r", "").split("\n")]

    @property
    def words(self) -> str:
        """All that can be read, on one line."""
        return " ".join(" ".join(self.lines).split())

    @property
    def styles(self) -> set[str]:
        return set(_STYLE.findall(self.raw))

    def styled(self, words: str) -> str:
        """The style in force where these words begin."""
        before = self.raw[: self.raw.index(words)]
        found = _STYLE.findall(before)
        return found[-1] if found else ""


def in_terminal(
    arguments: Sequence[str],
    *,
    columns: int,
    environ: Mapping[str, str],
    clock: Clock,
    typed: bool = False,
    answers: str = "",
) -> Shown:
    """Run a command in a terminal; its input is one only if something may be typed, or is typed ahead, unseen."""
    child, screen = pty.fork()
    if child == 0:
        _run(arguments, columns, {"TERM": "xterm-256color", **environ}, clock, typed=typed or bool(answers))
    if answers:
        mode = termios.tcgetattr(screen)
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(screen, termios.TCSANOW, mode)
        os.write(screen, answers.encode())
    raw = b"".join(iter(lambda: _read(screen), b""))
    os.close(screen)
    return Shown(raw.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _run(arguments: Sequence[str], columns: int, environ: Mapping[str, str], clock: Clock, *, typed: bool) -> None:
    code: int | str | None = 70
    try:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM"):
            os.environ.pop(name, None)
        os.environ.update(environ)
        sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdin = open(0, encoding="utf-8", closefd=False) if typed else Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
        main(arguments, environ=environ, clock=clock)
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 1 << 16)
    except OSError:
        # the other end is closed
        return b""
