"""Vaults with odd names, and notes with odd texts, work with every command."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.waiting import PATIENCE

NAMES = [
    'quote\'s "double" `back` 100% %s {0} $HOME',
    "new\nline é 日本 🍅 ערב",
    "-dash",
    "--json",
    "~tilde [glob]*",
]


@pytest.mark.parametrize("name", [*NAMES[:2], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES[2:])])
@pytest.mark.row("H9")
def test_every_command_works_in_a_vault_of_that_name(
    name: str, bare_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "vaults" / name
    root.mkdir(parents=True)
    monkeypatch.chdir(root.parent)
    named = ["--vault", name]
    assert bare_run("init", "--yes", "--", name).code == 0
    memory_id = bare_run("save", "Anna plays the cello.", "--json", *named).data["memory_id"]
    for command in (
        ["search", "cello"],
        ["show", memory_id],
        ["update", memory_id, "Anna plays the viola."],
        ["touch", memory_id],
        ["pin", memory_id],
        ["promote", memory_id, "--force"],
        ["demote", memory_id],
        ["forget", memory_id],
        ["restore", memory_id],
        ["gc"],
        ["gc", "--apply"],
        ["status"],
        ["status", "--settings"],
        ["doctor"],
        ["reindex"],
        ["history"],
        ["undo"],
    ):
        outcome = bare_run(*command, *named)
        assert (outcome.code, outcome.err) == (0, ""), command
    assert bare_run("try", "--json", "--", name, "viola").code == 0
    entry = bare_run("connect", "print", *named).data["mcpServers"]["mnemex"]
    assert Path(entry["args"][-1]) == root
    assert [path.name for path in root.parent.iterdir()] == [name]


HOSTILE = "\x1b]0;owned\x07 \x9b31m \u202edrow \u2066x \x7f \rhidden"


def on_a_terminal(arguments: list[str], environ: dict[str, str]) -> str:
    """Run a command with a terminal as its output and return what arrives there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mnemex_vault", *arguments],
        env={**environ, "NO_COLOR": "1", "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        chunks = []
        while True:
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            chunks.append(chunk)
        process.wait(timeout=PATIENCE)
    os.close(ours)
    return b"".join(chunks).decode()


@pytest.mark.slow
def test_no_text_of_a_note_acts_on_the_terminal(run: Run, vault: Path, environ: dict[str, str]) -> None:
    aliases = json.dumps(HOSTILE)
    note = (
        f"---\naliases: [{aliases}]\ntags: [a]\nsource: {aliases}\ncreated: {aliases}\n"
        "last_used: 2026-11-01T10:00:00\nmemory_id: odd1\n---\n"
    )
    (vault / "Odd.md").write_text(f"{note}cello {HOSTILE}\n", "utf-8")
    there = ["--vault", str(vault)]
    for arguments in (["search", "cello", "--verbose"], ["show", "odd1"], ["doctor"]):
        seen = on_a_terminal([*arguments, *there], environ)
        assert "Odd" in seen
        assert not set(seen) & set("\x1b\x07\x9b\u202e\u2066\x7f"), arguments
    as_json = run("show", "odd1", "--json")
    assert as_json.out.isascii()
    assert as_json.data["memories"][0]["content"] == f"cello {HOSTILE}"
