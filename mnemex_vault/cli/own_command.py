"""How this program is started by others."""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

PACKAGE = "mnemex-vault"
_COMMANDS = ("mnemex", PACKAGE)
# the mark of folders that may be deleted at any time (https://bford.info/cachedir)
_CACHE_MARK = "CACHEDIR.TAG"


def own_command(working_folder: Path) -> list[str]:
    """Return what starts this program: an absolute path, and words that make it this program if it is another one."""
    if _in_cache(Path(sys.prefix)) and (runner := shutil.which("uvx")):
        return [str(Path(runner).absolute()), *_origin(), PACKAGE]
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


def _in_cache(environment: Path) -> bool:
    """Tell whether an environment lies in a cache, as those that `uvx` makes; uv marks every environment itself."""
    return any((folder / _CACHE_MARK).exists() for folder in environment.parents)


def _origin() -> list[str]:
    """Return the option that tells `uvx` where this package came from, nothing if it was the package index."""
    recorded = distribution(PACKAGE).read_text("direct_url.json")
    if recorded is None:
        return []
    origin = json.loads(recorded)
    revision = origin.get("vcs_info")
    url = f"{revision['vcs']}+{origin['url']}@{revision['commit_id']}" if revision else origin["url"]
    return ["--from", url]
