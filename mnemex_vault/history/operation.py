"""The one performer of changes: journalled, durable, as a whole or not at all; and its inverse."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from types import MappingProxyType

from mnemex_vault import errors
from mnemex_vault.disk.batch import Batch
from mnemex_vault.disk.safeguards import waiting, writing
from mnemex_vault.disk.vault import Vault
from mnemex_vault.history.journal import Journal, Operation, Outcome, Step
from mnemex_vault.history.steps import Change, Planned, Turn, kind_of
from mnemex_vault.history.workspace import Foresight, WayBack, Workspace
from mnemex_vault.progress import Progress, unseen

logger = logging.getLogger(__name__)

# from so many new or moved notes on flushing them together is worth the while
_MANY = 10


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
    work = Workspace(vault, journal)
    planned = _plan(work, steps)
    return _carry_out(work, kind, planned, now=now, actor=actor, summary=summary, uses=uses, progress=progress)


# why a note cannot be taken back
Refusal = errors.UndoRefused | errors.DuplicateId


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an undoing did, and why each of the notes that it left as they are could not be taken back."""

    operation: Operation
    left: Sequence[Refusal] = ()


def undo(
    vault: Vault,
    journal: Journal,
    operation_id: str,
    *,
    now: datetime,
    actor: str,
    barred: Mapping[str, Refusal] = MappingProxyType({}),
    progress: Progress = unseen,
) -> TakenBack:
    """Do the inverse of an operation, which is an operation itself: undoing it does the first one again.

    The caller holds the vault's lock. `barred` are paths that no step may lead back to, with the reasons. Where each
    note was changed for itself, those that cannot be taken back are left as they are. Raises OperationNotFound,
    NotAllowed when there is nothing (more) to undo, else the first reason if nothing can be: UndoRefused with the
    difference when someone changed a note since.
    """
    work = Workspace(vault, journal)
    operation = journal.find(operation_id)
    if operation.final:
        raise errors.NotAllowed(f"{operation_id} is a {operation.kind}, which cannot be undone")
    if operation.outcome not in ("done", "partial") or not operation.steps:
        raise errors.NotAllowed(f"{operation_id} changed nothing")
    if operation.undone_by is not None:
        raise errors.NotAllowed(f"{operation_id} is undone already, by {operation.undone_by}")
    planned, left = _inverse(work, operation, barred)
    try:
        undone = _carry_out(
            work,
            "undo",
            planned,
            now=now,
            actor=actor,
            summary=operation.summary,
            undoes=operation_id,
            progress=progress,
        )
    except errors.NoteChanged as error:
        raise errors.UndoRefused(operation_id, error.path, error.difference) from error
    return TakenBack(undone, left)


def _plan(work: Workspace, changes: Iterable[Change]) -> list[Planned]:
    """Plan every change; whatever can be refused is refused here, and what changes nothing is left out."""
    notes = Foresight(work)
    planned = []
    for change in changes:
        for path in change.paths:
            if not work.vault.may_change(path):
                raise errors.PathOutsideVault(path)
        planned.append(change.plan(notes))
    return [item for item in planned if not item.changes_nothing]


def _inverse(
    work: Workspace, operation: Operation, barred: Mapping[str, Refusal]
) -> tuple[list[Planned], list[Refusal]]:
    """Plan the inverse of every step, the last first, but of those notes that cannot be taken back for themselves.

    A note that we moved since is followed to where it lies. What one note that cannot be taken back keeps from others
    shows only when it is left out, so it is planned anew without those that were refused.
    """
    steps = operation.steps
    notes = _notes_of(steps)
    left: dict[int, Refusal] = {}
    while True:
        way = WayBack(work, operation)
        planned, refused = _ways_back(way, [*zip(notes, steps, strict=True)], left.keys(), barred)
        if refused and not _stand_alone(steps, notes):
            raise next(iter(refused.values()))
        left |= refused
        if not refused:
            break
    if not planned:
        path = steps[-1].to or steps[-1].path
        raise next(iter(left.values()), way.refused(path, f"{path} was moved on since; undo that first"))
    return planned, list(left.values())


def _ways_back(
    way: WayBack, steps: Sequence[tuple[int, Step]], without: Collection[int], barred: Mapping[str, Refusal]
) -> tuple[list[Planned], dict[int, Refusal]]:
    """Plan the inverse of the steps of all notes but some; return with it why further ones were refused."""
    planned: list[Planned] = []
    refused: dict[int, Refusal] = {}
    for note, step in reversed(steps):
        if note not in without and note not in refused:
            try:
                planned += _way_back(way, step, barred)
            except (errors.UndoRefused, errors.DuplicateId) as error:
                refused[note] = error
    return planned, refused


