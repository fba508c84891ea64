"""The one performer of changes: journalled, durable, as a whole or not at all; and its inverse."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from mnemex_vault.errors import NotAllowed, NoteChanged, NoteError, UndoRefused, WriteFailed
from mnemex_vault.history.changes import Change, Create, Move, Trash, Update
from mnemex_vault.history.evidence import is_done, located
from mnemex_vault.history.inverse import inverse
from mnemex_vault.history.journal import Journal, Operation, Step
from mnemex_vault.history.plan import Planned, files_for, plan, stale
from mnemex_vault.history.recovery import Recovered, recheck_parked, recover
from mnemex_vault.history.rollback import roll_back
from mnemex_vault.notes.batch import Batch
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.guarded import writing
from mnemex_vault.notes.progress import Progress, unseen
from mnemex_vault.notes.refusal import waiting
from mnemex_vault.notes.vault import Vault

__all__ = [
    "Change",
    "Create",
    "Move",
    "Recovered",
    "Trash",
    "Update",
    "perform",
    "recheck_parked",
    "recover",
    "undo",
]

logger = logging.getLogger(__name__)

# from so many new or moved notes on flushing them together is worth the while
_MANY = 10
# pauses between the attempts of an update whose note is being written by someone else; 0.4 s in all
_PAUSES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


def perform(
    vault: Vault,
    journal: Journal,
    kind: str,
    steps: Iterable[Change],
    *,
    now: datetime,
    actor: str,
    summary: str,
    uses: Sequence[str] = (),
    progress: Progress = unseen,
) -> Operation:
    """Make these changes, all or none, and return them as an operation that can be undone.

    The caller holds the vault's lock. Every version of a note that is replaced is kept. A note that someone writes at
    the same time is read again and its change redone; with an expected etag it is refused (NoteChanged with the
    difference). After a failure the steps already done are taken back, unless someone changed those notes since.
    """
    planned = plan(vault, journal, steps)
    return _carry_out(
        vault, journal, kind, planned, now=now, actor=actor, summary=summary, uses=uses, progress=progress
    )


def undo(
    vault: Vault, journal: Journal, operation_id: str, *, now: datetime, actor: str, progress: Progress = unseen
) -> Operation:
    """Do the inverse of an operation, which is an operation itself: undoing it does the first one again.

    The caller holds the vault's lock. Raises OperationNotFound, NotAllowed when there is nothing (more) to undo, and
    UndoRefused with the difference when someone changed a note since.
    """
    operation = journal.find(operation_id)
    if operation.final:
        raise NotAllowed(f"{operation_id} is a {operation.kind}, which cannot be undone")
    if operation.outcome not in ("done", "partial") or not operation.steps:
        raise NotAllowed(f"{operation_id} changed nothing")
    if operation.undone_by is not None:
        raise NotAllowed(f"{operation_id} is undone already, by {operation.undone_by}")
    planned = inverse(vault, journal, operation)
    try:
        return _carry_out(
            vault,
            journal,
            "undo",
            planned,
            now=now,
            actor=actor,
            summary=operation.summary,
            undoes=operation_id,
            progress=progress,
        )
    except NoteChanged as error:
        raise UndoRefused(operation_id, error.path, error.difference) from error


def _carry_out(
    vault: Vault,
    journal: Journal,
    kind: str,
    planned: Sequence[Planned],
    *,
    now: datetime,
    actor: str,
    summary: str,
    uses: Sequence[str] = (),
    undoes: str | None = None,
    progress: Progress,
) -> Operation:
    operation = journal.begin(
        kind,
        [item.step for item in planned],
        now=now,
        actor=actor,
        summary=summary,
        undoes=undoes,
        uses=uses,
        texts=[item.before for item in planned if item.before is not None and item.step.kind != "move"],
    )
    done: list[Step] = []
    try:
        for step in _do_all(vault, journal, operation.id, planned):
            done.append(step)
            progress(len(done), len(planned))
    except BaseException as error:
        done += _done_all_the_same(vault, journal, operation, len(done), error)
        roll_back(vault, journal, operation, done)
        raise
    journal.keep_acknowledged(item.after for item in planned if item.after is not None and item.step.kind != "move")
    return _finish(journal, operation, done)


def _done_all_the_same(
    vault: Vault, journal: Journal, operation: Operation, index: int, error: BaseException
) -> list[Step]:
    """Return the step that failed if it had its effect: an interruption may come after it."""
    found: list[Step] = []
    if isinstance(error, NoteError) or index >= len(operation.steps):
        return found
    with waiting(f"a look at {operation.id}"):
        step = located(vault, journal.find(operation.id).steps[index])
        if is_done(vault, journal, step):
            found.append(step)
    return found


def _finish(journal: Journal, operation: Operation, done: Sequence[Step]) -> Operation:
    finished = replace(operation, outcome="done", steps=tuple(done))
    try:
        return journal.finish(operation.id, "done", done, durable=operation.steps != finished.steps)
    except WriteFailed as error:
        # everything is done all the same, and recovery will find it
        logger.warning("the end of %s could not be recorded: %s", operation.id, error)
        return finished


def _do_all(vault: Vault, journal: Journal, operation_id: str, planned: Sequence[Planned]) -> Iterator[Step]:
    """Do the steps in their order and yield each when it is done; many notes of a folder are flushed together."""
    index = 0
    for folder, group in groupby(planned, key=_new_in):
        items = list(group)
        if folder is not None and len(items) >= _MANY:
            created = vault.files.create_all([(item.step.path, item.after or b"") for item in items])
            yield from (item.step for item, _ in zip(items, created, strict=True))
        elif sum(item.step.kind in ("move", "trash") for item in items) >= _MANY:
            yield from _do_together(vault, journal, operation_id, index, items)
        else:
            for offset, item in enumerate(items):
                yield _do(vault, journal, operation_id, index + offset, item)
        index += len(items)


def _do_together(
    vault: Vault, journal: Journal, operation_id: str, start: int, items: Sequence[Planned]
) -> Iterator[Step]:
    """Do steps of which many move notes; the folders are flushed at the end, each once."""
    vault.refresh()
    batch = Batch()
    try:
        for index, item in enumerate(items, start):
            yield _do(vault, journal, operation_id, index, item, batch)
        with writing(items[-1].step.path):
            batch.flush()
    finally:
        batch.close()


def _new_in(item: Planned) -> str | None:
    """Return the folder of a note that is to be created, None for another step."""
    return item.step.path.rpartition("/")[0] if item.step.kind == "create" else None


def _do(
    vault: Vault, journal: Journal, operation_id: str, index: int, item: Planned, batch: Batch | None = None
) -> Step:
    step = item.step
    park = journal.parking.take
    match step.kind:
        case "create":
            vault.files.create(step.path, item.after or b"")
            return step
        case "update":
            return _update(vault, journal, operation_id, index, item)
        case "move":
            files_for(vault, step.path, step.to or "").move(step.path, step.to or "", park=park, batch=batch)
            return step
        case "trash":
            return _trash(vault, journal, operation_id, index, item, batch)


def _update(vault: Vault, journal: Journal, operation_id: str, index: int, item: Planned) -> Step:
    step, before, after = item.step, item.before or b"", item.after or b""
    for pause in _PAUSES:
        try:
            vault.files.replace(step.path, before, after, park=journal.parking.take)
        except NoteChanged:
            time.sleep(pause)
            before, _ = vault.files.read(step.path)
            if item.rewrite is None or item.expected not in (None, etag(before)):
                break
            after = item.rewrite(before)
            step = replace(step, before=etag(before), after=etag(after))
            journal.step(operation_id, index, step)
        else:
            if step.after != item.step.after:
                journal.keep_acknowledged([after])
            return step
    raise stale(journal, step.path, item.expected or item.step.before or "", before, item.rewrite)


def _trash(vault: Vault, journal: Journal, operation_id: str, index: int, item: Planned, batch: Batch | None) -> Step:
    step = item.step
    current, _ = vault.files.read(step.path)
    if current != item.before:
        if item.expected is not None:
            raise stale(journal, step.path, item.expected, current)
        step = replace(step, before=etag(current))
        journal.step(operation_id, index, step, text=current)
    return replace(step, to=vault.trash(step.path, park=journal.parking.take, batch=batch))
