"""What each client's configuration says about the server, set in and taken out of the text of its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mnemex_vault.clients import jsonc, toml_text
from mnemex_vault.clients.places import ClientName

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
