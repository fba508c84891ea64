"""What every channel is given is made from one place and names what is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from mcp.server.mcpserver import MCPServer

from mnemex_vault import __version__
from mnemex_vault.app import App
from mnemex_vault.clients.entries import SHAPES, hook_command
from mnemex_vault.clients.places import ClientName, System
from mnemex_vault.mcp.vault_server import build_server
from tests.release.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY: str = PROJECT["urls"]["Repository"]
OWNER = REPOSITORY.split("/")[-2]
MANIFESTS = [
    path
    for folder in (".release", ".claude-plugin", ".codex-plugin")
    for path in sorted((ROOT / folder).rglob("*.json"))
]
SKILL = (ROOT / ".claude-plugin/skills/memory/SKILL.md").read_text("utf-8")


def read(place: str) -> Any:
    return json.loads((ROOT / place).read_text("utf-8"))


@pytest.mark.slow
def test_the_manifests_are_as_the_script_would_write_them() -> None:
    script = ROOT / ".release/manifests.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, f"run {script}: {done.stdout}{done.stderr}"


def test_plugin_and_package_have_one_version() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert "version" not in PROJECT
    for place in ("obsidian-plugin/manifest.json", "obsidian-plugin/package.json"):
        assert read(place)["version"] == __version__, place
    assert read("mnemex_vault/vaultkit/plugin/manifest.json")["version"] == __version__
    assert list(read("obsidian-plugin/versions.json"))[-1] == __version__
    assert f"version {__version__}, " in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_manifest_names_this_version_and_this_owner(manifest: Path) -> None:
    text = manifest.read_text("utf-8")
    assert set(re.findall(r'"version": "(.*?)"', text)) <= {__version__}
    assert set(re.findall(r"(?:github\.com/|io\.github\.)([\w-]+)", text)) <= {OWNER}


def test_documents_name_this_owner() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    assert set(re.findall(r"(?:github\.com/|marketplace add |io\.github\.)([\w-]+)/mnemex-vault", text)) == {OWNER}


def test_the_registry_finds_its_name_in_the_text_of_the_package() -> None:
    entry = read(".release/server.json")
    assert PROJECT["readme"] == "README.md"
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "README.md").read_text("utf-8")
    assert entry["packages"][0]["identifier"] == PROJECT["name"]
    assert len(entry["description"]) <= 100


def test_the_plugins_run_the_hooks_that_connect_writes() -> None:
    option = "${user_config.vault}"
    claude, codex = (
        read(".claude-plugin/hooks/hooks.json")["hooks"],
        read(".codex-plugin/plugin.json")["hooks"]["hooks"],
    )
    assert claude.keys() == SHAPES[ClientName.CLAUDE_CODE].events.keys()
    assert codex.keys() == SHAPES[ClientName.CODEX].events.keys()
    for event, name in SHAPES[ClientName.CLAUDE_CODE].events.items():
        [hook] = claude[event][0]["hooks"]
        # as words: Claude Code refuses an option of the person in a line that a shell reads
        assert [hook["command"], *hook["args"]] == ["uvx", "mnemex-vault", "hook", name, "--vault", option]
    for event, name in SHAPES[ClientName.CODEX].events.items():
        [hook] = codex[event][0]["hooks"]
        connected = hook_command(["uvx", "mnemex-vault"], name, "/vault", system=System.LINUX)
        assert connected == f"{hook['command']} --vault /vault"


def test_the_bundle_and_the_skill_name_tools_that_are_listed(app: App) -> None:
    server = build_server(app)
    listed = {tool.name for tool in anyio.run(MCPServer.list_tools, server)}
    assert {tool["name"] for tool in read(".release/mcpb/manifest.json")["tools"]} == listed
    named = {name for name in re.findall(r"`(\w+)`", SKILL) if "_" in name or name in listed}
    arguments = {"used_ids", "dry_run"}
    assert named - arguments <= listed
    assert {"search_memory", "save_memory", "observe_memory_usage", "forget_memory"} <= named


def test_the_skill_says_when_to_use_it() -> None:
    head = yaml.safe_load(SKILL.split("---")[1])
    assert head["name"] == "memory"
    assert len(head["description"]) <= 1024
    assert re.findall(r"^## (.*)$", SKILL, re.MULTILINE) == ["Search", "Save", "Observe", "Forget and tidy up"]


def test_every_path_in_a_manifest_leads_somewhere() -> None:
    for place in (".claude-plugin/plugin.json", ".codex-plugin/plugin.json"):
        for path in re.findall(r'"(\./[^"]*)"', (ROOT / place).read_text("utf-8")):
            assert (ROOT / path).exists(), path
    bundle = read(".release/mcpb/manifest.json")
    for name in (bundle["icon"], bundle["server"]["entry_point"]):
        assert (ROOT / ".release/mcpb" / name).exists()


def test_the_root_holds_nothing_that_is_only_for_a_channel() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=False, cwd=ROOT).stdout
    seen = {line.split("/")[0] for line in tracked.split("\0") if line and not line.startswith(".")}
    files = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
    assert seen <= files | {"mnemex_vault", "obsidian-plugin", "tests", "docs", "sample-vault"}
