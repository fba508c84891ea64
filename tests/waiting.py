"""Waiting for something to become true, without fixed sleeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

# a busy machine is slow and not wrong: what takes longer than this does not come at all
PATIENCE = 60.0


def wait_until(is_true: Callable[[], object], *, seconds: float = PATIENCE, pause_seconds: float = 0.01) -> None:
    """Return as soon as it is true; fail after `seconds`."""
    start = time.monotonic()
    pause = threading.Event()
    while not is_true():
        if time.monotonic() - start > seconds:
            raise AssertionError(f"not true within {seconds} s")
        pause.wait(pause_seconds)
