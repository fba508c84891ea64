"""Forgetting: which memories have faded, which are exempt and why, and what is done about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.lifecycle import Lifecycle, Moved
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.note import NoteKind


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
        store, now = self._store, self._store.clock()
        memories = store.catalog.memories(Tier.SHORT_TERM)
        usage_of = store.usages()
        faded = [entry for entry in memories if scoring.forgettable(usage_of(entry), store.rules.policy, now=now)]
        exempt: Counter[Exempt] = Counter()
        candidates = []
        for entry in faded:
            if self.is_linked(entry):
                exempt[Exempt.LINKED] += 1
            else:
                candidates.append(Faded(entry, scoring.score(usage_of(entry), store.rules.policy, now=now)))
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
        usage_of = self._store.usages()
        moments = (scoring.fades_at(usage_of(entry), self._store.rules.policy) for entry in memories)
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
            if scoring.forgettable(self._store.usage(entry), self._store.rules.policy, now=now):
                entries.append(entry)
        return entries
