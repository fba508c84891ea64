"""How this program is started by others."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

_COMMANDS = ("mnemex", "mnemex-vault")


def own_command(working_folder: Path) -> list[str]:
    """Return the absolute path of this program, or of the interpreter with what makes it this program."""
    started = Path(sys.argv[0])
    beside = Path(sys.executable).parent
    names = [name + ending for name in _COMMANDS for ending in (("", ".exe") if os.name == "nt" else ("",))]
    candidates = [
        *([working_folder / started] if started.name in names else []),
        *(beside / name for name in names),
        *(Path(found) for name in names if (found := shutil.which(name))),
    ]
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return [str(candidate.absolute())]
    return [sys.executable, "-m", "mnemex_vault"]
