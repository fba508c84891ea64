"""`connect` and `prompt` on real files in a home of their own."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from mnemex_vault.clients.remote import Asked, RemoteClients
from mnemex_vault.settings import state_base, vault_state
from tests.cli.conftest import Run, Typed, contents
from tests.conftest import StandingClock

ROOT = Path(__file__).parents[2]
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
    def run_at_home(*arguments: str, typed: Typed = "", terminal: bool = False, **more: str):  # type: ignore[no-untyped-def]
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


def test_a_program_that_lies_in_a_cache_is_started_through_uvx(
    at_home: Run, home: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = home / "bin/uvx"
    for folder in (runner.parent, home / "cache/environment"):
        folder.mkdir(parents=True)
    (home / "cache/CACHEDIR.TAG").touch()
    runner.touch(0o755)
    monkeypatch.setattr(sys, "prefix", str(home / "cache/environment"))
    monkeypatch.setenv("PATH", str(runner.parent))
    assert at_home("connect", "cursor", "--hooks").code == 0
    entry = json.loads((home / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]["mnemex"]
    assert entry["command"] == str(runner)
    # installed from this checkout, which is not in the package index
    assert entry["args"] == ["--from", ROOT.as_uri(), "mnemex-vault", "serve", "--vault", str(vault)]
    hooks = (home / ".cursor/hooks.json").read_text("utf-8")
    assert f"mnemex-vault hook stop --vault '{vault}'" in hooks
    assert at_home("connect", "cursor", "--remove").code == 0
    assert not (home / ".cursor").exists()


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
    assert set(given["hooks"]) == {"SessionStart", "UserPromptSubmit", "PreCompact", "Stop"}
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


TOOLS = ("search_memory", "search_unified", "open_memories", "save_memory", "observe_memory_usage", "touch_memory")


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_cursor_is_given_its_list_of_tools_and_its_hooks(at_home: Run, home: Path, vault: Path) -> None:
    mine = '{\n  // shell\n  "terminalAllowlist": ["git"],\n  "mcpAllowlist": ["serena:*"], // keep\n}\n'
    allowed = write(home / ".cursor/permissions.json", mine)
    hooks = write(home / ".cursor/hooks.json", '{"version": 1, "hooks": {"stop": [{"command": "say done"}]}}')
    outcome = at_home("connect", "cursor", "--allow", "--hooks")
    assert outcome.code == 0, outcome.err
    assert "mnemex prompt" in outcome.out
    assert "in place of the one in its settings" in outcome.out
    assert "// shell" in allowed.read_text("utf-8")
    for tool in TOOLS:
        assert f'"mnemex:{tool}"' in allowed.read_text("utf-8")
    given = json.loads(hooks.read_text("utf-8"))
    assert set(given["hooks"]) == {"sessionStart", "preCompact", "stop"}
    assert given["hooks"]["stop"][0] == {"command": "say done"}
    assert given["hooks"]["sessionStart"][0]["command"].endswith(f"hook session-start --vault '{vault}'")
    assert at_home("connect", "cursor", "--allow", "--hooks").out.startswith("Nothing had to be changed.")
    assert at_home("connect", "cursor", "--remove").code == 0
    assert allowed.read_text("utf-8") == mine
    assert json.loads(hooks.read_text("utf-8"))["hooks"]["stop"] == [{"command": "say done"}]


def test_cursor_gets_a_file_of_hooks_where_there_is_none(at_home: Run, home: Path) -> None:
    assert at_home("connect", "cursor", "--hooks").code == 0
    assert json.loads((home / ".cursor/hooks.json").read_text("utf-8"))["version"] == 1
    assert not (home / ".cursor/permissions.json").exists()


def test_codex_is_given_approvals_in_its_own_table_and_hooks(at_home: Run, home: Path) -> None:
    mine = 'model = "x"  # mine\n\n[profiles.fast] # quick\nmodel = "y"\n'
    config = write(home / ".codex/config.toml", mine)
    outcome = at_home("connect", "codex", "--allow", "--hooks", "--rules")
    assert outcome.code == 0, outcome.err
    assert "/hooks" in outcome.out
    server = tomllib.loads(config.read_text("utf-8"))["mcp_servers"]["mnemex"]
    assert server["tools"] == {tool: {"approval_mode": "approve"} for tool in TOOLS}
    hooks = json.loads((home / ".codex/hooks.json").read_text("utf-8"))["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["type"] == "command"
    assert at_home("connect", "codex", "--allow", "--hooks", "--rules").out.startswith("Nothing had to be changed.")
    assert at_home("connect", "codex", "--remove").code == 0
    assert config.read_text("utf-8") == mine


def test_zed_is_given_permissions_beside_the_server_and_rules(at_home: Run, home: Path) -> None:
    mine = (
        '// Zed\n{\n  "agent": {\n    "tool_permissions": {\n      "default": "confirm",\n'
        '      "tools": {"terminal": {"default": "deny"}, "mcp:mnemex:touch_memory": {"default": "confirm"}}, // mine\n'
        '    },\n  },\n  "context_servers": {},\n}\n'
    )
    config = write(
        home / ".config/zed/settings.json", mine.replace(', "mcp:mnemex:touch_memory": {"default": "confirm"}', "")
    )
    before = config.read_text("utf-8")
    outcome = at_home("connect", "zed", "--allow", "--rules")
    assert outcome.code == 0, outcome.err
    assert "Zed has no hooks" in outcome.out
    text = config.read_text("utf-8")
    for tool in TOOLS:
        assert f'"mcp:mnemex:{tool}": {{"default": "allow"}}' in text
    assert '"mcp:mnemex:forget_memory"' not in text
    assert "search_memory" in (home / ".config/zed/AGENTS.md").read_text("utf-8")
    assert at_home("connect", "zed", "--remove").code == 0
    assert config.read_text("utf-8") == before
    write(config, mine)
    assert at_home("connect", "zed", "--remove").code == 0
    assert config.read_text("utf-8") == mine


def test_vscode_is_given_a_file_of_hooks_of_its_own(at_home: Run, home: Path) -> None:
    hooks = home / ".copilot/hooks/mnemex.json"
    assert at_home("connect", "vscode", "--hooks", "--rules").code == 0
    [entry] = json.loads(hooks.read_text("utf-8"))["hooks"]["SessionStart"]
    assert entry["type"] == "command"
    assert at_home("connect", "vscode", "--remove").code == 0
    assert not hooks.exists()


@pytest.mark.parametrize(
    ("client", "option"),
    [
        ("claude-desktop", "--rules"),
        ("claude-desktop", "--allow"),
        ("claude-desktop", "--hooks"),
        ("cursor", "--rules"),
        ("vscode", "--allow"),
        ("windsurf", "--allow"),
        ("windsurf", "--hooks"),
        ("zed", "--hooks"),
    ],
)
def test_what_a_client_does_not_offer_is_named_and_the_rest_is_done(
    at_home: Run, home: Path, client: str, option: str
) -> None:
    outcome = at_home("connect", client, option, "--json")
    assert outcome.code == 0
    [sentence] = outcome.data["missing"]
    assert outcome.data["written"]
    again = at_home("connect", client, option)
    assert sentence in again.out
    assert "Nothing was written." in again.out
    assert at_home("connect", client, option, "--dry-run").out.splitlines()[-1] == sentence


def test_of_several_wishes_those_are_done_that_have_a_place(at_home: Run, home: Path) -> None:
    outcome = at_home("connect", "cursor", "--rules", "--hooks", "--allow")
    assert outcome.code == 0
    assert "Cursor keeps user rules in its settings" in outcome.out
    assert (home / ".cursor/permissions.json").exists()
    assert (home / ".cursor/hooks.json").exists()


def test_without_a_client_it_is_told_which_vault_each_is_connected_to(at_home: Run, home: Path, vault: Path) -> None:
    (home / ".cursor").mkdir()
    write(home / ".codeium/windsurf/mcp_config.json", "{nonsense")
    at_home("connect", "claude-code")
    at_home("connect", "claude-code", "--name", "second")
    at_home("connect", "codex")
    lines = at_home("connect").out
    assert f"connected to {vault}, {vault} (as second)" in lines
    told = {line.split()[2]: line for line in lines.splitlines() if line.startswith("  mnemex connect ")}
    assert "connected to" in told["codex"]
    assert "not connected" in told["cursor"]
    assert "cannot be read" in told["windsurf"]
    assert "not installed" in told["zed"]
    assert {each["client"]: each["vaults"] for each in at_home("connect", "--json").data}["codex"] == {
        "mnemex": str(vault)
    }


EVERYTHING = ("--rules", "--hooks", "--allow")
# what people keep: comments, odd indentation, line ends of Windows, a mark of the byte order, no final newline
JSON_FILES = [
    "",
    "{}",
    "{ }\n\n",
    '\ufeff{\r\n\t"a": 1,\r\n\t// mine\r\n}\r\n',
    '{"mcpServers":{},"servers":{},"context_servers":{},"permissions":{"allow":[]},"mcpAllowlist":[],"hooks":{}}',
    '/* mine */ {\n   "mcpServers": {"x": {"command": "y"}, },\n "hooks": {"Stop": [ ], "stop": []} }   ',
    '{"version": 1, "hooks": {"sessionStart": [{"command": "say"}]}, "permissions": {"deny": ["Read"]}}\n',
    '{\n        "agent": {"tool_permissions": {"tools": {}}},\n  "permissions": {\n\n    "allow": [\n      "Read", // r\n    ],\n  },\n}',
]
TOML_FILES = ["", "# mine", 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n', "[a]\nb = 1\n\n\n# end\n\n"]
TEXT_FILES = ["", "Be kind.", "Be kind.\r\n\r\n", "\ufeff# Mine\n\n\n"]


def snapshot(home: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(home).as_posix(): path.read_bytes() if path.is_file() else None for path in home.rglob("*")
    }


def put_files(home: Path, client: str, number: int) -> None:
    """Give a client files of all sorts; of each kind the one of that number."""
    from mnemex_vault.clients.places import ClientName, Machine, places

    machine = Machine.of("linux", str(home), {"XDG_CONFIG_HOME": str(home / ".config")})
    where = places(ClientName(client), machine)
    for path in {where.servers, where.rules, where.permissions, where.hooks} - {None}:
        assert path is not None
        kinds = {".json": JSON_FILES, ".toml": TOML_FILES}.get(path.suffix, TEXT_FILES)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(kinds[number % len(kinds)].encode())


@pytest.mark.parametrize("client", [*CLIENTS, "codex"])
@pytest.mark.parametrize("number", [None, *range(len(JSON_FILES))])
def test_what_was_there_before_is_there_again_byte_for_byte(
    at_home: Run, home: Path, client: str, number: int | None
) -> None:
    if number is not None:
        put_files(home, client, number)
    before = snapshot(home)
    for options in ((), EVERYTHING, ("--name", "second", "--allow")):
        assert at_home("connect", client, *options).code == 0
    assert at_home("connect", client, "--remove").code == 0
    assert at_home("connect", client, "--remove", "--name", "second").code == 0
    assert snapshot(home) == before


@pytest.mark.parametrize("client", [*CLIENTS, "codex"])
def test_what_others_wrote_meanwhile_stays_and_only_ours_goes(at_home: Run, home: Path, client: str) -> None:
    assert at_home("connect", client, *EVERYTHING).code == 0
    for path in [path for path in home.rglob("*") if path.is_file() and path.name != "mnemex.json"]:
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            path.write_text(text.replace("{", '{\n  "theirs": {"list": []},', 1), "utf-8")
        else:
            path.write_text(f"{text}\n# theirs\n", "utf-8")
    assert at_home("connect", client, "--remove").code == 0
    left = [path.read_text("utf-8") for path in home.rglob("*") if path.is_file() and ".before-mnemex" not in path.name]
    assert left
    assert all("theirs" in text and "mnemex" not in text for text in left)
    emptied = [json.loads(text) for text in left if text.startswith("{")]
    assert all(value.keys() <= {"theirs", "version"} for value in emptied)


def test_an_allow_list_that_only_ours_was_in_is_not_left_behind_empty(at_home: Run, home: Path) -> None:
    tools = ", ".join(f'"mnemex:{tool}"' for tool in TOOLS)
    allowed = write(home / ".cursor/permissions.json", f'{{"mcpAllowlist": [{tools}]}}')
    assert at_home("connect", "cursor", "--remove").code == 0
    assert "mcpAllowlist" not in allowed.read_text("utf-8")


def test_at_most_three_backups_are_kept(at_home: Run, home: Path) -> None:
    config = write(home / ".cursor/mcp.json", "{}")
    for number in range(6):
        config.write_text(f'{{"theirs": {number}}}', "utf-8")
        assert at_home("connect", "cursor").code == 0
    kept = sorted(path.read_text("utf-8") for path in config.parent.glob("*.before-mnemex-*"))
    assert kept == [f'{{"theirs": {number}}}' for number in (3, 4, 5)]


def test_taking_out_needs_no_vault(at_home: Run, home: Path, vault: Path) -> None:
    at_home("connect", "cursor")
    vault.rmdir()
    assert at_home("connect", "cursor", "--remove").code == 0
    assert not any(home.iterdir())


def test_clients_elsewhere_are_shown_with_a_code_and_revoked(
    run: Run, vault: Path, environ: dict[str, str], clock: StandingClock
) -> None:
    outcome = run("connect", "remote")
    assert outcome.code == 1
    assert "mnemex serve --http --public-url" in outcome.err
    remote = RemoteClients(vault_state(state_base(environ), vault))
    remote.serve_at("https://notes.example/mcp")
    remote.register("abcdefghijk", "Claude\n", ["https://claude.example/back"], "none", now=clock())
    code = run("connect", "remote", "--json").data["code"]
    allowed = remote.consent(wish("abcdefghijk", clock()), code, now=clock())
    assert allowed
    assert remote.redeem("abcdefghijk", allowed, now=clock())
    shown = run("connect", "remote")
    assert re.search(r"code      [0-9A-Z]{5}-[0-9A-Z]{5}   for one client, within 15 minutes", shown.out)
    assert f"abcdefgh  Claude (claude.example), since {clock():%Y-%m-%d}" in shown.out
    listed = run("connect", "remote", "--dry-run", "--json").data
    assert (listed["code"], [each["name"] for each in listed["clients"]]) == (None, ["Claude"])
    assert run("connect", "remote", "--revoke", "--only", "ChatGPT").code == 1
    assert run("connect", "remote", "--only", "Claude").code == 2
    assert run("connect", "codex", "--revoke").code == 2
    assert "Nothing was written." in run("connect", "remote", "--revoke", "--dry-run").out
    assert remote.connected(clock())
    revoked = run("connect", "remote", "--revoke", "--only", "abcd").out
    assert f"abcdefgh  Claude (claude.example), since {clock():%Y-%m-%d}" in revoked
    assert "They are let in no more." in revoked
    assert remote.connected(clock()) == []
    assert "Nobody was let in." in run("connect", "remote", "--revoke").out


def wish(client: str, now: datetime) -> Asked:
    return Asked(
        client=client,
        resource="https://notes.example/mcp",
        challenge="c" * 43,
        redirect="https://claude.example/back",
        redirect_named=True,
        state=None,
        until=now,
    )


def test_a_public_address_is_for_http_and_has_to_be_one(run: Run) -> None:
    assert "--public-url is for --http" in run("serve", "--public-url", "https://notes.example").err
    assert "without a path" in run("serve", "--http", "--port", "0", "--public-url", "http://notes.example").err
