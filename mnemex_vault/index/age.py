"""How old an index is, as its files tell."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemex_vault.notes.dates import file_time


def written_at(folder: Path) -> datetime | None:
    """Return when anything in the folder of an index was last written; None if there is nothing."""
    try:
        times = [file.stat().st_mtime for file in folder.iterdir() if file.is_file()]
    except OSError:
        return None
    return file_time(max(times)) if times else None
