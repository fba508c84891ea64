"""`connect` and `prompt` on real files in a home of their own."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Run, contents

CLIENTS = {
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers"),
    "claude-code": (".claude.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "vscode": (".config/Code/User/mcp.json", "servers"),
    "windsurf": (".codeium/windsurf/mcp_config.json", "mcpServers"),
    "zed": (".config/zed/settings.json", "context_servers"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home of Zoë"
    folder.mkdir()
    return folder


@pytest.fixture
def at_home(run: Run, home: Path) -> Run:
    def run_at_home(*arguments: str, typed: str = "", terminal: bool = False, **more: str):  # type: ignore[no-untyped-def]
        surroundings = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), **more}
        return run(*arguments, typed=typed, terminal=terminal, **surroundings)

    return run_at_home


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_given_an_entry_that_starts_the_server(at_home: Run, home: Path, vault: Path, client: str) -> None:
    place, section = CLIENTS[client]
    outcome = at_home("connect", client)
    assert outcome.code == 0, outcome.err
    entry = json.loads((home / place).read_text("utf-8"))[section]["mnemex"]
    assert os.access(entry["command"], os.X_OK)
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-3:] == ["serve", "--vault", str(vault)]
    assert "Remember that I prefer short answers" in outcome.out
    assert at_home("connect", client).out.startswith("Nothing had to be changed.")


def test_codex_is_given_a_table(at_home: Run, home: Path, vault: Path) -> None:
    config = home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text('model = "x"  # mine\n', "utf-8")
    assert at_home("connect", "codex").code == 0
    assert config.read_text("utf-8").startswith('model = "x"  # mine\n')
    assert tomllib.loads(config.read_text("utf-8"))["mcp_servers"]["mnemex"]["args"][-1] == str(vault)
    assert at_home("connect", "codex", "--remove").code == 0
    assert config.read_text("utf-8") == 'model = "x"  # mine\n'


def test_every_other_byte_stays_and_a_backup_for_this_person_alone_is_made(at_home: Run, home: Path) -> None:
    config = home / ".config/zed/settings.json"
    config.parent.mkdir(parents=True)
    mine = '// Zed\n{\n  "theme": "One", // nice\n  "context_servers": {"a": {"command": "x"}},\n}\n'
    config.write_text(mine, "utf-8")
    config.chmod(0o640)
    outcome = at_home("connect", "zed", "--json")
    [backup] = map(Path, outcome.data["backups"])
    assert backup.read_text("utf-8") == mine
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(config.stat().st_mode) == 0o640
    assert at_home("connect", "zed", "--remove").code == 0
    assert config.read_text("utf-8") == mine


def test_a_dry_run_shows_the_change_and_writes_nothing(at_home: Run, home: Path) -> None:
    outcome = at_home("connect", "claude-code", "--allow", "--rules", "--hooks", "--dry-run")
    assert '+    "mnemex": {' in outcome.out
    assert '+      "mcp__mnemex__search_memory",' in outcome.out
    assert outcome.out.endswith("Nothing was written.\n")
    assert not any(home.iterdir())


def test_all_that_a_client_was_given_is_taken_out(at_home: Run, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/CLAUDE.md").write_text("Be kind.\n", "utf-8")
    settings = home / ".claude/settings.json"
    settings.write_text(
        '{"permissions": {"allow": ["Read"]}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say"}]}]}}'
    )
    before = contents(home)
    assert at_home("connect", "claude-code", "--allow", "--rules", "--hooks").code == 0
    given = json.loads(settings.read_text("utf-8"))
    assert "mcp__mnemex__save_memory" in given["permissions"]["allow"]
    assert "mcp__mnemex__forget_memory" not in given["permissions"]["allow"]
    assert set(given["hooks"]) == {"SessionStart", "PreCompact", "Stop"}
    assert "search_memory" in (home / ".claude/CLAUDE.md").read_text("utf-8")
    again = at_home("connect", "claude-code", "--allow", "--rules", "--hooks")
    assert "Nothing had to be changed" in again.out
    assert at_home("connect", "claude-code", "--remove").code == 0
    after = contents(home)
    assert after[".claude/CLAUDE.md"] == before[".claude/CLAUDE.md"]
    left = json.loads(settings.read_text("utf-8"))
    assert left["permissions"]["allow"] == ["Read"]
    assert left["hooks"]["Stop"] == [{"hooks": [{"type": "command", "command": "say"}]}]


def test_on_a_terminal_one_question_offers_the_rest(at_home: Run, home: Path) -> None:
    outcome = at_home("connect", "claude-code", typed="rules, permissions\n", terminal=True)
    assert outcome.out.count("?") >= 1
    assert (home / ".claude/CLAUDE.md").exists()
    assert "hooks" not in json.loads((home / ".claude/settings.json").read_text("utf-8"))


def test_a_link_to_a_configuration_elsewhere_stays_a_link(at_home: Run, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}", "utf-8")
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(real)
    assert at_home("connect", "cursor").code == 0
    assert (home / ".cursor/mcp.json").is_symlink()
    assert "mnemex" in real.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "content", "complaint"),
    [
        (("connect", "cursor"), "{nonsense", "line 1 is not valid JSON; nothing was written"),
        (("connect", "cursor"), '{"mcpServers": []}', "mcpServers is not an object"),
        (("connect", "cursor", "--rules"), "{}", "mnemex prompt"),
        (("connect", "cursor", "--hooks"), "{}", "has no hooks"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    at_home: Run, home: Path, arguments: tuple[str, ...], content: str, complaint: str
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").write_text(content, "utf-8")
    outcome = at_home(*arguments)
    assert outcome.code == 1
    assert complaint in outcome.err
    assert contents(home) == {".cursor/mcp.json": content.encode()}


def test_without_a_client_those_that_are_found_are_listed(at_home: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    found = {each["client"]: each["found"] for each in at_home("connect", "--json").data}
    assert found["cursor"]
    assert not found["claude-code"]


def test_an_unknown_client_is_wrong_usage(at_home: Run) -> None:
    outcome = at_home("connect", "netscape")
    assert outcome.code == 2
    assert "claude-desktop" in outcome.err


def test_the_rules_are_printed_short_and_full(at_home: Run) -> None:
    short, full = at_home("prompt").out, at_home("prompt", "full").out
    assert full.startswith(short.rstrip("\n"))
    assert len(short) < len(full)
    for tool in ("search_memory", "save_memory", "observe_memory_usage", "forget_memory", "supersedes"):
        assert f"`{tool}`" in short
