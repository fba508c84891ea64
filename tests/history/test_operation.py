from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from resource import RLIMIT_FSIZE, setrlimit
from signal import SIG_IGN, SIGXFSZ, signal

import pytest

from mnemex_vault.errors import (
    InvalidInput,
    NoteChanged,
    NoteExists,
    NoteNotFound,
    PathOutsideVault,
    UnreadableNote,
    WriteFailed,
)
from mnemex_vault.history import operation
from mnemex_vault.history.steps import Change, Create, Move, Trash, Update
from mnemex_vault.text.note import etag
from tests.disk.conftest import NOW, Disk


def add(line: str) -> Callable[[str], str]:
    return lambda text: text + line


def test_an_operation_is_done_and_journalled(disk: Disk) -> None:
    done = disk.perform(Create("A/a.md", "one\n"), kind="save")
    assert disk.snapshot() == {"A/a.md": b"one\n"}
    assert (done.complete, done.kind, done.actor, done.summary) == (True, "save", "me", "a test")
    (step,) = done.steps
    assert (step.kind, step.path, step.before, step.after) == ("create", "A/a.md", None, etag(b"one\n"))
    assert disk.journal.find(done.id) == done


def test_later_steps_see_what_earlier_ones_left(disk: Disk) -> None:
    done = disk.perform(
        Create("a.md", "one\n"), Update("a.md", add("two\n")), Move("a.md", "B/b.md"), Update("B/b.md", add("three\n"))
    )
    assert disk.snapshot() == {"B/b.md": b"one\ntwo\nthree\n"}
    disk.perform(Trash("B/b.md"), Create("B/b.md", "anew\n"))
    assert disk.snapshot() == {"B/b.md": b"anew\n", ".trash/b.md": b"one\ntwo\nthree\n"}
    assert done.complete


def test_line_endings_and_byte_order_mark_reach_the_change_as_they_are(disk: Disk) -> None:
    disk.put("a.md", "\ufeffone\r\n".encode())
    disk.perform(Update("a.md", add("two\r\n")))
    assert (disk.root / "a.md").read_bytes() == "\ufeffone\r\ntwo\r\n".encode()


def test_many_new_notes_in_several_folders_are_one_operation_that_undo_takes_back(disk: Disk) -> None:
    folders = ("A",) * 15 + ("B",) * 3 + ("A",) * 11
    steps = [Create(f"{folder}/{number}.md", f"{number}\n") for number, folder in enumerate(folders)]
    disk.put("a.md", "one\n")
    done = disk.perform(*steps[:20], Update("a.md", add("two\n")), *steps[20:])
    assert disk.snapshot() == {"a.md": b"one\ntwo\n", **{step.path: step.text.encode() for step in steps}}
    assert len(disk.journal.find(done.id).steps) == 30
    disk.undo(done.id)
    assert {path for path in disk.snapshot() if not path.startswith(".trash/")} == {"a.md"}


def test_many_new_notes_are_taken_back_when_a_later_step_fails(disk: Disk) -> None:
    steps = [Create(f"A/{number}.md", f"{number}\n") for number in range(15)]
    disk.hook = _putting(disk, "create all: flushed", "late.md")
    disk.reopen()
    with pytest.raises(NoteExists):
        disk.perform(*steps, Create("late.md", "ours\n"))
    assert disk.snapshot() == {"late.md": b"theirs\n"}
    assert disk.journal.operations()[0].outcome == "rolled back"


def _putting(disk: Disk, at: str, name: str) -> Callable[[str], None]:
    def act(step: str) -> None:
        if step == at:
            disk.put(name, "theirs\n")

    return act


def test_a_change_to_the_same_text_writes_nothing(disk: Disk) -> None:
    path = disk.put("a.md", "one\n")
    before = path.stat()
    done = disk.perform(Update("a.md", lambda text: text))
    assert (path.stat().st_ino, path.stat().st_ctime_ns) == (before.st_ino, before.st_ctime_ns)
    assert done.steps == ()
    assert disk.journal.history() == []


