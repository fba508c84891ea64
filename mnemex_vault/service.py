"""An App that lives: it follows the vault, writes waiting uses, feeds the index, each from a thread of its own."""

from __future__ import annotations

import logging
import math
import threading
from bisect import bisect_right
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

from mnemex_vault.app import App
from mnemex_vault.backup.snapshots import Backup
from mnemex_vault.disk.native import give_back_memory
from mnemex_vault.errors import MnemexError, VaultUnavailable
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.reconcile import Changes, Reconciler
from mnemex_vault.memories import uses
from mnemex_vault.watcher import Watcher

# Reading every note once in a while, a few at a time: for edits that left size, times and inode as they were.

ROUND = timedelta(days=1)


class Slices:
    """Goes round the notes in the order of their paths, once in a `ROUND`."""

    def __init__(self, catalog: Catalog, reconciler: Reconciler, *, start: str = "") -> None:
        self._catalog = catalog
        self._reconciler = reconciler
        self.position = start

    def next(self, *, now: datetime, since: timedelta) -> Changes:
        """Read the share of the notes that is due after this span of time."""
        paths = sorted(entry.path for entry in self._catalog)
        if not paths:
            return Changes()
        share = min(len(paths), math.ceil(len(paths) * (since / ROUND)))
        first = bisect_right(paths, self.position)
        chosen = (paths[first:] + paths[:first])[:share]
        if chosen:
            self.position = chosen[-1]
        return self._reconciler.rehash(chosen, now=now)


logger = logging.getLogger(__name__)

TICK_SECONDS = 1.0
# while the vault is away it is looked for often, so that work goes on soon after it is back
_AWAY_SECONDS = 2.0
_UPKEEP_LOOK = timedelta(minutes=1)
# an editor that holds a displaced file open mostly writes within seconds
_PARKED_SECONDS = 2.0
_SLICE_SECONDS = 60.0
_GIVE_BACK_SECONDS = 60.0
_HEAL_LOOK = timedelta(minutes=10)


