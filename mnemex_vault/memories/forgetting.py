"""Forgetting: which memories have faded, which are exempt and why, what is done about it; and erasing for good."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.paths import walk
from mnemex_vault.disk.vault import TRASH
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NoteNotFound, WriteFailed
from mnemex_vault.history.journal import trace
from mnemex_vault.history.steps import Trash
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.brief import KeptBrief
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.lifecycle import Lifecycle, Moved
from mnemex_vault.memories.meaning import Meaning
from mnemex_vault.memories.store import Store, found_again
from mnemex_vault.text.note import Note, NoteKind, etag

# Forgetting: which memories have faded, which are exempt and why, and what is done about it.


class Exempt(StrEnum):
    """Why a faded memory is kept."""

    LINKED = "linked from a long-term note"
    LIMIT = "over the limit of one run"


@dataclass(frozen=True, slots=True)
class Faded:
    """A memory below the forget level."""

    entry: Entry
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingPlan:
    """What one run would forget, lowest score first; exempt ones are counted by reason.

    `soon` is how many more fade within 30 days if they are not used.
    """

    candidates: Sequence[Faded]
    exempt: Mapping[Exempt, int]
    soon: int


@dataclass(slots=True, kw_only=True)
class ForgettingResult:
    """What became of a run; `failed` are paths with the reason, left as they were."""

    moved: list[Moved] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


class Forgetting:
    """Finding faded memories and letting them go."""

    def __init__(self, store: Store, guard: Guard, lifecycle: Lifecycle) -> None:
        self._store = store
        self._guard = guard
        self._lifecycle = lifecycle

    def plan(self, *, limit: int | None = None) -> ForgettingPlan:
        """Return what a run would forget now: at most `limit`, by default a tenth of the short-term notes."""
        store, now, policy = self._store, self._store.clock(), self._store.policy
        memories = store.catalog.memories(Tier.SHORT_TERM)
        usage_of = store.usages()
        faded = [entry for entry in memories if scoring.forgettable(usage_of(entry), policy, now=now)]
        exempt: Counter[Exempt] = Counter()
        candidates = []
        for entry in faded:
            if self.is_linked(entry):
                exempt[Exempt.LINKED] += 1
            else:
                candidates.append(Faded(entry, scoring.score(usage_of(entry), policy, now=now)))
        candidates.sort(key=lambda each: (each.score, each.entry.path))
        most = self.most(len(memories)) if limit is None else limit
        if len(candidates) > most:
            exempt[Exempt.LIMIT] = len(candidates) - most
        return ForgettingPlan(candidates=candidates[:most], exempt=exempt, soon=self._fading_within(30, memories, now))

    def most(self, memories: int) -> int:
        """Return how many of this many short-term memories one run may take."""
        return max(1, math.ceil(memories * self._store.rules.gc_max_share))

    def is_linked(self, entry: Entry) -> bool:
        """Tell whether a long-term note that a person wrote or promoted links to the memory."""
        return any(
            source.tier is Tier.LONG_TERM and source.kind in (NoteKind.MEMORY, NoteKind.ORDINARY)
            for source in self._store.catalog.linking_to(entry)
        )

    def _fading_within(self, days: int, memories: Sequence[Entry], now: datetime) -> int:
        end = now + timedelta(days=days)
        usage_of, policy = self._store.usages(), self._store.policy
        moments = (scoring.fades_at(usage_of(entry), policy) for entry in memories)
        return sum(1 for moment in moments if moment is not None and now <= moment <= end)

    def run(self, plan: ForgettingPlan, *, to_trash: bool = False, automatic: bool = False) -> ForgettingResult:
        """Archive (or trash) the planned memories as one undoable operation.

        Every score is looked at again just before; a note that cannot be moved is left out and reported. Raises
        AutomationPaused or VaultUnavailable when a guard stopped automatic change.
        """
        self._guard.check(asked=not automatic)
        result = ForgettingResult()
        now = self._store.clock()
        entries = self._still_faded(plan, result, now=now)
        reason = "faded" if automatic else "faded, tidied up on request"
        outcome = self._lifecycle.forget_each(entries, now=now, to_trash=to_trash, reason=reason)
        result.moved = outcome.moved
        result.failed |= {path: str(error) for path, error in outcome.failed.items()}
        return result

    def _still_faded(self, plan: ForgettingPlan, result: ForgettingResult, *, now: datetime) -> list[Entry]:
        entries = []
        for faded in plan.candidates:
            try:
                entry = self._store.memory_entry(faded.entry.memory_id or "")
            except MnemexError as error:
                result.failed[faded.entry.path] = str(error)
                continue
            if scoring.forgettable(self._store.usage(entry), self._store.policy, now=now):
                entries.append(entry)
        return entries


# Erasing a memory for good: the one thing that cannot be undone.

logger = logging.getLogger(__name__)

KIND = "purge"
# whatever names the memory would be a trace of it
_SUMMARY = "a memory, for good"
_ELSEWHERE = (
    "Obsidian's file recovery and what Obsidian Sync keeps",
    "backups, sync services and other devices",
    "texts that an assistant has read before",
)
# a folder in the vault -> what keeps old versions there
_KEEPERS = {".git": "the history of git in this vault", ".stversions": "the versions that Syncthing keeps"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What was erased: notes (trash included) and kept versions; `unreached` names where the text may still be."""

    memory_id: str
    paths: tuple[str, ...]
    versions: int
    unreached: tuple[str, ...]


