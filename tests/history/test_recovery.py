"""What is left after the process died at any step, and what recovery makes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk import native
from mnemex_vault.disk.files import Files
from mnemex_vault.disk.native import StepHook, no_hook
from mnemex_vault.disk.paths import PathRule
from mnemex_vault.disk.safeguards import TempName, writing_name
from mnemex_vault.history.recovery import recover
from mnemex_vault.history.steps import Change, Create, Move, Trash, Update
from tests.disk.conftest import NOW, Disk
from tests.disk.disturbing import across, save_as_editor

CrashPoints = Callable[[Callable[[StepHook], object]], Iterator[int]]


MEANS: dict[str, dict[str, Any]] = {
    "best": {},
    "links": {"exchange": native.exchange_by_link, "rename": native.rename_by_link},
    "copies": {"exchange": native.exchange_by_copy, "rename": native.rename_by_claim},
    "across": {"rename": across},
}

OPERATIONS: dict[str, tuple[Change, ...]] = {
    "save": (Create("New/new.md", "new\n"),),
    "import": tuple(Create(f"New/{number}.md", f"{number}\n") for number in range(12)),
    "update": (Update("a.md", lambda text: text + "x\n"),),
    "promote": (
        Move("a.md", "Long/a.md"),
        Update("Long/a.md", lambda text: text + "promoted\n"),
        Update("b.md", lambda text: text + "[[Long/a]]\n"),
    ),
    "trash": (Trash("a.md"),),
    "many moves": (
        Move("a.md", "X/0.md"),
        *(Move(f"X/{number}.md", f"X/{number + 1}.md") for number in range(5)),
        Update("X/5.md", lambda text: text + "x\n"),
        Move("X/5.md", "Y/6.md"),
        *(Move(f"Y/{number}.md", f"Y/{number + 1}.md") for number in range(6, 10)),
        Trash("b.md"),
    ),
    "merge": (
        Create("merged.md", "one two\n"),
        Update("a.md", lambda text: text + "x\n"),
        Move("a.md", "Old/a.md"),
        Move("b.md", "Old/b.md"),
    ),
}
BEFORE = {"a.md": b"one\n", "b.md": b"two\n"}


def start(disk: Disk) -> None:
    for name in disk.names():
        (disk.root / name).unlink()
    for name, data in BEFORE.items():
        disk.put(name, data)


def finished(disk: Disk, operation: str) -> dict[str, bytes]:
    start(disk)
    disk.perform(*OPERATIONS[operation])
    return disk.snapshot()


@pytest.mark.slow
@pytest.mark.row("A1", "A2", "A3")
@pytest.mark.parametrize(
    ("operation", "means"),
    [
        *((operation, "best") for operation in OPERATIONS),
        *((operation, means) for operation in ("save", "import", "update", "trash") for means in ("links", "copies")),
        ("merge", "across"),
    ],
)
def test_after_a_death_at_any_step_the_operation_is_whole_or_absent(
    disk: Disk, crash_points: CrashPoints, operation: str, means: str
) -> None:
    disk.means = MEANS[means]
    disk.reopen()
    after = finished(disk, operation)
    start(disk)

    def work(hook: StepHook) -> None:
        disk.hook = hook
        disk.reopen()
        disk.perform(*OPERATIONS[operation])

    deaths = 0
    for _ in crash_points(work):
        deaths += 1
        disk.reopen()
        recover(disk.vault, disk.journal, now=NOW)
        assert disk.snapshot() in (BEFORE, after)
        assert disk.journal.unfinished() == []
        if disk.snapshot() == after:
            assert disk.journal.history(1)[0].complete
        assert recover(disk.vault, disk.journal, now=NOW) == []
        assert disk.snapshot() in (BEFORE, after)
        start(disk)
    assert deaths >= 3


@pytest.mark.slow
@pytest.mark.row("A5")
@pytest.mark.parametrize("operation", ["update", "promote"])
def test_a_death_during_recovery_changes_nothing_about_its_result(
    disk: Disk, crash_points: CrashPoints, in_child: Callable[..., int], operation: str
) -> None:
    after = finished(disk, operation)
    start(disk)

    def work(hook: StepHook) -> None:
        disk.hook = hook
        disk.reopen()
        disk.perform(*OPERATIONS[operation])

    def recovery(hook: StepHook) -> None:
        disk.hook = hook
        disk.reopen()
        recover(disk.vault, disk.journal, now=NOW)

    def recover_dying() -> int:
        for at in range(200):
            if in_child(lambda at=at: recovery(_DieAt(at))) == 0:
                return at
        raise AssertionError("recovery never came to its end")

    for _ in crash_points(work):
        recover_dying()
        disk.reopen()
        assert disk.snapshot() in (BEFORE, after)
        assert disk.journal.unfinished() == []
        start(disk)


class _DieAt:
    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, step: str) -> None:
        if self.left == 0:
            os._exit(77)
        self.left -= 1


@pytest.mark.row("A9")
@pytest.mark.parametrize("means", ["best", "links", "copies"])
@pytest.mark.parametrize(
    "moment", ["replace: compared", "replace: exchanged", "foreign version found", "exchanged back"]
)
@pytest.mark.parametrize("style", ["in place", "by rename"])
def test_a_persons_save_in_the_moment_of_death_is_in_sight_afterwards(
    disk: Disk, in_child: Callable[..., int], means: str, moment: str, style: str
) -> None:
    """A save right before the exchange, and the death at each step after that."""
    disk.means = MEANS[means]
    disk.put("Folder/a.md", "one\n")

    def act(step: str) -> None:
        if step == "replace: compared":
            save_as_editor(disk, "Folder/a.md", "by hand\n", style)
        if step == moment:
            os._exit(77)

    def work() -> None:
        disk.hook = act
        disk.reopen()
        disk.perform(Update("Folder/a.md", lambda text: text + "ours\n"))

    assert in_child(work) == 77
    disk.reopen()
    recover(disk.vault, disk.journal, now=NOW)
    assert disk.snapshot() == {"Folder/a.md": b"by hand\n"}
    assert recover(disk.vault, disk.journal, now=NOW) == []


@pytest.mark.row("A9")
def test_a_save_after_the_death_is_kept_beside_the_one_before(disk: Disk, in_child: Callable[..., int]) -> None:
    disk.put("a.md", "one\n")

    def act(step: str) -> None:
        if step == "replace: compared":
            disk.put("a.md", "by hand\n")
        if step == "replace: exchanged":
            os._exit(77)

    def work() -> None:
        disk.hook = act
        disk.reopen()
        disk.perform(Update("a.md", lambda text: text + "ours\n"))

    assert in_child(work) == 77
    disk.put("a.md", "by hand, later\n")
    disk.reopen()
    (recovered, closed) = recover(disk.vault, disk.journal, now=NOW)
    assert (recovered.what, closed.what) == ("text", "rolled back")
    assert sorted(disk.snapshot().values()) == [b"by hand\n", b"by hand, later\n"]
    assert "conflicted copy" in recovered.paths[0]
    assert disk.text(recovered.paths[0]) == "by hand\n"
    assert [path for path, _ in disk.vault.conflict_copies()] == list(recovered.paths)
    assert recover(disk.vault, disk.journal, now=NOW) == []


def test_a_death_while_a_copy_is_put_in_sight_does_not_make_two(disk: Disk, crash_points: CrashPoints) -> None:
    name = TempName.of("a.md", old=b"one\n", new=b"two\n").fresh()

    def arrange() -> None:
        start(disk)
        disk.put("a.md", "later\n")
        os.utime(disk.put(name, "by hand\n"), (1_000_000, 1_000_000))

    def work(hook: StepHook) -> None:
        disk.hook = hook
        disk.reopen()
        recover(disk.vault, disk.journal, now=NOW)

    arrange()
    for _ in crash_points(work):
        disk.reopen()
        recover(disk.vault, disk.journal, now=NOW)
        assert disk.snapshot() == {
            "a.md": b"later\n",
            "b.md": b"two\n",
            "a (conflicted copy 1970-01-12 134640).md": b"by hand\n",
        }
        arrange()


def test_different_texts_of_one_moment_get_names_of_their_own(disk: Disk) -> None:
    for number in range(3):
        name = TempName.of("a.md", old=b"one\n", new=b"two\n").fresh()
        os.utime(disk.put(f"F/{name}", f"by hand {number}\n"), (1_000_000, 1_000_000))
    disk.put("F/a.md", "later\n")
    assert len(recover(disk.vault, disk.journal, now=NOW)) == 3
    assert sorted(disk.snapshot().values()) == [b"by hand 0\n", b"by hand 1\n", b"by hand 2\n", b"later\n"]
    assert len(list(disk.vault.conflict_copies())) == 3


def test_a_text_whose_note_is_unknown_is_put_in_sight_all_the_same(disk: Disk) -> None:
    disk.put(TempName.of("a.md", old=b"one\n", new=b"two\n").fresh(), "by hand\n")
    (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert recovered.paths[0].startswith("Recovered note (conflicted copy")
    assert disk.text(recovered.paths[0]) == "by hand\n"


def test_a_removal_that_was_cut_off_after_a_save_gives_the_note_back(disk: Disk, in_child: Callable[..., int]) -> None:
    """Rolling back a new note that someone is editing: the death comes between the two renames."""
    disk.put("b.md", "two\n")

    def act(step: str) -> None:
        if step == "replace: compared":
            raise ZeroDivisionError
        if step == "remove: renamed":
            (temp,) = [name for name in disk.names() if TempName.parse(name)]
            disk.put(temp, "by hand\n")
            os._exit(77)

    def work() -> None:
        disk.hook = act
        disk.reopen()
        disk.perform(Create("a.md", "one\n"), Update("b.md", lambda text: text + "!"))

    assert in_child(work) == 77
    disk.reopen()
    recover(disk.vault, disk.journal, now=NOW)
    assert disk.snapshot() == {"a.md": b"by hand\n", "b.md": b"two\n"}


def test_a_text_that_never_was_a_note_is_swept_to_the_journal(disk: Disk) -> None:
    disk.put(f"F/{writing_name()}", "half a te")
    disk.put("F/a.md", "one\n")
    assert recover(disk.vault, disk.journal, now=NOW) == []
    assert disk.snapshot() == {"F/a.md": b"one\n"}
    assert [path.read_bytes() for path in (disk.state / "journal" / "images").iterdir()] == [b"half a te"]


def test_an_operation_cut_off_and_then_edited_by_hand_stands_in_part(disk: Disk, in_child: Callable[..., int]) -> None:
    start(disk)

    def act(step: str) -> None:
        if step == "move: flushed":
            os._exit(77)

    def work() -> None:
        disk.hook = act
        disk.reopen()
        disk.perform(*OPERATIONS["promote"])

    assert in_child(work) == 77
    disk.put("Long/a.md", "one\nby hand\n")
    disk.reopen()
    (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert recovered.what == "partial"
    assert disk.text("Long/a.md") == "one\nby hand\n"
    (operation,) = disk.journal.history()
    assert [step.kind for step in operation.steps] == ["move"]
    disk.undo(operation.id)
    assert disk.text("a.md") == "one\nby hand\n"


def test_what_the_disk_refuses_now_waits_for_the_next_start(
    public: Path, as_nobody: Callable[[], Any], in_child: Callable[..., int]
) -> None:
    temp = TempName.of("a.md", old=b"one\n", new=b"two\n").fresh()

    def start_as_nobody() -> Disk:
        (public / "state").mkdir(exist_ok=True)
        return Disk(public / "vault", public / "state")

    (public / "vault" / "closed").mkdir(parents=True)
    (public / "vault" / "closed" / "a.md").write_text("later\n")
    (public / "vault" / "closed" / temp).write_text("by hand\n")
    (public / "vault" / temp).write_text("by hand as well\n")
    for path in (public / "vault").rglob("*"):
        path.chmod(0o777)
    (public / "vault").chmod(0o777)
    (public / "vault" / "closed").chmod(0o555)
    with as_nobody():
        disk = start_as_nobody()
        (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert disk.text(recovered.paths[0]) == "by hand as well\n"
    assert (public / "vault" / "closed" / temp).read_text() == "by hand\n"
    (public / "vault" / "closed").chmod(0o777)
    with as_nobody():
        assert len(recover(disk.vault, disk.journal, now=NOW)) == 1
        assert recover(disk.vault, disk.journal, now=NOW) == []


def test_the_way_of_a_note_into_the_trash_is_found_again(disk: Disk, in_child: Callable[..., int]) -> None:
    disk.put(".trash/a.md", "another\n")
    disk.put("a.md", "one\n")

    def act(step: str) -> None:
        if step == "journal: finished":
            raise AssertionError("it was to die before")

    def die_once_trashed() -> None:
        disk.hook = act
        disk.reopen()
        disk.vault.trashed = Files(disk.root, rule=PathRule(hidden=(".trash",)), hook=die_after_move)
        disk.perform(Trash("a.md"))

    def die_after_move(step: str) -> None:
        if step == "move: flushed":
            os._exit(77)

    assert in_child(die_once_trashed) == 77
    disk.hook = no_hook
    disk.reopen()
    (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert (recovered.what, recovered.paths) == ("completed", ("a.md", ".trash/a 2.md"))
    disk.undo(recovered.operation_id or "")
    assert disk.snapshot() == {".trash/a.md": b"another\n", "a.md": b"one\n"}


# late writes into a displaced file