def _way_back(way: WayBack, step: Step, barred: Mapping[str, Refusal]) -> list[Planned]:
    """Plan the inverse of a step; raises UndoRefused, or what bars its way."""
    if step.path in barred:
        raise barred[step.path]
    try:
        return kind_of(step).inverse(way, step)
    except errors.NoteExists as error:
        reason = f"{step.to or 'the note in the trash'} cannot come back to {step.path}: {error.path} lies there"
        raise way.refused(step.path, reason) from error
    except errors.NoteError as error:
        raise errors.UndoRefused(way.operation.id, error.path, str(error)) from error


def _notes_of(steps: Sequence[Step]) -> list[int]:
    """Return for each step which note it is about, by number."""
    at: dict[str, int] = {}
    notes = []
    for fresh, step in enumerate(steps):
        note = at.pop(step.path, fresh)
        notes.append(note)
        at[step.place or step.path] = note
    return notes


def _stand_alone(steps: Sequence[Step], notes: Sequence[int]) -> bool:
    """Tell whether each note was changed for itself.

    Where notes both came and went some were made of others, and where notes went others may have followed with links.
    """
    gone = {note for note, step in zip(notes, steps, strict=True) if step.leaves}
    made = any(step.origin is None for step in steps)
    return not gone or (not made and gone == {*notes})


def _carry_out(
    work: Workspace,
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
    journal = work.journal
    operation = journal.begin(
        kind,
        [item.step for item in planned],
        now=now,
        actor=actor,
        summary=summary,
        undoes=undoes,
        uses=uses,
        texts=[item.before for item in planned if item.before is not None],
    )
    done: list[Step] = []
    try:
        for step in _do_all(work, operation.id, planned):
            done.append(step)
            progress(len(done), len(planned))
    except BaseException as error:
        done += _done_all_the_same(work, operation, len(done), error)
        roll_back(work, operation, done)
        raise
    journal.keep_acknowledged(item.after for item in planned if item.after is not None)
    return _finish(journal, operation, done)


def _done_all_the_same(work: Workspace, operation: Operation, index: int, error: BaseException) -> list[Step]:
    """Return the step that failed if it had its effect: an interruption may come after it."""
    found: list[Step] = []
    if isinstance(error, errors.NoteError) or index >= len(operation.steps):
        return found
    with waiting(f"a look at {operation.id}"):
        step = work.journal.find(operation.id).steps[index]
        kind = kind_of(step)
        step = kind.located(work, step)
        if kind.is_done(work, step):
            found.append(step)
    return found


def _finish(journal: Journal, operation: Operation, done: Sequence[Step]) -> Operation:
    finished = replace(operation, outcome="done", steps=tuple(done))
    try:
        return journal.finish(operation.id, "done", done, durable=operation.steps != finished.steps)
    except errors.WriteFailed as error:
        # everything is done all the same, and recovery will find it
        logger.warning("the end of %s could not be recorded: %s", operation.id, error)
        return finished


def roll_back(work: Workspace, operation: Operation, done: Sequence[Step]) -> tuple[Step, ...]:
    """Take back these steps, the last first; close the operation with those that stand, and return them.

    A step stands if someone changed the note since: their text is worth more than a tidy history.
    """
    standing: list[Step] = []
    for step in reversed(done):
        try:
            kind_of(step).take_back(work, step)
        except errors.MnemexError as error:
            logger.warning("%s of %s stands: %s", step.kind, operation.id, error)
            standing.insert(0, step)
    outcome: Outcome = "partial" if standing else "rolled back"
    with waiting(f"the end of {operation.id}"):
        work.journal.finish(operation.id, outcome, standing)
    return tuple(standing)


def _do_all(work: Workspace, operation_id: str, planned: Sequence[Planned]) -> Iterator[Step]:
    """Do the steps in their order and yield each when it is done; many notes of a folder are flushed together."""
    index = 0
    for folder, group in groupby(planned, key=_new_in):
        items = list(group)
        if folder is not None and len(items) >= _MANY:
            created = work.vault.files.create_all([(item.step.path, item.after or b"") for item in items])
            yield from (item.step for item, _ in zip(items, created, strict=True))
        elif sum(item.step.leaves for item in items) >= _MANY:
            yield from _do_together(work, operation_id, index, items)
        else:
            for number, item in enumerate(items, index):
                yield kind_of(item.step).do(item, Turn(work, operation_id, number))
        index += len(items)


def _new_in(item: Planned) -> str | None:
    """Return the folder of a note that is to be created, None for another step."""
    return item.step.path.rpartition("/")[0] if item.step.origin is None else None


def _do_together(work: Workspace, operation_id: str, start: int, items: Sequence[Planned]) -> Iterator[Step]:
    """Do steps of which many move notes; the folders are flushed at the end, each once."""
    work.vault.refresh()
    batch = Batch()
    try:
        for index, item in enumerate(items, start):
            yield kind_of(item.step).do(item, Turn(work, operation_id, index, batch))
        with writing(items[-1].step.path):
            batch.flush()
    finally:
        batch.close()
