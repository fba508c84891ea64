"""An index that is deleted, damaged, planted or locked: the results stay those of a new one."""

from __future__ import annotations

import fcntl
import os
import pickle
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.domain.memory import RelationType
from mnemex_vault.index.text_index import TextIndex
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.graph import Wish
from mnemex_vault.memories.recall import Request
from mnemex_vault.service import Service
from tests.index.texts import note
from tests.system import faults
from tests.system.checking import check_index, facts, found
from tests.system.conftest import Opened, promote, save
from tests.waiting import PATIENCE, wait_until

NOTES = 60
QUESTIONS = ("garden", "fact 7", "pond", "word3 word5")


def filled(app: App, notes: int = NOTES) -> None:
    for number in range(notes):
        words = " ".join(f"word{number % each}" for each in range(2, 9))
        app.collection.save(Draft(content=f"Fact {number} about the garden {words}.", title=f"Fact {number}"))
        if number % 20 == min(19, notes - 1):
            app.store.text.flush()
    (app.root / "Plan.md").write_text("The pond lies behind the garden.\n")
    app.follow(None)
    app.store.text.flush()


def answers(app: App) -> list[dict[str, float]]:
    return [found(app, question) for question in QUESTIONS]


@pytest.mark.slow
@pytest.mark.row("C1", "T30")
def test_an_index_deleted_while_stopped_is_made_again(opened: Opened, tmp_path: Path) -> None:
    with opened() as app:
        filled(app)
        expected, index = answers(app), app.state / "index"
    shutil.rmtree(index)
    with opened() as app:
        assert answers(app) == expected


@pytest.mark.slow
@pytest.mark.row("C1")
def test_an_index_deleted_while_running_is_made_again(vault: Path, environ: dict[str, str], tmp_path: Path) -> None:
    service = Service(make_app(vault, environ=environ, options={"timezone": "UTC"}))
    service.start()
    try:
        assert service.wait_ready(PATIENCE)
        filled(service.app)
        expected = answers(service.app)
        shutil.rmtree(service.app.state / "index")
        assert answered(service.app)
        wait_until(lambda: _answers_are(service.app, expected))
        check_index(service.app, tmp_path / "scratch", QUESTIONS)
    finally:
        service.close()


def answered(app: App) -> bool:
    """Search once, whatever state the index is in: it answers, if need be from the notes."""
    page = app.recall.search(Request(query="garden", size=100))
    return page.total == NOTES


def _answers_are(app: App, expected: list[dict[str, float]]) -> bool:
    try:
        return answers(app) == expected
    except AssertionError:
        # still looking through the notes themselves
        return False


def damages(count: int, files: list[Path], chance: random.Random) -> Iterator[tuple[Path, bytes]]:
    """Yield what one file holds after a random accident."""
    for _ in range(count):
        path = chance.choice(files)
        data = bytearray(path.read_bytes())
        where = chance.randrange(len(data) + 1)
        match chance.choice(("flip", "cut", "zero", "noise", "grow", "empty")):
            case "flip" if where < len(data):
                data[where] ^= 1 << chance.randrange(8)
            case "cut":
                del data[where:]
            case "zero":
                data[where : where + 64] = bytes(min(64, len(data) - where))
            case "noise":
                data[where : where + 16] = chance.randbytes(16)
            case "grow":
                data += chance.randbytes(100)
            case _:
                data.clear()
        yield path, bytes(data)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.row("C2", "T30")
def test_random_damage_is_detected_or_harmless(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, storms: bool
) -> None:
    with opened() as app:
        filled(app)
        expected, entries, index = answers(app), facts(app), app.state / "index"
    good = tmp_path / "good"
    shutil.copytree(index, good)
    files = sorted(path for path in good.rglob("*") if path.is_file() and "LOCK" not in path.name)
    rebuilt = 0
    for path, data in damages(220 if storms else 40, files, random.Random(30)):
        shutil.rmtree(index)
        shutil.copytree(good, index)
        (index / path.relative_to(good)).write_bytes(data)
        with opened() as app:
            assert answers(app) == expected, path.name
            assert facts(app) == entries, path.name
            rebuilt += app.store.text.rebuilt
    assert rebuilt > 3


