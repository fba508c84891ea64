"""Where vault, memory folders, state and configuration lie; the part of the settings that reads and writes files."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

import platformdirs

from mnemex_vault.disk.paths import within
from mnemex_vault.disk.state import is_link, private_folder
from mnemex_vault.errors import BadSetting, ConfigError, VaultUnavailable

# The .env format: NAME=value lines, `export`, quotes and comments; no substitution.

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SINGLE = re.compile(r"'([^']*)'")
_ESCAPES = {r"\n": "\n", r"\"": '"', r"\\": "\\"}


def parse_dotenv(text: str) -> dict[str, str]:
    r"""Return the variables; lines of any other form are skipped, the last of a name wins.

    >>> parse_dotenv('export A=1 # one\nB="x # y"\n# C=2\nD=\n')
    {'A': '1', 'B': 'x # y', 'D': ''}
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            found[match[1]] = _value(match[2])
    return found


def _value(raw: str) -> str:
    if match := _DOUBLE.match(raw):
        return re.sub(r"\\.", lambda escape: _ESCAPES.get(escape[0], escape[0]), match[1])
    if match := _SINGLE.match(raw):
        return match[1]
    return re.split(r"(?:^|\s)#", raw, maxsplit=1)[0].strip()


# The memory folders of a vault, as paths from its top.

DEFAULT_ROOT = "Memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Folders with forward slashes; `root` holds the settings note and is empty for the top of the vault."""

    root: str = DEFAULT_ROOT
    short_term: str = f"{DEFAULT_ROOT}/Short-term"
    long_term: str = f"{DEFAULT_ROOT}/Long-term"
    archive: str = f"{DEFAULT_ROOT}/Archive"

    @classmethod
    def below(
        cls, root: str, *, short_term: str | None = None, long_term: str | None = None, archive: str | None = None
    ) -> Layout:
        """Return the folders: given ones as they are, the others by their usual names below `root`.

        >>> Layout.below("Brain", long_term="Knowledge").long_term, Layout.below("").archive
        ('Knowledge', 'Archive')
        """
        prefix = f"{root}/" if root else ""
        return cls(
            root=root,
            short_term=short_term or f"{prefix}Short-term",
            long_term=long_term or f"{prefix}Long-term",
            archive=archive or f"{prefix}Archive",
        )

    def folders(self) -> tuple[str, str, str]:
        """Return the three tier folders."""
        return self.short_term, self.long_term, self.archive

    def clash(self) -> str | None:
        """Return why two folders cannot be told apart, or None."""
        for one, other in combinations(self.folders(), 2):
            if within(one, [other]) or within(other, [one]):
                return f"the memory folders {one} and {other} must lie apart"
        return None


# Where vault, state and configuration lie on this computer; the part of the settings that reads and writes files.

_REMEMBERED = "default-vault"
_VAULT_VARIABLES = ("MNEMEX_VAULT_PATH", "LTM_VAULT_PATH")
_MARKS = (".obsidian", f"{DEFAULT_ROOT}/Settings.md")
_ZONE_FOLDER = "zoneinfo/"
_NO_VAULT = (
    "no vault is known: name its folder with --vault FOLDER or in MNEMEX_VAULT_PATH,"
    " or choose it once with `mnemex init FOLDER` or `mnemex use FOLDER`"
)


@dataclass(frozen=True, slots=True)
class Dotenv:
    """The variables of the .env file that counts; `own` if it lies in our own configuration folder."""

    values: Mapping[str, str] = field(default_factory=dict)
    path: Path | None = None
    own: bool = True


def config_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder for a person's own .env and the vault that is meant when none is named."""
    base = environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME") or Path.home()) / ".config"
    return Path(base) / "mnemex"


def read_dotenv(environ: Mapping[str, str], *, working_folder: Path) -> Dotenv:
    """Return our own .env, else the working folder's, else nothing; raises ConfigError if it cannot be read."""
    candidates = [(config_folder(environ) / ".env", True), (working_folder / ".env", False)]
    for path, own in candidates:
        try:
            if not path.is_file():
                continue
            return Dotenv(parse_dotenv(path.read_text(encoding="utf-8-sig")), path, own)
        except (OSError, UnicodeDecodeError) as error:
            if own:
                raise ConfigError([f"{path} cannot be read: {error}"]) from error
    return Dotenv()


