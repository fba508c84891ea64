"""`demo`: the life of memories in a throw-away vault."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from mnemex_vault.clock import utc_now
from tests.cli.conftest import Run
from tests.cli.terminal import in_terminal


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_it_tells_the_whole_life_of_memories(bare_run: Run, temporary: Path) -> None:
    outcome = bare_run("demo")
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""
    told = outcome.out
    for said in (
        "faded on",
        "pinned, does not fade",
        "permanent",
        "Remembered: Sam is vegetarian",
        "  | memory_id: ",
        "The team meets on Thursdays at ten",
        "score 0.11 -> 1.52",
        "Promoted: Prefers short answers with one example",
        "3 faded memories would go to the archive; nothing was changed.",
        "3 faded memories went to the archive",
        "Restored: The bus to the trade fair leaves from platform 3",
        "mnemex init ~/Notes",
        f"rm -r {temporary}",
    ):
        assert said in told


def test_a_persons_own_settings_do_not_disturb_the_story(
    bare_run: Run, environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Path(environ["XDG_CONFIG_HOME"]) / "mnemex"
    config.mkdir(parents=True)
    (config / ".env").write_text("MNEMEX_DECAY_MODEL=exponential\n")
    (tmp_path / ".env").write_text("MNEMEX_READ_ONLY=true\n")
    monkeypatch.chdir(tmp_path)
    outcome = bare_run("demo", MNEMEX_PRESET="development", STM_FORGET_THRESHOLD="0.9")
    assert outcome.code == 0, outcome.err
    assert "score 0.11 -> 1.52" in outcome.out


def test_it_leaves_a_real_vault_folder(bare_run: Run, temporary: Path) -> None:
    bare_run("demo")
    (vault,) = temporary.glob("mnemex-demo-*/Demo vault")
    assert (vault / "Memories/Long-term/Prefers short answers with one example.md").is_file()
    assert (vault / "Memories/Short-term/The bus to the trade fair leaves from platform 3.md").is_file()
    assert len(list((vault / "Memories/Archive").rglob("*.md"))) == 2
    assert bare_run("doctor", "--json", "--vault", str(vault)).data["findings"] == []


def test_it_writes_nowhere_else(bare_run: Run, tmp_path: Path, temporary: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if temporary not in path.parents}
    bare_run("demo")
    assert {path for path in tmp_path.rglob("*") if temporary not in path.parents} == before


def test_a_folder_can_be_chosen_but_never_one_that_holds_something(bare_run: Run, tmp_path: Path) -> None:
    place = tmp_path / "Mine"
    told = bare_run("demo", "--vault", str(place), "--json").data
    assert told["vault"] == str(place)
    assert (place / "Memories/Short-term").is_dir()
    refused = bare_run("demo", "--vault", str(place))
    assert refused.code == 1
    assert "is not empty" in refused.err


def test_the_demo_finds_the_commands_that_it_plays_from_a_shell(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "MNEMEX_STATE_PATH": str(tmp_path / "state")}
    shown = in_terminal(["demo", "--vault", str(tmp_path / "Demo")], columns=80, environ=environ, clock=utc_now)
    assert shown.code == 0, shown.raw
    assert "Restored: The bus to the trade fair leaves from platform 3" in shown.words
