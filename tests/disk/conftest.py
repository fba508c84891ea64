"""A vault on a real disk with its journal, and children that die or edit beside us."""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import pytest

from mnemex_vault.disk import native
from mnemex_vault.disk.files import Files
from mnemex_vault.disk.native import StepHook, no_hook
from mnemex_vault.disk.vault import Vault, VaultLock
from mnemex_vault.history.journal import Journal, Operation
from mnemex_vault.history.operation import TakenBack, perform, undo
from mnemex_vault.history.steps import Change

NOW = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def no_system_trash(path: Path) -> NoReturn:
    raise OSError(errno.EPERM, "there is no trash here")


@dataclass
class Disk:
    root: Path
    state: Path
    hook: StepHook = no_hook
    means: dict[str, Any] = field(default_factory=dict)
    system_trash: Callable[[Path], None] = no_system_trash

    def __post_init__(self) -> None:
        self.reopen()

    def reopen(self) -> None:
        """Start anew, as after a crash."""
        files = Files(self.root, hook=self.hook, **self.means)
        lock = VaultLock(self.state / "vault.lock")
        self.vault = Vault(self.root, lock, files=files, system_trash=self.system_trash)
        self.journal = Journal(self.state / "journal", hook=self.hook)

    def perform(self, *steps: Change, kind: str = "test", actor: str = "me") -> Operation:
        return perform(self.vault, self.journal, kind, steps, now=NOW, actor=actor, summary="a test")

    def undo(self, operation_id: str) -> Operation:
        return self.take_back(operation_id).operation

    def take_back(self, operation_id: str) -> TakenBack:
        return undo(self.vault, self.journal, operation_id, now=NOW, actor="me")

    def put(self, path: str, text: str | bytes) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        return target

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def names(self) -> list[str]:
        """Every file in the vault, also hidden ones."""
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())

    def snapshot(self) -> dict[str, bytes]:
        return {name: (self.root / name).read_bytes() for name in self.names()}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    root, state = tmp_path / "vault", tmp_path / "state"
    root.mkdir()
    state.mkdir()
    return Disk(root, state)


def _in_child(work: Callable[[], object]) -> int:
    """Run in a forked child; return its exit code: 0, 77 if it died on purpose, 1 for any exception."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def in_child() -> Callable[[Callable[[], object]], int]:
    return _in_child


class Crash:
    """A hook that lets the process die at the n-th step."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, step: str) -> None:
        if self.left == 0:
            os._exit(77)
        self.left -= 1


@pytest.fixture
def crash_points(
    in_child: Callable[[Callable[[], object]], int],
) -> Callable[[Callable[[StepHook], object]], Iterator[int]]:
    """Run some work once for every step of it, dying there; yield after each death, until it comes to its end."""

    def points(work: Callable[[StepHook], object]) -> Iterator[int]:
        for at in range(200):
            code = in_child(lambda: work(Crash(at)))  # noqa: B023
            assert code in (0, 77), "the work itself failed"
            if code == 0:
                assert at > 0, "no step was announced"
                return
            yield at

    return points


MEANS: dict[str, dict[str, Any]] = {
    "best": {},
    "links": {
        "exchange": native.exchange_by_link,
        "rename": native.rename_by_link,
        "open_folder": native.open_step_by_step,
    },
    "neither": {
        "exchange": native.exchange_by_copy,
        "rename": native.rename_by_claim,
        "open_folder": native.open_step_by_step,
    },
}


@pytest.fixture(params=MEANS)
def means(request: pytest.FixtureRequest) -> dict[str, Any]:
    return MEANS[request.param]


@pytest.fixture
def files(disk: Disk, means: dict[str, Any]) -> Files:
    return Files(disk.root, **means)
