"""Writes what the channels are given, from pyproject.toml, the package's version, its tools and its hooks.

`python .release/manifests.py` writes the files, with `--check` it only names those that are not as they would be.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer

from mnemex_vault import __version__
from mnemex_vault.app import make_app
from mnemex_vault.clients.entries import SHAPES, hook_command
from mnemex_vault.clients.places import ClientName, System
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.settings.kinds import Choice
from mnemex_vault.settings.table import TABLE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
OWNER = REPOSITORY.split("/")[-2]
NAME = PROJECT["name"]
TITLE = "Mnemex Vault"
# the registry takes a hundred characters
SHORT = "A human-like memory for assistants, as markdown notes in your own Obsidian vault"
LONG = """\
What you tell your assistant becomes a note in a folder of yours: read it, correct it, delete it in Obsidian or any \
other editor. What is used stays, what nobody needs again fades into an archive, from where it comes back.

Privacy: everything stays in that folder and in one state folder on this computer. The program makes no network call; \
only when it is installed or updated, uv fetches Python packages."""
AUTHOR = {"name": PROJECT["authors"][0]["name"], "url": f"https://github.com/{OWNER}"}
COMMAND = ["uvx", NAME]
SERVER = "mnemex"
ASKED_VAULT = "${user_config.vault}"
VAULT_OPTION = {
    "type": "directory",
    "title": "Vault",
    "description": "The folder in which your notes lie, or an empty one. Memories go into its subfolder Memories.",
    "required": True,
}
VAULT_VARIABLE = "MNEMEX_VAULT_PATH"


def registry_entry() -> dict[str, Any]:
    """Return the entry of the MCP registry."""
    tools = TABLE["tools"]
    vault = {"type": "named", "name": "--vault", "isRequired": True, "format": "filepath"}
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": f"io.github.{OWNER}/{NAME}",
        "title": TITLE,
        "description": SHORT,
        "version": __version__,
        "websiteUrl": REPOSITORY,
        "repository": {"url": REPOSITORY, "source": "github"},
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": NAME,
                "version": __version__,
                "runtimeHint": COMMAND[0],
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve", "description": "Run the server."},
                    {**vault, "description": VAULT_OPTION["description"]},
                ],
                "environmentVariables": [
                    {
                        "name": "MNEMEX_TOOLS",
                        "description": tools.meaning,
                        "choices": list(tools.kind.words) if isinstance(tools.kind, Choice) else [],
                        "default": tools.default,
                    }
                ],
            }
        ],
    }


def bundle_manifest() -> dict[str, Any]:
    """Return the manifest of the bundle that Claude Desktop installs with one click."""
    start = {"command": "uv", "args": ["run", "--directory", "${__dirname}", "server.py"]}
    return {
        "$schema": "https://raw.githubusercontent.com/anthropics/mcpb/main/schemas/mcpb-manifest-v0.4.schema.json",
        "manifest_version": "0.4",
        "name": NAME,
        "display_name": TITLE,
        "version": __version__,
        "description": SHORT,
        "long_description": LONG,
        "author": AUTHOR,
        "repository": {"type": "git", "url": REPOSITORY},
        "homepage": REPOSITORY,
        "documentation": f"{REPOSITORY}/blob/main/docs/tutorial.md",
        "support": f"{REPOSITORY}/issues",
        "icon": "icon.png",
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {**start, "env": {VAULT_VARIABLE: ASKED_VAULT}},
        },
        "tools": list(_tools()),
        "keywords": PROJECT["keywords"],
        "license": PROJECT["license"],
        "privacy_policies": [f"{REPOSITORY}/blob/main/docs/security.md"],
        "compatibility": {
            # not tried on Windows yet
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": PROJECT["requires-python"]},
        },
        "user_config": {"vault": VAULT_OPTION},
    }


def claude_plugin() -> dict[str, Any]:
    """Return the plugin of Claude Code, whose parts lie beside this manifest and not in the root."""
    return {
        "name": NAME,
        "displayName": TITLE,
        **_described(),
        "skills": "./.claude-plugin/skills/",
        "hooks": "./.claude-plugin/hooks/hooks.json",
        "mcpServers": "./.claude-plugin/.mcp.json",
        "userConfig": {"vault": VAULT_OPTION},
    }


def claude_marketplace() -> dict[str, Any]:
    """Return the marketplace that this repository is, for Claude Code and for Codex."""
    return {
        "name": NAME,
        "owner": AUTHOR,
        "description": SHORT,
        "plugins": [{"name": NAME, "source": "./", "description": SHORT, "category": "productivity"}],
    }


def claude_servers() -> dict[str, Any]:
    """Return the server of the Claude Code plugin."""
    return {"mcpServers": {SERVER: {**_server(), "env": {VAULT_VARIABLE: ASKED_VAULT}}}}


def claude_hooks() -> dict[str, Any]:
    """Return the hooks of `mnemex connect`, as words that no shell reads: an option may not stand in a command line."""
    shape = SHAPES[ClientName.CLAUDE_CODE]
    return {
        "hooks": {event: [_without_shell(shape.entry(line))] for event, line in _hook_lines(ClientName.CLAUDE_CODE)}
    }


def codex_plugin() -> dict[str, Any]:
    """Return the plugin of Codex; it cannot ask for a vault, so that the default vault is meant."""
    shape = SHAPES[ClientName.CODEX]
    default_vault = f" --vault '{ASKED_VAULT}'"
    lines = {event: line.removesuffix(default_vault) for event, line in _hook_lines(ClientName.CODEX)}
    return {
        "name": NAME,
        **_described(),
        "skills": "./.claude-plugin/skills/",
        "hooks": {"hooks": {event: [shape.entry(line)] for event, line in lines.items()}},
        "mcpServers": {SERVER: _server()},
        "interface": {
            "displayName": TITLE,
            "shortDescription": SHORT,
            "longDescription": LONG,
            "developerName": AUTHOR["name"],
            "category": "Productivity",
            "websiteURL": REPOSITORY,
            "privacyPolicyURL": f"{REPOSITORY}/blob/main/docs/security.md",
            "defaultPrompt": ["What do you know about how I like to work?"],
        },
    }


FILES: dict[str, Callable[[], dict[str, Any]]] = {
    ".release/server.json": registry_entry,
    ".release/mcpb/manifest.json": bundle_manifest,
    ".claude-plugin/plugin.json": claude_plugin,
    ".claude-plugin/marketplace.json": claude_marketplace,
    ".claude-plugin/.mcp.json": claude_servers,
    ".claude-plugin/hooks/hooks.json": claude_hooks,
    ".codex-plugin/plugin.json": codex_plugin,
}


def texts() -> Iterator[tuple[Path, str]]:
    """Yield each file with the text that it should have."""
    for place, manifest in FILES.items():
        yield ROOT / place, json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n"
    # the registry asks the page of the package whether it may be named there
    readme = (ROOT / "README.md").read_text("utf-8")
    yield ROOT / "README.md", re.sub(r"(?<=<!-- mcp-name: )\S+(?= -->)", registry_entry()["name"], readme)


def _described() -> dict[str, Any]:
    return {
        "version": __version__,
        "description": SHORT,
        "author": AUTHOR,
        "homepage": REPOSITORY,
        "repository": REPOSITORY,
        "license": PROJECT["license"],
        "keywords": PROJECT["keywords"],
    }


def _server() -> dict[str, Any]:
    return {"command": COMMAND[0], "args": COMMAND[1:]}


def _hook_lines(client: ClientName) -> Iterator[tuple[str, str]]:
    for event, name in SHAPES[client].events.items():
        yield event, hook_command(COMMAND, name, ASKED_VAULT, system=System.LINUX)


def _without_shell(entry: dict[str, Any]) -> dict[str, Any]:
    [hook] = entry["hooks"]
    command, *arguments = shlex.split(hook["command"])
    return {"hooks": [{**hook, "command": command, "args": arguments}]}


def _tools() -> Iterator[dict[str, str]]:
    """Yield the tools that are listed by default, each with its first sentence."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder, "vault")
        vault.mkdir()
        server = build_server(make_app(vault, environ={"MNEMEX_STATE_PATH": f"{folder}/state"}))
        for tool in anyio.run(MCPServer.list_tools, server):
            first, *_ = re.split(r"[.;]\s", tool.description or "")
            yield {"name": tool.name, "description": f"{first.removesuffix('.')}."}


def main() -> int:
    """Write what differs, or only name it."""
    differing = [(path, text) for path, text in texts() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in differing:
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return int("--check" in sys.argv and bool(differing))


if __name__ == "__main__":
    sys.exit(main())
