from __future__ import annotations

from mnemex_vault.history.steps import Create, Move, Trash, Update
from mnemex_vault.history.trace import departures
from mnemex_vault.text.encoding import etag
from tests.disk.conftest import NOW, Disk

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
