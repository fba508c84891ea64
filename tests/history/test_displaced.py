"""Displaced versions are looked at again: what an editor wrote into one is put in sight."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemex_vault.history.recovery import recheck_parked, recover
from mnemex_vault.history.steps import Update
from tests.disk.conftest import NOW, Disk


@pytest.mark.row("E3")
def test_what_an_editor_writes_into_the_displaced_file_is_put_in_sight_once(disk: Disk) -> None:
    path = disk.put("F/a.md", "one\n")
    with path.open("r+") as editor:
        disk.perform(Update("F/a.md", lambda text: text + "ours\n"))
        assert recheck_parked(disk.vault, disk.journal, now=NOW) == []
        editor.write("by hand\n")
    (recovered,) = recheck_parked(disk.vault, disk.journal, now=NOW)
    assert recovered.what == "text"
    assert disk.text(recovered.paths[0]) == "by hand\n"
    assert disk.text("F/a.md") == "one\nours\n"
    assert recheck_parked(disk.vault, disk.journal, now=NOW) == []
    disk.reopen()
    assert recover(disk.vault, disk.journal, now=NOW) == []


@pytest.mark.row("E3")
def test_a_late_write_is_found_at_the_next_start(disk: Disk) -> None:
    path = disk.put("a.md", "one\n")
    with path.open("r+") as editor:
        disk.perform(Update("a.md", lambda text: text + "ours\n"))
        disk.reopen()
        editor.write("by hand\n")
    (recovered,) = recover(disk.vault, disk.journal, now=NOW)
    assert disk.text(recovered.paths[0]) == "by hand\n"


def test_a_late_write_of_what_the_note_says_anyway_is_no_conflict(disk: Disk) -> None:
    path = disk.put("a.md", "one\n")
    with path.open("r+") as editor:
        disk.perform(Update("a.md", lambda text: text + "ours\n"))
        editor.write("one\nours\n")
    assert recheck_parked(disk.vault, disk.journal, now=NOW) == []
    assert disk.names() == ["a.md"]


def test_a_displaced_file_that_is_only_cut_to_nothing_is_waited_for(disk: Disk) -> None:
    path = disk.put("a.md", "one\n")
    with path.open("r+") as editor:
        disk.perform(Update("a.md", lambda text: text + "ours\n"))
        editor.truncate(0)
        assert recheck_parked(disk.vault, disk.journal, now=NOW) == []
        editor.write("by hand\n")
    assert len(recheck_parked(disk.vault, disk.journal, now=NOW)) == 1


def test_the_late_text_of_a_note_that_is_gone_is_put_in_sight(disk: Disk) -> None:
    path = disk.put("F/a.md", "one\n")
    with path.open("r+") as editor:
        disk.perform(Update("F/a.md", lambda text: text + "ours\n"))
        path.unlink()
        editor.write("by hand\n")
    (recovered,) = recheck_parked(disk.vault, disk.journal, now=NOW)
    assert disk.snapshot() == {recovered.paths[0]: b"by hand\n"}


def test_displaced_files_are_let_go_after_a_minute_but_their_texts_stay(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    done = disk.perform(Update("a.md", lambda text: text + "ours\n"))
    parked = disk.state / "journal" / "parked"
    assert len(list(parked.iterdir())) == 2
    recheck_parked(disk.vault, disk.journal, now=NOW.replace(year=2000))
    assert len(list(parked.iterdir())) == 2
    recheck_parked(disk.vault, disk.journal, now=NOW + timedelta(days=3_650))
    assert list(parked.iterdir()) == []
    disk.undo(done.id)
    assert disk.text("a.md") == "one\n"
