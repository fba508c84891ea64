"""The folder outside the vault in which everything about one vault is kept."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path

from mnemex_vault.errors import ConfigError


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter, or tighten one that is there.

    Raises ConfigError when it is a link, not a folder, or belongs to someone else.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
        _check(path, found)
        if stat.S_IMODE(found.st_mode) != 0o700:
            path.chmod(0o700)
    except OSError as error:
        raise ConfigError([f"the state folder {path} cannot be used: {error.strerror}"]) from error
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whatever the process's mask; raises OSError."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)

    with open(path, "w", encoding="utf-8", opener=opener) as file:
        file.write(text)


def _check(path: Path, found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise ConfigError([f"the state folder {path} is a link"])
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigError([f"the state folder {path} is not a folder"])
    if found.st_uid != os.geteuid():
        raise ConfigError([f"the state folder {path} belongs to another user"])


def state_folder(base: Path, vault_root: Path) -> Path:
    """Return the folder of this vault's state, made if need be: below `base`, named by the vault's real path.

    Raises ConfigError when it would lie inside the vault, is a link or belongs to someone else: opening an index
    runs what it holds, so it must not come from anybody else.
    """
    root = vault_root.resolve()
    if base.resolve().is_relative_to(root):
        raise ConfigError([f"the state folder {base} lies inside the vault"])
    if base.is_symlink():
        raise ConfigError([f"the state folder {base} is a link"])
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError([f"the state folder {base} cannot be made: {error.strerror}"]) from error
    return private_folder(base / sha256(os.fsencode(root)).hexdigest()[:16])
