"""Joining a memory with the copies of it that sync tools left behind, as far as no text has to be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from mnemex_vault.domain.memory import Usage
from mnemex_vault.errors import MnemexError, UnreadableNote
from mnemex_vault.history.steps import Trash, Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.upkeep import ACTOR
from mnemex_vault.text.encoding import etag
from mnemex_vault.text.file_names import is_conflict_copy, may_be_copy, original_path
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.note import Note
from mnemex_vault.text.versions import Versions, joined, with_least_base

KIND = "heal"
# a sync tool may still be at work on the pair
_SETTLED = timedelta(minutes=2)

_NO_ORIGINAL = "the note that it is a copy of is gone"
_NO_MEMORY = "it is not a copy of a memory"
_DIFFERENT = "the texts differ"
_LINKED = "other notes link to the copy"
_FRESH = "it was changed just now"


@dataclass(frozen=True, slots=True)
class Pair:
    """A note and a copy of it; `original` is None if there is none that carries the id or name."""

    original: Entry | None
    copy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """A copy that was joined with its original; `exact` tells that what both sides added could be added up."""

    path: str
    copy: str
    use_count: int
    exact: bool
    operation_id: str | None


@dataclass(frozen=True, slots=True)
class Left:
    """A copy that a person has to look at, and why."""

    copy: str
    path: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Healing:
    """What became of all copies."""

    healed: Sequence[Healed]
    left: Sequence[Left]


@dataclass(frozen=True, slots=True)
class _Joined:
    text: str
    usage: Usage
    exact: bool


def find_pairs(store: Store) -> list[Pair]:
    """Return every copy with its original: by the id that both carry, else by name."""
    return sorted([*_by_name(store), *_by_id(store)], key=lambda pair: pair.copy)


def _by_name(store: Store) -> Iterator[Pair]:
    for path, _ in store.vault.conflict_copies():
        try:
            memory_id = Note.parse(path, store.vault.files.read(path)[0]).memory_id
        except MnemexError:
            memory_id = None
        known = store.catalog.by_id(memory_id) if memory_id else None
        yield Pair(known or store.catalog.get(original_path(path)), path)


def _by_id(store: Store) -> Iterator[Pair]:
    """Yield copies whose names could be a person's as well: only the common id tells them apart."""
    for original, *copies in store.catalog.duplicate_ids().values():
        for copy in copies:
            if not is_conflict_copy(copy.path) and may_be_copy(copy.path, original=original.path):
                yield Pair(original, copy.path)


