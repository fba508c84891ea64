"""Undo: what an operation did is taken back, and nothing that came after it is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemex_vault.errors import NotAllowed, OperationNotFound, UndoRefused
from mnemex_vault.history.steps import Change, Create, Move, Trash, Update
from mnemex_vault.text.note import etag
from tests.disk.conftest import Disk


def add(line: str) -> Callable[[str], str]:
    return lambda text: text + line


OPERATIONS: dict[str, tuple[Change, ...]] = {
    "create": (Create("new.md", "new\n"),),
    "update": (Update("a.md", add("x\n")),),
    "move": (Move("a.md", "Long/a.md"),),
    "promote": (Move("a.md", "Long/a.md"), Update("Long/a.md", add("promoted\n")), Update("b.md", add("[[Long/a]]\n"))),
    "trash": (Trash("a.md"),),
    "merge": (Create("merged.md", "one two\n"), Move("a.md", "Old/a.md"), Update("Old/a.md", add("x")), Trash("b.md")),
    "chain": (Update("a.md", add("x\n")), Update("a.md", add("y\n")), Move("a.md", "c.md"), Move("c.md", "d.md")),
}


def _without_trash(disk: Disk) -> dict[str, bytes]:
    return {name: data for name, data in disk.snapshot().items() if not name.startswith(".trash/")}


@pytest.mark.parametrize("name", OPERATIONS)
def test_undo_restores_and_undoing_that_does_it_again(disk: Disk, name: str) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    before = disk.snapshot()
    done = disk.perform(*OPERATIONS[name])
    after = _without_trash(disk)
    undone = disk.undo(done.id)
    assert _without_trash(disk) == before
    assert (undone.kind, undone.undoes) == ("undo", done.id)
    assert disk.journal.find(done.id).undone_by == undone.id
    redone = disk.undo(undone.id)
    assert _without_trash(disk) == after
    assert disk.journal.find(done.id).undone_by is None
    disk.undo(redone.id)
    assert _without_trash(disk) == before


def test_undo_of_what_is_undone_or_unknown_is_refused(disk: Disk) -> None:
    done = disk.perform(Create("a.md", "one\n"))
    disk.undo(done.id)
    with pytest.raises(NotAllowed, match="undone already"):
        disk.undo(done.id)
    with pytest.raises(OperationNotFound):
        disk.undo("op0")
    nothing = disk.perform()
    with pytest.raises(NotAllowed, match="changed nothing"):
        disk.undo(nothing.id)


@pytest.mark.parametrize("name", ["create", "update", "promote"])
def test_undo_never_takes_a_persons_edit_away(disk: Disk, name: str) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    done = disk.perform(*OPERATIONS[name])
    edited = (done.steps[-1].to or done.steps[-1].path) if name != "promote" else "Long/a.md"
    disk.put(edited, disk.text(edited) + "by hand\n")
    before = disk.snapshot()
    with pytest.raises(UndoRefused) as caught:
        disk.undo(done.id)
    assert "+by hand" in caught.value.difference
    assert caught.value.path == edited
    assert disk.snapshot() == before


def test_undo_of_a_move_takes_an_edited_note_back_with_its_edit(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    done = disk.perform(Move("a.md", "Long/a.md"))
    disk.put("Long/a.md", "one\nby hand\n")
    disk.undo(done.id)
    assert disk.snapshot() == {"a.md": b"one\nby hand\n"}


def test_undo_is_refused_where_a_note_is_gone_or_its_place_is_taken(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    moved = disk.perform(Move("a.md", "b.md"))
    disk.put("a.md", "another\n")
    with pytest.raises(UndoRefused):
        disk.undo(moved.id)
    (disk.root / "b.md").unlink()
    (disk.root / "a.md").unlink()
    with pytest.raises(UndoRefused):
        disk.undo(moved.id)
    assert disk.names() == []


def test_undo_of_a_trashed_note_works_also_when_the_trash_was_emptied(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    done = disk.perform(Trash("a.md"))
    (disk.root / ".trash/a.md").unlink()
    disk.undo(done.id)
    assert disk.snapshot() == {"a.md": b"one\n"}


def test_undo_keeps_our_own_later_bookkeeping_in_other_lines(disk: Disk) -> None:
    disk.put("a.md", "use_count: 1\n---\nold text\n")
    changed = disk.perform(Update("a.md", lambda text: text.replace("old text", "new text")))
    disk.perform(Update("a.md", lambda text: text.replace("use_count: 1", "use_count: 2")), kind="use")
    disk.undo(changed.id)
    assert disk.text("a.md") == "use_count: 2\n---\nold text\n"


def test_undo_is_refused_where_our_own_later_change_is_in_the_same_line(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    first = disk.perform(Update("a.md", lambda text: "two\n"))
    disk.perform(Update("a.md", lambda text: "three\n"))
    with pytest.raises(UndoRefused):
        disk.undo(first.id)
    assert disk.text("a.md") == "three\n"


def test_undo_of_a_save_takes_also_a_note_away_that_only_we_changed_since(disk: Disk) -> None:
    saved = disk.perform(Create("a.md", "one\n"))
    disk.perform(Update("a.md", add("used\n")), kind="use")
    undone = disk.undo(saved.id)
    assert _without_trash(disk) == {}
    disk.undo(undone.id)
    assert _without_trash(disk) == {"a.md": b"one\nused\n"}


def test_undo_is_refused_when_the_earlier_text_was_erased(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    done = disk.perform(Update("a.md", add("two\n")))
    disk.journal.purge([etag(b"one\n")])
    with pytest.raises(UndoRefused, match=done.id) as caught:
        disk.undo(done.id)
    assert "no longer kept" in caught.value.difference


def test_an_edit_while_undoing_is_kept(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    done = disk.perform(Update("a.md", add("two\n")))

    def act(step: str) -> None:
        if step == "replace: compared":
            disk.put("a.md", "by hand\n")

    disk.hook = act
    disk.reopen()
    with pytest.raises(UndoRefused):
        disk.undo(done.id)
    assert disk.text("a.md") == "by hand\n"


def test_an_edit_in_the_moment_of_undoing_a_save_keeps_the_note(disk: Disk) -> None:
    disk.put("b.md", "two\n")
    done = disk.perform(Create("a.md", "one\n"), Update("b.md", add("x")))

    def act(step: str) -> None:
        if step == "replace: parked":
            disk.put("a.md", "by hand\n")

    disk.hook = act
    disk.reopen()
    with pytest.raises(UndoRefused):
        disk.undo(done.id)
    assert disk.snapshot() == {"a.md": b"by hand\n", "b.md": b"two\nx"}


def test_of_many_notes_those_that_can_be_taken_back_are(disk: Disk) -> None:
    names = [f"{name}.md" for name in "abc"]
    for name in names:
        disk.put(name, f"{name}\n")
    done = disk.perform(*(change for name in names for change in (Update(name, add("x")), Move(name, f"Old/{name}"))))
    disk.put("Old/b.md", "by hand\n")
    undone = disk.take_back(done.id)
    assert disk.snapshot() == {"a.md": b"a.md\n", "Old/b.md": b"by hand\n", "c.md": b"c.md\n"}
    assert [error.path for error in undone.left] == ["b.md"]
    disk.undo(undone.operation.id)
    assert disk.names() == ["Old/a.md", "Old/b.md", "Old/c.md"]


def test_many_new_notes_are_taken_away_but_for_what_a_person_wrote_into(disk: Disk) -> None:
    done = disk.perform(*(Create(f"{name}.md", "one\n") for name in "abc"))
    disk.put("b.md", "by hand\n")
    undone = disk.take_back(done.id)
    assert _without_trash(disk) == {"b.md": b"by hand\n"}
    assert [error.path for error in undone.left] == ["b.md"]


def test_a_place_that_is_not_freed_holds_up_its_own_note_alone(disk: Disk) -> None:
    for name in "abc":
        disk.put(f"{name}.md", f"{name}\n")
    # one after the other moves into the place that the one before left
    done = disk.perform(Move("a.md", "Old/a.md"), Move("b.md", "a.md"), Move("c.md", "b.md"), Update("a.md", add("x")))
    disk.put("a.md", "by hand\n")
    undone = disk.take_back(done.id)
    assert disk.snapshot() == {"Old/a.md": b"a\n", "a.md": b"by hand\n", "c.md": b"c\n"}
    assert {error.path for error in undone.left} == {"a.md"}


@pytest.mark.parametrize("name", ["merge", "promote"])
def test_what_belongs_together_is_taken_back_as_a_whole_or_not_at_all(disk: Disk, name: str) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    done = disk.perform(*OPERATIONS[name])
    disk.put("Old/a.md" if name == "merge" else "b.md", "by hand\n")
    before = disk.snapshot()
    with pytest.raises(UndoRefused):
        disk.undo(done.id)
    assert disk.snapshot() == before
