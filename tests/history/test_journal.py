from __future__ import annotations

import os
import stat
from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.errors import OperationNotFound
from mnemex_vault.history.journal import Journal, Operation, Step, departures, trace
from mnemex_vault.history.recovery import recover
from mnemex_vault.history.steps import Create, Move, Trash, Update
from mnemex_vault.text.note import etag
from tests.disk.conftest import NOW, Disk


def test_history_is_told_newest_first_and_by_actor(disk: Disk) -> None:
    first = disk.perform(Create("a.md", "one\n"), actor="me")
    second = disk.perform(Create("b.md", "two\n"), actor="you")
    third = disk.perform(Create("c.md", "three\n"), actor="me")
    ids = [operation.id for operation in disk.journal.history()]
    assert ids == [third.id, second.id, first.id]
    assert [operation.id for operation in disk.journal.history(1)] == [third.id]
    assert [operation.id for operation in disk.journal.history(None, actor="me")] == [third.id, first.id]


def test_every_process_sees_what_the_others_did(disk: Disk) -> None:
    other = Journal(disk.state / "journal")
    done = disk.perform(Create("a.md", "one\n"))
    assert other.find(done.id) == done
    with pytest.raises(OperationNotFound):
        other.find("op0")


def test_ids_are_not_given_twice(disk: Disk) -> None:
    ids = iter(["op1", "op1", "op1", "op2"])
    disk.journal = Journal(disk.state / "journal", new_id=lambda: next(ids))
    assert disk.perform(Create("a.md", "one\n")).id == "op1"
    assert disk.perform(Create("b.md", "two\n")).id == "op2"


def test_everything_in_the_state_folder_is_for_its_owner_only(disk: Disk) -> None:
    before = os.umask(0)
    try:
        disk.reopen()
        disk.perform(Create("a.md", "one\n"))
        disk.perform(Update("a.md", lambda text: text + "two\n"))
    finally:
        os.umask(before)
    for path in (disk.state / "journal").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_uses_of_finished_operations_are_known_as_written(disk: Disk) -> None:
    begun = disk.journal.begin("use", [], now=NOW, actor="me", summary="", uses=["u1", "u2"])
    assert disk.journal.written_uses() == frozenset()
    disk.journal.finish(begun.id, "done", [])
    lost = disk.journal.begin("use", [], now=NOW, actor="me", summary="", uses=["u3"])
    disk.journal.finish(lost.id, "rolled back", [])
    assert disk.journal.written_uses() == {"u1", "u2"}


def test_the_versions_of_a_note_are_known_under_all_its_names(disk: Disk) -> None:
    disk.perform(Create("a.md", "one\n"))
    disk.perform(Update("a.md", lambda text: "two\n"))
    disk.perform(Move("a.md", "B/b.md"), Update("B/b.md", lambda text: "three\n"))
    disk.perform(Create("other.md", "four\n"))
    assert trace(disk.journal.operations(), ["B/b.md"]).etags == {
        etag(text) for text in (b"one\n", b"two\n", b"three\n")
    }
    assert trace(disk.journal.operations(), ["unknown.md"]).etags == frozenset()


def test_purge_erases_texts_everywhere_in_the_state_folder(disk: Disk) -> None:
    disk.put("a.md", "secret\n")
    disk.perform(Update("a.md", lambda text: "clean\n"))
    disk.put("b.md", "other\n")
    disk.perform(Trash("b.md"))
    assert disk.journal.purge(trace(disk.journal.operations(), ["a.md"]).etags) == 1
    assert disk.journal.image(etag(b"secret\n")) is None
    assert disk.journal.image(etag(b"other\n")) == b"other\n"
    left = [path.read_bytes() for path in (disk.state / "journal").rglob("*") if path.is_file()]
    assert not any(b"secret" in data for data in left)


def _updates(disk: Disk, number: int, *, size: int = 1) -> list[Operation]:
    disk.put("a.md", "start")
    return [disk.perform(Update("a.md", _becoming(f"{n}" * size))) for n in range(number)]


def _becoming(text: str) -> Callable[[str], str]:
    return lambda _: text


def test_prune_forgets_what_is_too_old(disk: Disk) -> None:
    operations = _updates(disk, 3)
    assert disk.journal.prune(now=NOW + timedelta(days=7), max_age=timedelta(days=7), max_bytes=10**9) == 0
    assert disk.journal.prune(now=NOW + timedelta(days=8), max_age=timedelta(days=7), max_bytes=10**9) == 3
    assert disk.journal.history() == []
    assert list((disk.state / "journal" / "images").iterdir()) == []
    with pytest.raises(OperationNotFound):
        disk.undo(operations[0].id)


