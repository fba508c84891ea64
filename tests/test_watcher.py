from __future__ import annotations

import logging
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnemex_vault.watcher import Watcher
from tests.waiting import wait_until


class Seen:
    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.lock = threading.Lock()

    def __call__(self, paths: set[str]) -> None:
        with self.lock:
            self.paths |= paths


def wanted(path: str) -> bool:
    return path.endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def watched(request: pytest.FixtureRequest, vault: Path) -> Iterator[tuple[Path, Seen]]:
    (vault / "a.md").write_text("one\n")
    (vault / "Folder").mkdir()
    (vault / "Folder" / "b.md").write_text("two\n")
    seen = Seen()
    watcher = Watcher(vault, seen, wanted=wanted, polling=request.param)
    watcher.start()
    yield vault, seen
    watcher.stop()


def replace(vault: Path) -> None:
    (vault / ".a.tmp").write_text("new\n")
    (vault / ".a.tmp").replace(vault / "a.md")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda vault: (vault / "new.md").write_text("x"), {"new.md"}),
        (lambda vault: (vault / "a.md").write_text("a longer text\n"), {"a.md"}),
        (replace, {"a.md"}),
        (lambda vault: (vault / "a.md").unlink(), {"a.md"}),
        (lambda vault: (vault / "a.md").rename(vault / "c.md"), {"a.md", "c.md"}),
        (lambda vault: (vault / "a.md").rename(vault / "Folder" / "a.md"), {"a.md", "Folder/a.md"}),
        (lambda vault: (vault / "Folder").rename(vault / "Other"), {"Folder", "Other"}),
        (lambda vault: shutil.rmtree(vault / "Folder"), {"Folder"}),
        (lambda vault: (vault / "Folder").rename(vault.parent / "outside"), {"Folder"}),
    ],
    ids=["create", "edit", "replace", "delete", "rename", "move", "rename folder", "delete folder", "move out"],
)
def test_every_kind_of_change_is_seen(
    watched: tuple[Path, Seen], change: Callable[[Path], object], expected: set[str]
) -> None:
    vault, seen = watched
    change(vault)
    wait_until(lambda: expected <= seen.paths)


def test_what_is_no_note_is_not_reported(watched: tuple[Path, Seen]) -> None:
    vault, seen = watched
    (vault / "picture.png").write_bytes(b"x")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "x.md").write_text("x")
    (vault / "last.md").write_text("x")
    wait_until(lambda: "last.md" in seen.paths)
    assert "picture.png" not in seen.paths
    assert ".obsidian/x.md" not in seen.paths


def test_a_folder_made_with_notes_in_it_is_seen(watched: tuple[Path, Seen]) -> None:
    vault, seen = watched
    outside = vault.parent / "arriving"
    outside.mkdir()
    (outside / "n.md").write_text("x")
    outside.rename(vault / "arrived")
    wait_until(lambda: {"arrived"} & seen.paths or {"arrived/n.md"} & seen.paths)


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_an_event_in_the_moment_of_stopping_is_no_error(
    vault: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from watchdog.observers.inotify import InotifyEmitter

    stop = InotifyEmitter.on_thread_stop

    def stopped_with_an_event(emitter: InotifyEmitter) -> None:
        stop(emitter)
        emitter.queue_events(0)

    monkeypatch.setattr(InotifyEmitter, "on_thread_stop", stopped_with_an_event)
    watcher = Watcher(vault, Seen(), wanted=wanted)
    watcher.start()
    watcher.restart()
    watcher.stop()
    assert caplog.records == []
    logging.getLogger(InotifyEmitter.__module__).error("what is wrong at other times is told")
    assert len(caplog.records) == 1
