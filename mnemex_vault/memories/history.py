"""What was done, taking it back, and for how long that can be done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import takewhile

from mnemex_vault.disk.state import Moments
from mnemex_vault.disk.vault import TRASH
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import DuplicateId, MnemexError, NotAllowed, NotPossible, OperationNotFound
from mnemex_vault.history.journal import Operation, Step
from mnemex_vault.history.operation import Refusal
from mnemex_vault.history.steps import Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.store import Store
from mnemex_vault.text.fields import content_of, replace_body
from mnemex_vault.text.note import Note

# neither a use nor a review note made anew is what "the last change" means to people
REINFORCEMENTS = frozenset({"use", "review"})


@dataclass(frozen=True, slots=True)
class Overwritten:
    """A text of ours that is no longer in its note, because an older one was saved over it."""

    path: str
    operation: Operation
    content: str


@dataclass(frozen=True, slots=True)
class Undoing:
    """What an undoing did and undid, and what stays.

    `left` tells of each note that could not be taken back why, `uses` are those that were written after the last
    change: they are none, and stay.
    """

    operation: Operation
    undid: Operation
    left: Sequence[Refusal] = ()
    uses: Sequence[Operation] = ()


class History:
    """The journal as people see it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def operations(self, *, limit: int | None = None) -> Sequence[Operation]:
        """Return what was done, the newest first."""
        found = list(self._store.journal.history(None))
        return found if limit is None else found[:limit]

    def find(self, operation_id: str) -> Operation:
        """Return one operation; raises OperationNotFound."""
        return self._store.journal.find(operation_id)

    @property
    def damaged(self) -> int:
        """Return how many records of the journal cannot be read, and so not be undone."""
        return self._store.journal.damaged

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
        """Undo an operation, by default this session's last; the undo is itself an operation. Raises as `take_back`."""
        return self.take_back(operation_id, own_only=own_only or operation_id is None).operation

    def take_back(self, operation_id: str | None = None, *, own_only: bool = False) -> Undoing:
        """Undo an operation, by default the last change, and tell what that was and what stays all the same.

        Of many notes that were each changed for themselves, those that cannot be taken back are left and named.
        Raises OperationNotFound, NotAllowed outside the write scope and for what was erased, and UndoRefused with the
        difference when a note was changed since.
        """
        store = self._store
        wanted = self._wanted(operation_id, own_only=own_only)
        uses = self._uses_since(wanted, own_only=own_only) if operation_id is None else []
        if any(step.kind == "trash" for step in wanted.steps):
            # whoever brings a note back by hand does it just now
            store.follow_vault()
        with store.writer(path for path in wanted.paths if not path.startswith(TRASH)) as writer:
            undone = writer.undo(wanted.id, now=store.clock(), barred=self._doubles(wanted))
        return Undoing(undone.operation, wanted, undone.left, uses)

    def _wanted(self, operation_id: str | None, *, own_only: bool) -> Operation:
        store = self._store
        # a change that is being made is either done or taken back before anything is chosen
        with store.vault.lock:
            wanted = self.last(own_only=own_only) if operation_id is None else store.journal.find(operation_id)
        if own_only and wanted.actor != store.session:
            raise OperationNotFound(wanted.id)
        return wanted

    def _uses_since(self, operation: Operation, *, own_only: bool) -> list[Operation]:
        """Return the uses that stand and were written after a change, the latest first."""
        actor = self._store.session if own_only else None
        later = takewhile(lambda each: each.id != operation.id, self._store.journal.history(None))
        return [each for each in later if each.kind == "use" and not each.undone_by and actor in (None, each.actor)]

    def _doubles(self, operation: Operation) -> dict[str, Refusal]:
        """Return the paths to which no note comes back, since another, not of this operation, carries its id now."""
        store, touched = self._store, operation.paths
        own = {*touched, *(store.journal.present(operation.id, path) for path in touched)}
        doubles: dict[str, Refusal] = {}
        for step in operation.steps:
            memory_id = self._returning_id(operation, step)
            carrying = store.catalog.copies(memory_id) if memory_id else []
            others = [each.path for each in carrying if each.path not in own]
            if memory_id and others:
                doubles[step.path] = DuplicateId(memory_id, [step.path, *others])
        return doubles

    def _returning_id(self, operation: Operation, step: Step) -> str | None:
        """Return the id that the inverse of a step brings back among the notes that are not let go."""
        store = self._store
        now = store.catalog.get(store.journal.present(operation.id, step.to or step.path))
        known = now.memory_id if now else None
        if step.kind == "move":
            tiers = [store.vault.tier_of(path) for path in (step.path, step.to or "")]
            return known if tiers[0] is not Tier.ARCHIVED and tiers[1] is Tier.ARCHIVED else None
        text = None if step.kind == "create" else store.journal.image(step.before or "")
        before = None if text is None else Note.parse(step.path, text).memory_id
        return before if before != known else None

    def again(self, operation_id: str) -> Operation:
        """Write the text of a change once more into the note over which an older one was saved.

        Raises OperationNotFound, and NotPossible if no text of that change was overwritten or is kept any more.
        """
        wanted = self._store.journal.find(operation_id)
        found = [each for each in overwritten(self._store) if each.operation.id == wanted.id]
        if not found:
            raise NotPossible("", f"no text of {operation_id} was overwritten by an older one")
        steps = [Update(each.path, partial(replace_body, content=each.content)) for each in found]
        return self._store.commit("again", steps, summary=wanted.summary, now=self._store.clock())


