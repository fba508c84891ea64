"""A server shows its tools before it has imported what opens a vault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest

from mnemex_vault.app import App
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.vault_server import build_server
from tests.waiting import PATIENCE

LISTING = """
import json, sys
from pathlib import Path
import anyio
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.opening import early_tool_set
from mnemex_vault.mcp.vault_server import build_server

around = {"MNEMEX_STATE_PATH": sys.argv[1]}
choose = lambda: early_tool_set(Path(sys.argv[2]), around, {})
server = build_server(Opening(lambda: exit("opened"), early_tools=choose))
listed = anyio.run(server.list_tools)
print(json.dumps([len(listed), sorted(sys.modules)]))
"""
HEAVY = {"whoosh", "markdown_it", "yaml", "frontmatter", "watchdog", "snowballstemmer", "msgspec", "filelock", "regex"}


def test_listing_tools_imports_neither_index_nor_parsers(vault: Path, tmp_path: Path) -> None:
    folders = [str(tmp_path / "state"), str(vault)]
    done = subprocess.run([sys.executable, "-c", LISTING, *folders], capture_output=True, check=True)
    count, modules = json.loads(done.stdout)
    assert count == 12
    assert not HEAVY & set(modules)
    assert "mnemex_vault.app" not in modules


SEARCHING = """
import sys
from mnemex_vault.app import open_vault

with open_vault(sys.argv[1]) as memories:
    memories.find("anything about the parser")
print(*sys.modules)
"""


def test_a_first_search_loads_neither_the_other_use_cases_nor_the_stemmers_of_all_languages(
    vault: Path, tmp_path: Path
) -> None:
    environ = {**os.environ, "MNEMEX_STATE_PATH": str(tmp_path / "state")}
    command = [sys.executable, "-c", SEARCHING, str(vault)]
    loaded = set(subprocess.run(command, capture_output=True, check=True, text=True, env=environ).stdout.split())
    assert "mnemex_vault.memories.recall" in loaded
    unasked = {
        f"mnemex_vault.memories.{name}" for name in ("review", "upkeep", "healing", "saving", "lifecycle", "graph")
    }
    assert not loaded & (unasked | {"snowballstemmer"})


def test_a_server_imports_no_other_command() -> None:
    code = "import sys; from mnemex_vault.cli.main import make_commands; make_commands('serve'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    ours = {name for name in done.stdout.split() if name.startswith("mnemex_vault.")}
    assert "mnemex_vault.cli.serve" in ours
    assert not {"mnemex_vault.cli.remember", "mnemex_vault.cli.init", "mnemex_vault.app"} & ours


def test_listing_tools_opens_the_vault_and_does_not_wait_for_it(app: App) -> None:
    asked, release = threading.Event(), threading.Event()

    def slow() -> App:
        asked.set()
        release.wait(PATIENCE)
        return app

    opening = Opening(slow, early_tools=lambda: "core")
    listed = anyio.run(build_server(opening).list_tools)
    assert len(listed) == 12
    assert asked.wait(PATIENCE)
    release.set()
    assert opening.app() is app


@pytest.mark.parametrize("seconds", [0.0, 3_600.0])
def test_a_call_does_not_wait_for_the_time_to_open(app: App, seconds: float) -> None:
    opening = Opening(lambda: app)
    opening.start(after=seconds)
    assert opening.app() is app
