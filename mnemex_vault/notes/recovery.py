"""After a crash: finish or take back what was cut off, and give back what someone wrote meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mnemex_vault.errors import MnemexError, NoteError
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.journal import Journal, Operation, Step
from mnemex_vault.notes.paths import fold
from mnemex_vault.notes.plan import files_for
from mnemex_vault.notes.rollback import roll_back
from mnemex_vault.notes.sweep import put_in_sight, sweep
from mnemex_vault.notes.vault import Vault


@dataclass(frozen=True, slots=True)
class Recovered:
    """Something that was found and put right: an operation, or a person's text that is in sight again at a path."""

    what: Literal["completed", "rolled back", "partial", "text"]
    paths: tuple[str, ...]
    operation_id: str | None = None


def recover(vault: Vault, journal: Journal, *, now: datetime) -> list[Recovered]:
    """Put the vault in order at the start; the caller holds its lock. A second call finds nothing to do."""
    unfinished = journal.unfinished()
    known = [path for operation in unfinished for step in operation.steps for path in (step.path, step.to) if path]
    found = sweep(vault.files, vault.leftovers(), known=known, park=journal.parking.take)
    recovered = [Recovered("text", (path,)) for path in found]
    recovered += [_close(vault, journal, operation) for operation in unfinished]
    return recovered + recheck_parked(vault, journal, now=now)


def recheck_parked(vault: Vault, journal: Journal, *, now: datetime) -> list[Recovered]:
    """Put in sight what an editor wrote into a displaced file; to be called 2 s and 60 s after a change.

    The caller holds the vault's lock.
    """
    recovered = []
    for late in list(journal.parking.late()):
        if not late.text:
            # cut to nothing: whoever did that is about to write
            continue
        journal.images.keep([late.text])
        path = late.path or "Recovered note.md"
        if not _is_live(vault, path, late.text):
            copy = put_in_sight(vault.files, path, late.text, written=late.written)
            recovered.append(Recovered("text", (copy,)))
        journal.parking.accept(late)
    journal.parking.expire(now=now)
    return recovered


def _is_live(vault: Vault, path: str, text: bytes) -> bool:
    try:
        return vault.files.read(path)[0] == text
    except MnemexError:
        return False


def _close(vault: Vault, journal: Journal, operation: Operation) -> Recovered:
    steps = [_located(vault, step) for step in operation.steps]
    paths = tuple(path for step in steps for path in (step.path, step.to) if path)
    reached = max((index + 1 for index, step in enumerate(steps) if _is_done(vault, journal, step)), default=0)
    if reached == len(steps):
        journal.finish(operation.id, "done", steps)
        return Recovered("completed", paths, operation.id)
    closed = roll_back(vault, journal, operation, steps[:reached])
    return Recovered("partial" if closed.steps else "rolled back", paths, operation.id)


def _located(vault: Vault, step: Step) -> Step:
    """Find where a note went whose way into the trash was not recorded."""
    if step.kind != "trash" or step.to is not None:
        return step
    for name in vault.trash_names(step.path):
        if not vault.trashed.exists(name):
            return step
        if _etag(vault, name) == step.before:
            return Step("trash", step.path, name, step.before, step.after)
    return step


def _is_done(vault: Vault, journal: Journal, step: Step) -> bool:
    match step.kind:
        case "create" | "update":
            return _etag(vault, step.path) == step.after
        case "move":
            return _is_moved(vault, journal, step)
        case "trash":
            return not vault.files.exists(step.path)


def _is_moved(vault: Vault, journal: Journal, step: Step) -> bool:
    files = files_for(vault, step.path, step.to or "")
    found = _etag(vault, step.to or "")
    if found is None or not files.exists(step.path) or fold(step.path) == fold(step.to or ""):
        return found is not None
    if found == step.before == _etag(vault, step.path):
        # cut off between copying to another file system and taking the original away
        files.remove(step.path, files.read(step.path)[0], park=journal.parking.take)
        return True
    return False


def _etag(vault: Vault, path: str) -> str | None:
    try:
        return etag(files_for(vault, path).read(path)[0])
    except NoteError:
        return None