class Service:
    """Keeps an App up to date in the background until it is closed.

    `ready` is set when the index covers the vault; `progress` tells the share until then.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.ready = threading.Event()
        self.progress = 0.0
        self.problem: str | None = None
        self._stopping = threading.Event()
        self._again: set[str] = set()
        self._again_lock = threading.Lock()
        self._next_scan = app.store.clock()
        self._next_upkeep = app.store.clock() + _UPKEEP_LOOK
        self._next_healing = app.store.clock() + _HEAL_LOOK
        self._looked_at_parked = self._sliced = monotonic()
        self._gave_back = monotonic()
        self._to_give_back = True
        self._slices = Slices(app.store.catalog, app.reconciler)
        self._watcher = self._new_watcher()
        app.watching = lambda: self.watching
        self._worker = threading.Thread(target=self._run, name="mnemex-service", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._worker.start()

    def wait_ready(self, seconds: float) -> bool:
        """Wait until the index covers the vault; return whether it does."""
        return self.ready.wait(seconds)

    @property
    def watching(self) -> str:
        """Return how the vault is followed: events, polling, or not at all."""
        if not self._watcher.alive:
            return "not watching"
        return "polling" if self._watcher.polling else "events"

    def close(self) -> None:
        """Stop the threads, then close the app; a change under way is finished first."""
        self._stopping.set()
        self._watcher.stop()
        if self._worker.is_alive():
            self._worker.join(timeout=1.5)
        self.app.close()

    def _new_watcher(self) -> Watcher:
        vault = self.app.store.vault
        return Watcher(vault.root, self._look, wanted=vault.is_note_path)

    def _run(self) -> None:
        self._guarded("start", self._start)
        if not self._stopping.wait(TICK_SECONDS):
            self.app.make_all()
        while not self._stopping.wait(TICK_SECONDS):
            self._guarded("upkeep", self._tick)

    def _start(self) -> None:
        self._watcher.start()
        try:
            self.app.catch_up(progress=self._note_progress)
        finally:
            self._schedule_scan()
            self.ready.set()
            self.progress = 1.0
        self.app.store.text.flush()

    def _note_progress(self, done: int, total: int) -> None:
        self.progress = done / total if total else 1.0
        if self._stopping.is_set():
            raise InterruptedError

    def _tick(self) -> None:
        with self._again_lock:
            again, self._again = self._again, set()
        if again:
            self._follow(again)
        if self.app.store.clock() >= self._next_scan:
            self._scan()
        uses.write_pending(self.app.store, now=self.app.store.clock())
        self.app.reconciler.refill()
        self._flush()
        self._look_at_parked()
        if self.problem is None:
            self._read_slice()
            self._keep_up()

    def _flush(self) -> None:
        """Commit what is staged; what a merge takes and frees would else stay with the process."""
        result = self.app.store.text.flush()
        self._to_give_back |= bool(result.committed or result.removed)
        if self._to_give_back and monotonic() - self._gave_back >= _GIVE_BACK_SECONDS:
            self._to_give_back, self._gave_back = False, monotonic()
            give_back_memory()

    def _look_at_parked(self) -> None:
        if monotonic() - self._looked_at_parked >= _PARKED_SECONDS:
            self._looked_at_parked = monotonic()
            found = self.app.recheck_parked()
            if found:
                self._follow(set(found))

    def _read_slice(self) -> None:
        """Find edits that no fingerprint shows, a few notes a minute, all of them within a day."""
        since = monotonic() - self._sliced
        if since >= _SLICE_SECONDS:
            self._sliced = monotonic()
            self._slices.next(now=self.app.store.clock(), since=timedelta(seconds=since))

    def _keep_up(self) -> None:
        now = self.app.store.clock()
        if now >= self._next_upkeep and not self.app.store.is_unsettled(now=now):
            self._next_upkeep = now + _UPKEEP_LOOK
            self.app.retention.prune_if_due()
            self.app.automation.run_if_due(self.app.upkeep_plan)
            # one of them failing is no reason to leave out the other
            self._guarded("snapshot", self._take_snapshot)
            self._guarded("healing", self._heal_if_due)
            self._guarded("brief", self.app.kept_brief.refresh)

    def _take_snapshot(self) -> None:
        app = self.app
        backup = Backup(app.memories, app.state)
        if app.settings.git_auto_commit and backup.initialized:
            backup.snapshot_if_due(timedelta(seconds=app.settings.git_commit_interval))

    def _heal_if_due(self) -> None:
        app, now = self.app, self.app.store.clock()
        if app.settings.heal_conflicts and not app.store.rules.read_only and now >= self._next_healing:
            self._next_healing = now + _HEAL_LOOK
            for each in app.healer.heal_by_itself().healed:
                logger.info("joined %s with its copy %s", each.path, each.copy)

    def _scan(self) -> None:
        self._follow(None)
        if self.problem is None:
            self.app.guard.beat()
            if not self._watcher.alive:
                self._watcher.restart()
        self._schedule_scan()

    def _schedule_scan(self) -> None:
        seconds = self.app.settings.scan_interval_seconds if self.problem is None else _AWAY_SECONDS
        self._next_scan = self.app.store.clock() + timedelta(seconds=seconds)

    def _look(self, paths: set[str]) -> None:
        self._guarded("watcher", lambda: self._follow(paths))

    def _follow(self, paths: set[str] | None) -> None:
        try:
            changes = self.app.follow(paths)
        except VaultUnavailable as error:
            if self.problem is None:
                logger.warning("automatic change is stopped: %s", error.reason)
            self.problem = error.reason
            self._next_scan = self.app.store.clock()
            return
        if paths is None and self.problem is not None:
            logger.warning("the vault is back")
            self.problem = None
            self._watcher.restart()
        with self._again_lock:
            self._again.update(changes.again)

    def _guarded(self, what: str, work: Callable[[], None]) -> None:
        """Run a step of a thread that must live on; what went wrong is logged, and tried again later."""
        try:
            work()
        except InterruptedError:
            # the service is being closed, and what was done so far is kept
            logger.debug("%s: ended early", what)
        except (MnemexError, OSError) as error:
            logger.warning("%s: %s", what, error)
