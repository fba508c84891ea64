"""The command line as a person uses it: the real app, on real folders, with what it wrote and how it ended."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from typer.core import TyperGroup

from mnemex_vault.cli.main import make_commands
from mnemex_vault.cli.main import run as run_commands
from tests.conftest import StandingClock

SAMPLE = Path(__file__).parents[2] / "sample-vault"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class Input(io.StringIO):
    """What is typed; a terminal if a person sits there."""

    def __init__(self, text: str, *, terminal: bool) -> None:
        super().__init__(text)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


# bytes come from another program
Typed = str | bytes


def stdin(typed: Typed, *, terminal: bool) -> io.TextIOBase:
    if isinstance(typed, bytes):
        return io.TextIOWrapper(io.BytesIO(typed), "utf-8")
    return Input(typed, terminal=terminal)


class Run(Protocol):
    def __call__(self, *arguments: str, typed: Typed = "", terminal: bool = False, **environ: str) -> Outcome: ...


@pytest.fixture(scope="session")
def commands() -> TyperGroup:
    return make_commands()


@pytest.fixture
def bare_run(
    commands: TyperGroup,
    environ: dict[str, str],
    clock: StandingClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run commands where no vault is known."""

    def run(*arguments: str, typed: Typed = "", terminal: bool = False, **more: str) -> Outcome:
        monkeypatch.setattr(sys, "stdin", stdin(typed, terminal=terminal))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run_commands(commands, arguments, environ={**environ, **more}, clock=clock)
        captured = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Outcome(code or 0, captured.out, captured.err)

    return run


@pytest.fixture
def run(bare_run: Run, vault: Path) -> Run:
    """Run commands on the vault of the test."""

    def run_there(*arguments: str, typed: Typed = "", terminal: bool = False, **more: str) -> Outcome:
        environ = {"MNEMEX_VAULT_PATH": str(vault), "MNEMEX_TIMEZONE": "UTC", **more}
        return bare_run(*arguments, typed=typed, terminal=terminal, **environ)

    return run_there


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Return a copy of the sample vault."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "Lena's vault"))


Saver = Callable[..., str]


@pytest.fixture
def saved(run: Run) -> Saver:
    """Save a memory and return its id."""

    def save(text: str = "Anna plays the cello on Mondays.", *options: str) -> str:
        outcome = run("save", text, "--json", "--kind", "none", *options)
        assert outcome.code == 0, outcome.err
        return str(outcome.data["memory_id"])

    return save


def picture(root: Path) -> dict[str, tuple[str, int, int]]:
    """Return bytes, times and modes of everything below a folder."""
    found = {}
    for path in sorted([root, *root.rglob("*")]):
        state = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(root))] = (digest, state.st_mtime_ns, state.st_mode)
    return found


def contents(root: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
