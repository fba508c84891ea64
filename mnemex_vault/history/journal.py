"""What was done to the notes, in order, with the texts that were displaced: audit and undo.

Every operation has a record of its intent, on the disk before the first change, and one of its end. Between the
two the notes themselves tell how far it came.
"""

from __future__ import annotations

import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from mnemex_vault.disk.native import StepHook, no_hook
from mnemex_vault.disk.safeguards import refused_as, waiting
from mnemex_vault.disk.state import private_folder
from mnemex_vault.errors import OperationNotFound
from mnemex_vault.history.append_log import AppendLog
from mnemex_vault.history.displaced import Images, Parking

_NAME = "the journal"
# what was written may take so small a part of what displaced texts may
_ACKNOWLEDGED_SHARE = 4

StepKind = Literal["create", "update", "move", "trash"]
Outcome = Literal["open", "done", "rolled back", "partial"]


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one note: its etags before and after, and where it went; in the system's trash `to` is None."""

    kind: StepKind
    path: str
    to: str | None = None
    before: str | None = None
    after: str | None = None

    @property
    def origin(self) -> str | None:
        """Return where the note lay before, None for a new one."""
        return None if self.before is None else self.path

    @property
    def place(self) -> str | None:
        """Return where the note lies after it, None in the system's trash."""
        return self.path if self.to is None and self.after is not None else self.to

    @property
    def leaves(self) -> bool:
        """Tell whether no note is left where it lay."""
        return self.origin is not None and self.origin != self.place


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A group of steps that is done, or not, as a whole.

    `outcome` is "partial" if a person's edit kept a failed operation from being rolled back entirely: `steps` are
    those that stand. `uses` are the pending uses that it wrote into notes. A `final` one erased for good: it has no
    steps, and cannot be undone.
    """

    id: str
    kind: str
    at: datetime
    actor: str
    summary: str
    steps: tuple[Step, ...]
    outcome: Outcome = "open"
    undoes: str | None = None
    undone_by: str | None = None
    uses: tuple[str, ...] = ()
    final: bool = False

    @property
    def complete(self) -> bool:
        """Tell whether everything that was intended is done."""
        return self.outcome == "done"

    @property
    def changed_something(self) -> bool:
        """Tell whether anything is, or may be, as it was not before."""
        return bool(self.steps or self.final) and self.outcome != "rolled back"

    @property
    def paths(self) -> list[str]:
        """Return every path that it may have changed."""
        return list(dict.fromkeys(path for step in self.steps for path in (step.path, step.to) if path))


class _Begin(msgspec.Struct, tag="begin", frozen=True):
    operation: Operation


class _Intent(msgspec.Struct, tag="step", frozen=True):
    id: str
    index: int
    step: Step


class _End(msgspec.Struct, tag="end", frozen=True):
    id: str
    outcome: Outcome
    steps: tuple[Step, ...]


_Record = _Begin | _Intent | _End


def new_operation_id() -> str:
    """Return an id that is short enough to be typed."""
    return f"op{secrets.token_hex(4)}"


class Journal:
    """The operations of one vault; several processes may write, each change under the vault's lock."""

    def __init__(self, folder: Path, *, new_id: Callable[[], str] = new_operation_id, hook: StepHook = no_hook) -> None:
        private_folder(folder)
        self.images = Images(folder / "images")
        self._acknowledged = Images(folder / "acknowledged")
        self.parking = Parking(folder / "parked", self.images, hook=hook)
        self._hook = hook
        self._log: AppendLog[_Record] = AppendLog(folder / "operations.log", _Record)
        self._new_id = new_id
        self._mutex = threading.Lock()
        self._operations: dict[str, Operation] = {}

    @property
    def damaged(self) -> int:
        """Return how many records could not be read."""
        return self._log.damaged

    def begin(
        self,
        kind: str,
        steps: Iterable[Step],
        *,
        now: datetime,
        actor: str,
        summary: str,
        undoes: str | None = None,
        uses: Iterable[str] = (),
        texts: Iterable[bytes] = (),
        final: bool = False,
    ) -> Operation:
        """Write down what is going to be done and the texts it will displace; both are on the disk when it returns."""
        with refused_as(_NAME):
            self.images.keep(texts)
        known = self._load()
        while (operation_id := self._new_id()) in known:
            continue
        operation = Operation(
            id=operation_id,
            kind=kind,
            at=now,
            actor=actor,
            summary=summary,
            steps=tuple(steps),
            undoes=undoes,
            uses=tuple(uses),
            final=final,
        )
        self._hook("journal: texts kept")
        with refused_as(_NAME):
            self._log.append([_Begin(operation)])
        self._hook("journal: begun")
        return operation

    def step(self, operation_id: str, index: int, step: Step, *, text: bytes | None = None) -> None:
        """Replace an intended step whose note had changed, before it is done, and keep the text it displaces if given.

        The record is not flushed: that would only give whoever writes the note time to change it once more.
        """
        with refused_as(_NAME):
            self.images.keep([] if text is None else [text])
            self._log.append([_Intent(operation_id, index, step)], durable=False)

    def keep_acknowledged(self, texts: Iterable[bytes]) -> None:
        """Keep what was written, for an editor may save over it what it loaded before.

        Not flushed, for the notes are: until something is saved over them it costs nothing to lose this.
        """
        with waiting("what was written"), refused_as(_NAME):
            self._acknowledged.keep(texts, flush=False)

    def finish(self, operation_id: str, outcome: Outcome, steps: Iterable[Step], *, durable: bool = False) -> Operation:
        """Write down how an operation ended.

        Flushing that is needless if all went as intended: recovery would find the same from the notes.
        """
        with refused_as(_NAME):
            self._log.append([_End(operation_id, outcome, tuple(steps))], durable=durable)
        self._hook("journal: finished")
        return self.find(operation_id)

    def history(self, limit: int | None = 20, *, actor: str | None = None) -> list[Operation]:
        """Return the latest operations, the newest first, without those that changed nothing."""
        operations = self._load()
        found = [
            operation
            for operation in reversed(operations.values())
            if operation.changed_something and actor in (None, operation.actor)
        ]
        undone = _undone(operations)
        return [replace(operation, undone_by=undone.get(operation.id)) for operation in found[:limit]]

    def find(self, operation_id: str) -> Operation:
        """Return one operation; raises OperationNotFound."""
        operations = self._load()
        operation = operations.get(operation_id)
        if operation is None:
            raise OperationNotFound(operation_id)
        return replace(operation, undone_by=_undone(operations).get(operation_id))

    def unfinished(self) -> list[Operation]:
        """Return the operations without an end: under the vault's lock, those that a crash cut off."""
        return [operation for operation in self._load().values() if operation.outcome == "open"]

    def written_uses(self) -> frozenset[str]:
        """Return the ids of the pending uses that stand in notes already."""
        done = (operation for operation in self._load().values() if operation.outcome in ("done", "partial"))
        return frozenset(use for operation in done for use in operation.uses)

    def left(self, etag: str) -> bool:
        """Tell whether one of our operations left a note as this version."""
        done = (operation for operation in self._load().values() if operation.outcome in ("done", "partial"))
        return any(step.after == etag for operation in done for step in operation.steps)

    def present(self, operation_id: str, path: str) -> str:
        """Return where a note lies that an operation left at a path, as far as later ones of ours moved it."""
        known = list(self._load())
        later = known[known.index(operation_id) + 1 :] if operation_id in known else []
        for each in (self._load()[name] for name in later):
            for step in each.steps if each.outcome in ("done", "partial") else ():
                if step.path == path:
                    path = step.place or path
        return path

    def leads(self, start: str, end: str) -> bool:
        """Tell whether nobody but us made the one version of a note out of the other."""
        done = (each for each in self._load().values() if each.outcome in ("done", "partial"))
        steps = (step for each in done for step in each.steps if step.before and step.after)
        before = {step.after: step.before for step in steps if step.after != step.before}
        seen: set[str | None] = set()
        version: str | None = end
        while version != start and version in before and version not in seen:
            seen.add(version)
            version = before[version]
        return version == start

    def image(self, name: str) -> bytes | None:
        """Return a text that was displaced or written, by its etag; None if it is not kept (any more)."""
        with refused_as(_NAME):
            displaced = self.images.get(name)
            return self._acknowledged.get(name) if displaced is None else displaced

    def operations(self) -> list[Operation]:
        """Return every operation, the newest first, also those that were rolled back."""
        return list(reversed(self._load().values()))

    def drop(self, operation_ids: Iterable[str]) -> None:
        """Forget these operations for good; the caller holds the vault's lock."""
        gone = frozenset(operation_ids)
        if gone:
            with refused_as(_NAME):
                self._rewrite([each for each in self._load().values() if each.id not in gone])

    def prune(self, *, now: datetime, max_age: timedelta, max_bytes: int) -> int:
        """Forget operations that are too old, then the oldest while texts take too much; return how many.

        The caller holds the vault's lock. Unfinished operations are kept.
        """
        operations = list(self._load().values())
        sizes = self.images.sizes()
        kept: list[Operation] = []
        kept_etags: set[str] = set()
        fits = True
        for operation in reversed(operations):
            etags = kept_etags | _etags(operation)
            taken = sum(sizes.get(each, 0) for each in etags)
            fits = fits and now - operation.at <= max_age and taken <= max_bytes
            if fits or operation.outcome == "open":
                kept.append(operation)
                kept_etags = etags
        with refused_as(_NAME):
            if len(kept) < len(operations):
                self._rewrite(list(reversed(kept)))
            self.images.remove(sizes.keys() - kept_etags)
            self._prune_acknowledged(kept, max_bytes // _ACKNOWLEDGED_SHARE)
        return len(operations) - len(kept)

    def _prune_acknowledged(self, latest_first: Iterable[Operation], max_bytes: int) -> None:
        """Keep what was written last, as long as it takes no more than this."""
        sizes = self._acknowledged.sizes()
        kept: set[str] = set()
        taken = 0
        for step in (step for operation in latest_first for step in reversed(operation.steps)):
            if step.after in sizes and step.after not in kept:
                taken += sizes[step.after]
                kept.add(step.after)
                if taken > max_bytes:
                    break
        self._acknowledged.remove(sizes.keys() - kept)

    def purge(self, etags: Iterable[str]) -> int:
        """Erase these texts, also from displaced files; return how many were kept. This cannot be undone."""
        names = frozenset(etags)
        with refused_as(_NAME):
            self.parking.purge(names)
            self._acknowledged.remove(names)
            return self.images.remove(names)

    def _rewrite(self, operations: Sequence[Operation]) -> None:
        self._log.rewrite(lambda _: [record for each in operations for record in _records(each)])

    def _load(self) -> dict[str, Operation]:
        with self._mutex, refused_as(_NAME):
            records, anew = self._log.follow()
            if records or anew:
                # others may be looking at the operations that were known
                operations = {} if anew else dict(self._operations)
                for record in records:
                    _apply(operations, record)
                self._operations = operations
            return self._operations


def _undone(operations: dict[str, Operation]) -> dict[str, str]:
    """Return the undo that holds for each operation: complete, and not itself undone."""
    undone: dict[str, str] = {}
    for operation in reversed(operations.values()):
        if operation.undoes is not None and operation.complete and operation.id not in undone:
            undone.setdefault(operation.undoes, operation.id)
    return undone


def _records(operation: Operation) -> list[_Record]:
    begin = _Begin(replace(operation, outcome="open"))
    return [begin] if operation.outcome == "open" else [begin, _End(operation.id, operation.outcome, operation.steps)]


def _etags(operation: Operation) -> set[str]:
    return {step.before for step in operation.steps if step.before}


def _apply(operations: dict[str, Operation], record: _Record) -> None:
    if isinstance(record, _Begin):
        operations[record.operation.id] = record.operation
        return
    operation = operations.get(record.id)
    if operation is None:
        return
    if isinstance(record, _End):
        operations[record.id] = replace(operation, outcome=record.outcome, steps=record.steps)
    elif record.index < len(operation.steps):
        steps = [*operation.steps]
        steps[record.index] = record.step
        operations[record.id] = replace(operation, steps=tuple(steps))


# Notes followed through the journal: back to where one was made, or to where they went.


@dataclass(frozen=True, slots=True)
class Trace:
    """Versions a note had, operations that concern it alone, and those that changed other notes as well."""

    etags: frozenset[str]
    alone: tuple[str, ...]
    mixed: tuple[str, ...]


def trace(operations: Iterable[Operation], paths: Iterable[str]) -> Trace:
    """Follow the notes at these paths through operations, the latest first, under all names they bore.

    A note that bore one of the names before is another note, and is left out.
    """
    names = set(paths)
    etags: set[str] = set()
    alone: list[str] = []
    mixed: list[str] = []
    for operation in operations:
        strangers = False
        concerned = False
        for step in reversed(operation.steps):
            if step.path not in names and step.to not in names:
                strangers = True
                continue
            concerned = True
            etags |= {etag for etag in (step.before, step.after) if etag}
            if step.place is not None:
                names.discard(step.place)
            if step.origin is not None:
                names.add(step.origin)
        if concerned:
            (mixed if strangers else alone).append(operation.id)
    return Trace(frozenset(etags), tuple(alone), tuple(mixed))


def departures(journal: Journal) -> Mapping[str, Collection[str]]:
    """Return each path that an operation left without a note, with the etags it had; no later one put a note there.

    An operation that is under way counts as well: its intent is written down before the first note goes.
    """
    gone: dict[str, Collection[str]] = {}
    for operation in reversed(journal.operations()):
        if operation.outcome != "rolled back":
            _follow(operation, gone)
    return gone


def _follow(operation: Operation, gone: dict[str, Collection[str]]) -> None:
    versions: defaultdict[str, set[str]] = defaultdict(set)
    for step in operation.steps:
        versions[step.path].add(step.before or "")
        if step.leaves:
            gone[step.path] = versions[step.path]
        if step.place is not None:
            gone.pop(step.place, None)
