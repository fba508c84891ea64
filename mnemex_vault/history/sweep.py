"""What to do about temp files that a crash left: nothing is deleted unseen, a person's text is put in sight."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime

from mnemex_vault.errors import NoteExists
from mnemex_vault.notes import native
from mnemex_vault.notes.dates import file_time
from mnemex_vault.notes.files import Files
from mnemex_vault.notes.paths import joined
from mnemex_vault.notes.refusal import waiting
from mnemex_vault.notes.settle import settle
from mnemex_vault.notes.temp import NOTHING, Park, TempName, digest, name_digest

_UNKNOWN_NOTE = "Recovered note"
_STEM_BYTES = 180


def sweep(files: Files, leftovers: Iterable[str], *, known: Iterable[str], park: Park) -> list[str]:
    """Deal with the temp files at these paths; return the paths of notes that got a person's text back.

    `known` are paths of notes that may be meant. The caller holds the vault's lock. A second call finds nothing.
    """
    names = {name_digest(path.rpartition("/")[2]): path.rpartition("/")[2] for path in known}
    found: list[str] = []
    for path in leftovers:
        folder_path, _, temp = path.rpartition("/")
        with waiting(path), files.opened(folder_path) as folder:
            found += _sweep_one(files, folder_path, folder, temp, names, park)
    return found


def _sweep_one(files: Files, folder_path: str, folder: int, temp: str, names: dict[str, str], park: Park) -> list[str]:
    data = native.read_file(folder, temp)
    change = TempName.parse(temp)
    if change is None:
        # a new text that never was a note
        park(folder, temp, path="", data=data)
        return []
    present = os.listdir(folder)
    name = next((each for each in present if name_digest(each) == change.note), None)
    path = joined(folder_path, name or names.get(change.note, f"{_UNKNOWN_NOTE}.md"))
    if digest(data) in (change.old, change.new):
        park(folder, temp, path=path, data=data)
        return []
    return [_return_foreign(files, folder, temp, path, change, data, park=park, lives=name is not None)]


def _return_foreign(
    files: Files, folder: int, temp: str, path: str, change: TempName, data: bytes, *, park: Park, lives: bool
) -> str:
    """Give a person's text back: as the note if our text stands in its place, else as a visible copy."""
    name = path.rpartition("/")[2]
    if lives and digest(native.read_file(folder, name)) == change.new:
        files.exchange(folder, temp, name)
        settled = settle(folder, temp, name, old=change.new, new=digest(data), exchange=files.exchange)
        native.sync(folder)
        park(folder, temp, path=path, data=settled.displaced)
        return path
    if not lives and change.new == NOTHING and name != f"{_UNKNOWN_NOTE}.md":
        files.rename(folder, temp, folder, name)
        native.sync(folder)
        return path
    written = file_time(os.stat(temp, dir_fd=folder, follow_symlinks=False).st_mtime)
    copy = put_in_sight(files, path, data, written=written)
    park(folder, temp, path=path, data=data)
    return copy


def put_in_sight(files: Files, path: str, data: bytes, *, written: datetime) -> str:
    """Write a text as a conflict copy beside the note; return its path. The same text is not written twice."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md").encode()[:_STEM_BYTES].decode(errors="ignore")
    copy = f"{stem} (conflicted copy {written:%Y-%m-%d %H%M%S})"
    number = 1
    while True:
        candidate = joined(folder, f"{copy}.md" if number == 1 else f"{copy} {number}.md")
        try:
            files.create(candidate, data)
        except NoteExists:
            if files.read(candidate)[0] != data:
                number += 1
                continue
        return candidate