@pytest.mark.row("C3")
def test_what_a_newer_version_keeps_is_not_touched(opened: Opened) -> None:
    with opened() as app:
        save(app, 1)
        index = app.state / "index"
    newer = {index / "index-v99" / "_MAIN_1.toc": b"newer", index / "catalog-v99.log": b"newer"}
    for path, data in newer.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    with opened() as app:
        save(app, 2)
        assert len(found(app, "garden")) == 2
    assert {path: path.read_bytes() for path in newer} == newer


class Planted:
    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.place),)


@pytest.mark.row("C7", "S9")
def test_a_planted_pickle_is_never_opened(opened: Opened, tmp_path: Path) -> None:
    with opened() as app:
        filled(app)
        expected, index = answers(app), app.state / "index"
    trap = tmp_path / "sprung"
    for path in index.rglob("*"):
        if path.is_file() and "LOCK" not in path.name:
            path.write_bytes(pickle.dumps(Planted(trap)))
    with opened() as app:
        assert answers(app) == expected
    assert not trap.exists()
    pickle.loads(pickle.dumps(Planted(trap)))
    assert trap.exists()


def lock_file(app: App) -> Path:
    [path] = (app.state / "index").rglob("*WRITELOCK*")
    return path


@pytest.mark.slow
@pytest.mark.row("C6", "T29", "T2")
def test_a_locked_index_is_waited_for_and_never_thrown_away(opened: Opened, vault: Path, tmp_path: Path) -> None:
    with opened() as app:
        filled(app)
        lock = lock_file(app)

        def work(say: faults.Say) -> None:
            with lock.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                fcntl.lockf(file, fcntl.LOCK_EX)
                say("locked")
                signal.pause()

        with faults.child(work) as holder:
            holder.wait_for("locked")
            committed = dict(app.store.text.committed())
            save(app, 100, words="quince ")
            assert app.store.text.flush().busy
            assert len(found(app, "quince")) == 1
            assert len(found(app, "pond")) == 1
            assert dict(app.store.text.committed()) == committed
            assert not app.store.text.rebuilt
            holder.kill()
        assert app.store.text.flush().committed
        check_index(app, tmp_path / "scratch", (*QUESTIONS, "quince"))


@pytest.mark.slow
@pytest.mark.row("C9")
def test_two_processes_that_find_a_damaged_index_at_once_both_answer_right(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path
) -> None:
    with opened() as app:
        filled(app)
        expected, index = answers(app), app.state / "index"
    for path in index.rglob("*.toc"):
        path.write_bytes(b"damaged")

    def work(say: faults.Say) -> None:
        say("ready")
        with open_app(vault, environ=environ, options={"timezone": "UTC"}) as app:
            say(str(answers(app) == expected))

    with faults.child(work, stopped=True) as one, faults.child(work, stopped=True) as other:
        for each in (one, other):
            each.signal(signal.SIGCONT)
        assert (one.wait(), other.wait()) == (0, 0)
        assert one.said()[-1] == other.said()[-1] == "True"
    with opened() as app:
        check_index(app, tmp_path / "scratch", QUESTIONS)


@pytest.mark.row("C1", "C9")
def test_an_index_that_another_process_began_anew_is_filled_again(opened: Opened, tmp_path: Path) -> None:
    with opened() as app:
        filled(app)
        expected = answers(app)
        with opened() as other:
            other.store.text.start_anew()
            assert answered(app)
            app.follow(None)
            assert answers(app) == expected
            other.store.text.close()


@pytest.mark.slow
@pytest.mark.row("C8")
def test_search_never_shows_a_note_that_is_gone(opened: Opened, vault: Path) -> None:
    with opened() as app:
        filled(app)
    (vault / "Memories/Short-term/Fact 7.md").unlink()
    (vault / "New.md").write_text("A pond of its own.\n")
    with opened() as app:
        assert "Memories/Short-term/Fact 7.md" not in found(app, "fact 7")
        assert set(found(app, "pond")) == {"Plan.md", "New.md"}


def _segments(index: Path) -> list[Path]:
    return [path for path in index.iterdir() if not path.name.endswith(("LOCK", ".toc", ".json")) and path.is_file()]


def _merged_away(index: Path) -> None:
    """Do what another server does: commit all notes anew, so that the files of the generation before are gone."""
    other = TextIndex(index.parent)
    other.start_anew()
    other.stage([note("Other.md", "A note of another server.")])
    other.flush()
    other.close()


