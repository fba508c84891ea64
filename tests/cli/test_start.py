"""The first second: help, versions, and what a bare `mnemex` does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mnemex_vault import __version__
from mnemex_vault.cli.main import COMMANDS, Group
from mnemex_vault.clock import utc_now
from tests.cli.conftest import Run
from tests.cli.terminal import in_terminal
from tests.waiting import PATIENCE

# what takes its time and is needed only where a vault is opened
LIBRARIES = ("whoosh", "mcp", "pydantic", "markdown_it", "yaml", "frontmatter", "watchdog", "rich")
HEAVY = (*LIBRARIES, "mnemex_vault.app", "mnemex_vault.answers")


def test_help_names_every_command_and_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from mnemex_vault.cli.main import main\n"
        "sys.argv = ['mnemex', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *text, heavy = done.stdout.splitlines()
    assert heavy == "[]"
    assert re.search(r"^  init +Set up a vault\.", "\n".join(text), re.MULTILINE)


@pytest.mark.parametrize("name", ["mnemex", "mnemex-vault"])
def test_the_installed_commands_start(name: str) -> None:
    command = Path(sys.executable).with_name(name)
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"mnemex {__version__}\n"


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mnemex_vault", "nonsense"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "No such command 'nonsense'" in done.stderr


def test_bare_on_a_terminal_it_shows_the_help_as_it_is(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "MNEMEX_STATE_PATH": str(tmp_path / "state")}
    bare, asked = (
        in_terminal(arguments, columns=80, environ=environ, clock=utc_now, typed=True) for arguments in ([], ["--help"])
    )
    assert bare.code == 0
    assert bare.lines == asked.lines
    assert [line for line in bare.lines if line.startswith("  save ")] == ["  save      Remember something."]


def test_the_help_lists_commands_by_what_a_person_wants_and_hides_what_programs_call(run: Run) -> None:
    told = run("--help").out.partition("Set up")[2]
    listed = re.findall(r"^  ([\w-]+) +\S.*\.$", told, re.MULTILINE)
    assert listed == [
        name for group in Group for name, each in COMMANDS.items() if each.group is group and not each.hidden
    ]
    assert re.findall(r"^(\w.*):$", told, re.MULTILINE) == [group.value for group in Group][1:-2]
    assert {"serve", "hook", "merge-driver"} & set(listed) == set()
    assert run("hook", "--help").code == 0


def test_bare_without_a_terminal_it_serves(vault: Path, environ: dict[str, str]) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    with subprocess.Popen(
        [sys.executable, "-m", "mnemex_vault"],
        env={**environ, "MNEMEX_VAULT_PATH": str(vault)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps(hello) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        server.stdin.close()
        assert server.wait(timeout=PATIENCE) == 0
    assert answer["id"] == 1
    assert "serverInfo" in answer["result"]


def test_connect_print_gives_an_entry_that_starts_this_program(run: Run, vault: Path) -> None:
    outcome = run("connect", "print")
    assert outcome.err == ""
    (entry,) = outcome.data["mcpServers"].values()
    assert outcome.data["mcpServers"].keys() == {"mnemex"}
    assert entry["args"][-3:] == ["serve", "--vault", str(vault)]
    assert entry["env"] == {}
    command = [entry["command"], *entry["args"][:-3], "--version"]
    assert Path(entry["command"]).is_absolute()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"mnemex {__version__}\n"


def test_on_windows_it_says_that_it_does_not_run_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    outcome = run("status")
    assert outcome.code != 0
    assert "WSL" in outcome.err
