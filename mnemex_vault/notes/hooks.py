"""A call between any two steps of a change, where a test can let the process die."""

from __future__ import annotations

from collections.abc import Callable

StepHook = Callable[[str], None]


def no_hook(step: str) -> None:
    """Do nothing between two steps."""
