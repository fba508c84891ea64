"""What a client's files say of the server: its entry, its hooks, what it may do unasked, and what is wrong there."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from mnemex_vault.clients import jsonc, toml_text
from mnemex_vault.clients.places import ClientName, Machine, System, places
from mnemex_vault.errors import ConfigError

# What each client's configuration says about the server, set in and taken out of the text of its file.

_SECTIONS: Mapping[ClientName, str] = {
    ClientName.CLAUDE_DESKTOP: "mcpServers",
    ClientName.CLAUDE_CODE: "mcpServers",
    ClientName.CURSOR: "mcpServers",
    ClientName.WINDSURF: "mcpServers",
    ClientName.VSCODE: "servers",
    ClientName.ZED: "context_servers",
    ClientName.CODEX: "mcp_servers",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """How the server is started: an absolute path and its arguments; `name` is what the client calls it."""

    name: str
    command: str
    args: Sequence[str]


def printed(server: Server) -> dict[str, object]:
    """Return the entry that most clients read."""
    return {"mcpServers": {server.name: {"command": server.command, "args": list(server.args), "env": {}}}}


def with_server(client: ClientName, text: str, server: Server) -> str:
    """Return a configuration with the server in it; raises ConfigError if it cannot be edited safely."""
    path = [_SECTIONS[client], server.name]
    if client is ClientName.CODEX:
        return toml_text.put_table(text, path, {"command": server.command, "args": list(server.args)})
    if not isinstance(jsonc.value_at(text, path), dict):
        return jsonc.put(text, path, _entry(client, server))
    # what a person added, such as variables of the environment, stays
    text = jsonc.put(text, [*path, "command"], server.command)
    return jsonc.put(text, [*path, "args"], list(server.args))


def without_server(client: ClientName, text: str, name: str) -> str:
    """Return a configuration without the server."""
    path = [_SECTIONS[client], name]
    return toml_text.drop_table(text, path) if client is ClientName.CODEX else jsonc.drop(text, path)


def started_by(client: ClientName, text: str, name: str) -> tuple[str, list[str]] | None:
    """Return command and arguments of the server in a configuration, None if it is not there."""
    return _started(_servers(client, text).get(name))


def vaults_of(client: ClientName, text: str) -> dict[str, str]:
    """Return the vaults that a configuration connects, by the names of the servers that are ours."""
    started = {name: _started(entry) for name, entry in _servers(client, text).items()}
    named = {name: vault_in(each[1]) for name, each in started.items() if each and "serve" in each[1]}
    return {name: vault for name, vault in named.items() if vault}


def vault_in(arguments: Sequence[str]) -> str | None:
    """Return the vault that the arguments of a server name."""
    return next((word for option, word in pairwise(arguments) if option == "--vault"), None)


def _servers(client: ClientName, text: str) -> Mapping[str, object]:
    section = _SECTIONS[client]
    servers = toml_text.parse(text).get(section) if client is ClientName.CODEX else jsonc.value_at(text, [section])
    return servers if isinstance(servers, dict) else {}


def _started(entry: object) -> tuple[str, list[str]] | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return None
    arguments = entry.get("args")
    return entry["command"], [str(word) for word in arguments] if isinstance(arguments, list) else []


def _entry(client: ClientName, server: Server) -> dict[str, object]:
    started: dict[str, object] = {"command": server.command, "args": list(server.args), "env": {}}
    if client in (ClientName.CLAUDE_CODE, ClientName.VSCODE):
        return {"type": "stdio", **started}
    return {"source": "custom", **started} if client is ClientName.ZED else started


# The tools that a client may use without asking each time, set in and taken out of its own file.

# what a person would have to allow in each conversation, and cannot lose anything by
ALLOWED_TOOLS = (
    "search_memory",
    "search_unified",
    "open_memories",
    "save_memory",
    "observe_memory_usage",
    "touch_memory",
)

_ZED_TOOLS = ("agent", "tool_permissions", "tools")
_ZED_ALLOWED = {"default": "allow"}
_ListEdit = Callable[[str, Sequence[str], object], str]


def with_permissions(client: ClientName, text: str, name: str) -> str:
    """Return a client's settings with the tools allowed that read and save."""
    match client:
        case ClientName.ZED:
            for tool in ALLOWED_TOOLS:
                text = jsonc.put(text, [*_ZED_TOOLS, f"mcp:{name}:{tool}"], _ZED_ALLOWED)
            return text
        case ClientName.CODEX:
            for tool in ALLOWED_TOOLS:
                text = toml_text.put_table(text, _codex_path(name, tool), {"approval_mode": "approve"})
            return text
    return _listed(jsonc.append, client, text, name)


def without_permissions(client: ClientName, text: str, name: str) -> str:
    """Return a client's settings without those permissions; another answer that a person gave stays."""
    match client:
        case ClientName.ZED:
            for tool in ALLOWED_TOOLS:
                path = [*_ZED_TOOLS, f"mcp:{name}:{tool}"]
                text = jsonc.drop(text, path) if jsonc.value_at(text, path) == _ZED_ALLOWED else text
            return text
        case ClientName.CODEX:
            # they stand in the server's own table and go with it
            return text
    return _listed(jsonc.discard, client, text, name)


def _codex_path(name: str, tool: str) -> list[str]:
    return ["mcp_servers", name, "tools", tool]


