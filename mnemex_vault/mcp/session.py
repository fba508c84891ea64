"""The name of a conversation, for memories whose caller gives none."""

from __future__ import annotations

import threading
from collections.abc import Collection
from datetime import datetime, timedelta, tzinfo
from itertools import count

PAUSE = timedelta(minutes=30)


class SessionName:
    """One name for a client of a server process, renewed after a pause of half an hour."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: datetime | None = None
        self.name = ""

    def current(self, *, now: datetime, zone: tzinfo, taken: Collection[str] = ()) -> str:
        """Return the name and note that the conversation goes on; called by every search and save.

        A new name is none of those that are taken.

        >>> from datetime import UTC
        >>> SessionName().current(now=datetime(2026, 11, 29, 22, 30, tzinfo=UTC), zone=UTC)
        'conversation 2026-11-29 22:30'
        """
        with self._lock:
            if self._last is None or now - self._last > PAUSE:
                first = f"conversation {now.astimezone(zone):%Y-%m-%d %H:%M}"
                names = (first if number == 1 else f"{first} ({number})" for number in count(1))
                self.name = next(name for name in names if name not in taken)
            self._last = now
            return self.name
