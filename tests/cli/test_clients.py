"""What `connect` and `doctor` say of a client's own memory, and of how much it asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
from tests.cli.conftest import Run, Saver
from tests.conftest import StandingClock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def told(run: Run, home: Path, *command: str) -> str:
    outcome = run(*command, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"))
    assert outcome.code == 0, outcome.err
    return outcome.out


@pytest.mark.parametrize("command", ["connect", "doctor"])
def test_a_client_s_own_memory_is_told_with_the_next_step(run: Run, home: Path, command: str) -> None:
    for project in ("-work-shop", "-work-blog"):
        folder = home / ".claude/projects" / project / "memory"
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text("Tea.")
    (home / ".codex/memories").mkdir(parents=True)
    (home / ".codex/memories/MEMORY.md").write_text("Tea.")
    (home / ".config/Claude").mkdir(parents=True)
    (home / ".config/Claude/claude_desktop_config.json").write_text("{}")
    said = told(run, home, command)
    assert "2 notes of 2 projects" in said
    assert "mnemex bridge claude-code" in said
    assert f"mnemex import {home / '.codex'}" in said
    assert "They are off now" in said
    assert "ask it to search mnemex" in said
    (home / ".codex/config.toml").write_text("[features]\nmemories = true\n")
    assert "set memories = false" in told(run, home, command)


def test_who_has_no_client_hears_of_none(run: Run, home: Path) -> None:
    assert "Clients" not in told(run, home, "doctor")
    assert "remembers by itself" not in told(run, home, "connect")


def test_connecting_says_how_the_two_live_together(run: Run, home: Path) -> None:
    folder = home / ".claude/projects/-work-shop/memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("Tea.")
    assert "mnemex bridge claude-code" in told(run, home, "connect", "claude-code")


def test_what_a_client_asked_and_relied_on_is_told(
    run: Run, home: Path, vault: Path, saved: Saver, environ: dict[str, str], clock: StandingClock
) -> None:
    memory_id = saved("Anna is allergic to walnuts and hazelnuts.")
    told(run, home, "connect", "codex")
    assert "codex: asked nothing of this vault yet" in told(run, home, "doctor")
    with open_app(vault, environ=environ, clock=clock) as app:
        app.conversations.note("codex-mcp-client", "one", now=clock(), asked=True, fitted=True, relied=[memory_id])
        app.conversations.note("Some Agent", "one", now=clock(), asked=True)
    said = told(run, home, "doctor")
    assert "codex: since 2026" in said
    assert "in 1 conversation: 1 of 1 search found an answer, 0 briefs, answers relied on 1 use of memories" in said
    assert "Some Agent: since" in said
    [codex] = [each for each in json.loads(told(run, home, "connect", "--json")) if each["client"] == "codex"]
    assert codex["consulted"]["used"] == 1
