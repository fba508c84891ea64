"""The steps that lead back from an operation."""

from __future__ import annotations

from dataclasses import replace

from mnemex_vault.errors import NoteError, NoteExists, UndoRefused, UnreadableNote
from mnemex_vault.history.carry_over import carry_over, carry_over_fields
from mnemex_vault.history.difference import difference
from mnemex_vault.history.journal import Journal, Operation, Step
from mnemex_vault.history.plan import Foresight, Planned, plan_create, plan_move, plan_rewrite, plan_trash
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.vault import TRASH, Vault

_NOT_KEPT = "the earlier text is no longer kept"


def inverse(vault: Vault, journal: Journal, operation: Operation) -> list[Planned]:
    """Plan the inverse of every step, the last first; raises UndoRefused if a note is no longer as it was left.

    A note that we moved since is followed to where it lies.
    """
    way = _WayBack(vault, journal, operation)
    planned = []
    for step in reversed(operation.steps):
        try:
            planned += way.back(step)
        except NoteExists as error:
            reason = f"{_whereabouts(step)} cannot come back to {step.path}: {error.path} lies there"
            raise UndoRefused(operation.id, step.path, "", reason=reason) from error
        except NoteError as error:
            raise UndoRefused(operation.id, error.path, str(error)) from error
    if operation.steps and not planned:
        path = operation.steps[-1].to or operation.steps[-1].path
        raise UndoRefused(operation.id, path, "", reason=f"{path} was moved on since; undo that first")
    return planned


def _whereabouts(step: Step) -> str:
    return step.to or "the note in the trash"


class _WayBack:
    """The notes of an operation on their way back, from wherever we moved them since."""

    def __init__(self, vault: Vault, journal: Journal, operation: Operation) -> None:
        self._foresight = Foresight(vault)
        self._journal = journal
        self._operation = operation
        # where the notes lie that lay at these paths when the next step to be taken back was done
        self._places: dict[str, str] = {}

    def back(self, step: Step) -> list[Planned]:
        """Plan the inverse of a step."""
        ways = {"create": self._from_create, "update": self._from_update, "move": self._from_move}
        return ways.get(step.kind, self._from_trash)(step)

    def _place(self, path: str) -> str:
        place = self._places.get(path) or self._journal.present(self._operation.id, path)
        if place.startswith(TRASH) and not path.startswith(TRASH):
            reason = f"{path} was let go into the trash since; undo that first"
            raise UndoRefused(self._operation.id, path, "", reason=reason)
        return place

    def _from_create(self, step: Step) -> list[Planned]:
        place = self._place(step.path)
        current = self._foresight.read(place)
        if not self._journal.leads(step.after or "", etag(current)):
            raise self._changed(step, current)
        return [replace(plan_trash(self._foresight, place), expected=etag(current))]

    def _from_update(self, step: Step) -> list[Planned]:
        before = self._image(step)
        place = self._place(step.path)
        current = self._foresight.read(place)
        if etag(current) != step.after:
            # our own later changes are kept, and never in the way; a person's edit is never guessed about
            base = self._journal.image(step.after or "") if self._journal.left(etag(current)) else None
            merged = None if base is None else _without(step, base, before, current)
            if merged is None:
                raise self._changed(step, current)
            before = merged
        return [plan_rewrite(self._foresight, place, lambda _: before, expected=etag(current))]

    def _from_move(self, step: Step) -> list[Planned]:
        left = step.to or ""
        place = self._place(left)
        target = _moved_back(left, step.path, place)
        self._places.pop(left, None)
        self._places[step.path] = target
        return [] if target == place else [plan_move(self._foresight, place, target)]

    def _from_trash(self, step: Step) -> list[Planned]:
        if step.to is not None and self._foresight.exists(step.to):
            return [plan_move(self._foresight, step.to, step.path)]
        return [plan_create(self._foresight, step.path, self._image(step))]

    def _image(self, step: Step) -> bytes:
        before = self._journal.image(step.before or "")
        if before is None:
            raise UndoRefused(self._operation.id, step.path, _NOT_KEPT)
        return before

    def _changed(self, step: Step, current: bytes) -> UndoRefused:
        before = self._journal.image(step.before or "") or b""
        shown = difference(before, current, names=("before the operation", "the note now"))
        return UndoRefused(self._operation.id, step.path, shown)


def _moved_back(left: str, wanted: str, now: str) -> str:
    """Return where a note comes back to: folder and name as wanted, each as it is now where it was changed since.

    >>> _moved_back("Long/Gate.md", "Short/Gate.md", "Long/Green gate.md")
    'Short/Green gate.md'
    >>> _moved_back("Long/Gate.md", "Short/Gate.md", "Archive/Gate.md")
    'Archive/Gate.md'
    """
    parts = zip(*(path.rpartition("/")[::2] for path in (left, wanted, now)), strict=True)
    folder, name = (then if here == base else here for base, then, here in parts)
    return f"{folder}/{name}" if folder else name


def _without(step: Step, base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    """Return the note without the step but with what came later, None if the two cannot be told apart."""
    by_line = carry_over(base, wanted, current)
    if by_line is not None:
        return by_line
    try:
        return carry_over_fields(step.path, base, wanted, current)
    except UnreadableNote:
        return None
