"""What was done, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import DuplicateId, NotAllowed, NotPossible, OperationNotFound
from mnemex_vault.memories.store import Store, touched_paths
from mnemex_vault.notes.journal import Operation, Step
from mnemex_vault.notes.note import Note
from mnemex_vault.notes.operation import undo
from mnemex_vault.notes.progress import WRITING_NOTES
from mnemex_vault.notes.vault import TRASH

# neither a use nor a review note made anew is what "the last change" means to people
REINFORCEMENTS = frozenset({"use", "review"})


class History:
    """The journal as people see it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def operations(self, *, limit: int | None = None) -> Sequence[Operation]:
        """Return what was done, the newest first."""
        found = list(self._store.journal.history(None))
        return found if limit is None else found[:limit]

    def last(self, *, own_only: bool = False) -> Operation:
        """Return the last change that stands, by whomever or by this session; uses and undoings apart.

        Raises InvalidInput if there is none, NotAllowed if something was erased for good since: an older change is
        not what "the last one" means then.
        """
        for operation in self._store.journal.history(None):
            if operation.final:
                raise NotAllowed(
                    f"the last change was a {operation.kind} ({operation.id}), which cannot be undone; "
                    "name an older one to take that back"
                )
            stands = operation.undone_by is None and operation.undoes is None
            meant = not own_only or operation.actor == self._store.session
            if meant and stands and operation.kind not in REINFORCEMENTS:
                return operation
        if not own_only:
            raise NotPossible("", "there is nothing to take back")
        raise NotPossible("operation_id", "this session has changed nothing that could be undone; name an operation")

    def undo(self, operation_id: str | None = None, *, own_only: bool = False) -> Operation:
        """Undo an operation, by default this session's last; the undo is itself an operation.

        Raises OperationNotFound, NotAllowed outside the write scope and for what was erased, and UndoRefused with the
        difference when a note was changed since.
        """
        store = self._store
        # a change that is being made is either done or taken back before anything is chosen
        with store.vault.lock:
            wanted = self.last(own_only=True) if operation_id is None else store.journal.find(operation_id)
            if own_only and wanted.actor != store.session:
                raise OperationNotFound(wanted.id)
            store.check_paths(path for path in touched_paths(wanted) if not path.startswith(TRASH))
            self._refuse_doubles(wanted)
            operation = undo(
                store.vault,
                store.journal,
                wanted.id,
                now=store.clock(),
                actor=store.session,
                progress=store.watch(WRITING_NOTES),
            )
        store.follow(touched_paths(operation), now=store.clock(), own=True)
        return operation

    def _refuse_doubles(self, operation: Operation) -> None:
        """Raise DuplicateId if a note would come back whose id another one, not of this operation, carries now."""
        store, own = self._store, set(touched_paths(operation))
        if any(step.kind == "trash" for step in operation.steps):
            # whoever brings a note back by hand does it just now
            store.follow_vault()
        for step in operation.steps:
            memory_id = self._returning_id(step)
            carrying = store.catalog.copies(memory_id) if memory_id else []
            others = [each.path for each in carrying if each.path not in own]
            if memory_id and others:
                raise DuplicateId(memory_id, [step.path, *others])

    def _returning_id(self, step: Step) -> str | None:
        """Return the id that the inverse of a step brings back among the notes that are not let go."""
        store = self._store
        now = store.catalog.get(step.to or step.path)
        known = now.memory_id if now else None
        if step.kind == "move":
            tiers = [store.vault.tier_of(path) for path in (step.path, step.to or "")]
            return known if tiers[0] is not Tier.ARCHIVED and tiers[1] is Tier.ARCHIVED else None
        text = None if step.kind == "create" else store.journal.image(step.before or "")
        before = None if text is None else Note.parse(step.path, text).memory_id
        return before if before != known else None
