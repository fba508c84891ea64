from __future__ import annotations

import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk.state import private_folder, replace_private
from mnemex_vault.errors import ConfigError


def test_a_folder_that_others_may_enter_is_tightened(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    (tmp_path / "state").chmod(0o755)
    private_folder(tmp_path / "state")
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


@pytest.mark.row("C4")
def test_a_link_or_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="is a link"):
        private_folder(tmp_path / "link")
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o755
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError):
        private_folder(tmp_path / "file")


@pytest.mark.row("C4")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")
def test_a_folder_of_someone_else_is_refused(public: Path, as_nobody: Callable[[], Any]) -> None:
    (public / "theirs").mkdir(mode=0o777)
    with as_nobody(), pytest.raises(ConfigError, match="belongs to another user"):
        private_folder(public / "theirs")


def test_a_place_where_nothing_can_be_made_is_told(public: Path, as_nobody: Callable[[], Any]) -> None:
    (public / "closed").mkdir()
    (public / "closed").chmod(0o555)
    with as_nobody(), pytest.raises(ConfigError, match="denied"):
        private_folder(public / "closed" / "state")


def test_a_file_that_is_replaced_is_whole_at_every_moment_and_private(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    texts = [str(number) * 5_000 for number in range(8)]
    replace_private(file, texts[0])
    seen: set[str] = set()
    with ThreadPoolExecutor(8) as pool:
        written = [pool.submit(replace_private, file, text) for text in texts * 4]
        while not all(each.done() for each in written):
            seen.add(file.read_text())
    assert seen <= set(texts)
    assert [each.result() for each in written] == [None] * len(written)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_replacement_that_fails_leaves_the_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "values.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_private(tmp_path / "values.json", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["values.json"]


def test_a_durable_file_is_flushed_before_it_takes_its_place_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, bool]] = []

    def sync(fd: int) -> None:
        seen.append((stat.S_ISDIR(os.fstat(fd).st_mode), (tmp_path / "state.json").exists()))

    monkeypatch.setattr("mnemex_vault.disk.native.sync", sync)
    replace_private(tmp_path / "state.json", "{}", durable=True)
    assert seen == [(False, False), (True, True)]
    replace_private(tmp_path / "state.json", "{}")
    assert len(seen) == 2