REFUSED: list[tuple[Change, type[Exception]]] = [
    (Create("old.md", "x"), NoteExists),
    (Create("new.md", "half \ud800"), InvalidInput),
    (Create("../new.md", "x"), PathOutsideVault),
    (Create(".trash/new.md", "x"), PathOutsideVault),
    (Create(".obsidian/new.md", "x"), PathOutsideVault),
    (Create("Templates/new.md", "x"), PathOutsideVault),
    (Create("new.txt", "x"), PathOutsideVault),
    (Create("drawing.excalidraw.md", "x"), PathOutsideVault),
    (Update("gone.md", add("x")), NoteNotFound),
    (Update("binary.md", add("x")), UnreadableNote),
    (Update("old.md", lambda text: text + "\ud800"), InvalidInput),
    (Update("old.md", add("x"), expected_etag="0" * 32), NoteChanged),
    (Move("gone.md", "x.md"), NoteNotFound),
    (Move("old.md", "binary.md"), NoteExists),
    (Move("old.md", ".trash/old.md"), PathOutsideVault),
    (Trash("gone.md"), NoteNotFound),
    (Trash("moved.md"), NoteNotFound),
]


@pytest.mark.parametrize(("change", "error"), REFUSED, ids=lambda value: getattr(value, "__name__", repr(value)[:40]))
def test_what_can_be_refused_is_refused_before_anything_is_written(
    disk: Disk, change: Change, error: type[Exception]
) -> None:
    disk.put("old.md", "old\n")
    disk.put("binary.md", b"\xff\xfe\x00")
    disk.put("moved.md", "text")
    disk.put(".obsidian/app.json", "{}")
    disk.put(".obsidian/templates.json", '{"folder": "Templates"}')
    disk.reopen()
    before = disk.snapshot()
    with pytest.raises(error):
        disk.perform(
            Update("old.md", add("x")), Update("old.md", lambda text: "old\n"), Move("moved.md", "m2.md"), change
        )
    assert disk.snapshot() == before
    assert disk.journal.history() == []


def test_a_failure_in_a_later_step_takes_the_earlier_ones_back(disk: Disk) -> None:
    before = {path: text.encode() for path, text in (("a.md", "one\n"), ("b.md", "two\n"), ("c.md", "three\n"))}
    for path, text in before.items():
        disk.put(path, text)

    def act(step: str) -> None:
        if step == "replace: exchanged" and not (disk.root / "d.md").exists():
            disk.put("d.md", "in the way")

    disk.hook = act
    disk.reopen()
    with pytest.raises(NoteExists):
        disk.perform(
            Create("new.md", "x"),
            Update("a.md", add("!")),
            Move("b.md", "moved/b.md"),
            Trash("c.md"),
            Create("d.md", "ours"),
        )
    assert disk.snapshot() == {**before, "d.md": b"in the way"}
    assert disk.journal.history() == []
    assert disk.journal.unfinished() == []


def test_progress_counts_the_steps_and_ends_the_work_by_raising(disk: Disk) -> None:
    steps = [*(Create(f"A/{n}.md", f"{n}\n") for n in range(12)), Create("b.md", "b\n")]
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        if done == 13 and len(told) == 13:
            raise InterruptedError

    def perform() -> None:
        operation.perform(disk.vault, disk.journal, "test", steps, now=NOW, actor="me", summary="", progress=tell)

    with pytest.raises(InterruptedError):
        perform()
    assert disk.snapshot() == {}
    assert told == [(done, 13) for done in range(1, 14)]
    perform()
    assert len(disk.snapshot()) == 13