class Healer:
    """Joins copies with their originals; every join is one operation that can be undone."""

    def __init__(self, store: Store, guard: Guard) -> None:
        self._store = store
        self._guard = guard

    def heal(self, *, dry_run: bool = False, quiet: timedelta = timedelta(), actor: str | None = None) -> Healing:
        """Join every copy whose text is that of its original, and name the others.

        The original gets the uses of both, the copy goes to the trash. What others changed within the `quiet` time is
        left alone.
        """
        healed: list[Healed] = []
        left: list[Left] = []
        for pair in find_pairs(self._store):
            try:
                healed.append(self._heal(pair, quiet, actor, dry_run=dry_run))
            except MnemexError as error:
                reason = error.reason if isinstance(error, UnreadableNote) else str(error)
                left.append(Left(pair.copy, pair.original.path if pair.original else None, reason))
        return Healing(healed, left)

    def heal_by_itself(self) -> Healing:
        """Do the same unasked; raises AutomationPaused when automatic change is not safe."""
        self._guard.check()
        return self.heal(quiet=_SETTLED, actor=ACTOR)

    def _heal(self, pair: Pair, quiet: timedelta, actor: str | None, *, dry_run: bool) -> Healed:
        store, original = self._store, pair.original
        if original is None:
            raise UnreadableNote(pair.copy, _NO_ORIGINAL)
        self._refuse_linked(pair)
        ours, theirs = (self._text(path, quiet) for path in (original.path, pair.copy))
        result = self._joined(original, pair.copy, ours, theirs)
        operation_id = None
        if not dry_run:
            # of any other version it is not known whether its text is still that of the copy
            update = Update(original.path, lambda _: result.text, expected_etag=etag(ours.encode()))
            summary = f"{original.title} and its copy {pair.copy}"
            steps = (update, Trash(pair.copy))
            operation_id = store.commit(KIND, steps, summary=summary, now=store.clock(), actor=actor).id
        return Healed(
            path=original.path,
            copy=pair.copy,
            use_count=result.usage.use_count,
            exact=result.exact,
            operation_id=operation_id,
        )

    def _refuse_linked(self, pair: Pair) -> None:
        copy = self._store.catalog.get(pair.copy)
        if copy is not None and self._store.catalog.linking_to(copy):
            raise UnreadableNote(pair.copy, _LINKED)

    def _text(self, path: str, quiet: timedelta) -> str:
        data, fingerprint = self._store.vault.files.read(path)
        own = self._store.last_writes.get(path, (None, ""))[1] == etag(data)
        if quiet and not own and fingerprint.mtime_ns > (self._store.clock() - quiet).timestamp() * 1e9:
            raise UnreadableNote(path, _FRESH)
        note = Note.parse(path, data)
        if note.memory_id is None:
            raise UnreadableNote(path, note.unreadable_because or _NO_MEMORY)
        return note.text

    def _joined(self, original: Entry, copy: str, ours: str, theirs: str) -> _Joined:
        store, zone = self._store, self._store.rules.zone
        base = self._base(original, copy, ours, theirs)
        versions = with_least_base(original.path, ours, theirs, zone=zone)
        if base is not None:
            versions = Versions(base, ours, theirs)
        text = joined(original.path, versions, zone=zone)
        if text is None:
            raise UnreadableNote(copy, _DIFFERENT)
        usage = self._usage(original.path, text)
        fades_on = store.fades_on(usage, tier=original.tier)
        text = edit(text, {"fades_on": fades_on.isoformat() if fades_on else None})
        return _Joined(text, usage, base is not None)

    def _base(self, original: Entry, copy: str, ours: str, theirs: str) -> str | None:
        """Return the latest version that both sides may have started from, as far as the journal keeps it.

        An earlier one would count uses twice that both sides have already.
        """
        sides = [self._usage(path, text) for path, text in ((original.path, ours), (copy, theirs))]
        found: tuple[int, str] | None = None
        for text in self._earlier(original, copy):
            usage = self._usage(original.path, text)
            latest = found is None or usage.use_count > found[0]
            if latest and all(_may_follow(side, usage) for side in sides):
                found = (usage.use_count, text)
        return None if found is None else found[1]

    def _earlier(self, original: Entry, copy: str) -> Iterator[str]:
        """Yield the texts that our changes of the note displaced, the latest first, under all names that it had."""
        journal, names, seen = self._store.journal, {original.path, original_path(copy)}, set()
        for operation in journal.operations():
            for step in reversed(operation.steps):
                if step.to in names:
                    names.add(step.path)
                if step.path not in names or step.before is None or step.before in seen:
                    continue
                seen.add(step.before)
                data = journal.image(step.before)
                note = Note.parse(original.path, data or b"")
                if note.memory_id == original.memory_id:
                    yield note.text

    def _usage(self, path: str, text: str) -> Usage:
        note = Note.parse(path, text.encode())
        return self._store.memory_in(note, tier=self._store.vault.tier_of(path)).usage


def _may_follow(later: Usage, earlier: Usage) -> bool:
    """Tell whether some uses lead from the one to the other."""
    uses, days = later.use_count - earlier.use_count, later.days_used - earlier.days_used
    if uses == 0:
        return later.last_used == earlier.last_used
    return uses > 0 and later.last_used >= earlier.last_used and 0 <= days <= uses
