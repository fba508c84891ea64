"""An operation that fails or is interrupted takes back what it did, and says truthfully what it could not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemex_vault.errors import UndoRefused, WriteFailed
from mnemex_vault.history.steps import Create, Move, Trash, Update
from mnemex_vault.text.note import etag
from tests.disk.conftest import Disk


def add(line: str) -> Callable[[str], str]:
    return lambda text: text + line


def _failing_at(disk: Disk, step: str, act: Callable[[], object]) -> None:
    """Let something happen and then the disk fail, once, in the moment after a step."""
    done = False

    def hook(name: str) -> None:
        nonlocal done
        if name == step and not done:
            done = True
            act()
            raise OSError(5, "the disk is broken")

    disk.hook = hook
    disk.reopen()


def test_a_new_note_that_someone_deleted_meanwhile_needs_no_taking_back(disk: Disk) -> None:
    disk.put("b.md", "two\n")
    _failing_at(disk, "replace: compared", (disk.root / "a.md").unlink)
    with pytest.raises(WriteFailed):
        disk.perform(Create("a.md", "one\n"), Update("b.md", add("x")))
    assert disk.snapshot() == {"b.md": b"two\n"}
    assert disk.journal.history() == []


def test_a_trashed_note_is_brought_back_from_its_text_when_the_trash_was_emptied(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    _failing_at(disk, "replace: compared", (disk.root / ".trash/a.md").unlink)
    with pytest.raises(WriteFailed):
        disk.perform(Trash("a.md"), Update("b.md", add("x")))
    assert disk.snapshot() == {"a.md": b"one\n", "b.md": b"two\n"}


def test_what_cannot_be_taken_back_is_told_truthfully(disk: Disk) -> None:
    for name in ("a.md", "b.md", "c.md"):
        disk.put(name, f"{name}\n")

    def lose_everything() -> None:
        (disk.root / ".trash/a.md").unlink()
        disk.journal.purge([etag(b"a.md\n"), etag(b"b.md\n")])

    _failing_at(disk, "replace: compared", lambda: None)
    armed = disk.hook

    def only_for_c(step: str) -> None:
        if disk.text("b.md") != "b.md\n":
            if step == "replace: compared":
                lose_everything()
            armed(step)

    disk.hook = only_for_c
    disk.reopen()
    with pytest.raises(WriteFailed):
        disk.perform(Trash("a.md"), Update("b.md", add("x")), Update("c.md", add("x")))
    (operation,) = disk.journal.history()
    assert (operation.outcome, [step.path for step in operation.steps]) == ("partial", ["a.md", "b.md"])
    assert disk.text("b.md") == "b.md\nx"


@pytest.mark.parametrize("moment", ["replace: parked", "create: flushed", "move: flushed"])
def test_an_interruption_after_a_step_takes_that_step_back_too(disk: Disk, moment: str) -> None:
    before = {"a.md": b"one\n", "b.md": b"two\n"}
    for path, data in before.items():
        disk.put(path, data)
    interrupted = False

    def act(step: str) -> None:
        nonlocal interrupted
        if step == moment and not interrupted:
            interrupted = True
            raise KeyboardInterrupt

    disk.hook = act
    disk.reopen()
    with pytest.raises(KeyboardInterrupt):
        disk.perform(Create("new.md", "x"), Update("a.md", add("y")), Move("b.md", "c.md"))
    assert disk.snapshot() == before
    assert disk.journal.history() == []


def test_an_interruption_after_the_last_step_leaves_no_half_truth(disk: Disk) -> None:
    disk.put("a.md", "one\n")

    def act(step: str) -> None:
        if step == "journal: finished":
            raise KeyboardInterrupt

    disk.hook = act
    disk.reopen()
    with pytest.raises(KeyboardInterrupt):
        disk.perform(Update("a.md", add("two\n")))
    (operation,) = disk.journal.history()
    assert operation.complete
    assert disk.text("a.md") == "one\ntwo\n"


def test_no_step_may_be_journalled_by_a_state_folder_that_is_gone(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    (disk.state / "journal").rename(disk.state / "away")
    with pytest.raises(WriteFailed):
        disk.perform(Update("a.md", add("two\n")))
    assert disk.snapshot() == {"a.md": b"one\n"}


def test_the_difference_is_cut_when_it_is_long(disk: Disk) -> None:
    disk.put("a.md", "line\n" * 1_000)
    done = disk.perform(Update("a.md", lambda text: text.replace("line", "other")))
    disk.put("a.md", "by hand\n" * 1_000)
    with pytest.raises(UndoRefused) as caught:
        disk.undo(done.id)
    assert caught.value.difference.endswith("more lines")
    assert len(caught.value.difference.splitlines()) == 201