def state_base(environ: Mapping[str, str]) -> Path:
    """Return the folder below which each vault has its state."""
    given = environ.get("MNEMEX_STATE_PATH", "").strip()
    return Path(given).expanduser().absolute() if given else platformdirs.user_state_path("mnemex", appauthor=False)


def vault_state(base: Path, root: Path) -> Path:
    """Return the vault's own state folder, made for this user alone: below `base`, named by the vault's real path.

    Raises ConfigError when it would lie in the vault, is a link, belongs to someone else or cannot be made: opening an
    index runs what it holds, so it must not come from anybody else.
    """
    if base.resolve().is_relative_to(root.resolve()):
        raise BadSetting([f"the state folder {base} lies in the vault {root}; set MNEMEX_STATE_PATH to another place"])
    return private_folder(_made(base) / state_folder(base, root).name)


def plain_folder(state: Path, environ: Mapping[str, str]) -> Path:
    """Return the vault's state folder, or one whose path has no space, where that of macOS has one.

    Clients that import a file by its path end the path at a space.
    """
    if not any(map(str.isspace, str(state))):
        return state
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    return home / ".local" / "state" / "mnemex" / state.name


def state_folder(base: Path, root: Path) -> Path:
    """Return where the vault's own state folder is, or would be."""
    real = os.path.normcase(root.resolve())
    return base / hashlib.sha256(real.encode("utf-8", "surrogateescape")).hexdigest()[:20]


def _made(base: Path) -> Path:
    """Make the folder if it is not there; one that is may serve other purposes, and keeps its mode."""
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_link(base.lstat()):
            raise ConfigError([f"the state folder {base} is a link; set MNEMEX_STATE_PATH to where it leads"])
    except OSError as error:
        raise ConfigError([f"the state folder {base} cannot be made: {error.strerror}"]) from error
    return base


def find_vault(
    option: Path | str | None, environ: Mapping[str, str], remembered: Path | None, *, around: Path | None = None
) -> Path:
    """Return the vault's absolute path: the one named by the option, else by the environment, else `around`.

    Raises ConfigError if none is named anywhere, BadSetting for an empty text, which is a variable that somebody
    forgot to set, VaultUnavailable if it is no folder.
    """
    variables = {variable: environ[variable] for variable in _VAULT_VARIABLES if variable in environ}
    named = {"--vault": option, **variables, " ": around, "": remembered}
    source, chosen = next(((name, path) for name, path in named.items() if path is not None), ("", None))
    if chosen is None:
        raise ConfigError([_NO_VAULT])
    if not str(chosen).strip():
        raise BadSetting([f"{source} is set to an empty text; name the vault's folder, or leave it out"])
    root = Path(chosen).expanduser().absolute()
    if not root.is_dir():
        raise VaultUnavailable(root, "is not a folder" if root.exists() else "there is no such folder")
    return root


def named_in(environ: Mapping[str, str]) -> str | None:
    """Return the variable that names the vault, or None."""
    return next((variable for variable in _VAULT_VARIABLES if variable in environ), None)


def vault_around(folder: Path) -> Path | None:
    """Return the vault in which a folder lies: the nearest one with Obsidian's settings or ours, or None."""
    return next((each for each in (folder, *folder.parents) if any((each / mark).exists() for mark in _MARKS)), None)


def remember_vault(base: Path, root: Path) -> None:
    """Make the vault the default one; the file changes as a whole or not at all."""
    _made(base)
    handle, temporary = tempfile.mkstemp(dir=base, prefix=".default-vault-")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(f"{root.absolute()}\n")
    Path(temporary).replace(base / _REMEMBERED)


def remembered_vault(base: Path) -> Path | None:
    """Return the default vault, or None."""
    try:
        text = (base / _REMEMBERED).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    path = text.removesuffix("\n")
    return Path(path) if path.strip() else None


def machine_zone_name(environ: Mapping[str, str], *, localtime: Path = Path("/etc/localtime")) -> str | None:
    """Return the IANA name of the computer's time zone, or None if it cannot be told."""
    candidates = [environ.get("TZ", "").lstrip(":"), str(localtime.resolve())]
    for candidate in candidates:
        name = candidate.rpartition(_ZONE_FOLDER)[2]
        if name and not name.startswith("/") and _is_zone(name):
            return name
    return None


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return False
    return True
