"""The lock under which the notes of a vault are changed, by one thread of one process at a time."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from mnemex_vault.errors import LockTimeout, WriteFailed

_POLL_SECONDS = 0.005


class VaultLock:
    """A lock for threads and processes, to be used with `with`; a thread that holds it may take it again.

    The system frees it when its holder dies. Raises LockTimeout after `timeout` seconds, WriteFailed when there can
    be no lock file.
    """

    def __init__(self, path: Path, timeout: float = 10.0) -> None:
        self._timeout = timeout
        self._threads = threading.RLock()
        self._file = FileLock(path, mode=0o600, thread_local=False, poll_interval=_POLL_SECONDS)
        self._depth = 0

    def __enter__(self) -> VaultLock:
        deadline = time.monotonic() + self._timeout
        if not self._threads.acquire(timeout=self._timeout):
            raise LockTimeout("vault", self._timeout)
        try:
            if self._depth == 0:
                self._acquire_file(deadline)
        except BaseException:
            self._threads.release()
            raise
        self._depth += 1
        return self

    def _acquire_file(self, deadline: float) -> None:
        try:
            self._file.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except Timeout as error:
            raise LockTimeout("vault", self._timeout) from error
        except OSError as error:
            raise WriteFailed("the vault's lock", error.strerror or str(error)) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._file.release()
        self._threads.release()
