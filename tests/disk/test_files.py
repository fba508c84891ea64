"""Reading and creating notes."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk import native
from mnemex_vault.disk.files import Files, Fingerprint
from mnemex_vault.errors import (
    NoteExists,
    NoteNotFound,
    PathOutsideVault,
    UnreadableNote,
    VaultUnavailable,
    WriteFailed,
)
from tests.disk.conftest import Disk
from tests.disk.disturbing import Displaced, EditsAt

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
    with pytest.raises(UnreadableNote, match="not on this device yet"):
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
