"""After a crash: finish or take back what was cut off, and give back what someone wrote meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mnemex_vault.errors import NoteError
from mnemex_vault.history.evidence import is_done, located
from mnemex_vault.history.journal import Journal, Operation
from mnemex_vault.history.parking import Late
from mnemex_vault.history.rollback import roll_back
from mnemex_vault.history.sweep import put_in_sight, sweep
from mnemex_vault.notes.refusal import waiting
from mnemex_vault.notes.vault import Vault


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
    steps = [located(vault, step) for step in operation.steps]
    paths = tuple(path for step in steps for path in (step.path, step.to) if path)
    reached = max((index + 1 for index, step in enumerate(steps) if is_done(vault, journal, step)), default=0)
    if reached == len(steps):
        journal.finish(operation.id, "done", steps)
        return Recovered("completed", paths, operation.id)
    standing = roll_back(vault, journal, operation, steps[:reached])
    return Recovered("partial" if standing else "rolled back", paths, operation.id)
