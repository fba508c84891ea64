from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from tests.mcp.talking import SettableClock, Snapshot, Talk


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Notes of Zoë"
    root.mkdir()
    return root


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"MNEMEX_STATE_PATH": str(tmp_path / "state"), "MNEMEX_TIMEZONE": "UTC", "HOME": str(tmp_path)}


@pytest.fixture
def app(vault: Path, clock: SettableClock, environ: dict[str, str]) -> Iterator[App]:
    with open_app(vault, clock=clock, environ=environ) as opened:
        yield opened


@pytest.fixture
def talk(app: App) -> Talk:
    return Talk(app)


@pytest.fixture
def snapshot(vault: Path) -> Snapshot:
    """Give the bytes of every file of the vault."""
    return partial(files_of, vault)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
