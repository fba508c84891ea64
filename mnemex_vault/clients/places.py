"""Where the clients keep their configuration on each system; nothing is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath, PurePosixPath, PureWindowsPath


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
