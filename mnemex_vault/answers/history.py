"""What taking a change back answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import FOR_A_MODEL, Bounds, some
from mnemex_vault.answers.note import origin_of
from mnemex_vault.answers.view import Answer, Told
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled

if TYPE_CHECKING:
    from mnemex_vault.memories.face import Memories, Operation

# characters that the paths of notes may take which an undo touched
_PATHS = 8_000


@dataclass(frozen=True, kw_only=True)
class Undone(Answer):
    """Answer of undo."""

    success: bool
    operation_id: str
    undid: str
    paths: list[str]
    message: str


def undone(operation: Operation, memories: Memories, bounds: Bounds = FOR_A_MODEL) -> Told[Undone]:
    """Tell what was taken back."""
    from mnemex_vault.memories.store import touched_paths

    undid, touched = operation.undoes or "", touched_paths(operation)
    view = Undone(
        success=True,
        operation_id=operation.id,
        undid=undid,
        paths=some(touched, bounds.at_most(_PATHS)),
        message=f"Undid {undid}; {counted(len(touched), 'note')} put back.",
    )
    return Told(view, view.message, _notes(view, operation, memories))


def _notes(view: Undone, operation: Operation, memories: Memories) -> Iterator[Recalled]:
    """Give what the change was called, and the notes that are as they were."""
    if operation.summary:
        yield Recalled(name=view.undid, origin=UNKNOWN_ORIGIN, text=operation.summary)
    for path in some(view.paths, _PATHS // 4):
        entry = memories.notes.get(path)
        yield Recalled(name=path, origin=origin_of(entry) if entry else UNKNOWN_ORIGIN)
