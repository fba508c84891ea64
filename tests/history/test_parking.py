from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.disk import native
from mnemex_vault.history.displaced import Images, Late, Parking
from mnemex_vault.text.note import etag
from tests.disk.conftest import NOW

SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def images(tmp_path: Path) -> Images:
    return Images(tmp_path / "images")


@pytest.fixture
def parking(tmp_path: Path, images: Images) -> Parking:
    return Parking(tmp_path / "parked", images)


def cannot_move(source: str, target: Path, *, src_dir_fd: int) -> None:
    raise OSError(errno.EXDEV, "another file system")


@pytest.fixture
def far_parking(tmp_path: Path, images: Images) -> Parking:
    """A state folder on another file system than the vault."""
    return Parking(tmp_path / "parked", images, rename=cannot_move)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, native.FOLDER_FLAGS)
    yield fd
    os.close(fd)


def test_a_displaced_file_leaves_the_vault_with_its_bytes_kept(
    tmp_path: Path, folder: int, parking: Parking, far_parking: Parking, images: Images
) -> None:
    for each in (parking, far_parking):
        (tmp_path / "temp").write_bytes(b"old")
        each.take(folder, "temp", path="a.md", data=b"old")
        assert not (tmp_path / "temp").exists()
        assert images.get(etag(b"old")) == b"old"
        assert list(each.late()) == []


@pytest.mark.parametrize("far", [False, True])
def test_a_late_text_is_found_until_it_is_accepted(
    tmp_path: Path, folder: int, parking: Parking, far_parking: Parking, far: bool
) -> None:
    chosen = far_parking if far else parking
    (tmp_path / "temp").write_bytes(b"old")
    with (tmp_path / "temp").open("r+") as editor:
        chosen.take(folder, "temp", path="a.md", data=b"old")
        editor.write("late")
        editor.flush()
        (late,) = chosen.late()
        assert (late.path, late.text) == ("a.md", b"late")
        chosen.accept(late)
        assert list(chosen.late()) == []
        editor.write(" and later")
    (late,) = chosen.late()
    assert late.text == b"late and later"


@pytest.mark.parametrize("far", [False, True])
def test_displaced_files_expire_and_can_be_purged(
    tmp_path: Path, folder: int, parking: Parking, far_parking: Parking, far: bool
) -> None:
    chosen = far_parking if far else parking
    before = len(list(Path("/proc/self/fd").iterdir()))
    for text in (b"one", b"two"):
        (tmp_path / "temp").write_bytes(text)
        with (tmp_path / "temp").open("r+") as editor:
            chosen.take(folder, "temp", path="a.md", data=text)
            editor.write("LATE")
    chosen.purge(frozenset([etag(b"one")]))
    assert len(list(chosen.late())) == 1
    chosen.expire(now=NOW)
    assert len(list(chosen.late())) == 1
    chosen.expire(now=NOW + timedelta(days=100_000))
    assert list(chosen.late()) == []
    assert list((tmp_path / "parked").iterdir()) == []
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_only_so_many_files_are_held_open(tmp_path: Path, folder: int, far_parking: Parking) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(50):
        (tmp_path / "temp").write_text(f"{number}")
        far_parking.take(folder, "temp", path="a.md", data=f"{number}".encode())
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 32
    far_parking.expire(now=NOW + timedelta(days=100_000))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_file_with_another_name_only_loses_this_one(tmp_path: Path, folder: int, parking: Parking) -> None:
    (tmp_path / "temp").write_bytes(b"old")
    os.link(tmp_path / "temp", tmp_path / "other.md")
    parking.take(folder, "temp", path="a.md", data=b"old")
    assert (tmp_path / "other.md").read_bytes() == b"old"
    assert list((tmp_path / "parked").iterdir()) == []


def test_a_file_whose_path_was_not_noted_is_found_without_it(tmp_path: Path, folder: int, parking: Parking) -> None:
    (tmp_path / "temp").write_bytes(b"old")
    with (tmp_path / "temp").open("r+") as editor:
        parking.take(folder, "temp", path="a.md", data=b"old")
        editor.write("late")
    for path in (tmp_path / "parked").glob("*.path"):
        path.unlink()
    (late,) = parking.late()
    assert (late.path, late.text) == ("", b"late")
    parking.accept(late)
    assert list(parking.late()) == []


def test_two_processes_may_let_go_of_the_same_file(
    tmp_path: Path, folder: int, parking: Parking, images: Images
) -> None:
    (tmp_path / "temp").write_bytes(b"old")
    parking.take(folder, "temp", path="a.md", data=b"old")
    other = Parking(tmp_path / "parked", images)
    other.purge(frozenset([etag(b"old")]))
    parking.accept(Late(f"{etag(b'old')}-0", "a.md", b"late", NOW))
    parking.expire(now=NOW)
    assert list(parking.late()) == []


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="there is no second file system to be had")
def test_a_vault_on_another_file_system_really_works(tmp_path: Path, parking: Parking, images: Images) -> None:
    temp = SHARED_MEMORY / f"mnemex-test-{os.getpid()}"
    temp.write_bytes(b"old")
    fd = os.open(SHARED_MEMORY, native.FOLDER_FLAGS)
    try:
        with temp.open("r+") as editor:
            parking.take(fd, temp.name, path="a.md", data=b"old")
            assert not temp.exists()
            editor.write("late")
        (late,) = parking.late()
        assert late.text == b"late"
    finally:
        os.close(fd)
        temp.unlink(missing_ok=True)