def overwritten(store: Store) -> Iterator[Overwritten]:
    """Yield the texts over which something older was saved, by path.

    A person's edit that goes on from our text, or says something else, is none.
    """
    for path, changes in sorted(_text_changes(store).items()):
        entry = store.catalog.get(path)
        if entry is None:
            continue
        texts = [(each, *_contents(store, step)) for each, step in changes]
        known = [(each, before, after) for each, before, after in texts if before is not None and after is not None]
        changed = [each for each in known if each[1] != each[2]]
        with suppress(MnemexError):
            current = store.note(entry).content
            if changed and _is_older(current, changed[-1][1], changed[-1][2], [before for _, before, _ in changed]):
                yield Overwritten(path, changed[-1][0], changed[-1][2])


def _text_changes(store: Store) -> dict[str, list[tuple[Operation, Step]]]:
    """Return the updates of each note that may have changed its text, the earliest first, by its present path."""
    found: defaultdict[str, list[tuple[Operation, Step]]] = defaultdict(list)
    for operation in reversed(store.journal.operations()):
        if operation.outcome not in ("done", "partial") or operation.kind in REINFORCEMENTS:
            continue
        for step in operation.steps:
            if step.kind == "update":
                found[step.path].append((operation, step))
            else:
                known = found.pop(step.path, [])
                if step.kind == "move" and step.to:
                    found[step.to] = known
    return found


def _contents(store: Store, step: Step) -> tuple[str | None, str | None]:
    before, after = (store.journal.image(name or "") for name in (step.before, step.after))
    return _content(before), _content(after)


def _content(data: bytes | None) -> str | None:
    return None if data is None else content_of(data.decode("utf-8", "replace"))


def _is_older(current: str, before: str, after: str, earlier: Collection[str]) -> bool:
    """Tell whether a text is an earlier one, perhaps edited further, that knows nothing of the change from it."""
    if current == after:
        return False
    present, old, new = (set(text.split("\n")) - {""} for text in (current, before, after))
    return current in earlier or (not (new - old) & present and old - new <= present)


# What was known on a day that is over.


def archived_since(store: Store, day: date) -> set[str]:
    """Return the paths of what is archived now and was moved there after the end of this day."""
    zone = store.rules.zone
    later = (each for each in store.journal.history(None) if each.at.astimezone(zone).date() > day)
    places = (step.place for each in later for step in each.steps if step.leaves)
    return {place for place in places if place and store.vault.tier_of(place) is Tier.ARCHIVED}


def text_on(store: Store, entry: Entry, day: date) -> str | None:
    """Return the text that a note held at the end of a day that is over; None if nobody can tell.

    It is known if nobody changed the note since; else if the journal has what our first change after that day found,
    and our last change up to that day had left the same.
    """
    zone = store.rules.zone
    found, changed = entry.etag, False
    for at, step in _steps_to(store, entry.path):
        if at.astimezone(zone).date() <= day:
            text = _text(store, entry, found)
            return text if step.after == found or _text(store, entry, step.after) == text else None
        if step.before is None:
            return None
        found, changed = step.before, True
    last = datetime.fromtimestamp(entry.fingerprint.mtime_ns / 1e9, zone).date()
    return None if changed or last > day else _text(store, entry, found)


def _steps_to(store: Store, path: str) -> Iterator[tuple[datetime, Step]]:
    """Yield what we did to the note that lies at a path now, and when, the latest first."""
    for operation in store.journal.history(None):
        for step in reversed(operation.steps):
            if step.place == path:
                yield operation.at, step
                path = step.path


def _text(store: Store, entry: Entry, etag: str | None) -> str | None:
    """Return the text of one version of a note, None if it is not kept."""
    if etag == entry.etag:
        return store.note(entry).content
    return _content(store.journal.image(etag or ""))


# How long the journal keeps what it displaced: bounded by age and size, looked at once a day.

KEPT = timedelta(days=90)
MOST_BYTES = 512 << 20
EVERY = timedelta(days=1)
_PRUNED = "pruned"


class Retention:
    """Lets go of what is too old to be undone."""

    def __init__(self, store: Store, guard: Guard, moments: Moments) -> None:
        self._store = store
        self._guard = guard
        self._moments = moments

    def prune_if_due(self) -> int:
        """Forget old operations and their texts, at most once a day; return how many.

        After a jump of the clock nothing grows older until the time is confirmed.
        """
        store, now = self._store, self._store.clock()
        last = self._moments.last(_PRUNED)
        if last is not None and timedelta() <= now - last < EVERY:
            return 0
        self.look_at_clock()
        if store.rules.read_only or self._guard.problem(of_clock=False) is not None:
            return 0
        with store.vault.lock:
            pruned = store.journal.prune(now=self._guard.ageing.believed_time(), max_age=KEPT, max_bytes=MOST_BYTES)
        self._moments.remember(_PRUNED, now)
        return pruned

    def look_at_clock(self) -> None:
        """Compare the clock with its last look, or, if there was none, with the last operation."""
        latest = next(iter(self._store.journal.operations()), None)
        if latest is not None:
            self._guard.ageing.look(since=latest.at)
