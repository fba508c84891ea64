"""Moving notes, and spelling their names anew."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from mnemex_vault.disk.files import Files
from mnemex_vault.errors import NoteChanged, NoteExists, NoteNotFound, PathOutsideVault, WriteFailed
from tests.disk.conftest import Disk
from tests.disk.disturbing import Displaced, EditsAt, across


def test_a_note_is_moved_and_folders_are_made(disk: Disk, files: Files) -> None:
    inode = disk.put("Short/a.md", "text").stat().st_ino
    files.move("Short/a.md", "Long/deep/a.md", park=Displaced())
    assert disk.snapshot() == {"Long/deep/a.md": b"text"}
    assert (disk.root / "Long/deep/a.md").stat().st_ino == inode


@pytest.mark.parametrize("twin", ["b.md", "B.md"])
def test_a_move_never_lands_on_another_note(disk: Disk, files: Files, twin: str) -> None:
    disk.put("a.md", "one")
    disk.put(f"x/{twin}", "two")
    with pytest.raises(NoteExists):
        files.move("a.md", "x/b.md", park=Displaced())
    assert disk.snapshot() == {"a.md": b"one", f"x/{twin}": b"two"}


def test_a_move_of_nothing_or_of_a_folder_makes_no_folder(disk: Disk, files: Files) -> None:
    (disk.root / "folder.md").mkdir()
    with pytest.raises(NoteNotFound):
        files.move("a.md", "x/a.md", park=Displaced())
    with pytest.raises(PathOutsideVault):
        files.move("folder.md", "x/a.md", park=Displaced())
    assert not (disk.root / "x").exists()


def test_a_name_can_be_spelled_anew(disk: Disk, files: Files) -> None:
    disk.put("note.md", "text")
    files.move("note.md", "Note.md", park=Displaced())
    assert disk.snapshot() == {"Note.md": b"text"}


@pytest.mark.row("E10")
def test_a_name_is_spelled_anew_where_the_system_takes_both_for_one(disk: Disk) -> None:
    disk.put("note.md", "text")
    asked: list[str] = []

    def rename_on_such_a_system(source_folder: int, source: str, folder: int, name: str) -> None:
        asked.append(name)
        os.link(source, name, src_dir_fd=source_folder, dst_dir_fd=folder)
        raise FileExistsError(errno.EEXIST, "both names are the same file")

    Files(disk.root, rename=rename_on_such_a_system).move("note.md", "Note.md", park=Displaced())
    assert asked == ["Note.md"]
    assert "Note.md" in disk.names()


def test_across_file_systems_a_note_is_copied_whole_and_then_taken_away(disk: Disk) -> None:
    path = disk.put("a.md", "text")
    path.chmod(0o640)
    os.utime(path, (1_000, 1_000))
    displaced = Displaced()
    Files(disk.root, rename=across).move("a.md", "x/a.md", park=displaced)
    assert disk.snapshot() == {"x/a.md": b"text"}
    assert displaced.texts == [b"text"]
    found = (disk.root / "x/a.md").stat()
    assert (stat.S_IMODE(found.st_mode), found.st_mtime) == (0o640, 1_000)


@pytest.mark.row("B11")
def test_across_file_systems_a_save_in_between_stays_where_it_is(disk: Disk) -> None:
    disk.put("a.md", "text")
    hook = EditsAt("move: copied", lambda: disk.put("a.md", "theirs"))
    with pytest.raises(NoteChanged):
        Files(disk.root, rename=across, hook=hook).move("a.md", "x/a.md", park=Displaced())
    assert disk.snapshot() == {"a.md": b"theirs"}


def test_across_file_systems_a_note_is_not_taken_away_for_a_copy_that_is_not_equal(disk: Disk) -> None:
    disk.put("a.md", "text")
    hook = EditsAt("move: copied", lambda: disk.put("x/a.md", "someone else's"))
    with pytest.raises(WriteFailed):
        Files(disk.root, rename=across, hook=hook).move("a.md", "x/a.md", park=Displaced())
    assert disk.snapshot() == {"a.md": b"text", "x/a.md": b"someone else's"}


def test_a_new_note_that_cannot_be_flushed_is_taken_away_unless_someone_wrote_into_it(disk: Disk) -> None:
    def act(step: str) -> None:
        if step == "create: renamed":
            disk.put("a.md", "by hand")
            raise OSError(errno.EIO, "broken")

    with pytest.raises(WriteFailed):
        Files(disk.root, hook=act).create("a.md", b"ours")
    assert disk.snapshot() == {"a.md": b"by hand"}
