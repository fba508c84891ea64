"""Which tools are listed, told before the vault is open: a client should not wait for an index to see them."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.errors import ConfigError
from mnemex_vault.index.generated_log import CATALOG_NAME, generated_paths
from mnemex_vault.settings import DEFAULT_ROOT, Origin, load, read_dotenv, state_base, vault_state

if TYPE_CHECKING:
    from mnemex_vault.settings.table import ToolSet

_USUAL = f"{DEFAULT_ROOT}/Settings.md"
# as much of a note as its properties may take
_PROPERTIES = 65_536
_SPEAKS_OF_TOOLS = re.compile(rb"tools", re.IGNORECASE)


def early_tool_set(root: Path, environ: Mapping[str, str], options: Mapping[str, object]) -> ToolSet | None:
    """Return the set of tools that the settings want; None if only the opened vault can tell.

    Environment and options decide, else the settings note. That one is not read here, but looked through for the
    word: where no note that may be it has the word among its properties, the default holds.
    """
    try:
        dotenv = read_dotenv(environ, working_folder=Path.cwd())
        loaded = load(dotenv=dotenv.values, dotenv_loosens=dotenv.own, environ=environ, options=options)
        state = vault_state(state_base(environ), root)
    except (ConfigError, OSError, RuntimeError):
        return None
    if loaded.origins["tools"] is Origin.DEFAULT and any(map(_speaks_of_tools, _candidates(root, state))):
        return None
    return loaded.settings.tools


def _candidates(root: Path, state: Path) -> Iterator[Path]:
    yield root / _USUAL
    yield from (root / path for path in generated_paths(state / "index" / CATALOG_NAME))


def _speaks_of_tools(note: Path) -> bool:
    """Tell whether the properties of a note may name the setting; what is odd may do anything."""
    try:
        if not stat.S_ISREG(note.lstat().st_mode):
            return True
        with note.open("rb") as file:
            properties = file.read(_PROPERTIES).partition(b"\n---")[0]
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return _SPEAKS_OF_TOOLS.search(properties) is not None
