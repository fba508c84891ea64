"""After a crash: finish or take back what was cut off, and give back what someone wrote meanwhile.

Of the files that a crash left beside notes nothing is deleted unseen: a person's text is put in sight.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mnemex_vault.disk import native
from mnemex_vault.disk.files import Files
from mnemex_vault.disk.paths import joined
from mnemex_vault.disk.safeguards import NOTHING, Park, TempName, digest, name_digest, settle, waiting
from mnemex_vault.disk.vault import Vault
from mnemex_vault.errors import NoteError, NoteExists
from mnemex_vault.history.displaced import Late
from mnemex_vault.history.journal import Journal, Operation
from mnemex_vault.history.operation import roll_back
from mnemex_vault.history.steps import kind_of
from mnemex_vault.history.workspace import Workspace
from mnemex_vault.text.values import file_time

_UNKNOWN_NOTE = "Recovered note"
_STEM_BYTES = 180


@dataclass(frozen=True, slots=True)
class Recovered:
    """Something that was found and put right: an operation, or a person's text that is in sight again at a path."""

    what: Literal["completed", "rolled back", "partial", "text"]
    paths: tuple[str, ...]
    operation_id: str | None = None


def recover(vault: Vault, journal: Journal, *, now: datetime) -> list[Recovered]:
    """Put the vault in order at the start; the caller holds its lock. A second call finds nothing to do.

    What cannot be put right now, because the disk refuses, waits for the next start.
    """
    unfinished = journal.unfinished()
    known = [path for operation in unfinished for step in operation.steps for path in (step.path, step.to) if path]
    found = sweep(vault.files, vault.leftovers(), known=known, park=journal.parking.take)
    recovered = [Recovered("text", (path,)) for path in found]
    for operation in unfinished:
        with waiting(operation.id):
            recovered.append(_close(vault, journal, operation))
    return recovered + recheck_parked(vault, journal, now=now)


def recheck_parked(vault: Vault, journal: Journal, *, now: datetime) -> list[Recovered]:
    """Put in sight what an editor wrote into a displaced file; to be called 2 s and 60 s after a change.

    The caller holds the vault's lock.
    """
    recovered: list[Recovered] = []
    with waiting("displaced files"):
        for late in list(journal.parking.late()):
            # cut to nothing: whoever did that is about to write
            if late.text:
                recovered += _put_late_in_sight(vault, journal, late)
        journal.parking.expire(now=now)
    return recovered


def _put_late_in_sight(vault: Vault, journal: Journal, late: Late) -> list[Recovered]:
    path = late.path or "Recovered note.md"
    copies = []
    if not _is_live(vault, path, late.text):
        copies.append(put_in_sight(vault.files, path, late.text, written=late.written))
    journal.images.keep([late.text])
    journal.parking.accept(late)
    return [Recovered("text", (copy,)) for copy in copies]


def _is_live(vault: Vault, path: str, text: bytes) -> bool:
    try:
        return vault.files.read(path)[0] == text
    except NoteError:
        return False


def _close(vault: Vault, journal: Journal, operation: Operation) -> Recovered:
    work = Workspace(vault, journal)
    steps = [kind_of(step).located(work, step) for step in operation.steps]
    paths = tuple(path for step in steps for path in (step.path, step.to) if path)
    reached = max((index for index, step in enumerate(steps, 1) if kind_of(step).is_done(work, step)), default=0)
    if reached == len(steps):
        journal.finish(operation.id, "done", steps)
        return Recovered("completed", paths, operation.id)
    standing = roll_back(work, operation, steps[:reached])
    return Recovered("partial" if standing else "rolled back", paths, operation.id)


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
