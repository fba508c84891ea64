"""What a shell offers on Tab: names out of the vault, and nothing at all where something is amiss."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from typer.core import TyperGroup

from mnemex_vault.cli.main import run as run_commands
from tests.cli.conftest import Run, picture
from tests.conftest import StandingClock

Offers = Callable[..., list[str]]


@pytest.fixture
def offers(
    commands: TyperGroup, environ: dict[str, str], sample: Path, clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> Offers:
    def ask(*words: str, shell: str = "bash", **more: str) -> list[str]:
        monkeypatch.setenv("_MNEMEX_COMPLETE", f"complete_{shell}")
        monkeypatch.setenv("COMP_WORDS", " ".join(["mnemex", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", " ".join(["mnemex", *words]))
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        around = {**environ, "MNEMEX_VAULT_PATH": str(sample), "HOME": str(sample.parent), **more}
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit):
            run_commands(commands, [], environ=around, clock=clock)
        assert err.getvalue() == ""
        return out.getvalue().split("\n")[:-1] if out.getvalue().strip() else []

    return ask


def test_titles_ids_tags_and_clients_are_offered(offers: Offers, bare_run: Run, sample: Path) -> None:
    assert bare_run("status", "--vault", str(sample)).code == 0
    assert offers("pin", "Prefers\\ T") == [r"Prefers\ TypeScript\ over\ JavaScript"]
    assert offers("pin", "k7q2") == ["k7q2x4dhw9"]
    assert offers("show", "Prefers\\ T", shell="fish") == [
        "Prefers TypeScript over JavaScript\tMemories/Short-term/Prefers TypeScript over JavaScript.md"
    ]
    assert offers("save", "x", "--tag", "peo") == ["people", "people/tandem"]
    assert offers("connect", "cu") == ["cursor"]
    assert offers("list", "--sort", "l") == ["last-used"]


def test_vaults_and_snapshots_are_offered(offers: Offers, bare_run: Run, sample: Path) -> None:
    assert bare_run("backup", "init", "--vault", str(sample)).code == 0
    (snapshot,) = bare_run("backup", "history", "--vault", str(sample), "--json").data
    assert offers("backup", "diff", snapshot["short_sha"][:3]) == [snapshot["short_sha"]]
    known = sample.parent / ".config/obsidian/obsidian.json"
    known.parent.mkdir(parents=True)
    known.write_text(json.dumps({"vaults": {"1": {"path": "/home/you/Notes", "ts": 1}}}))
    assert offers("use", "/home", XDG_CONFIG_HOME=str(known.parents[1])) == ["/home/you/Notes"]


@pytest.mark.parametrize("amiss", ["no index", "no vault", "a damaged index"])
def test_where_something_is_amiss_nothing_is_offered_said_or_written(
    amiss: str, offers: Offers, bare_run: Run, sample: Path, environ: dict[str, str]
) -> None:
    state = Path(environ["MNEMEX_STATE_PATH"])
    more = {}
    if amiss == "no vault":
        more["MNEMEX_VAULT_PATH"] = str(sample / "gone")
    if amiss == "a damaged index":
        bare_run("status", "--vault", str(sample))
        for path in state.rglob("*"):
            if path.is_file():
                path.write_bytes(b"\xff" * 100)
    before = picture(sample.parent)
    for line in (["pin", "A"], ["save", "x", "--tag", "p"], ["backup", "diff", "a"], ["use", "/"]):
        assert offers(*line, **more) == []
    assert picture(sample.parent) == before
