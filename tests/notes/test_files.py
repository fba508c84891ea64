from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_FSIZE, RLIMIT_NOFILE, getrlimit, setrlimit
from signal import SIG_IGN, SIGXFSZ, signal
from typing import Any

import pytest

from mnemex_vault.errors import (
    NoteChanged,
    NoteExists,
    NoteNotFound,
    PathOutsideVault,
    UnreadableNote,
    VaultUnavailable,
    WriteFailed,
)
from mnemex_vault.notes import native
from mnemex_vault.notes.files import Files, Fingerprint
from mnemex_vault.notes.paths import PathRule
from mnemex_vault.notes.temp import TempName
from tests.notes.conftest import Disk

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


class Displaced:
    """Takes displaced files away, remembering their bytes."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def __call__(self, folder: int, temp: str, *, path: str, data: bytes) -> None:
        assert native.read_file(folder, temp) == data
        os.unlink(temp, dir_fd=folder)
        self.texts.append(data)


class Fails:
    """Raises an error of the system at a step."""

    def __init__(self, step: str) -> None:
        self.step = step

    def __call__(self, step: str) -> None:
        if step == self.step:
            raise OSError(errno.EIO, "the disk is broken")


class EditsAt:
    """Lets someone else act at a step."""

    def __init__(self, step: str, act: Callable[[], object]) -> None:
        self.step, self.act = step, act

    def __call__(self, step: str) -> None:
        if step == self.step:
            self.step = ""
            self.act()


# reading


def test_a_note_is_read_with_its_fingerprint(disk: Disk, files: Files) -> None:
    path = disk.put("A b/é.md", "text")
    assert files.read("A b/é.md") == (b"text", Fingerprint.from_stat(path.stat()))
    assert files.fingerprint("A b/é.md") == Fingerprint.from_stat(path.stat())
    assert files.exists("A b/é.md")


def test_a_missing_note_and_a_missing_folder_are_not_found(files: Files) -> None:
    for path in ("x.md", "a/b/x.md"):
        with pytest.raises(NoteNotFound):
            files.read(path)
        assert not files.exists(path)


@pytest.mark.row("H7")
def test_a_name_longer_than_the_system_allows_is_refused(files: Files) -> None:
    with pytest.raises(UnreadableNote):
        files.read("x" * 300 + ".md")
    with pytest.raises(WriteFailed):
        files.create("x" * 300 + ".md", b"text")


@pytest.mark.row("H5")
def test_a_large_note_is_not_read_whole(disk: Disk, files: Files) -> None:
    disk.put("a.md", "x" * 101)
    assert len(files.read("a.md", limit=101)[0]) == 101
    with pytest.raises(UnreadableNote, match="larger than 100"):
        files.read("a.md", limit=100)


@pytest.mark.row("H8")
def test_what_is_no_file_is_neither_read_nor_waited_for(disk: Disk, files: Files) -> None:
    os.mkfifo(disk.root / "pipe.md")
    (disk.root / "folder.md").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(disk.root / "socket.md"))
        for path in ("pipe.md", "folder.md", "socket.md"):
            with pytest.raises(UnreadableNote):
                files.read(path)
            with pytest.raises(UnreadableNote):
                files.fingerprint(path)


@pytest.mark.row("H8")
def test_a_link_is_never_followed(disk: Disk, files: Files, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (disk.root / "link.md").symlink_to(secret)
    (disk.root / "out").symlink_to(tmp_path)
    displaced = Displaced()
    for path in ("link.md", "out/secret.md"):
        with pytest.raises(PathOutsideVault):
            files.read(path)
        with pytest.raises((PathOutsideVault, WriteFailed)):
            files.replace(path, b"secret", b"new", park=displaced)
        with pytest.raises((PathOutsideVault, NoteExists)):
            files.create(path, b"new")
        with pytest.raises(PathOutsideVault):
            files.move(path, "b.md", park=displaced)
    with pytest.raises(PathOutsideVault):
        files.create("out/deep/new.md", b"new")
    assert secret.read_text() == "secret"
    assert not (tmp_path / "deep").exists()


def test_a_vault_that_is_itself_a_link_works(disk: Disk, tmp_path: Path, means: dict[str, Any]) -> None:
    (tmp_path / "link").symlink_to(disk.root)
    files = Files(tmp_path / "link", **means)
    files.create("a.md", b"text")
    assert files.read("a.md")[0] == b"text"


def test_a_vault_that_is_gone_is_unavailable_and_is_not_made_again(disk: Disk, files: Files) -> None:
    disk.root.rename(disk.root.with_name("elsewhere"))
    with pytest.raises(VaultUnavailable):
        files.read("a.md")
    with pytest.raises(VaultUnavailable):
        files.create("a.md", b"text")
    assert not disk.root.exists()


def test_a_note_that_is_off_loaded_to_icloud_is_not_fetched(disk: Disk) -> None:
    os.truncate(disk.put("a.md", ""), 5_000)
    disk.put("empty.md", "")
    disk.put("here.md", "x" * 5_000)
    os.sync()
    with pytest.raises(UnreadableNote, match="iCloud"):
        Files(disk.root, offloads=True).read("a.md")
    assert len(Files(disk.root, offloads=False).read("a.md")[0]) == 5_000
    assert Files(disk.root, offloads=True).read("empty.md")[0] == b""
    assert len(Files(disk.root, offloads=True).read("here.md")[0]) == 5_000


def test_a_note_that_never_comes_to_rest_is_not_read(disk: Disk, in_child: Callable[..., int]) -> None:
    path = disk.put("a.md", "x")
    child = os.fork()
    if child == 0:
        while True:
            path.write_text("x" * 100)
            path.write_text("")
    try:
        for _ in range(50):
            with suppress(UnreadableNote):
                assert Files(disk.root).read("a.md")[0] in (b"", b"x" * 100, b"x")
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


# creating


def test_a_note_is_created_with_its_folders_and_nothing_else(disk: Disk, files: Files) -> None:
    files.create("Memories/Short-term/Tea.md", b"text")
    assert disk.snapshot() == {"Memories/Short-term/Tea.md": b"text"}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_a_new_note_follows_the_umask(disk: Disk, files: Files, mask: int) -> None:
    before = os.umask(mask)
    try:
        files.create("a.md", b"text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((disk.root / "a.md").stat().st_mode) == 0o666 & ~mask


@pytest.mark.row("T17")
@pytest.mark.parametrize("twin", ["Tea.md", "TEA.md", "tea.MD", ".Tea.md.icloud"])
def test_a_note_is_not_created_beside_one_that_some_system_would_take_for_it(
    disk: Disk, files: Files, twin: str
) -> None:
    disk.put(f"a/{twin}", "theirs")
    with pytest.raises(NoteExists) as caught:
        files.create("a/Tea.md", b"ours")
    assert caught.value.path in (f"a/{twin}", "a/Tea.md")
    assert disk.snapshot() == {f"a/{twin}": b"theirs"}


def test_both_unicode_forms_of_a_name_are_the_same_name(disk: Disk, files: Files) -> None:
    disk.put("Cafe\u0301.md", "decomposed")
    with pytest.raises(NoteExists):
        files.create("Caf\u00e9.md", b"composed")


def test_a_note_that_appears_at_the_last_moment_is_not_overwritten(disk: Disk, means: dict[str, Any]) -> None:
    hook = EditsAt("create: temp written", lambda: disk.put("a.md", "theirs"))
    with pytest.raises(NoteExists):
        Files(disk.root, hook=hook, **means).create("a.md", b"ours")
    assert disk.snapshot() == {"a.md": b"theirs"}


# creating many


def test_many_notes_are_created_together_in_their_order(disk: Disk, files: Files) -> None:
    notes = [(f"New/{number}.md", b"%d" % number) for number in range(450)]
    assert list(files.create_all(notes)) == [path for path, _ in notes]
    assert disk.snapshot() == dict(notes)


@pytest.mark.parametrize("twin", ["7.md", "7.MD", ".7.md.icloud"])
def test_of_many_notes_none_is_written_beside_one_that_is_there(disk: Disk, files: Files, twin: str) -> None:
    disk.put(f"New/{twin}", "theirs")
    with pytest.raises(NoteExists):
        list(files.create_all([(f"New/{number}.md", b"ours") for number in range(20)]))
    assert disk.snapshot() == {f"New/{twin}": b"theirs"}


def test_two_of_many_notes_may_not_be_twins(disk: Disk, files: Files) -> None:
    with pytest.raises(NoteExists):
        list(files.create_all([("New/Tea.md", b"one"), ("New/TEA.md", b"two")]))
    assert disk.snapshot() == {}


def test_what_a_failure_in_the_midst_of_many_left_is_what_was_told(disk: Disk, means: dict[str, Any]) -> None:
    hook = EditsAt("create all: temps flushed", lambda: disk.put("New/7.md", "theirs"))
    told: dict[str, bytes] = {}
    created = Files(disk.root, hook=hook, **means).create_all([(f"New/{n}.md", b"ours") for n in range(20)])

    def create() -> None:
        told.update((path, b"ours") for path in created)

    with pytest.raises(NoteExists):
        create()
    assert list(told) == [f"New/{number}.md" for number in range(7)]
    assert disk.snapshot() == {**told, "New/7.md": b"theirs"}


def test_many_notes_are_flushed_one_by_one_where_no_call_flushes_all(
    disk: Disk, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    real = native.sync

    def sync(fd: int) -> None:
        flushed.append(str(Path(f"/proc/self/fd/{fd}").readlink()))
        real(fd)

    monkeypatch.setattr(native, "_FLUSHED_AT_ONCE", frozenset[int]())
    monkeypatch.setattr(native, "sync", sync)
    list(files.create_all([(f"New/{number}.md", b"text") for number in range(12)]))
    assert len({name for name in flushed if ".mnemex-writing-" in name}) == 12


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


STEPS_BEFORE = ["replace: temp written", "replace: temp named", "replace: compared"]


@pytest.mark.parametrize("step", STEPS_BEFORE)
@pytest.mark.parametrize("style", ["in place", "by rename"])
def test_a_save_that_comes_before_ours_stays(disk: Disk, means: dict[str, Any], step: str, style: str) -> None:
    disk.put("a.md", "old")
    displaced = Displaced()
    files = Files(disk.root, hook=EditsAt(step, lambda: _save(disk, "a.md", "theirs", style)), **means)
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
            _save(disk, "a.md", "theirs, later", style)

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


def _save(disk: Disk, path: str, text: str, style: str) -> None:
    if style == "in place":
        disk.put(path, text)
    else:
        disk.put("editor.tmp", text).rename(disk.root / path)


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


# moving


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


def across(source_folder: int, source: str, folder: int, name: str) -> None:
    if not os.path.sameopenfile(source_folder, folder):
        raise OSError(errno.EXDEV, "another file system")
    native.rename(source_folder, source, folder, name)


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


# refusals of the system


def _each_write(files: Files) -> list[tuple[str, Callable[[], None]]]:
    return [
        ("create", lambda: files.create("new.md", b"x" * 9_000)),
        ("replace", lambda: files.replace("a.md", b"old", b"x" * 9_000, park=Displaced())),
    ]


@pytest.mark.row("B3")
@pytest.mark.parametrize("which", [0, 1])
def test_a_file_that_grows_too_large_leaves_the_old_note_and_no_temp(
    disk: Disk, files: Files, which: int, in_child: Callable[..., int]
) -> None:
    disk.put("a.md", "old")

    def work() -> None:
        signal(SIGXFSZ, SIG_IGN)
        setrlimit(RLIMIT_FSIZE, (5_000, 5_000))
        with pytest.raises(WriteFailed, match="too large"):
            _each_write(files)[which][1]()

    assert in_child(work) == 0
    assert disk.snapshot() == {"a.md": b"old"}


@pytest.mark.row("B5")
@pytest.mark.parametrize("spare", [0, 1])
def test_running_out_of_open_files_fails_only_that_call(
    disk: Disk, files: Files, spare: int, in_child: Callable[..., int]
) -> None:
    disk.put("a.md", "old")

    def work() -> None:
        used = {int(path.name) for path in Path("/proc/self/fd").iterdir()}
        limit = [number for number in range(500) if number not in used][spare]
        hard = getrlimit(RLIMIT_NOFILE)[1]
        setrlimit(RLIMIT_NOFILE, (limit, hard))
        for _, write in _each_write(files):
            with pytest.raises(WriteFailed):
                write()
        with pytest.raises(UnreadableNote):
            files.read("a.md")
        setrlimit(RLIMIT_NOFILE, (500, hard))
        files.replace("a.md", b"old", b"new", park=Displaced())

    assert in_child(work) == 0
    assert disk.snapshot() == {"a.md": b"new"}


@pytest.mark.row("B7")
def test_what_another_user_may_not_write_is_refused(
    public: Path, means: dict[str, Any], as_nobody: Callable[[], Any]
) -> None:
    root = public / "vault"
    root.mkdir(mode=0o777)
    (root / "a.md").write_text("old")
    (root / "secret.md").write_text("secret")
    (root / "a.md").chmod(0o444)
    (root / "secret.md").chmod(0o000)
    (root / "closed").mkdir(mode=0o555)
    root.chmod(0o777)
    files = Files(root, **means)
    with as_nobody():
        with pytest.raises(WriteFailed, match="denied"):
            files.replace("a.md", b"old", b"new", park=Displaced())
        with pytest.raises(UnreadableNote, match="denied"):
            files.read("secret.md")
        with pytest.raises(WriteFailed, match="denied"):
            files.create("closed/new.md", b"new")
        with pytest.raises(WriteFailed, match="denied"):
            files.create("closed/deep/new.md", b"new")
        with pytest.raises(WriteFailed, match=r"denied|not permitted"):
            files.move("a.md", "closed/a.md", park=Displaced())
        files.create("new.md", b"new")
    assert (root / "a.md").read_text() == "old"
    assert sorted(path.name for path in root.rglob("*")) == ["a.md", "closed", "new.md", "secret.md"]


def test_the_owner_is_kept_as_far_as_one_may(public: Path, as_nobody: Callable[[], Any]) -> None:
    path = public / "a.md"
    path.write_text("old")
    path.chmod(0o666)
    with as_nobody():
        Files(public).replace("a.md", b"old", b"new", park=Displaced())
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o666


@pytest.mark.parametrize("step", [*STEPS_BEFORE, "replace: exchanged", "replace: flushed"])
def test_an_error_at_any_step_leaves_the_old_note_and_no_temp(disk: Disk, means: dict[str, Any], step: str) -> None:
    disk.put("a.md", "old")
    with pytest.raises(WriteFailed):
        Files(disk.root, hook=Fails(step), **means).replace("a.md", b"old", b"new", park=Displaced())
    assert disk.snapshot() == {"a.md": b"old"}


def test_a_save_that_comes_after_an_error_is_not_taken_for_ours(disk: Disk) -> None:
    disk.put("a.md", "old")

    def act(step: str) -> None:
        if step == "replace: flushed":
            disk.put("a.md", "theirs")
            raise OSError(errno.EIO, "broken")

    with pytest.raises(WriteFailed):
        Files(disk.root, hook=act).replace("a.md", b"old", b"new", park=Displaced())
    assert disk.text("a.md") == "theirs"


@pytest.mark.parametrize("step", ["remove: renamed", "move: renamed", "create: renamed"])
def test_an_error_after_any_other_step_is_told_and_taken_back(disk: Disk, step: str) -> None:
    disk.put("a.md", "old")
    files = Files(disk.root, hook=Fails(step))
    calls: dict[str, Callable[[], None]] = {
        "remove": lambda: files.remove("a.md", b"old", park=Displaced()),
        "move": lambda: files.move("a.md", "b/a.md", park=Displaced()),
        "create": lambda: files.create("new.md", b"old"),
    }
    with pytest.raises(WriteFailed):
        calls[step.partition(":")[0]]()
    assert disk.snapshot() == {"a.md": b"old"}


def test_a_folder_of_the_vault_can_be_opened_and_made(disk: Disk, files: Files) -> None:
    with files.opened("a/b", make=True) as folder:
        assert os.path.samestat(os.fstat(folder), (disk.root / "a/b").stat())
    with pytest.raises(PathOutsideVault), files.opened("../x"):
        pass


def test_other_suffixes_and_named_dot_folders_may_be_allowed(disk: Disk) -> None:
    files = Files(disk.root, rule=PathRule(suffixes=(".base",), hidden=(".obsidian/plugins/ours",)))
    files.create("Views/All.base", b"views: []")
    files.create(".obsidian/plugins/ours/x.base", b"x")
    with pytest.raises(PathOutsideVault):
        files.create("a.md", b"text")
    assert disk.names() == [".obsidian/plugins/ours/x.base", "Views/All.base"]
