"""The predecessors' command lines say the same in our words."""

from __future__ import annotations

import importlib
import shlex
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.core import TyperGroup

from mnemex_vault.cli.inherited import (
    Translation,
    backup_line,
    index_line,
    maintenance_line,
    migrate_line,
    search_line,
    speak,
    vault_line,
)
from tests.cli.conftest import Run, Saver

SAID: list[tuple[Translation, str, str]] = [
    (search_line, "walnut --tags ops food --limit 3", "search --all --limit 3 --tag ops --tag food -- walnut"),
    (search_line, "--tags ops --verbose", "search --all --limit 10 --tag ops --verbose -- ''"),
    (
        search_line,
        "walnut --window-days 7 --min-score 0.2",
        "search --all --limit 10 --window-days 7 --min-score 0.2 -- walnut",
    ),
    (index_line, "V", "status --vault V"),
    (index_line, "V --force --index-path i", "reindex --vault V"),
    (index_line, "V --search tea --tag food", "search --all --limit 20 --tag food --vault V -- tea"),
    (backup_line, "V init", "backup init --vault V"),
    (backup_line, "V snapshot -m before", "backup snapshot --message before --vault V"),
    (backup_line, "V history -n 5", "backup history --limit 5 --vault V"),
    (backup_line, "V restore abc123", "backup restore abc123 --vault V"),
    (backup_line, "V stats", "backup status --vault V"),
    (maintenance_line, "stats", "status --json"),
    (maintenance_line, "--storage-path V compact --quiet", "reindex --json --quiet --vault V"),
    (maintenance_line, "compact", "reindex --json"),
    (maintenance_line, "backfill-embeddings --limit 3 --dry-run", "embed --limit 3 --dry-run"),
    (maintenance_line, "--storage-path V backfill-embeddings --model M --force", "embed --model M --force --vault V"),
    (migrate_line, "--dry-run --old-path P", "migrate --dry-run --old-path P"),
    (vault_line, "V create T C --folder F --tags a b", "note create --folder F --tag a --tag b --vault V -- T C"),
    (vault_line, "V list", "note list --vault V --"),
    (vault_line, "V read T", "note read --vault V -- T"),
    (vault_line, "note read T", "note read T"),
    (vault_line, "search tea", "search tea"),
    (vault_line, "", ""),
]


@pytest.mark.parametrize(("translation", "theirs", "ours"), SAID)
def test_a_line_of_theirs_is_a_line_of_ours(
    translation: Translation, theirs: str, ours: str, commands: TyperGroup
) -> None:
    said = translation(shlex.split(theirs))
    assert said is not None
    assert list(said.arguments) == shlex.split(ours)
    if said.arguments:
        name, *arguments = said.arguments
        commands.commands[name].make_context(name, arguments)


def test_weights_go_into_the_settings() -> None:
    said = search_line(["tea", "--stm-weight", "0.5", "--ltm-weight", "2"])
    assert said is not None
    assert said.environ == {"MNEMEX_SEARCH_STM_WEIGHT": "0.5", "MNEMEX_SEARCH_LTM_WEIGHT": "2"}


@pytest.mark.parametrize(
    ("translation", "arguments"), [(search_line, []), (backup_line, ["V"]), (maintenance_line, [])]
)
def test_where_they_showed_help_and_failed_so_do_we(
    translation: Translation, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        speak(translation, arguments)
    assert ended.value.code == 1
    assert "usage: mnemex-" in capsys.readouterr().out


def test_their_maintenance_answers_with_their_keys(run: Run, saved: Saver) -> None:
    one, other = saved("Walnut bread is baked on Fridays."), saved("The oven is hot at six.")
    run("relate", one, other)
    for _ in range(12):
        run("touch", one)
    stats = run(*maintenance_arguments("stats")).data
    memories, relations = stats["memories"], stats["relations"]
    keys = {"active", "total_lines", "file_size_bytes", "compaction_savings"}
    assert memories.keys() == relations.keys() == keys
    assert (memories["active"], relations["active"]) == (2, 1)
    assert memories["compaction_savings"] == memories["total_lines"] - 2 > 10
    assert memories["file_size_bytes"] > 1_000
    assert stats["should_compact"] is False
    compacted = run(*maintenance_arguments("compact")).data
    assert compacted["memories_before"] == memories["total_lines"]
    assert compacted["memories_after"] == 2
    assert compacted["relations_before"] == compacted["relations_after"] == 1
    assert run(*maintenance_arguments("stats")).data["memories"]["compaction_savings"] == 0
    assert run(*maintenance_arguments("compact", "--quiet")).out == ""


def maintenance_arguments(*given: str) -> Sequence[str]:
    said = maintenance_line(given)
    assert said is not None
    return said.arguments


def test_their_search_finds_memories_and_notes(run: Run, saved: Saver, environ: dict[str, str], vault: object) -> None:
    saved("Walnut bread is baked on Fridays.")
    run("note", "create", "Bakery", "They sell walnut bread.")
    with pytest.raises(SystemExit) as ended:
        speak(search_line, ["walnut bread"], environ={**environ, "MNEMEX_VAULT_PATH": str(vault)})
    assert ended.value.code == 0


def test_every_program_that_is_installed_is_there() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    for target in project["scripts"].values():
        module, _, name = target.partition(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_notes_are_made_under_the_old_name_of_the_program(
    vault: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / ".obsidian").mkdir()
    monkeypatch.setattr(sys, "argv", ["mnemex-vault", str(vault), "create", "Tea", "Green.", "--tags", "food"])
    with pytest.raises(SystemExit) as ended:
        speak(vault_line, environ=environ)
    assert ended.value.code == 0
    assert (vault / "Tea.md").read_text("utf-8").endswith("Green.\n")
