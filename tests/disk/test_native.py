from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk import native

EXCHANGES = [native.exchange_names, native.exchange_by_link, native.exchange_by_copy, native.exchange]
RENAMES = [native.rename_no_replace, native.rename_by_link, native.rename_by_claim, native.rename]
OPENINGS = [native.open_beneath, native.open_step_by_step, native.open_folder]
TEMP = ".mnemex-000000000001-000000000002-000000000003-abc.tmp"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, native.FOLDER_FLAGS)
    yield fd
    os.close(fd)


def unsupported(*_: object) -> Any:
    raise OSError(errno.EINVAL, "not here")


def refused(*_: object) -> Any:
    raise OSError(errno.EIO, "broken")


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_an_exchange_swaps_two_files_and_leaves_no_third(
    tmp_path: Path, folder: int, exchange: native.Exchange
) -> None:
    (tmp_path / TEMP).write_text("new")
    (tmp_path / "a.md").write_text("old")
    exchange(folder, TEMP, "a.md")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {TEMP: "old", "a.md": "new"}


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_an_exchange_with_a_missing_note_fails_and_does_not_bring_it_back(
    tmp_path: Path, folder: int, exchange: native.Exchange
) -> None:
    (tmp_path / TEMP).write_text("new")
    with pytest.raises(FileNotFoundError):
        exchange(folder, TEMP, "a.md")
    assert [path.name for path in tmp_path.iterdir()] == [TEMP]


@pytest.mark.parametrize("exchange", [native.exchange_by_link, native.exchange_by_copy])
def test_an_exchange_that_fails_half_way_takes_its_own_file_away(
    tmp_path: Path, folder: int, exchange: native.Exchange
) -> None:
    (tmp_path / "a.md").write_text("old")
    with pytest.raises(FileNotFoundError):
        exchange(folder, TEMP, "a.md")
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


@pytest.mark.parametrize("rename", RENAMES)
def test_a_rename_moves_a_file(tmp_path: Path, folder: int, rename: native.Rename) -> None:
    (tmp_path / "a.md").write_text("text")
    rename(folder, "a.md", folder, "b.md")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b.md": "text"}


@pytest.mark.parametrize("rename", RENAMES)
def test_a_rename_never_replaces(tmp_path: Path, folder: int, rename: native.Rename) -> None:
    (tmp_path / "a.md").write_text("one")
    (tmp_path / "b.md").write_text("two")
    with pytest.raises(FileExistsError):
        rename(folder, "a.md", folder, "b.md")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.md": "one", "b.md": "two"}


@pytest.mark.parametrize("rename", RENAMES)
def test_a_rename_of_nothing_leaves_nothing(tmp_path: Path, folder: int, rename: native.Rename) -> None:
    with pytest.raises(FileNotFoundError):
        rename(folder, "a.md", folder, "b.md")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.row("B10")
def test_the_next_means_is_taken_where_one_is_missing(tmp_path: Path, folder: int) -> None:
    (tmp_path / TEMP).write_text("new")
    (tmp_path / "a.md").write_text("old")
    native.exchange(folder, TEMP, "a.md", means=(unsupported, unsupported, native.exchange_by_copy))
    native.rename(folder, "a.md", folder, "b.md", means=(unsupported, unsupported, native.rename_by_claim))
    assert (tmp_path / "b.md").read_text() == "new"
    os.close(native.open_folder(folder, (), means=(unsupported, native.open_step_by_step)))


def test_a_real_failure_is_no_reason_to_try_other_means(folder: int) -> None:
    with pytest.raises(OSError, match="broken"):
        native.exchange(folder, TEMP, "a.md", means=(refused, native.exchange_by_copy))
    with pytest.raises(OSError, match="broken"):
        native.rename(folder, "a.md", folder, "b.md", means=(refused, native.rename_by_claim))
    with pytest.raises(OSError, match="broken"):
        native.open_folder(folder, (), means=(refused, native.open_step_by_step))


@pytest.mark.parametrize("opening", OPENINGS)
def test_a_folder_is_opened_below_another(tmp_path: Path, folder: int, opening: native.OpenFolder) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for parts, wanted in (((), tmp_path), (("a",), tmp_path / "a"), (("a", "b"), tmp_path / "a" / "b")):
        fd = opening(folder, parts)
        assert os.path.samestat(os.fstat(fd), wanted.stat())
        os.close(fd)


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("parts", [("out",), ("a", "out"), ("loop", "x"), ("file",)])
def test_no_link_is_followed_on_the_way(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    folder: int,
    opening: native.OpenFolder,
    parts: tuple[str, ...],
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (tmp_path / "a").mkdir()
    (tmp_path / "out").symlink_to(elsewhere)
    (tmp_path / "a" / "out").symlink_to(elsewhere)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError) as caught:  # noqa: PT011
        opening(folder, parts)
    assert caught.value.errno in (errno.ELOOP, errno.ENOTDIR)


def test_opened_folders_are_not_left_open(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for opening in OPENINGS:
        os.close(opening(folder, ("a", "b")))
        with pytest.raises(FileNotFoundError):
            opening(folder, ("a", "missing"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.row("B14")
def test_all_bytes_are_written_however_few_one_call_takes(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, True)
    data = os.urandom(300_000)
    child = os.fork()
    if child == 0:
        native.write_all(write_end, data)
        os._exit(0)
    os.close(write_end)
    received = b""
    while chunk := os.read(read_end, 1 << 16):
        received += chunk
    os.waitpid(child, 0)
    os.close(read_end)
    assert received == data


def test_a_new_file_that_cannot_be_finished_is_not_left(tmp_path: Path, folder: int) -> None:
    def prepare(fd: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full"):
        native.write_new(folder, "x", b"data", prepare=prepare)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_flushed_is_left_to_the_system_but_a_broken_disk_is_told() -> None:
    read_end, write_end = os.pipe()
    native.sync(write_end)
    os.close(read_end)
    os.close(write_end)
    with pytest.raises(OSError, match="Bad file descriptor"):
        native.sync(write_end)


def test_reading_a_pipe_does_not_wait(tmp_path: Path, folder: int) -> None:
    os.mkfifo(tmp_path / "x.md")
    os.close(native.open_regular(folder, "x.md"))
