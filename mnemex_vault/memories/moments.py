"""When something last happened in a vault, remembered in a file of the state folder; losing it costs nothing."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from mnemex_vault.notes.state import replace_private


class Moments:
    """Names and times in one file, shared by the processes of a vault."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mutex = threading.Lock()

    def last(self, what: str) -> datetime | None:
        """Return when it last happened, None if that is not known."""
        with contextlib.suppress(ValueError, TypeError, KeyError):
            moment = datetime.fromisoformat(self._all()[what])
            return moment if moment.tzinfo else None
        return None

    def remember(self, what: str, at: datetime) -> None:
        """Write down that it happened then; a disk that refuses is no reason to stop."""
        self.remember_all({what: at})

    def remember_all(self, moments: Mapping[str, datetime | None]) -> None:
        """Write several down at once; None forgets one."""
        with self._mutex, contextlib.suppress(OSError):
            present = self._all()
            wanted = {name: moment.isoformat() for name, moment in moments.items() if moment is not None}
            kept = {name: moment for name, moment in present.items() if name not in moments} | wanted
            if kept != present:
                replace_private(self._path, json.dumps(kept))

    def _all(self) -> dict[str, str]:
        with contextlib.suppress(OSError, ValueError):
            return dict(json.loads(self._path.read_text("utf-8")))
        return {}