def test_prune_forgets_the_oldest_while_texts_take_too_much(disk: Disk) -> None:
    operations = _updates(disk, 6, size=1_000)
    assert disk.journal.prune(now=NOW, max_age=timedelta(days=7), max_bytes=3_500) == 3
    assert [each.id for each in disk.journal.history()] == [each.id for each in reversed(operations[3:])]
    assert sum(disk.journal.images.sizes().values()) <= 3_500
    disk.undo(operations[-1].id)
    other = Journal(disk.state / "journal")
    assert other.history(1)[0].undoes == operations[-1].id
    assert len(other.history(None)) == 4


def test_prune_keeps_an_operation_that_is_not_finished(disk: Disk) -> None:
    begun = disk.journal.begin("x", [Step("create", "a.md", after="0" * 32)], now=NOW, actor="me", summary="")
    assert disk.journal.prune(now=NOW + timedelta(days=99), max_age=timedelta(days=1), max_bytes=0) == 0
    assert [operation.id for operation in disk.journal.unfinished()] == [begun.id]


def test_records_of_an_unknown_operation_are_passed_over(disk: Disk) -> None:
    with pytest.raises(OperationNotFound):
        disk.journal.finish("op0", "done", [])
    disk.journal.step("op0", 0, Step("create", "a.md"))
    begun = disk.journal.begin("x", [], now=NOW, actor="me", summary="")
    disk.journal.step(begun.id, 5, Step("create", "a.md"))
    assert disk.journal.find(begun.id).steps == ()


@pytest.mark.row("T3")
def test_a_journal_cut_at_any_byte_still_serves_and_invents_nothing(disk: Disk) -> None:
    done = [disk.perform(Create(f"{name}.md", f"{name}\n")) for name in "abcd"]
    log = disk.state / "journal" / "operations.log"
    notes, whole = disk.snapshot(), log.read_bytes()

    @settings(max_examples=settings().max_examples)
    @given(cut=st.integers(0, len(whole)))
    def check(cut: int) -> None:
        log.write_bytes(whole[:cut])
        disk.reopen()
        recover(disk.vault, disk.journal, now=NOW)
        assert disk.snapshot() == notes
        assert disk.journal.unfinished() == []
        history = list(reversed(disk.journal.history()))
        assert history == done[: len(history)]

    check()
    disk.perform(Create("new.md", "new\n"))
    assert disk.journal.history(1)[0].steps[0].path == "new.md"


def test_an_operation_of_ours_is_told_from_a_persons_edit(disk: Disk) -> None:
    disk.perform(Create("a.md", "one\n"))
    assert disk.journal.left(etag(b"one\n"))
    assert not disk.journal.left(etag(b"by hand\n"))


ONE, TWO = etag(b"one\n"), etag(b"one\ntwo\n")


def test_what_was_moved_or_trashed_is_gone_until_it_is_put_back(disk: Disk) -> None:
    disk.perform(Create("a.md", "one\n"), Create("b.md", "one\n"))
    moved = disk.perform(Move("a.md", "A/a.md"))
    trashed = disk.perform(Trash("b.md"))
    assert departures(disk.journal) == {"a.md": {ONE}, "b.md": {ONE}}
    disk.undo(trashed.id)
    disk.undo(moved.id)
    assert {path for path in departures(disk.journal) if not path.startswith(".trash/")} == {"A/a.md"}
    disk.perform(Create("A/a.md", "anew\n"))
    assert "A/a.md" not in departures(disk.journal)


def test_every_version_that_an_operation_saw_of_a_note_counts(disk: Disk) -> None:
    disk.perform(Create("a.md", "one\n"))
    disk.perform(Update("a.md", lambda text: text + "two\n"), Trash("a.md"))
    assert departures(disk.journal) == {"a.md": {ONE, TWO}}


def test_an_operation_counts_while_it_is_under_way_and_not_when_it_was_taken_back(disk: Disk) -> None:
    steps = disk.perform(Create("a.md", "one\n"), Move("a.md", "b.md")).steps
    begun = disk.journal.begin("test", steps[1:], now=NOW, actor="me", summary="")
    assert "a.md" in departures(disk.journal)
    disk.journal.finish(begun.id, "rolled back", [])
    disk.perform(Move("b.md", "a.md"))
    assert "a.md" not in departures(disk.journal)
