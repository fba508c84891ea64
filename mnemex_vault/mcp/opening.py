"""The vault behind a server: opened in the background, waited for by the tools that need it.

What opens it is imported only then: a client that connects should not wait for a search engine to see some tools.
Which tools are listed is told before the vault is open.
"""

from __future__ import annotations

import contextlib
import logging
import re
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.errors import ConfigError, IndexUnavailable, MnemexError
from mnemex_vault.memories.glance import known_generated
from mnemex_vault.progress import Watch, unwatched
from mnemex_vault.settings import DEFAULT_ROOT, Origin, load, read_dotenv, state_base, vault_state

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.service import Service
    from mnemex_vault.settings.table import ToolSet

logger = logging.getLogger(__name__)

WAIT_SECONDS = 20.0
# so that a call which waits notices soon that the server is being stopped
_GLANCE_SECONDS = 0.2


class Opening:
    """A vault that is being opened.

    `make` gives a service that was not started; it may raise MnemexError, which each tool call then tells, and is
    tried again at the next call: a drive may have been plugged in. `early_tools` tells which tools the settings want
    without the vault, if it can. `client` names the one for whom a call is made, `watch` is told
    how far it is.
    """

    def __init__(
        self,
        make: Callable[[], Service | App],
        *,
        early_tools: Callable[[], ToolSet | None] = lambda: None,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._make = make
        self._early_tools = early_tools
        self._wait_seconds = wait_seconds
        self.client: ContextVar[str] = ContextVar("client", default="")
        self.watch: Watch = unwatched
        self._opened: Service | App | None = None
        self._problem: MnemexError | None = None
        self._begun = threading.Event()
        self._attempted = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()

    @classmethod
    def of(cls, opened: Service | App) -> Opening:
        """Return an opening that is open."""
        opening = cls(lambda: opened)
        opening._opened = opened
        opening._begun.set()
        opening._attempted.set()
        return opening

    def start(self, *, after: float = 0.0) -> None:
        """Begin to open, after some seconds if no call needs it before; returns at once."""
        if not self._begun.is_set():
            timer = threading.Timer(after, self._attempt_first)
            timer.name, timer.daemon = "mnemex-opening", True
            timer.start()

    def _attempt_first(self) -> None:
        if not self._begun.is_set():
            self._attempt()

    def _attempt(self) -> None:
        self._begun.set()
        with self._lock:
            if self._opened is not None or self._stopping.is_set():
                return
            try:
                opened = self._make()
                if service := _service(opened):
                    service.start()
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
        app = _app(opened)
        app.memories.check_vault()
        app.memories.called_by(self.client.get())
        app.memories.watched_by(self.watch)
        return app

    def _open_again(self) -> None:
        if self._problem is not None:
            self._attempt()
        else:
            self.start()
            self._wait(self._attempted.is_set)

    def complete_app(self) -> App:
        """Return the use cases when the index covers the vault, or after a bounded wait."""
        app = self.app()
        if service := _service(self._opened):
            self._wait(service.ready.is_set)
        return app

    def _wait(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + self._wait_seconds
        while not done() and time.monotonic() < end:
            if self._stopping.wait(min(_GLANCE_SECONDS, self._wait_seconds)):
                raise IndexUnavailable("the server is stopping")

    def tool_set(self) -> ToolSet:
        """Return which tools the settings want; the core ones as long as there are no settings."""
        if self._opened is None and (early := self._early_tools()) is not None:
            return early
        with contextlib.suppress(MnemexError):
            return self.app().settings.tools
        return "core"

    def root(self) -> Path | None:
        """Return the vault's folder, None as long as it is not open."""
        return None if self._opened is None else _app(self._opened).root

    def lacking(self) -> tuple[str, ...]:
        """Return a remark on what a search may miss because the index is still being made, if it is."""
        service = _service(self._opened)
        if service is None or service.ready.is_set():
            return ()
        return (f"index {service.progress:.0%} ready, so results may be missing; search again in a minute",)

    def stop(self) -> None:
        """Let no call wait any longer."""
        self._stopping.set()

    def close(self) -> None:
        """Stop waiting calls, then stop the service; a change under way is finished first."""
        self.stop()
        with self._lock:
            if self._opened is not None:
                self._opened.close()


def _service(opened: Service | App | None) -> Service | None:
    """Return what keeps an app up to date, None as long as nothing is open or if nothing does."""
    if opened is None:
        return None
    from mnemex_vault.service import Service

    return opened if isinstance(opened, Service) else None


def _app(opened: Service | App) -> App:
    from mnemex_vault.service import Service

    return opened.app if isinstance(opened, Service) else opened


_USUAL = f"{DEFAULT_ROOT}/Settings.md"
# as much of a note as its properties may take
_PROPERTIES = 65_536
_SPEAKS_OF_TOOLS = re.compile(rb"tools", re.IGNORECASE)


def early_tool_set(root: Path, environ: Mapping[str, str], options: Mapping[str, object]) -> ToolSet | None:
    """Return the set of tools that the settings want; None if only the opened vault can tell.

    Environment and options decide, else the settings note. That one is not read here, but looked through for the
    word: where no note that may be it has the word among its properties, the default holds.
    """
    try:
        dotenv = read_dotenv(environ, working_folder=Path.cwd())
        loaded = load(dotenv=dotenv.values, dotenv_loosens=dotenv.own, environ=environ, options=options)
        state = vault_state(state_base(environ), root)
    except (ConfigError, OSError, RuntimeError):
        return None
    if loaded.origins["tools"] is Origin.DEFAULT and any(map(_speaks_of_tools, _candidates(root, state))):
        return None
    return loaded.settings.tools


def _candidates(root: Path, state: Path) -> Iterator[Path]:
    yield root / _USUAL
    yield from (root / path for path in known_generated(state))


def _speaks_of_tools(note: Path) -> bool:
    """Tell whether the properties of a note may name the setting; what is odd may do anything."""
    try:
        if not stat.S_ISREG(note.lstat().st_mode):
            return True
        with note.open("rb") as file:
            properties = file.read(_PROPERTIES).partition(b"\n---")[0]
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return _SPEAKS_OF_TOOLS.search(properties) is not None
