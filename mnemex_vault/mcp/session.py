"""The name of a conversation, for memories whose caller gives none."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta, tzinfo

PAUSE = timedelta(minutes=30)


class SessionName:
    """One name for a server process, renewed after a pause of half an hour."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: datetime | None = None
        self._name = ""

    def current(self, *, now: datetime, zone: tzinfo) -> str:
        """Return the name and note that the conversation goes on; called by every search and save.

        >>> from datetime import UTC
        >>> SessionName().current(now=datetime(2026, 11, 29, 22, 30, tzinfo=UTC), zone=UTC)
        'conversation 2026-11-29 22:30'
        """
        with self._lock:
            if self._last is None or now - self._last > PAUSE:
                self._name = f"conversation {now.astimezone(zone):%Y-%m-%d %H:%M}"
            self._last = now
            return self._name
