"""File events -> a set of paths that has come to rest -> reconcile.

Events are hints to look at a path; a periodic scan is the truth, and repairs whatever events were lost.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from watchdog import events
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

logger = logging.getLogger(__name__)

QUIET_SECONDS = 0.2
# a note that is rewritten without a pause is looked at all the same
MOST_SECONDS = 0.8
_POLLING_SECONDS = 2.0
_STOP_SECONDS = 2.0
# mere reading, ours included, would fill the queue of the system
_WANTED_EVENTS: list[type[events.FileSystemEvent]] = [
    events.FileCreatedEvent,
    events.FileModifiedEvent,
    events.FileClosedEvent,
    events.FileMovedEvent,
    events.FileDeletedEvent,
    events.DirCreatedEvent,
    events.DirMovedEvent,
    events.DirDeletedEvent,
]


class Watcher:
    """Calls `look(paths)` from a thread of its own when files below `root` have changed.

    `wanted` filters vault-relative paths of files; a path without an ending counts as a folder.
    """

    def __init__(
        self,
        root: Path,
        look: Callable[[set[str]], None],
        *,
        wanted: Callable[[str], bool],
        polling: bool = False,
    ) -> None:
        self._root = root
        self._look = look
        self._wanted = wanted
        self._polling = polling
        self._paths: set[str] = set()
        self._changed = threading.Condition()
        self._stopped = False
        self._events = 0
        self._observer: BaseObserver | None = None
        self._worker = threading.Thread(target=self._work, name="mnemex-watcher", daemon=True)

    @property
    def polling(self) -> bool:
        """Tell whether the file system is polled because it sends no events."""
        return self._polling

    @property
    def alive(self) -> bool:
        """Tell whether events can arrive."""
        return self._observer is not None and self._observer.is_alive()

    def start(self) -> None:
        """Begin to watch; falls back to polling where no watch can be had."""
        try:
            self._observer = self._start_observer(polling=self._polling)
        except OSError as error:
            logger.warning("no file events (%s); the vault is polled instead", error)
            self._polling = True
            self._observer = self._start_observer(polling=True)
        self._worker.start()

    def _start_observer(self, *, polling: bool) -> BaseObserver:
        observer = PollingObserver(timeout=_POLLING_SECONDS) if polling else Observer()
        observer.schedule(_Events(self._note), os.fspath(self._root), recursive=True, event_filter=_WANTED_EVENTS)
        observer.daemon = True
        observer.start()
        return observer

    def restart(self) -> None:
        """Watch anew: after the vault folder was moved away and came back, the old watches are deaf."""
        if self._observer is not None:
            _end(self._observer)
        self._observer = self._start_observer(polling=self._polling)

    def stop(self) -> None:
        """Stop watching and wait for the threads."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._observer is not None:
            _end(self._observer)
        if self._worker.is_alive():
            self._worker.join(timeout=_STOP_SECONDS)

    def _note(self, absolute: str, *, is_folder: bool) -> None:
        try:
            path = Path(absolute).relative_to(self._root).as_posix()
        except ValueError:
            return
        if path == "." or not (is_folder or self._wanted(path)):
            return
        with self._changed:
            self._paths.add(path)
            self._events += 1
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            paths = self._next()
            if paths is None:
                return
            self._look(paths)

    def _next(self) -> set[str] | None:
        """Wait for paths, then until no event has come for a while or the first is too long ago."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or bool(self._paths))
            last = monotonic() + MOST_SECONDS
            while not self._stopped and (left := last - monotonic()) > 0:
                seen = self._events
                self._changed.wait(min(QUIET_SECONDS, left))
                if self._events == seen:
                    break
            if self._stopped:
                return None
            paths, self._paths = self._paths, set()
            return paths


def _end(observer: BaseObserver) -> None:
    """Stop an observer and wait for its threads, which take an event of this very moment for an error of theirs."""

    def unheard(_: logging.LogRecord) -> bool:
        return False

    loggers = [logging.getLogger(name) for name in {type(each).__module__ for each in observer.emitters}]
    for each in loggers:
        each.addFilter(unheard)
    observer.stop()
    observer.join(timeout=_STOP_SECONDS)
    for each in loggers:
        each.removeFilter(unheard)


class _Events(events.FileSystemEventHandler):
    """Passes on both ends of every event; the kind of an event is not to be trusted."""

    def __init__(self, note: Callable[..., None]) -> None:
        self._note = note

    def on_any_event(self, event: events.FileSystemEvent) -> None:
        for path in (event.src_path, event.dest_path):
            if path:
                self._note(os.fsdecode(path), is_folder=event.is_directory)
