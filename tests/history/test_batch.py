"""Many notes moved in one operation: their folders are flushed once each, and nothing counts as done before."""

from __future__ import annotations

import errno
import os
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from mnemex_vault.disk import native
from mnemex_vault.disk.batch import Batch
from mnemex_vault.errors import NoteExists, WriteFailed
from mnemex_vault.history.journal import Step
from mnemex_vault.history.recovery import recover
from mnemex_vault.history.steps import Change, Move, Trash
from mnemex_vault.text.note import etag
from tests.disk.conftest import NOW, Disk

MANY = 40


def moves(disk: Disk) -> list[Change]:
    for number in range(MANY):
        disk.put(f"A/{number}.md", f"{number}\n")
    return [Move(f"A/{number}.md", f"B/{number}.md") for number in range(MANY)]


def folder_of(fd: int) -> str:
    return Path(f"/proc/self/fd/{fd}").readlink().name


def held_open() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_each_folder_of_many_moves_is_flushed_once_and_before_the_end_is_written_down(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [*moves(disk), *(Trash(f"B/{number}.md") for number in range(MANY))]
    (disk.root / "B").mkdir()
    events: list[str] = []
    real = native.sync

    def sync(fd: int) -> None:
        events.append(folder_of(fd))
        real(fd)

    disk.hook = events.append
    disk.reopen()
    monkeypatch.setattr(native, "sync", sync)
    disk.perform(*steps)
    after_begin = events[events.index("journal: begun") :]
    flushed = Counter(event for event in after_begin if event in ("A", "B", ".trash", "vault"))
    # the vault's own folder for `.trash`, which is new
    assert flushed == {"A": 1, "B": 1, ".trash": 1, "vault": 1}
    end = after_begin.index("journal: finished")
    assert all(after_begin.index(name) < end for name in flushed)


def test_many_moves_whose_flush_fails_are_taken_back(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = moves(disk)
    before = disk.snapshot()
    real, failures = native.sync, iter([True])

    def sync(fd: int) -> None:
        if folder_of(fd) == "B" and next(failures, False):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(fd)

    (disk.root / "B").mkdir()
    monkeypatch.setattr(native, "sync", sync)
    with pytest.raises(WriteFailed):
        disk.perform(*steps)
    assert disk.snapshot() == before
    assert disk.journal.operations()[0].outcome == "rolled back"


def test_many_moves_refuse_twins_also_of_each_other_and_free_the_names_they_leave(disk: Disk) -> None:
    steps = moves(disk)
    disk.put("C/tea.md", "tea\n")
    disk.put("D/TEA.md", "another\n")
    before = disk.snapshot()
    with pytest.raises(NoteExists):
        disk.perform(*steps, Move("C/tea.md", "B/tea.md"), Move("D/TEA.md", "B/TEA.md"))
    assert disk.snapshot() == before
    disk.perform(
        *steps,
        Move("C/tea.md", "B/tea.md"),
        Move("B/tea.md", "E/tea.md"),
        Move("D/TEA.md", "B/TEA.md"),
        Move("E/tea.md", "E/Tea.md"),
    )
    assert disk.snapshot()["B/TEA.md"] == b"another\n"
    assert disk.snapshot()["E/Tea.md"] == b"tea\n"


def test_a_failure_in_the_midst_of_many_moves_takes_them_back(disk: Disk) -> None:
    steps = moves(disk)
    before = disk.snapshot()
    made = count()

    def act(step: str) -> None:
        if step == "move: renamed" and next(made) == 20:
            disk.put("B/30.md", "in the way\n")

    disk.hook = act
    disk.reopen()
    with pytest.raises(NoteExists):
        disk.perform(*steps)
    assert disk.snapshot() == {**before, "B/30.md": b"in the way\n"}


@pytest.mark.parametrize("kept", ["first", "last"])
@pytest.mark.parametrize("kind", ["move", "trash"])
def test_a_power_cut_that_kept_one_of_many_moves_leaves_all_notes_where_they_were(
    disk: Disk, kind: str, kept: str
) -> None:
    moves(disk)
    before = disk.snapshot()
    target = "B" if kind == "move" else ".trash"

    def step(number: int) -> Step:
        path, tag = f"A/{number}.md", etag(f"{number}\n".encode())
        if kind == "move":
            return Step("move", path, f"B/{number}.md", before=tag, after=tag)
        return Step("trash", path, before=tag)

    texts = [f"{number}\n".encode() for number in range(MANY)]
    disk.journal.begin("test", map(step, range(MANY)), now=NOW, actor="me", summary="cut", texts=texts)
    number = 0 if kept == "first" else MANY - 2
    (disk.root / target).mkdir()
    (disk.root / f"A/{number}.md").rename(disk.root / f"{target}/{number}.md")
    (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert recovered.what == "rolled back"
    assert disk.snapshot() == before


def test_folders_beyond_what_is_held_open_are_flushed_on_the_way(tmp_path: Path) -> None:
    batch = Batch()
    before = held_open()
    for number in range(100):
        (tmp_path / str(number)).mkdir()
        folder = os.open(tmp_path / str(number), native.FOLDER_FLAGS)
        batch.changed(folder)
        os.close(folder)
    assert held_open() - before < 50
    batch.close()
    assert held_open() == before
