"""What the system refuses leaves the old note, and no temporary file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from resource import RLIMIT_FSIZE, RLIMIT_NOFILE, getrlimit, setrlimit
from signal import SIG_IGN, SIGXFSZ, signal
from typing import Any

import pytest

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.paths import PathRule
from mnemex_vault.errors import PathOutsideVault, UnreadableNote, WriteFailed
from tests.disk.conftest import Disk
from tests.disk.disturbing import STEPS_BEFORE, Displaced, Fails


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
