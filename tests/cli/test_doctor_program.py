"""What `doctor` says about clients and vaults, and which vaults `init` offers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def troubles(run: Run, home: Path, path: str = "") -> list[str]:
    outcome = run("doctor", "--json", HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"), PATH=path)
    assert outcome.code == 0, outcome.err
    return [each["detail"] for each in outcome.data["findings"] if each["kind"] == "program"]


def test_a_client_that_starts_what_is_not_there_is_named_with_the_cure(run: Run, home: Path, vault: Path) -> None:
    (home / ".cursor").mkdir()
    gone = {"command": "/nowhere/mnemex", "args": ["serve", "--vault", "/other"]}
    (home / ".cursor/mcp.json").write_text(json.dumps({"mcpServers": {"mnemex": gone}}))
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text('[mcp_servers.mnemex]\ncommand = "mnemex"\n')
    found = "\n".join(troubles(run, home))
    assert "cursor starts /nowhere/mnemex, which is not there" in found
    assert f"cursor uses another vault, /other; if that is not meant: mnemex connect cursor --vault {vault}" in found
    assert "codex starts 'mnemex' by its name" in found
    run("connect", "cursor", HOME=str(home))
    assert "cursor" not in "\n".join(troubles(run, home))


def test_a_damaged_configuration_is_named(run: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text("{")
    assert any("configuration of cursor cannot be read" in each for each in troubles(run, home))


def test_a_program_that_the_terminal_does_not_find_is_said(run: Run, home: Path) -> None:
    assert any("is not in the PATH" in each for each in troubles(run, home, path="/nowhere"))


def test_two_vaults_are_said(run: Run, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "Other"
    other.mkdir()
    assert run("init", str(other), "--yes", XDG_CONFIG_HOME=str(home / ".config")).code == 0
    assert any("two vaults are in use" in each for each in troubles(run, home))


def test_init_offers_the_vaults_that_obsidian_knows(bare_run: Run, home: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "First", tmp_path / "Second"
    first.mkdir()
    second.mkdir()
    (home / ".config/obsidian").mkdir(parents=True)
    vaults = {
        "a": {"path": str(first), "ts": 1},
        "b": {"path": str(second), "ts": 2},
        "c": {"path": "/gone", "ts": 3},
    }
    (home / ".config/obsidian/obsidian.json").write_text(json.dumps({"vaults": vaults}))
    outcome = bare_run(
        "init", "--dry-run", typed="2\n", terminal=True, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config")
    )
    assert outcome.code == 0, outcome.err
    assert outcome.out.index("1  " + str(second)) < outcome.out.index("2  " + str(first))
    assert "Nothing was written." in outcome.out
    assert f"{first} · " in outcome.out


def test_init_without_a_person_names_no_vault_by_itself(bare_run: Run, home: Path) -> None:
    outcome = bare_run("init", "--yes", HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"))
    assert outcome.code == 1
    assert "--vault" in outcome.err
