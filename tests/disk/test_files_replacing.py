"""Replacing, erasing and removing notes that others edit at the same time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.safeguards import TempName
from mnemex_vault.errors import NoteChanged, NoteNotFound, PathOutsideVault, WriteFailed
from tests.disk.conftest import Disk
from tests.disk.disturbing import STEPS_BEFORE, Displaced, EditsAt, save_as_editor

# replacing


def test_a_note_is_replaced_and_what_it_held_is_parked(disk: Disk, files: Files) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()
    files.replace("a.md", b"old", b"new", park=displaced)
    assert disk.snapshot() == {"a.md": b"new"}
    assert displaced.texts == [b"old"]


@pytest.mark.row("T8")
def test_the_same_bytes_are_not_written_again(disk: Disk, files: Files) -> None:
    path = disk.put("a.md", "old")
    before = path.stat()
    files.replace("a.md", b"old", b"old", park=Displaced())
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_ino,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )


def test_a_version_that_was_not_expected_stays(disk: Disk, files: Files) -> None:
    disk.put("a.md", "theirs")
    for data in (b"new", b"old"):
        with pytest.raises(NoteChanged):
            files.replace("a.md", b"old", data, park=Displaced())
    assert disk.snapshot() == {"a.md": b"theirs"}


@pytest.mark.row("E8")
def test_a_note_that_is_gone_is_not_brought_back(disk: Disk, files: Files) -> None:
    with pytest.raises(NoteNotFound):
        files.replace("a.md", b"old", b"new", park=Displaced())
    assert disk.names() == []


@pytest.mark.row("H12")
def test_mode_owner_and_extended_attributes_are_kept(disk: Disk, files: Files) -> None:
    path = disk.put("a.md", "old")
    path.chmod(0o640)
    os.setxattr(path, "user.colour", b"red")
    if os.geteuid() == 0:
        os.chown(path, 1234, 2345)
    before = path.stat()
    files.replace("a.md", b"old", b"new", park=Displaced())
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.getxattr(path, "user.colour") == b"red"
    assert after.st_mtime_ns >= before.st_mtime_ns


@pytest.mark.parametrize("step", STEPS_BEFORE)
@pytest.mark.parametrize("style", ["in place", "by rename"])
def test_a_save_that_comes_before_ours_stays(disk: Disk, means: dict[str, Any], step: str, style: str) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()
    files = Files(disk.root, hook=EditsAt(step, lambda: save_as_editor(disk, "a.md", "theirs", style)), **means)
    with pytest.raises(NoteChanged):
        files.replace("a.md", b"old", b"new", park=displaced)
    assert disk.snapshot() == {"a.md": b"theirs"}
    assert set(displaced.texts) <= {b"new"}


@pytest.mark.parametrize("step", [*STEPS_BEFORE, "replace: exchanged"])
def test_a_note_that_is_deleted_meanwhile_stays_deleted(disk: Disk, means: dict[str, Any], step: str) -> None:
    disk.put("a.md", "old")
    files = Files(disk.root, hook=EditsAt(step, (disk.root / "a.md").unlink), **means)
    if step == "replace: exchanged":
        files.replace("a.md", b"old", b"new", park=Displaced())
    else:
        with pytest.raises(NoteNotFound):
            files.replace("a.md", b"old", b"new", park=Displaced())
    assert disk.names() == []


def test_a_note_that_is_saved_and_then_deleted_stays_deleted_and_its_last_text_is_kept(disk: Disk) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()

    def act(step: str) -> None:
        if step == "replace: compared":
            disk.put("a.md", "theirs")
        if step == "replace: exchanged":
            (disk.root / "a.md").unlink()

    with pytest.raises(NoteNotFound):
        Files(disk.root, hook=act).replace("a.md", b"old", b"new", park=displaced)
    assert disk.names() == []
    assert displaced.texts == [b"theirs"]


@pytest.mark.parametrize("style", ["in place", "by rename"])
def test_a_second_save_while_the_first_is_given_back_stays(disk: Disk, means: dict[str, Any], style: str) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()

    def act(step: str) -> None:
        if step == "replace: compared":
            disk.put("a.md", "theirs")
        if step == "foreign version found" and disk.text("a.md") == "new":
            save_as_editor(disk, "a.md", "theirs, later", style)

    with pytest.raises(NoteChanged):
        Files(disk.root, hook=act, **means).replace("a.md", b"old", b"new", park=displaced)
    assert disk.snapshot() == {"a.md": b"theirs, later"}
    assert displaced.texts == [b"theirs"]


def test_an_editor_that_never_stops_is_never_overwritten(disk: Disk) -> None:
    disk.put("a.md", "old")
    saves: list[str] = []

    def act(step: str) -> None:
        if step in ("replace: compared", "foreign version found"):
            saves.append(f"save {len(saves)}")
            disk.put("a.md", saves[-1])

    with pytest.raises(WriteFailed, match="keeps writing"):
        Files(disk.root, hook=act).replace("a.md", b"old", b"new", park=Displaced())
    assert saves[-1] in [data.decode() for data in disk.snapshot().values()]


@pytest.mark.parametrize("step", [*STEPS_BEFORE, "replace: exchanged"])
def test_a_link_that_is_slipped_in_is_neither_followed_nor_lost(
    disk: Disk, means: dict[str, Any], tmp_path: Path, step: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("old")
    path = disk.put("a.md", "old")

    def slip_in() -> None:
        path.unlink()
        path.symlink_to(secret)

    files = Files(disk.root, hook=EditsAt(step, slip_in), **means)
    with suppress(PathOutsideVault, WriteFailed, NoteChanged):
        files.replace("a.md", b"old", b"new", park=Displaced())
    assert secret.read_text() == "old"
    assert path.is_symlink()
    assert [each.name for each in disk.root.iterdir()] == ["a.md"]


# erasing


def test_a_note_is_erased_for_good_only_by_name(disk: Disk, files: Files) -> None:
    disk.put("a.md", "secret")
    files.erase("a.md")
    assert disk.names() == []
    with pytest.raises(NoteNotFound):
        files.erase("a.md")
    with pytest.raises(PathOutsideVault):
        files.erase("../a.md")


# removing


def test_a_note_is_removed_only_as_the_version_expected(disk: Disk, files: Files) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()
    with pytest.raises(NoteChanged):
        files.remove("a.md", b"other", park=displaced)
    files.remove("a.md", b"old", park=displaced)
    assert disk.names() == []
    assert displaced.texts == [b"old"]


def test_a_save_in_the_moment_of_removal_is_given_back(disk: Disk, means: dict[str, Any]) -> None:
    disk.put("a.md", "old")

    def act(step: str) -> None:
        if step == "remove: renamed":
            (temp,) = [name for name in disk.names() if TempName.parse(name)]
            disk.put(temp, "theirs")

    with pytest.raises(NoteChanged):
        Files(disk.root, hook=act, **means).remove("a.md", b"old", park=Displaced())
    assert disk.snapshot() == {"a.md": b"theirs"}
