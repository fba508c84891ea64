"""Each channel's own program takes what we give it, and starts the server from it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.release.conftest import ROOT, UV, Packages, Person, Window, npm, run
from tests.system.talk import talk_with
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
# checks against the schema of the MCP registry that the entry names, and what Codex and Claude Code read
LINTER = "skillsaw==0.22.0"
MCPB = "@anthropic-ai/mcpb@2.1.2"
CLAUDE = "@anthropic-ai/claude-code@2.1.197"
CODEX = "@openai/codex@0.171.0"
PLUGIN = "mnemex-vault@mnemex-vault"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of what the repository shows to channels."""
    folder = tmp_path / "checkout"
    for place in (".claude-plugin", ".codex-plugin", ".release"):
        shutil.copytree(ROOT / place, folder / place)
    for name in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture
def on_path(scripts: Path, person: Person) -> str:
    """Return a PATH on which `uvx mnemex-vault` is the program that would be released."""
    folder = person.home / "bin"
    folder.mkdir()
    stand_in = folder / "uvx"
    stand_in.write_text(f'#!/bin/sh\nprogram=$1\nshift\nexec "{scripts}/$program" "$@"\n', "utf-8")
    stand_in.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def linted(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [UV, "tool", "run", "--python", sys.executable, LINTER, "lint", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_linter_with_the_schemas_of_registry_and_clients_finds_nothing(checkout: Path) -> None:
    code, said = linted(checkout)
    assert code == 0, said
    assert "mcp-registry" in said
    assert "Errors:   0" in said
    assert "Warnings: 0" in said
    entry = checkout / ".release/server.json"
    broken = json.loads(entry.read_text("utf-8"))
    broken["packages"][0]["transport"]["type"] = "pigeon"
    entry.write_text(json.dumps(broken), "utf-8")
    assert linted(checkout)[0] != 0


def test_the_bundle_is_taken_by_its_tool_and_its_server_lists_the_tools(
    person: Person, tmp_path: Path, in_a_minute: Window
) -> None:
    tool = npm(tmp_path / "npm", MCPB) / "mcpb"
    bundle = Path(run(sys.executable, ROOT / ".release/mcpb/build.py", tmp_path / "dist").strip())
    run(tool, "validate", ROOT / ".release/mcpb/manifest.json")
    assert "mnemex-vault" in run(tool, "info", bundle)
    unpacked = tmp_path / "unpacked"
    run(tool, "unpack", bundle, unpacked)
    manifest = json.loads((unpacked / "manifest.json").read_text("utf-8"))
    start = manifest["server"]["mcp_config"]
    places = {"${__dirname}": str(unpacked), "${user_config.vault}": str(person.vault)}
    variables = {name: places[value] for name, value in start["env"].items()}
    environ = {**os.environ, **person.environ, **variables, "UV_PYTHON": sys.executable}
    environ["PATH"] = f"{UV.parent}:{environ['PATH']}"
    environ["UV_CACHE_DIR"] = str(person.home / "cache")
    command = [start["command"], *(places.get(word, word) for word in start["args"])]
    with in_a_minute(), talk_with(command, environ) as talk:
        listed = {tool["name"] for tool in talk.ask("tools/list")["tools"]}
        assert listed == {tool["name"] for tool in manifest["tools"]}
        assert talk.tool("save_memory", content="Zoë prefers tea.")["memory_id"]
    assert list((person.vault / "Memories").rglob("*.md"))


def test_the_same_sources_make_the_same_bundle(packages: Packages, tmp_path: Path) -> None:
    first, again = (
        Path(run(sys.executable, ROOT / ".release/mcpb/build.py", tmp_path / name).strip()) for name in "ab"
    )
    assert first.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert not [name for name in archive.namelist() if name.startswith(("tests", "docs", "obsidian-plugin"))]


@pytest.mark.storm  # downloads hundreds of megabytes
def test_claude_code_installs_the_plugin_and_its_server_answers(
    checkout: Path, person: Person, on_path: str, tmp_path: Path, in_a_minute: Window
) -> None:
    programs = npm(tmp_path / "npm", CLAUDE)
    package = programs.parent / "@anthropic-ai/claude-code"
    # a program of its own system is put in place by this script, which npm may have left out
    run("node", package / "install.cjs")
    patience = {"MCP_TIMEOUT": str(int(PATIENCE * 1_000))}
    environ = {**person.environ, "PATH": on_path, "DISABLE_AUTOUPDATER": "1", **patience}

    def claude(*words: str | Path) -> str:
        return run(programs / "claude", *words, **environ)

    claude("plugin", "validate", checkout)
    claude("plugin", "validate", checkout / ".claude-plugin/plugin.json")
    with in_a_minute():
        claude("plugin", "marketplace", "add", checkout)
        claude("plugin", "install", PLUGIN, "--config", f"vault={person.vault}")
        assert "plugin:mnemex-vault:mnemex: uvx mnemex-vault - ✔ Connected" in claude("mcp", "list")
    inventory = claude("plugin", "details", "mnemex-vault")
    assert "Skills (1)  memory" in inventory
    hooks = json.loads((checkout / ".claude-plugin/hooks/hooks.json").read_text("utf-8"))["hooks"]
    assert f"Hooks ({len(hooks)})" in inventory
    assert [name for name in hooks if name not in inventory] == []


@pytest.mark.storm  # downloads hundreds of megabytes
def test_codex_installs_the_plugin_with_its_server(
    checkout: Path, person: Person, on_path: str, tmp_path: Path, in_a_minute: Window
) -> None:
    programs = npm(tmp_path / "npm", CODEX)
    environ = {**person.environ, "PATH": on_path, "CODEX_HOME": str(person.home / ".codex")}
    (person.home / ".codex").mkdir()

    def codex(*words: str | Path) -> str:
        return run(programs / "codex", *words, **environ)

    with in_a_minute():
        codex("plugin", "marketplace", "add", checkout)
        codex("plugin", "add", PLUGIN)
        [server] = json.loads(codex("mcp", "list", "--json"))
        start = [server["transport"]["command"], *server["transport"]["args"]]
        with talk_with(start, {**environ, "MNEMEX_VAULT_PATH": str(person.vault)}) as talk:
            assert talk.tool("search_memory", query="tea")["results"] == []
    assert server["name"] == "mnemex"
    assert server["enabled"]
    hooks, skills = asked([programs / "codex", "app-server"], environ, "hooks/list", "skills/list")
    found = {hook["eventName"]: hook["command"] for hook in hooks["data"][0]["hooks"]}
    assert found.keys() == {"sessionStart", "preCompact", "stop"}
    assert hooks["data"][0]["warnings"] == hooks["data"][0]["errors"] == []
    assert "mnemex-vault:memory" in [skill["name"] for skill in skills["data"][0]["skills"]]
    # the hook works for the default vault, which the person chose once
    run(*on_the_path(["uvx", "mnemex-vault", "init", "--yes", str(person.vault)], environ), **environ)
    for command in found.values():
        run(*on_the_path(shlex.split(command), environ), **environ)


def on_the_path(words: list[str], environ: Mapping[str, str]) -> list[str]:
    """Return a command with the place of its program."""
    program = shutil.which(words[0], path=environ["PATH"])
    assert program
    return [program, *words[1:]]


def asked(command: list[str | Path], environ: Mapping[str, str], *methods: str) -> list[Any]:
    """Ask a client that speaks over its pipes, and return what it answers to each question."""
    hello: dict[str, object] = {"clientInfo": {"name": "test", "version": "1"}}
    calls = [("initialize", hello), *((method, {}) for method in methods)]
    answers = []
    with subprocess.Popen(
        command, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as client:
        assert client.stdin
        assert client.stdout
        for number, (method, parameters) in enumerate(calls):
            client.stdin.write(json.dumps({"id": number, "method": method, "params": parameters}) + "\n")
            client.stdin.flush()
            answers.append(next(each for line in client.stdout if (each := json.loads(line)).get("id") == number))
        client.kill()
    return [answer["result"] for answer in answers[1:]]


def test_the_release_workflow_is_one_by_the_schema_of_github() -> None:
    checker: list[str | Path] = [UV, "tool", "run", "--python", sys.executable, "check-jsonschema==0.39.0"]
    run(*checker, "--builtin-schema", "vendor.github-workflows", ROOT / ".github/workflows/release.yml")
