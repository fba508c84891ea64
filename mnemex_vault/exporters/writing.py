"""Files for other programs, written to a folder that is new or empty."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mnemex_vault.errors import InvalidInput, NotPossible, WriteFailed
from mnemex_vault.notes.progress import Progress, unseen


def check_destination(folder: Path, vault: Path) -> None:
    """Raise InvalidInput unless files may be written there: into a new or empty folder outside the vault."""
    if folder.resolve().is_relative_to(vault.resolve()):
        raise InvalidInput(str(folder), "lies in the vault; an export is no part of it")
    if folder.exists() and not folder.is_dir():
        raise NotPossible(str(folder), "is a file; name a new or empty folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise NotPossible(str(folder), "is not empty; name a new or empty folder")


def write_files(folder: Path, files: Mapping[str, bytes], *, progress: Progress = unseen) -> None:
    """Write the files, readable for this user alone; raises WriteFailed if the disk refuses."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for done, (name, data) in enumerate(files.items(), 1):
            path = folder / name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            progress(done, len(files))
    except OSError as error:
        raise WriteFailed(str(error.filename or folder), error.strerror or str(error)) from error