def _without_segments(index: Path) -> None:
    for path in _segments(index):
        path.unlink()


def _filled_with(data: bytes, index: Path) -> None:
    for path in _segments(index):
        path.write_bytes(data)


def _as_folders(index: Path) -> None:
    for path in _segments(index):
        path.unlink()
        path.mkdir()


def _as_file(index: Path) -> None:
    shutil.rmtree(index)
    index.write_bytes(b"no folder")


def _doctored(index: Path) -> None:
    for path in index.glob("*.toc"):
        path.write_bytes(b"\x80\x04nonsense.")


ACCIDENTS: dict[str, Callable[[Path], object]] = {
    "merged away by another server": _merged_away,
    "segments deleted": _without_segments,
    "segments empty": partial(_filled_with, b""),
    "segments of noise": partial(_filled_with, b"\x93noise" * 500),
    "segments that are folders": _as_folders,
    "table of contents of noise": _doctored,
    "all deleted": shutil.rmtree,
    "a file in its place": _as_file,
}


def _changes(app: App) -> Iterator[Callable[[], object]]:
    """Yield every kind of change once; each is to be done although the index fails."""
    first, second, third = (save(app, number) for number in range(3))
    (app.root / "Plan.md").write_text("The pond lies behind the garden.\n")
    app.follow(None)
    text = "Fact 1 about the garden. end00001 and a gate"
    yield lambda: app.collection.save(Draft(content=text, title="Gate"))
    yield lambda: app.collection.save(Draft(content="The gate is red now.", title="Red", supersedes=(first,)))
    yield lambda: app.collection.save(Draft(content=text))
    etag = app.collection.open([second])[0][0].entry.etag
    yield lambda: app.editing.update(second, Revision(content="The gate is blue.", title="Blue"), etag=etag)
    yield lambda: app.lifecycle.touch(second)
    yield lambda: app.lifecycle.observe([second, third])
    yield lambda: app.relations.relate([Wish(source_id=second, target_id=third, kind=RelationType.RELATED)])
    yield lambda: promote(app, second)
    yield lambda: app.lifecycle.demote(second)
    yield lambda: app.lifecycle.forget(third)
    yield lambda: app.lifecycle.restore(third)
    yield lambda: app.consolidation.merge(app.consolidation.preview(app.consolidation.cluster_of([second, third])))
    yield app.history.undo
    yield lambda: app.editing.adopt("Plan.md")
    yield lambda: app.collection.open([second])
    yield lambda: app.forgetting.run(app.forgetting.plan())
    yield lambda: app.purge.purge(third)


@pytest.mark.slow
@pytest.mark.parametrize("accident", ACCIDENTS)
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.row("C1", "C2", "G3")
def test_no_change_notices_that_the_index_fails(accident: str, late: bool, opened: Opened, tmp_path: Path) -> None:
    with opened() as app:
        filled(app, 8)
        index, harm = app.store.text.folder, ACCIDENTS[accident]

        armed: list[Path] = []

        def fail() -> None:
            while armed:
                harm(armed.pop())

        # in the midst of the change, when it is about to be written, or ahead of it
        app.store.before_writing = fail if late else (lambda: None)
        for change in _changes(app):
            _put_right(app, index)
            app.recall.search(Request(query="garden"))
            armed.append(index)
            if not late:
                fail()
            change()
            armed.clear()
        page = app.recall.search(Request(query="gate red"))
        assert [hit.entry.title for hit in page.hits][:1] == ["Red"]
        _put_right(app, index)
        check_index(app, tmp_path / "scratch", QUESTIONS)


def test_a_save_says_why_it_names_no_similar_memories(opened: Opened) -> None:
    with opened() as app:
        filled(app, 8)
        _as_file(app.store.text.folder)
        saved = app.collection.save(Draft(content="The gate is red."))
        assert (app.root / saved.path).is_file()
        assert saved.similar == ()
        assert any("similar memories could not be looked for" in hint for hint in saved.hints)
        _put_right(app, app.store.text.folder)
        assert not any("similar" in hint for hint in app.collection.save(Draft(content="The pond is deep.")).hints)


def _put_right(app: App, index: Path) -> None:
    """Take away what stands in the index's place, and let the index be made anew as a server does by itself."""
    if index.is_file():
        index.unlink()
    app.store.text.flush()
    app.catch_up()
    app.store.text.flush()
