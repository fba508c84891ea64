"""What waits for a person's yes: text of strangers is found, but never stands in for what the person said."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

Approve = Literal["none", "web", "ai"]
# whether a new memory that clearly replaces another does so by itself
Supersede = Literal["ask", "auto"]
_WAITING = {"none": frozenset[str](), "web": frozenset({"web"}), "ai": frozenset({"web", "ai", "import"})}


def waits(origin: str | None, approved: datetime | None, approve: Approve) -> bool:
    """Tell whether a memory waits: it came from where `approve` asks for a yes, and nobody has said it.

    >>> waits("web", None, "web"), waits("ai", None, "web"), waits(None, None, "ai")
    (True, False, False)
    """
    return approved is None and origin in _WAITING[approve]
