"""The token that HTTP clients must know: made once, kept in a file that only this person can read."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from mnemex_vault.errors import ConfigError

_NAME = "http-token"
_BYTES = 32


def token_file(state: Path) -> Path:
    """Return where the token of a vault is kept."""
    return state / _NAME


def keep_token(state: Path) -> str:
    """Return the token, made if there is none; raises ConfigError for a file that others can read."""
    path = token_file(state)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _kept(path)
    token = secrets.token_urlsafe(_BYTES)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    return token


def _kept(path: Path) -> str:
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode):
        raise ConfigError([f"{path} is not a file; remove it"])
    if os.name == "posix" and (facts.st_mode & 0o077 or facts.st_uid != os.getuid()):
        raise ConfigError([f"{path} can be read by others; remove it, and a new token is made"])
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if len(token) < _BYTES:
        raise ConfigError([f"{path} holds no token; remove it, and a new one is made"])
    return token
