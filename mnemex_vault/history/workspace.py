"""What the kinds of step work with: the notes as they are, as they will be, and on their way back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.temp import Park
from mnemex_vault.disk.vault import TRASH, Vault
from mnemex_vault.errors import NoteChanged, NoteError, NoteNotFound, UndoRefused
from mnemex_vault.history.journal import Journal, Operation, Step
from mnemex_vault.history.versions import difference
from mnemex_vault.text.encoding import etag

_NOT_KEPT = "the earlier text is no longer kept"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The notes of a vault as they are, and the journal that keeps what is displaced from them."""

    vault: Vault
    journal: Journal

    @property
    def park(self) -> Park:
        """Return what takes a displaced file."""
        return self.journal.parking.take

    def files(self, *paths: str) -> Files:
        """Return what opens these paths: only the steps of an undo lead into the trash folder."""
        return self.vault.trashed if any(path.startswith(TRASH + "/") for path in paths) else self.vault.files

    def read(self, path: str) -> bytes:
        """Return the bytes of a note, also of one in the trash folder."""
        return self.files(path).read(path)[0]

    def version(self, path: str) -> str | None:
        """Return the etag of a note, None if there is none that can be read."""
        try:
            return etag(self.read(path))
        except NoteError:
            return None

    def untouched(self, path: str, expected: str | None) -> bytes:
        """Return the bytes of a note; raises NoteChanged if it is not the version that a step left."""
        data = self.read(path)
        if etag(data) != expected:
            raise NoteChanged(path, expected=expected or "", actual=etag(data))
        return data

    def displaced(self, step: Step) -> bytes:
        """Return the text that a step displaced; raises NoteNotFound if it is not kept."""
        before = self.journal.image(step.before or "")
        if before is None:
            raise NoteNotFound(step.path)
        return before

    def stale(
        self, path: str, expected: str, current: bytes, rewrite: Callable[[bytes], bytes] | None = None
    ) -> NoteChanged:
        """Return the error for a note that is not the version that was expected.

        Its difference is what changed since that version if the journal knows it, else what the refused change would
        do to the note as it is now.
        """
        known = self.journal.image(expected)
        if known is not None:
            text = difference(known, current, names=("the version expected", "the note now"))
        elif rewrite is not None:
            text = difference(current, rewrite(current), names=("the note now", "with the refused change"))
        else:
            text = ""
        return NoteChanged(path, expected=expected, actual=etag(current), difference=text)


class Foresight:
    """The notes as they will be after the steps planned so far."""

    def __init__(self, work: Workspace) -> None:
        self.work = work
        self._notes: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes:
        """Return a note; raises NoteNotFound."""
        if path not in self._notes:
            self._notes[path] = self.work.read(path)
        data = self._notes[path]
        if data is None:
            raise NoteNotFound(path)
        return data

    def exists(self, path: str) -> bool:
        """Tell whether anything is at the path."""
        if path in self._notes:
            return self._notes[path] is not None
        return self.work.files(path).exists(path)

    def put(self, path: str, data: bytes | None) -> None:
        """Note what a step does to a path."""
        self._notes[path] = data


class WayBack(Foresight):
    """The notes of an operation while its steps are taken back, the last first, from wherever we moved them since."""

    def __init__(self, work: Workspace, operation: Operation) -> None:
        super().__init__(work)
        self.operation = operation
        # where the notes lie that lay at these paths when the next step to be taken back was done
        self._places: dict[str, str] = {}

    def place(self, path: str) -> str:
        """Return where the note lies that the operation left at a path; raises UndoRefused if it is in the trash."""
        place = self._places.get(path) or self.work.journal.present(self.operation.id, path)
        if place.startswith(TRASH) and not path.startswith(TRASH):
            raise self.refused(path, f"{path} was let go into the trash since; undo that first")
        return place

    def led_back(self, left: str, path: str, target: str) -> None:
        """Note that what the operation left at `left` was at `path` before, and comes to lie at `target`."""
        self._places.pop(left, None)
        self._places[path] = target

    def displaced(self, step: Step) -> bytes:
        """Return the text that a step displaced; raises UndoRefused if it is not kept any more."""
        before = self.work.journal.image(step.before or "")
        if before is None:
            raise UndoRefused(self.operation.id, step.path, _NOT_KEPT)
        return before

    def refused(self, path: str, reason: str) -> UndoRefused:
        """Return the error for a note that cannot be led back, with the reason."""
        return UndoRefused(self.operation.id, path, "", reason=reason)

    def changed(self, step: Step, current: bytes) -> UndoRefused:
        """Return the error for a note that someone changed since, with the difference."""
        before = self.work.journal.image(step.before or "") or b""
        shown = difference(before, current, names=("before the operation", "the note now"))
        return UndoRefused(self.operation.id, step.path, shown)
