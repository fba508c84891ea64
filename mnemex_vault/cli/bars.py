"""Bars for work that lasts: on a terminal's stderr, after half a second, gone without a trace when it is done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from mnemex_vault.progress import Progress, unwatched

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Live
    from rich.progress import ProgressColumn

_AFTER_SECONDS = 0.5
# narrower terminals have no room for the time that is left
_ROOMY = 60


@dataclass(slots=True, eq=False)
class _Work:
    """A piece of work; without a total nobody knows how long it is."""

    what: str
    due: float
    done: int = 0
    total: int | None = None

    @property
    def count(self) -> str:
        return "" if self.total is None else f"{self.done:,} of {self.total:,}"


class Bars:
    """Shows the youngest piece of work that lasts; may be told of it from several threads."""

    def __init__(self, err: TextIO, *, shown: bool, styled: bool, after: float = _AFTER_SECONDS) -> None:
        self._err = err
        self._is_on = shown
        self._styled = styled
        self._after = after
        self._lock = threading.RLock()
        self._works: list[_Work] = []
        self._live: Live | None = None
        self._shown: _Work | None = None

    def plain(self) -> None:
        """Draw without colours from now on."""
        self._styled = False

    def watch(self, what: str) -> Progress:
        """Return what is to be told how much of this work is done; its time begins now."""
        if not self._is_on:
            return unwatched(what)
        work = _Work(what, monotonic() + self._after)

        def tell(done: int, total: int) -> None:
            with self._lock:
                work.done, work.total = done, total
                if work in self._works:
                    self._works.remove(work)
                if done < total:
                    self._works.append(work)
                self._show()

        return tell

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Show during a block that something is being done, without knowing how far it is."""
        if not self._is_on:
            yield
            return
        work = _Work(what, monotonic() + self._after)
        timer = threading.Timer(self._after, self._show)
        timer.daemon = True
        with self._lock:
            self._works.append(work)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._works.remove(work)
                self._show()

    def hide(self) -> None:
        """Take the bar away, so that something can be written; the next news of the work brings it back."""
        with self._lock:
            if self._live is not None:
                self._live.stop()
                self._live = self._shown = None

    @contextmanager
    def away(self) -> Iterator[None]:
        """Show nothing during a block in which a person is asked."""
        with self._lock:
            self.hide()
            shown, self._is_on = self._is_on, False
        try:
            yield
        finally:
            self._is_on = shown

    def _show(self) -> None:
        with self._lock:
            if not self._is_on:
                return
            now = monotonic()
            lasting = [work for work in self._works if work.due <= now]
            if not lasting:
                self.hide()
                return
            # what is counted says more than that something is done
            work = next((each for each in reversed(lasting) if each.total is not None), lasting[-1])
            live = self._live or self._start()
            is_new = work is not self._shown
            if is_new:
                # another task, since a speed is that of one kind of work
                for task in list(live.task_ids):
                    live.remove_task(task)
                live.add_task(work.what, total=work.total, count="")
                self._shown = work
            live.update(live.task_ids[0], completed=work.done, count=work.count, refresh=is_new)

    def _start(self) -> Live:
        from rich.console import Console
        from rich.progress import Progress as Live

        console = Console(file=self._err, color_system="auto" if self._styled else None, markup=False, emoji=False)
        live = Live(*_columns(console), console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
        live.start()
        # whoever is killed now leaves a terminal that can be used
        console.show_cursor(True)
        self._live = live
        return live


def _columns(console: Console) -> list[ProgressColumn]:
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    roomy = console.width >= _ROOMY
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30 if roomy else 10),
        TextColumn("{task.fields[count]}", markup=False),
    ]
    return [*columns, TimeRemainingColumn(compact=True)] if roomy else columns
