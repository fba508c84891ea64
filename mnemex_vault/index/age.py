"""How old an index is, as its files tell."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path


def written_at(folder: Path) -> datetime | None:
    """Return when anything in the folder of an index was last written; None if there is nothing."""
    try:
        times = [file.stat().st_mtime for file in folder.iterdir() if file.is_file()]
    except OSError:
        return None
    return datetime.fromtimestamp(max(times), UTC) if times else None
