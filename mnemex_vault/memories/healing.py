"""Joining a memory with the copies of it that sync tools left behind, as far as nothing has to be chosen.

No device knows for certain what another one's version was made of. So nothing that either side says is dropped unless
the one text was made of the other here, and of several sums of uses that are possible the smallest holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from mnemex_vault.disk.paths import within
from mnemex_vault.domain.memory import Usage
from mnemex_vault.errors import MnemexError, UnreadableNote
from mnemex_vault.history.journal import Operation
from mnemex_vault.history.steps import Trash, Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.upkeep import ACTOR
from mnemex_vault.text.file_names import is_conflict_copy, may_be_copy, original_path
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.note import Note, etag
from mnemex_vault.text.versions import Known, Versions, holds, joined, with_least_base

KIND = "heal"
# the same, where more uses may have been made than could be told apart
ROUGHLY = "heal roughly"
# a sync tool may still be at work on the pair
_SETTLED = timedelta(minutes=2)
# so long a device that knows more of both versions may take to join them
_LEFT_TO_OTHERS = timedelta(days=1)

_NO_ORIGINAL = "the note that it is a copy of is gone"
_NO_MEMORY = "it is not a copy of a memory"
_DIFFERENT = "the texts differ"
_LINKED = "other notes link to the copy"
_FRESH = "it was changed just now"
_UNCERTAIN = "another device may know better how often it was used"


@dataclass(frozen=True, slots=True)
class Pair:
    """A note and a copy of it; `original` is None if there is none that carries the id or name."""

    original: Entry | None
    copy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """A copy that was joined with its original; unless `exact` it may have been used more often than it says."""

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
class _Waits:
    """How long ago a pair must have been changed, and an uncertain one have come."""

    quiet: timedelta
    patience: timedelta


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
    for notes in store.catalog.duplicate_ids().values():
        original, *copies = sorted(notes, key=lambda entry: not within(entry.path, [store.vault.layout.long_term]))
        for copy in copies:
            named_alike = not is_conflict_copy(copy.path) and may_be_copy(copy.path, original=original.path)
            if named_alike or _came_back(store, original, copy.path):
                yield Pair(original, copy.path)


def _came_back(store: Store, original: Entry, copy: str) -> bool:
    """Tell whether one device moved the memory to another tier while a tool brought back the note that it left.

    What lies elsewhere under the same name is a copy that somebody wanted.
    """
    layout = store.vault.layout
    folders = [folder for folder in (layout.short_term, layout.long_term, layout.archive) if folder]
    tiers = [[folder for folder in folders if within(path, [folder])] for path in (original.path, copy)]
    same_name = copy.rpartition("/")[2] == original.path.rpartition("/")[2]
    return same_name and original.is_memory and all(tiers) and tiers[0] != tiers[1]


def rough_counts(store: Store) -> Iterator[Entry]:
    """Yield the memories whose uses on several devices could not be told apart, as far as the journal goes back."""
    steps = (step for each in store.journal.operations() if each.kind == ROUGHLY for step in each.steps)
    texts = (store.journal.image(step.before or "") for step in steps if step.kind == "update")
    ids = {Note.parse("", text).memory_id or "" for text in texts if text is not None}
    yield from (entry for memory_id in sorted(ids) if (entry := store.catalog.by_id(memory_id)) and entry.is_memory)


class Healer:
    """Joins copies with their originals; every join is one operation that can be undone."""

    def __init__(self, store: Store, guard: Guard) -> None:
        self._store = store
        self._guard = guard

    def heal(
        self,
        *,
        dry_run: bool = False,
        quiet: timedelta = timedelta(),
        patience: timedelta = timedelta(),
        actor: str | None = None,
    ) -> Healing:
        """Join every copy of which no text has to be chosen, and name the others.

        The original gets the uses of both, the copy goes to the trash. What others changed within the `quiet` time is
        left alone, and, where uses cannot be told apart for certain, what came within the time of `patience`.
        """
        healed: list[Healed] = []
        left: list[Left] = []
        for pair in find_pairs(self._store):
            try:
                healed.append(self._heal(pair, _Waits(quiet, patience), actor, dry_run=dry_run))
            except MnemexError as error:
                reason = error.reason if isinstance(error, UnreadableNote) else str(error)
                left.append(Left(pair.copy, pair.original.path if pair.original else None, reason))
        return Healing(healed, left)

    def heal_by_itself(self) -> Healing:
        """Do the same unasked; raises AutomationPaused when automatic change is not safe."""
        self._guard.check()
        return self.heal(quiet=_SETTLED, patience=_LEFT_TO_OTHERS, actor=ACTOR)

    def _heal(self, pair: Pair, waits: _Waits, actor: str | None, *, dry_run: bool) -> Healed:
        store, original = self._store, pair.original
        if original is None:
            raise UnreadableNote(pair.copy, _NO_ORIGINAL)
        self._refuse_linked(pair)
        ours, theirs = (self._text(path, waits.quiet) for path in (original.path, pair.copy))
        result = self._joined(original, pair.copy, ours, theirs)
        if not result.exact and waits.patience and self._came_within(pair.copy, waits.patience):
            raise UnreadableNote(pair.copy, _UNCERTAIN)
        operation_id = None
        if not dry_run:
            # of any other version it is not known whether its text is still that of the copy
            update = Update(original.path, lambda _: result.text, expected_etag=etag(ours.encode()))
            summary = f"{original.title} and its copy {pair.copy}"
            steps = (update, Trash(pair.copy))
            kind = KIND if result.exact else ROUGHLY
            operation_id = store.commit(kind, steps, summary=summary, now=store.clock(), actor=actor).id
        return Healed(
            path=original.path,
            copy=pair.copy,
            use_count=result.usage.use_count,
            exact=result.exact,
            operation_id=operation_id,
        )

    def _came_within(self, path: str, patience: timedelta) -> bool:
        came = self._store.vault.files.read(path)[1].ctime_ns
        return came > (self._store.clock() - patience).timestamp() * 1e9

    def _refuse_linked(self, pair: Pair) -> None:
        copy = self._store.catalog.get(pair.copy)
        same_name = pair.original is not None and _came_back(self._store, pair.original, pair.copy)
        if copy is not None and not same_name and self._store.catalog.linking_to(copy):
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
        past = self._past(original, copy, ours, theirs)
        bases = self._bases(original.path, past, ours, theirs)
        versions = with_least_base(original.path, ours, theirs, zone=zone)
        if bases:
            versions = Versions(bases[0], ours, theirs)
        is_copy = is_conflict_copy(copy) or _came_back(store, original, copy)
        # what a person copied by hand may have been added to for its own sake
        text = joined(original.path, versions, zone=zone, known=past if is_copy else None)
        if text is None:
            raise UnreadableNote(copy, _DIFFERENT)
        usage = self._usage(original.path, text)
        fades_on = store.fades_on(usage, tier=original.tier)
        text = edit(text, {"fades_on": fades_on.isoformat() if fades_on else None})
        alike = self._usage(original.path, ours) == self._usage(original.path, theirs)
        return _Joined(text, usage, exact=alike or len(bases) == 1)

    def _bases(self, path: str, past: Known, ours: str, theirs: str) -> list[str]:
        """Return the versions that both sides may have been made of, the latest first, up to one that is certain.

        What only we made of a version may have reached the other side or not; what others made of it came from there.
        Two sides are in conflict, so that neither was made of the other, unless we know that it was.
        """
        certain = [side for side, made in ((theirs, past.of_ours), (ours, past.of_theirs)) if side in made]
        if certain:
            return certain[:1]
        sides = [
            (side, self._usage(path, side), made) for side, made in ((ours, past.of_ours), (theirs, past.of_theirs))
        ]
        found: dict[int, str] = {}
        for text in past.earlier:
            usage = self._usage(path, text)
            may_be = all(_may_follow(now, usage) and (text in made or holds(side, text)) for side, now, made in sides)
            if may_be and text not in (ours, theirs):
                found.setdefault(usage.use_count, text)
                if not self._store.journal.left(etag(text.encode())):
                    break
        return [found[count] for count in sorted(found, reverse=True)]

    def _past(self, original: Entry, copy: str, ours: str, theirs: str) -> Known:
        """Return what the journal knows of both: the texts that our changes displaced or wrote, under all names."""
        names = {original.path, original_path(copy)}
        earlier: dict[str, str] = {}
        made_of: defaultdict[str, list[str]] = defaultdict(list)
        for operation in self._store.journal.operations():
            for step in reversed(operation.steps):
                if step.to in names:
                    names.add(step.path)
                # what was joined is made of the copy as well: a tool may have left the same one twice
                if step.before and (after := step.after or _joined_to(operation)) and step.before != after:
                    made_of[after].append(step.before)
                if step.path in names:
                    found = ((name, self._image(original, name)) for name in (step.after, step.before) if name)
                    earlier |= {name: text for name, text in found if text is not None and name not in earlier}
        chains = [_back(etag(side.encode()), made_of) for side in (ours, theirs)]
        of_ours, of_theirs = ([self._image(original, name) or "" for name in chain] for chain in chains)
        return Known([*earlier.values()], of_ours, of_theirs)

    def _image(self, original: Entry, name: str) -> str | None:
        note = Note.parse(original.path, self._store.journal.image(name) or b"")
        return note.text if note.memory_id == original.memory_id else None

    def _usage(self, path: str, text: str) -> Usage:
        note = Note.parse(path, text.encode())
        return self._store.memory_in(note, tier=self._store.vault.tier_of(path)).usage


def _joined_to(operation: Operation) -> str | None:
    """Return the version that a note and its copy were joined to."""
    return operation.steps[0].after if operation.kind in (KIND, ROUGHLY) else None


def _back(name: str, made_of: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the versions that one was made of, the latest first."""
    seen = {name}
    waiting = [name]
    while waiting:
        for earlier in made_of.get(waiting.pop(0), ()):
            if earlier not in seen:
                seen.add(earlier)
                waiting.append(earlier)
                yield earlier


def _may_follow(later: Usage, earlier: Usage) -> bool:
    """Tell whether some uses lead from the one to the other."""
    uses, days = later.use_count - earlier.use_count, later.days_used - earlier.days_used
    if uses == 0:
        return later.last_used == earlier.last_used
    return uses > 0 and later.last_used >= earlier.last_used and 0 <= days <= uses
