"""The steps that lead back from an operation."""

from __future__ import annotations

from dataclasses import replace

from mnemex_vault.errors import NoteError, NoteExists, UndoRefused, UnreadableNote
from mnemex_vault.notes.carry_over import carry_over, carry_over_fields
from mnemex_vault.notes.difference import difference
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.journal import Journal, Operation, Step
from mnemex_vault.notes.plan import Foresight, Planned, plan_create, plan_move, plan_rewrite, plan_trash
from mnemex_vault.notes.vault import Vault

_NOT_KEPT = "the earlier text is no longer kept"


def inverse(vault: Vault, journal: Journal, operation: Operation) -> list[Planned]:
    """Plan the inverse of every step, the last first; raises UndoRefused if a note is no longer as it was left."""
    foresight = Foresight(vault)
    back = {
        "create": _back_from_create,
        "update": _back_from_update,
        "move": _back_from_move,
        "trash": _back_from_trash,
    }
    planned = []
    for step in reversed(operation.steps):
        try:
            planned.append(back[step.kind](foresight, journal, operation, step))
        except NoteExists as error:
            reason = f"{_whereabouts(step)} cannot come back to {step.path}: {error.path} lies there"
            raise UndoRefused(operation.id, step.path, "", reason=reason) from error
        except NoteError as error:
            raise UndoRefused(operation.id, error.path, str(error)) from error
    return planned


def _whereabouts(step: Step) -> str:
    return step.to or "the note in the trash"


def _back_from_create(foresight: Foresight, journal: Journal, operation: Operation, step: Step) -> Planned:
    current = foresight.read(step.path)
    if not journal.leads(step.after or "", etag(current)):
        raise _changed(journal, operation, step, current)
    return replace(plan_trash(foresight, step.path), expected=etag(current))


def _back_from_update(foresight: Foresight, journal: Journal, operation: Operation, step: Step) -> Planned:
    before = _image(journal, operation, step)
    current = foresight.read(step.path)
    if etag(current) != step.after:
        # our own later changes are kept, and never in the way; a person's edit is never guessed about
        base = journal.image(step.after or "") if _is_ours(journal, step, current) else None
        merged = None if base is None else _without(step, base, before, current)
        if merged is None:
            raise _changed(journal, operation, step, current)
        before = merged
    return plan_rewrite(foresight, step.path, lambda _: before, expected=etag(current))


def _back_from_move(foresight: Foresight, _: Journal, __: Operation, step: Step) -> Planned:
    return plan_move(foresight, step.to or "", step.path)


def _back_from_trash(foresight: Foresight, journal: Journal, operation: Operation, step: Step) -> Planned:
    if step.to is not None and foresight.exists(step.to):
        return plan_move(foresight, step.to, step.path)
    return plan_create(foresight, step.path, _image(journal, operation, step))


def _without(step: Step, base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    """Return the note without the step but with what came later, None if the two cannot be told apart."""
    by_line = carry_over(base, wanted, current)
    if by_line is not None:
        return by_line
    try:
        return carry_over_fields(step.path, base, wanted, current)
    except UnreadableNote:
        return None


def _image(journal: Journal, operation: Operation, step: Step) -> bytes:
    before = journal.image(step.before or "")
    if before is None:
        raise UndoRefused(operation.id, step.path, _NOT_KEPT)
    return before


def _is_ours(journal: Journal, step: Step, current: bytes) -> bool:
    """Tell whether the note is as the step or a later operation of ours left it."""
    return etag(current) == step.after or journal.left(etag(current))


def _changed(journal: Journal, operation: Operation, step: Step, current: bytes) -> UndoRefused:
    before = journal.image(step.before or "") or b""
    shown = difference(before, current, names=("before the operation", "the note now"))
    return UndoRefused(operation.id, step.path, shown)
