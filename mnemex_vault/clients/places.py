"""Where the clients keep their configuration on each system, and what cannot be given to them in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import Any

# Where the clients keep their configuration on each system; nothing is looked at.


class System(StrEnum):
    """The systems that clients run on."""

    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"


class ClientName(StrEnum):
    """The clients whose configuration can be written."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VSCODE = "vscode"
    WINDSURF = "windsurf"
    CODEX = "codex"
    ZED = "zed"


# what programs call themselves to a server, where that is not our name with something behind it
_CALLED = {"claude-ai": ClientName.CLAUDE_DESKTOP, "visual-studio-code": ClientName.VSCODE}


def client_called(program: str) -> ClientName | None:
    """Return the client that calls itself so, None for another one.

    >>> client_called("codex-mcp-client"), client_called("Visual Studio Code - Insiders")
    (<ClientName.CODEX: 'codex'>, <ClientName.VSCODE: 'vscode'>)
    """
    name = "-".join(program.casefold().split())
    known = {**_CALLED, **{each.value: each for each in ClientName}}
    return next((client for called, client in known.items() if name.startswith(called)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A person's account on a computer."""

    system: System
    home: PurePath
    environ: Mapping[str, str]

    @classmethod
    def of(cls, platform: str, home: str, environ: Mapping[str, str]) -> Machine:
        r"""Return the account for a value of `sys.platform`.

        >>> Machine.of("win32", r"C:\Users\Zoe", {}).settings
        PureWindowsPath('C:/Users/Zoe/AppData/Roaming')
        """
        system = {"win32": System.WINDOWS, "darwin": System.MACOS}.get(platform, System.LINUX)
        path: PurePath = PureWindowsPath(home) if system is System.WINDOWS else PurePosixPath(home)
        return cls(system=system, home=path, environ=environ)

    @property
    def settings(self) -> PurePath:
        """Return the folder in which programs with windows keep their settings."""
        if self.system is System.WINDOWS:
            return self._named("APPDATA") or self.home / "AppData" / "Roaming"
        if self.system is System.MACOS:
            return self.home / "Library" / "Application Support"
        return self._named("XDG_CONFIG_HOME") or self.home / ".config"

    def folder(self, variable: str, default: PurePath) -> PurePath:
        """Return the folder that a variable names, else the default."""
        return self._named(variable) or default

    def _named(self, variable: str) -> PurePath | None:
        value = self.environ.get(variable, "").strip()
        path = type(self.home)(value)
        return path if value and path.is_absolute() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The files of one client: where servers, rules, permissions and hooks are, None if it has them in no file.

    `whole_rules` and `whole_hooks` tell that the file is ours alone.
    """

    servers: PurePath
    rules: PurePath | None = None
    whole_rules: bool = False
    permissions: PurePath | None = None
    hooks: PurePath | None = None
    whole_hooks: bool = False


def places(client: ClientName, machine: Machine) -> Places:
    """Return where a client keeps its files."""
    home = machine.home
    match client:
        case ClientName.CLAUDE_DESKTOP:
            return Places(servers=machine.settings / "Claude" / "claude_desktop_config.json")
        case ClientName.CLAUDE_CODE:
            own = machine.folder("CLAUDE_CONFIG_DIR", home / ".claude")
            named = machine.folder("CLAUDE_CONFIG_DIR", home)
            settings = own / "settings.json"
            return Places(servers=named / ".claude.json", rules=own / "CLAUDE.md", permissions=settings, hooks=settings)
        case ClientName.CURSOR:
            own = home / ".cursor"
            return Places(servers=own / "mcp.json", permissions=own / "permissions.json", hooks=own / "hooks.json")
        case ClientName.VSCODE:
            user = machine.settings / "Code" / "User"
            return Places(
                servers=user / "mcp.json",
                rules=user / "prompts" / "mnemex.instructions.md",
                whole_rules=True,
                hooks=machine.folder("COPILOT_HOME", home / ".copilot") / "hooks" / "mnemex.json",
                whole_hooks=True,
            )
        case ClientName.WINDSURF:
            own = home / ".codeium" / "windsurf"
            return Places(servers=own / "mcp_config.json", rules=own / "memories" / "global_rules.md")
        case ClientName.CODEX:
            own = machine.folder("CODEX_HOME", home / ".codex")
            config = own / "config.toml"
            return Places(servers=config, rules=own / "AGENTS.md", permissions=config, hooks=own / "hooks.json")
        case ClientName.ZED:
            own = _zed_folder(machine)
            return Places(servers=own / "settings.json", rules=own / "AGENTS.md", permissions=own / "settings.json")


def _zed_folder(machine: Machine) -> PurePath:
    # on macOS Zed keeps to the folder of Linux
    if machine.system is System.MACOS:
        return machine.folder("XDG_CONFIG_HOME", machine.home / ".config") / "zed"
    return machine.settings / ("Zed" if machine.system is System.WINDOWS else "zed")


# What a client cannot be given in a file, and what its person does instead: one sentence each.

_RULES = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop keeps rules in your account: copy what `mnemex prompt` prints into the "
    "preferences of your profile.",
    ClientName.CURSOR: "Cursor keeps user rules in its settings and in no file: copy what `mnemex prompt` prints "
    "there.",
}
_PERMISSIONS = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop asks for each tool once in the app; choose “always allow” there.",
    ClientName.VSCODE: "VS Code keeps which tools need no confirmation in no file: choose “always allow” when it asks.",
    ClientName.WINDSURF: "Windsurf has no documented file for tools that need no confirmation; it asks in the app.",
}
_HOOKS = {
    ClientName.CLAUDE_DESKTOP: "Claude Desktop has no hooks; the rules that `mnemex prompt` prints do what they can.",
    ClientName.WINDSURF: "Windsurf's hooks cannot add anything to a conversation; the rules do what they can "
    "(`--rules`, or `mnemex prompt`).",
    ClientName.ZED: "Zed has no hooks; the rules do what they can (`--rules`, or `mnemex prompt`).",
}
_AFTERWARDS = {
    (ClientName.CODEX, "hooks"): "Codex runs new hooks only when you trust them: open `/hooks` in Codex once.",
    (ClientName.CURSOR, "permissions"): "Cursor now takes the list of MCP tools that need no confirmation from this "
    "file, in place of the one in its settings.",
    (
        ClientName.VSCODE,
        "hooks",
    ): "VS Code's hooks are a preview; it is given the brief at session start, nothing else.",
}


def missing_from(client: ClientName, where: Places) -> Iterator[str]:
    """Yield a sentence for each thing that this client cannot be given."""
    if where.rules is None:
        yield _RULES[client]
    if where.permissions is None:
        yield _PERMISSIONS[client]
    if where.hooks is None:
        yield _HOOKS[client]


def to_know(client: ClientName, *, hooks: bool, permissions: bool) -> Iterator[str]:
    """Yield what a person must know or do after these were written."""
    for wanted, what in ((hooks, "hooks"), (permissions, "permissions")):
        sentence = _AFTERWARDS.get((client, what))
        if wanted and sentence:
            yield sentence


# The vaults that Obsidian knows on this computer.

_NAME = "obsidian.json"


def lists(machine: Machine) -> list[PurePath]:
    """Return the files in which Obsidian may list its vaults: as installed, as a Flatpak, as a Snap."""
    found = [machine.settings / "obsidian" / _NAME]
    if machine.system is System.LINUX:
        found.append(machine.home / ".var/app/md.obsidian.Obsidian/config/obsidian" / _NAME)
        found.append(machine.home / "snap/obsidian/current/.config/obsidian" / _NAME)
    return found


def known_vaults(machine: Machine, *, read: Callable[[PurePath], str | None]) -> list[str]:
    """Return the folders of the vaults, the one that was opened last first; a damaged list says nothing."""
    opened: dict[str, float] = {}
    for path in lists(machine):
        for vault in _vaults(read(path)):
            folder, moment = vault.get("path"), vault.get("ts")
            if isinstance(folder, str) and folder:
                opened.setdefault(folder, moment if isinstance(moment, int | float) else 0)
    return sorted(opened, key=lambda folder: -opened[folder])


def _vaults(text: str | None) -> list[dict[str, Any]]:
    try:
        listed = json.loads(text or "{}")
    except ValueError:
        return []
    vaults = listed.get("vaults") if isinstance(listed, dict) else None
    return [vault for vault in vaults.values() if isinstance(vault, dict)] if isinstance(vaults, dict) else []