class Purge:
    """Erases the note of a memory, its copies in the trash, every kept version, and its rows in the index."""

    def __init__(self, store: Store, meaning: Meaning, kept_brief: KeptBrief) -> None:
        self._store = store
        self._meaning = meaning
        self._kept_brief = kept_brief

    @found_again
    def purge(self, memory_id: str) -> Purged:
        """Erase a memory, wherever it lies; a note that is only in the trash is found as well.

        Raises NoteNotFound when there is none, NotAllowed in read-only mode or outside the write scope.
        """
        store = self._store
        live = self._live(memory_id)
        store.check_allowed([Trash(entry.path) for entry in live])
        with store.vault.lock:
            trashed = self._in_trash(memory_id)
            if not live and not trashed:
                raise NoteNotFound(memory_id=memory_id)
            linking = sorted({source.path for entry in live for source in store.catalog.linking_to(entry)})
            paths = [entry.path for entry in live]
            # what cannot be read is refused here, with nothing begun
            etags = _etags(store.vault.files, paths) | _etags(store.vault.trashed, trashed)
            past = trace(store.journal.operations(), [*paths, *trashed])
            purge = store.journal.begin(KIND, (), now=store.clock(), actor=store.session, summary=_SUMMARY, final=True)
            for path in paths:
                store.vault.files.erase(path)
            for path in trashed:
                store.vault.trashed.erase(path)
            versions = store.journal.purge(etags | past.etags)
            store.journal.drop(past.alone)
            store.journal.finish(purge.id, "done", (), durable=True)
        store.pending.remove([use.id for use in store.pending.of(memory_id)])
        forgotten = self._forget_rows(paths)
        return Purged(
            memory_id=memory_id,
            paths=(*paths, *trashed),
            versions=versions,
            unreached=tuple(self._unreached(linking, past.mixed, forgotten=forgotten)),
        )

    def _live(self, memory_id: str) -> list[Entry]:
        """Return the notes that carry the id, copies included."""
        store = self._store
        try:
            first = store.entry(memory_id)
        except NoteNotFound:
            return []
        if first.memory_id is None:
            raise NoteNotFound(memory_id=memory_id)
        return list(store.catalog.duplicate_ids().get(first.memory_id, [first]))

    def _in_trash(self, memory_id: str) -> list[str]:
        store = self._store
        found = []
        for path, _ in walk(store.vault.root, start=TRASH, wanted=lambda name: name.lower().endswith(".md")):
            try:
                data, _ = store.vault.trashed.read(path)
            except MnemexError:
                continue
            if Note.parse(path, data).memory_id == memory_id:
                found.append(path)
        return sorted(found)

    def _forget_rows(self, paths: Iterable[str]) -> bool:
        """Take the memory out of the index, and its words out of the index's files; tell whether that was possible."""
        store, now = self._store, self._store.clock()
        store.follow(paths, now=now)
        try:
            self._meaning.prune()
            store.text.start_anew()
            store.reconciler.start_anew()
            store.text.erase_others()
            store.reconciler.erase_others()
        except (MnemexError, OSError) as error:
            logger.warning("the words of what was erased may stand in the index: %s", error)
            return False
        return store.text.flush().reason is None

    def _unreached(self, linking: Iterable[str], mixed: Iterable[str], *, forgotten: bool) -> Iterator[str]:
        root = self._store.vault.root
        if not forgotten:
            yield "the index, which could not be made anew; mnemex reindex does it"
        try:
            self._kept_brief.refresh()
        except WriteFailed as error:
            yield f"{error.path}, the brief that a client reads"
        for path in linking:
            yield f"{path}, which links to it"
        for operation_id in mixed:
            yield f"its name in the history, {operation_id}, which changed other notes as well"
        for name, keeper in _KEEPERS.items():
            if (root / name).exists():
                yield keeper
        if self._store.vault.config.trash_option == "system":
            yield "the trash of the system"
        yield from _ELSEWHERE


def _etags(files: Files, paths: Iterable[str]) -> set[str]:
    return {etag(files.read(path)[0]) for path in paths}
