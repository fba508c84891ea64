"""From nothing to a remembering assistant: a fresh environment, a fresh home, the printed command, one memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.talk import talk_with

ROOT = Path(__file__).parents[2]
CHATTY = "import sys\nprint('hello from an import')\nsys.stdout.write('and without a line end')\n"


def run(*command: str | Path, **environ: str) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, env={**os.environ, **environ}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_commands_lead_from_nothing_to_a_memory(tmp_path: Path) -> None:
    vault, home = tmp_path / "My Notes", tmp_path / "home"
    vault.mkdir()
    home.mkdir()
    environment = tmp_path / "fresh"
    run(sys.executable, "-m", "venv", environment)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    try:
        run(scripts / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", ROOT)
    except AssertionError as error:
        if "No matching distribution" in str(error) or "Connection" in str(error):
            pytest.skip("no package index can be reached")
        raise
    # something that prints on import, as libraries sometimes do
    [packages] = environment.glob("**/site-packages")
    (packages / "chatty.pth").write_text("import chatty\n", encoding="utf-8")
    (packages / "chatty.py").write_text(
        "import sys\nif 'serve' in sys.argv:\n" + "".join(f"    {line}\n" for line in CHATTY.splitlines()[1:]), "utf-8"
    )
    fresh = {"HOME": str(home), "USERPROFILE": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PATH": "/usr/bin"}
    fresh["XDG_STATE_HOME"] = str(home / ".local/state")
    run(scripts / "mnemex", "init", "--yes", vault, **fresh)
    [entry] = json.loads(run(scripts / "mnemex", "connect", "print", **fresh))["mcpServers"].values()
    with talk_with([entry["command"], *entry["args"]], {**fresh, **entry["env"]}) as talk:
        assert len(talk.ask("tools/list")["tools"]) >= 12
        saved = talk.tool("save_memory", content="Zoë prefers short answers with one example.")
        found = talk.tool("search_memory", query="How does Zoë like answers?")
        assert [item["id"] for item in found["results"]] == [saved["memory_id"]]
    assert "Zoë prefers short answers" in (vault / saved["path"]).read_text("utf-8")
