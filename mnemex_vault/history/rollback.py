"""Taking back the steps of an operation that did not come to its end."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from mnemex_vault.errors import MnemexError, NoteChanged, NoteError, NoteNotFound
from mnemex_vault.history.journal import Journal, Operation, Outcome, Step
from mnemex_vault.history.plan import files_for
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.refusal import waiting
from mnemex_vault.notes.vault import Vault

logger = logging.getLogger(__name__)


def roll_back(vault: Vault, journal: Journal, operation: Operation, done: Sequence[Step]) -> tuple[Step, ...]:
    """Take back these steps, the last first; close the operation with those that stand, and return them.

    A step stands if someone changed the note since: their text is worth more than a tidy history.
    """
    standing: list[Step] = []
    for step in reversed(done):
        try:
            _take_back(vault, journal, step)
        except MnemexError as error:
            logger.warning("%s of %s stands: %s", step.kind, operation.id, error)
            standing.insert(0, step)
    outcome: Outcome = "partial" if standing else "rolled back"
    with waiting(f"the end of {operation.id}"):
        journal.finish(operation.id, outcome, standing)
    return tuple(standing)


def _take_back(vault: Vault, journal: Journal, step: Step) -> None:
    match step.kind:
        case "create":
            _take_back_create(vault, journal, step)
        case "update":
            _take_back_update(vault, journal, step)
        case "move":
            _take_back_move(vault, journal, step)
        case "trash":
            _take_back_trash(vault, journal, step)


def _take_back_create(vault: Vault, journal: Journal, step: Step) -> None:
    try:
        data = _untouched(vault, step.path, step.after)
    except NoteNotFound:
        return
    vault.files.remove(step.path, data, park=journal.parking.take)


def _take_back_update(vault: Vault, journal: Journal, step: Step) -> None:
    before = journal.image(step.before or "")
    if before is None:
        raise NoteNotFound(step.path)
    vault.files.replace(step.path, _untouched(vault, step.path, step.after), before, park=journal.parking.take)


def _take_back_move(vault: Vault, journal: Journal, step: Step) -> None:
    if _never_left(vault, step):
        return
    to = step.to or ""
    _untouched(vault, to, step.before)
    files_for(vault, step.path, to).move(to, step.path, park=journal.parking.take)


def _take_back_trash(vault: Vault, journal: Journal, step: Step) -> None:
    if _never_left(vault, step):
        return
    if step.to is not None and vault.trashed.exists(step.to):
        vault.trashed.move(step.to, step.path, park=journal.parking.take)
        return
    before = journal.image(step.before or "")
    if before is None:
        raise NoteNotFound(step.path)
    vault.files.create(step.path, before)


def _never_left(vault: Vault, step: Step) -> bool:
    """Tell whether a power cut lost this move of many, though it kept a later one."""
    try:
        return etag(files_for(vault, step.path).read(step.path)[0]) == step.before
    except NoteError:
        return False


def _untouched(vault: Vault, path: str, expected: str | None) -> bytes:
    data, _ = files_for(vault, path).read(path)
    if etag(data) != expected:
        raise NoteChanged(path, expected=expected or "", actual=etag(data))
    return data
