"""Draws `docs/images/terminal.svg`: half a minute in a terminal, as the program itself answers in the sample vault.

`python -m tests.bench.picture` writes it anew. No animation is shown to those who asked their system for none.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tests.cli.terminal import in_terminal

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs/images/terminal.svg"
COLUMNS = 80
# when each command is typed, in seconds; its answer is there a second later
TYPED = (
    (1, 'save "Anna is allergic to nuts."'),
    (7, 'search "what must Anna not eat?" --limit 1'),
    (13, 'forget "Anna is allergic to nuts"'),
    (19, "undo"),
    (25, "status"),
)
THEME = TerminalTheme(
    (30, 27, 41),
    (224, 222, 236),
    [
        (30, 27, 41),
        (235, 111, 146),
        (126, 200, 148),
        (246, 193, 119),
        (137, 180, 250),
        (196, 167, 231),
        (148, 226, 213),
        (224, 222, 236),
    ],
)
MOTION = """
    @keyframes appear { from { opacity: 0 } }
    .mnemex-matrix text { animation: appear .15s backwards }
    @media (prefers-reduced-motion: reduce) { .mnemex-matrix text { animation: none } }
"""


def now() -> datetime:
    """Return the last day in the notes of the sample vault."""
    return datetime(2026, 11, 29, 22, tzinfo=UTC)


def shown(home: Path) -> Iterator[tuple[float, str]]:
    """Yield each line of the terminal, styled, with the second in which it appears."""
    shutil.copytree(ROOT / "sample-vault", home / "Notes")
    environ = {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CONFIG_HOME": str(home / ".config"),
    }
    environ["MNEMEX_VAULT_PATH"] = str(home / "Notes")
    for second, command in TYPED:
        yield second, f"\x1b[1;35m$\x1b[0m mnemex {command}"
        answer = in_terminal(shlex.split(command), columns=COLUMNS, environ=environ, clock=now)
        if answer.code != 0:
            raise SystemExit(answer.raw)
        yield from ((second + 1, line) for line in (*settled(answer.raw.replace(str(home), "/home/you")), ""))


def settled(raw: str) -> list[str]:
    """Return the lines that stay, without bars that were erased."""
    lines: list[str] = []
    for line in raw.replace("\r", "").rstrip("\n").split("\n"):
        if "\x1b[1A" in line:
            lines.pop()
        lines.append(line.rpartition("\x1b[2K")[2])
    return lines


def drawn(lines: list[tuple[float, str]]) -> str:
    """Return the picture of the lines."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for _, line in lines:
        console.print(Text.from_ansi(line, no_wrap=True, overflow="crop"), crop=True)
    picture = console.export_svg(title="mnemex", theme=THEME, unique_id="mnemex")
    # a picture loads nothing
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL).replace("</style>", f"{MOTION}</style>", 1)

    def timed(found: re.Match[str]) -> str:
        return f'{found[0]} style="animation-delay:{lines[int(found[1])][0]:g}s"'

    return re.sub(r'clip-path="url\(#mnemex-line-(\d+)\)"', timed, picture)


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(drawn(list(shown(Path(folder)))), "utf-8")


if __name__ == "__main__":
    main()
