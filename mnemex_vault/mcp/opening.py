"""The vault behind a server: opened in the background, waited for by the tools that need it."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from mnemex_vault.app import App
from mnemex_vault.errors import IndexUnavailable, MnemexError
from mnemex_vault.service import Service
from mnemex_vault.settings.table import ToolSet

logger = logging.getLogger(__name__)

WAIT_SECONDS = 20.0
# so that a call which waits notices soon that the server is being stopped
_GLANCE_SECONDS = 0.2


class Opening:
    """A vault that is being opened.

    `make` gives a service that was not started; it may raise MnemexError, which each tool call then tells, and is
    tried again at the next call: a drive may have been plugged in. `client` names the one for whom a call is made.
    """

    def __init__(self, make: Callable[[], Service | App], *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._make = make
        self._wait_seconds = wait_seconds
        self.client: ContextVar[str] = ContextVar("client", default="")
        self._opened: Service | App | None = None
        self._problem: MnemexError | None = None
        self._attempted = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()

    @classmethod
    def of(cls, opened: Service | App) -> Opening:
        """Return an opening that is open."""
        opening = cls(lambda: opened)
        opening._opened = opened
        opening._attempted.set()
        return opening

    def start(self) -> None:
        """Begin to open; returns at once."""
        threading.Thread(target=self._attempt, name="mnemex-opening", daemon=True).start()

    def _attempt(self) -> None:
        with self._lock:
            if self._opened is not None or self._stopping.is_set():
                return
            try:
                opened = self._make()
                if isinstance(opened, Service):
                    opened.start()
                self._opened, self._problem = opened, None
            except MnemexError as error:
                self._failed(error)
            except OSError as error:
                self._failed(IndexUnavailable(error.strerror or type(error).__name__))
            finally:
                self._attempted.set()

    def _failed(self, error: MnemexError) -> None:
        if str(error) != str(self._problem):
            logger.warning("the vault could not be opened: %s", error)
        self._problem = error

    def app(self) -> App:
        """Return the use cases as soon as they are there, whether or not the index is complete.

        Raises what opening raised, VaultUnavailable when the vault is away.
        """
        if self._opened is None and (self._problem is not None or not self._attempted.is_set()):
            self._open_again()
        opened = self._opened
        if opened is None:
            raise self._problem or IndexUnavailable("the vault is still being opened")
        app = opened.app if isinstance(opened, Service) else opened
        app.store.vault.check()
        app.store.client.set(self.client.get())
        return app

    def _open_again(self) -> None:
        if self._problem is not None:
            self._attempt()
        else:
            self._wait(self._attempted.is_set)

    def complete_app(self) -> App:
        """Return the use cases when the index covers the vault, or after a bounded wait."""
        app = self.app()
        opened = self._opened
        if isinstance(opened, Service):
            self._wait(opened.ready.is_set)
        return app

    def _wait(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + self._wait_seconds
        while not done() and time.monotonic() < end:
            if self._stopping.wait(min(_GLANCE_SECONDS, self._wait_seconds)):
                raise IndexUnavailable("the server is stopping")

    def tool_set(self) -> ToolSet:
        """Return which tools the settings want; the core ones as long as there are no settings."""
        with contextlib.suppress(MnemexError):
            return self.app().settings.tools
        return "core"

    def root(self) -> Path | None:
        """Return the vault's folder, None as long as it is not open."""
        opened = self._opened
        if opened is None:
            return None
        return opened.app.root if isinstance(opened, Service) else opened.root

    def lacking(self) -> tuple[str, ...]:
        """Return a remark on what a search may miss because the index is still being made, if it is."""
        opened = self._opened
        if not isinstance(opened, Service) or opened.ready.is_set():
            return ()
        return (f"index {opened.progress:.0%} ready, so results may be missing; search again in a minute",)

    def stop(self) -> None:
        """Let no call wait any longer."""
        self._stopping.set()

    def close(self) -> None:
        """Stop waiting calls, then stop the service; a change under way is finished first."""
        self.stop()
        with self._lock:
            if self._opened is not None:
                self._opened.close()