def test_a_step_whose_note_someone_changed_since_stands_and_the_journal_says_so(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    calls = 0

    def edit_the_other_and_fail(text: str) -> str:
        nonlocal calls
        calls += 1
        if calls == 2:
            disk.put("a.md", disk.text("a.md") + "by hand\n")
            raise ZeroDivisionError
        disk.put("b.md", "two, by hand\n")
        return text + "!"

    with pytest.raises(ZeroDivisionError):
        disk.perform(Update("a.md", add("ours\n")), Update("b.md", edit_the_other_and_fail))
    assert disk.snapshot() == {"a.md": b"one\nours\nby hand\n", "b.md": b"two, by hand\n"}
    (operation,) = disk.journal.history()
    assert operation.outcome == "partial"
    assert not operation.complete
    assert [step.path for step in operation.steps] == ["a.md"]


def test_an_edit_in_between_is_read_again_and_the_change_redone_on_it(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    edits = iter(["one, by hand\n", "one, by hand again\n"])

    def change(text: str) -> str:
        disk.put("a.md", next(edits, text))
        return text + "ours\n"

    done = disk.perform(Update("a.md", change))
    assert disk.text("a.md") == "one, by hand again\nours\n"
    assert done.steps[0].before == etag(b"one, by hand again\n")
    assert disk.undo(done.id).complete
    assert disk.text("a.md") == "one, by hand again\n"


def test_a_note_that_never_comes_to_rest_is_left_alone(disk: Disk) -> None:
    disk.put("a.md", "0")
    count = iter(range(1, 1_000))

    def change(text: str) -> str:
        disk.put("a.md", str(next(count)))
        return text + " ours"

    with pytest.raises(NoteChanged):
        disk.perform(Update("a.md", change))
    assert "ours" not in disk.text("a.md")


def test_a_stale_etag_is_refused_with_the_difference_to_what_was_expected(disk: Disk) -> None:
    disk.perform(Create("a.md", "one\n"))
    disk.perform(Update("a.md", add("two\n")))
    with pytest.raises(NoteChanged) as caught:
        disk.perform(Update("a.md", add("x"), expected_etag=etag(b"one\n")))
    assert "+two" in caught.value.difference
    assert (caught.value.expected, caught.value.actual) == (etag(b"one\n"), etag(b"one\ntwo\n"))


def test_a_stale_etag_of_an_unknown_version_shows_what_the_change_would_do(disk: Disk) -> None:
    disk.put("a.md", "now\n")
    with pytest.raises(NoteChanged) as caught:
        disk.perform(Update("a.md", lambda text: "wanted\n", expected_etag=etag(b"then\n")))
    assert "-now" in caught.value.difference
    assert "+wanted" in caught.value.difference


def test_an_edit_after_the_plan_is_refused_where_one_version_was_expected(disk: Disk) -> None:
    disk.put("a.md", "one\n")

    def change(text: str) -> str:
        disk.put("a.md", "by hand\n")
        return text + "ours\n"

    with pytest.raises(NoteChanged):
        disk.perform(Update("a.md", change, expected_etag=etag(b"one\n")))
    assert disk.text("a.md") == "by hand\n"


def test_a_note_changed_just_before_it_is_trashed_goes_there_as_it_is(disk: Disk) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")

    def change(text: str) -> str:
        disk.put("a.md", "by hand\n")
        return text + "!"

    done = disk.perform(Update("b.md", change), Trash("a.md"))
    assert disk.text(".trash/a.md") == "by hand\n"
    assert done.steps[1].before == etag(b"by hand\n")


# refusals of the state folder


def test_nothing_is_changed_when_the_journal_cannot_be_written(disk: Disk, in_child: Callable[..., int]) -> None:
    disk.put("a.md", "x" * 6_000)

    def work() -> None:
        signal(SIGXFSZ, SIG_IGN)
        setrlimit(RLIMIT_FSIZE, (5_000, 5_000))
        with pytest.raises(WriteFailed):
            disk.perform(Update("a.md", lambda text: "short"))

    assert in_child(work) == 0
    assert disk.snapshot() == {"a.md": b"x" * 6_000}


def test_a_lost_end_of_the_record_does_not_undo_what_is_done(disk: Disk) -> None:
    log = disk.state / "journal" / "operations.log"

    def act(step: str) -> None:
        if step == "create: flushed":
            log.rename(log.with_name("away"))
            log.mkdir()

    disk.hook = act
    disk.reopen()
    done = disk.perform(Create("a.md", "one\n"))
    assert done.complete
    assert disk.text("a.md") == "one\n"


def test_a_note_goes_to_the_trash_that_obsidian_is_set_to(disk: Disk, tmp_path: Path) -> None:
    disk.put("a.md", "one\n")
    disk.put("b.md", "two\n")
    bin_of_the_system = tmp_path / "bin"
    bin_of_the_system.mkdir()

    def system_trash(path: Path) -> None:
        path.rename(bin_of_the_system / path.name)

    disk.system_trash = system_trash
    disk.reopen()
    done = disk.perform(Trash("a.md"))
    assert done.steps[0].to is None
    assert (bin_of_the_system / "a.md").read_text() == "one\n"
    disk.undo(done.id)
    assert disk.text("a.md") == "one\n"
    disk.put(".obsidian/app.json", '{"trashOption": "local"}')
    assert disk.perform(Trash("b.md")).steps[0].to == ".trash/b.md"
