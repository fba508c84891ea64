from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.errors import ConfigError
from mnemex_vault.notes.state import private_folder, state_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def test_every_vault_has_a_folder_of_its_own_by_its_real_path(tmp_path: Path, root: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(root)
    first = state_folder(tmp_path / "state" / "deep", root)
    assert first == state_folder(tmp_path / "state" / "deep", tmp_path / "link")
    assert first != state_folder(tmp_path / "state" / "deep", tmp_path / "other")
    assert stat.S_IMODE(first.stat().st_mode) == 0o700


def test_a_folder_that_others_may_enter_is_tightened(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    (tmp_path / "state").chmod(0o755)
    private_folder(tmp_path / "state")
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_state_inside_the_vault_is_refused_also_through_a_link(tmp_path: Path, root: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    for base in (root, root / "state", tmp_path / "link" / "state", root / "a" / ".." / "b"):
        with pytest.raises(ConfigError, match="inside the vault"):
            state_folder(base, root)
    assert list(root.iterdir()) == []


@pytest.mark.row("C4")
def test_a_link_or_a_file_in_its_place_is_refused(tmp_path: Path, root: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "base").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="is a link"):
        state_folder(tmp_path / "base", root)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError):
        state_folder(tmp_path / "file", root)
    with pytest.raises(ConfigError):
        private_folder(tmp_path / "file")
    leaf = state_folder(tmp_path / "good", root)
    leaf.rmdir()
    leaf.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="is a link"):
        state_folder(tmp_path / "good", root)


@pytest.mark.row("C4")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")
def test_a_folder_of_someone_else_is_refused(public: Path, as_nobody: Callable[[], Any]) -> None:
    (public / "theirs").mkdir(mode=0o777)
    with as_nobody(), pytest.raises(ConfigError, match="belongs to another user"):
        private_folder(public / "theirs")


def test_a_place_where_nothing_can_be_made_is_told(public: Path, as_nobody: Callable[[], Any]) -> None:
    (public / "closed").mkdir()
    (public / "closed").chmod(0o555)
    (public / "vault").mkdir()
    with as_nobody():
        with pytest.raises(ConfigError, match="denied"):
            state_folder(public / "closed" / "state", public / "vault")
        with pytest.raises(ConfigError, match="denied"):
            private_folder(public / "closed" / "state")