def _listed(edit: _ListEdit, client: ClientName, text: str, name: str) -> str:
    """Edit the list that Claude Code or Cursor keeps."""
    cursor = client is ClientName.CURSOR
    path = ["mcpAllowlist"] if cursor else ["permissions", "allow"]
    for tool in ALLOWED_TOOLS:
        text = edit(text, path, f"{name}:{tool}" if cursor else f"mcp__{name}__{tool}")
    return text


# The hooks of a client that run this program: at session start, before compaction, after an answer.

_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a client writes hooks: its names of the moments, and whether a group or a type stands around the command."""

    events: Mapping[str, str]
    grouped: bool = False
    typed: bool = True
    version: int | None = None

    def entry(self, line: str) -> dict[str, object]:
        """Return the entry of a command line."""
        command: dict[str, object] = {"command": line, "timeout": _SECONDS}
        if self.typed:
            command = {"type": "command", **command}
        return {"hooks": [command]} if self.grouped else command


_ALL = {"SessionStart": "session-start", "PreCompact": "pre-compact", "Stop": "stop"}
SHAPES: Mapping[ClientName, Shape] = {
    ClientName.CLAUDE_CODE: Shape(events={**_ALL, "UserPromptSubmit": "prompt"}, grouped=True),
    ClientName.CODEX: Shape(events=_ALL, grouped=True),
    ClientName.CURSOR: Shape(
        events={"sessionStart": "session-start", "preCompact": "pre-compact", "stop": "stop"}, typed=False, version=1
    ),
    # the format of its transcripts is not documented, so that only the brief can be given
    ClientName.VSCODE: Shape(events={"SessionStart": "session-start"}),
}


def hook_command(command: Sequence[str], event: str, vault: str, *, system: System) -> str:
    """Return the command line of a hook, as the shell of that system takes it.

    >>> hook_command(["/opt/mnemex"], "stop", "/My notes", system=System.LINUX)
    "/opt/mnemex hook stop --vault '/My notes'"
    """
    words = [*command, "hook", event, "--vault", vault]
    return subprocess.list2cmdline(words) if system is System.WINDOWS else shlex.join(words)


def with_hooks(client: ClientName, text: str, command: Sequence[str], vault: str, *, system: System) -> str:
    """Return a client's file with our hooks in place of earlier ones; hooks of others stay."""
    shape = SHAPES[client]
    if shape.version is not None and jsonc.value_at(text, ["version"]) is None:
        text = jsonc.put(text, ["version"], shape.version)
    for event, name in shape.events.items():
        line = hook_command(command, name, vault, system=system)
        if client is ClientName.CURSOR and line.startswith('"'):
            # Cursor gives the line to PowerShell, which takes a quoted program for a text
            line = f"& {line}"
        entry = shape.entry(line)
        if entry not in (jsonc.value_at(text, ["hooks", event]) or ()):
            text = jsonc.append(_without_hook(text, event, name), ["hooks", event], entry)
    return text


def without_hooks(client: ClientName, text: str) -> str:
    """Return a client's file without our hooks."""
    for event, name in SHAPES[client].events.items():
        text = _without_hook(text, event, name)
    return text


def has_hooks(client: ClientName, text: str) -> bool:
    """Tell whether a client's file has our hook at session start."""
    event, name = next(iter(SHAPES[client].events.items()))
    entries = jsonc.value_at(text, ["hooks", event]) if text else None
    return isinstance(entries, list) and any(_is_ours(entry, name) for entry in entries)


def _without_hook(text: str, event: str, name: str) -> str:
    entries = jsonc.value_at(text, ["hooks", event])
    for entry in entries if isinstance(entries, list) else []:
        if _is_ours(entry, name):
            text = jsonc.discard(text, ["hooks", event], entry)
    return text


def _is_ours(entry: Any, name: str) -> bool:
    """Tell whether an entry, or the group it is, runs nothing but our hook."""
    if not isinstance(entry, dict):
        return False
    hooks = entry.get("hooks", [entry])
    lines = [str(hook.get("command", "")) for hook in hooks or () if isinstance(hook, dict)]
    return bool(lines) and all("mnemex" in line and f" hook {name} --vault " in line for line in lines)


# What is wrong with the ways in which clients start the server, each with its cure.


def client_troubles(
    machine: Machine, *, vault: Path, name: str, read: Callable[[PurePath], str | None]
) -> Iterator[str]:
    """Yield a sentence for each client whose entry cannot work or means another vault."""
    for client in ClientName:
        path = places(client, machine).servers
        try:
            text = read(path)
            entry = started_by(client, text, name) if text else None
        except ConfigError as error:
            yield f"the configuration of {client} cannot be read ({error}); repair it, then: mnemex connect {client}"
            continue
        if entry is not None:
            yield from _troubles(client, *entry, vault=vault)


def _troubles(client: ClientName, command: str, arguments: list[str], *, vault: Path) -> Iterator[str]:
    again = f"mnemex connect {client}"
    if not Path(command).is_absolute():
        yield f"{client} starts {command!r} by its name, which it may not find; write the whole path with: {again}"
    elif not Path(command).exists():
        yield f"{client} starts {command}, which is not there (any more); write it anew with: {again}"
    named = vault_in(arguments)
    if named and Path(named) != vault:
        yield f"{client} uses another vault, {named}; if that is not meant: {again} --vault {vault}"
