"""Upkeep: plain steps that look after the memories, each with a dry run, limits, and an undo for every change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from itertools import combinations

from mnemex_vault.domain import scoring
from mnemex_vault.domain.clusters import Action, Cluster
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.domain.scoring import State
from mnemex_vault.domain.similarity import Kinship, kinship
from mnemex_vault.errors import InvalidInput, NoteError, WriteFailed
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories import uses
from mnemex_vault.memories.consolidation import Consolidation
from mnemex_vault.memories.forgetting import Forgetting
from mnemex_vault.memories.graph import Relations, Wish
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.lifecycle import Lifecycle
from mnemex_vault.memories.store import Store

ACTOR = "upkeep"
MOST_RELATIONS = 20
MOST_PROMOTIONS = 50
# an entity that half of all memories name relates nothing
_MOST_HOLDERS = 30


class Step(StrEnum):
    """The steps in their order."""

    DECAY = "decay"
    CLUSTER = "cluster"
    MERGE = "merge"
    PROMOTE = "promote"
    RELATE = "relate"
    FORGET = "forget"


@dataclass(slots=True, kw_only=True)
class StepReport:
    """What a step found and did: lines for people, ids of memories concerned, operations that can be undone."""

    step: Step
    dry_run: bool
    lines: list[str] = field(default_factory=list)
    memory_ids: list[str] = field(default_factory=list)
    operation_ids: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


class Upkeep:
    """The steps. Automatic ones leave alone what someone is editing, and stop when a guard says so."""

    def __init__(self, store: Store, guard: Guard, consolidation: Consolidation) -> None:
        self._store = store
        self._guard = guard
        self._consolidation = consolidation
        self._lifecycle = Lifecycle(store, actor=ACTOR)
        self._forgetting = Forgetting(store, guard, self._lifecycle)
        self._relations = Relations(store, actor=ACTOR)

    def run(self, steps: Iterable[Step], *, dry_run: bool, merging: bool = False) -> list[StepReport]:
        """Take the steps in their order; similar memories are merged only if `merging` says so.

        Raises AutomationPaused or VaultUnavailable when automatic change is not safe; a dry run always works.
        """
        if not dry_run:
            self._guard.check()
        wanted = set(steps)
        clusters = cache(self._consolidation.clusters)
        merge = self._merge if merging else self._propose_merges
        verbs: dict[Step, Callable[[StepReport], None]] = {
            Step.DECAY: self._decay,
            Step.CLUSTER: lambda report: self._cluster(report, clusters()),
            Step.MERGE: lambda report: merge(report, clusters()),
            Step.PROMOTE: self._promote,
            Step.RELATE: self._relate,
            Step.FORGET: self._forget,
        }
        reports = []
        for step, verb in verbs.items():
            if step in wanted:
                report = StepReport(step=step, dry_run=dry_run)
                verb(report)
                reports.append(report)
        return reports

    def _decay(self, report: StepReport) -> None:
        store, now, policy = self._store, self._store.clock(), self._store.policy
        states: defaultdict[State, list[Entry]] = defaultdict(list)
        usage_of = store.usages()
        for entry in store.catalog.memories(Tier.SHORT_TERM):
            states[scoring.state(usage_of(entry), policy, now=now)].append(entry)
        report.lines += [f"{len(states[state])} {state.value}" for state in State]
        report.memory_ids += [entry.memory_id or "" for entry in states[State.FADING]]

    def _cluster(self, report: StepReport, clusters: Sequence[Cluster]) -> None:
        for cluster in clusters:
            report.lines.append(
                f"{len(cluster.members)} memories, {cluster.cohesion:.2f} alike: {cluster.action.value}"
            )
            report.memory_ids += cluster.members

    def _propose_merges(self, report: StepReport, clusters: Sequence[Cluster]) -> None:
        for cluster in clusters:
            if cluster.action is Action.MERGE:
                report.lines.append(f"{len(cluster.members)} memories could be merged (cluster {cluster.id})")
                report.memory_ids += cluster.members

    def _merge(self, report: StepReport, clusters: Sequence[Cluster]) -> None:
        for cluster in clusters:
            if cluster.action is not Action.MERGE:
                continue
            with _noting(report, f"cluster {cluster.id}"):
                self._merge_one(report, cluster)

    def _merge_one(self, report: StepReport, cluster: Cluster) -> None:
        preview = self._consolidation.preview(cluster)
        if preview.cautions:
            report.lines.append(f"cluster {cluster.id} needs a person: {'; '.join(preview.cautions)}")
            return
        report.lines.append(f"{len(cluster.members)} memories -> {preview.memory.title}")
        report.memory_ids += cluster.members
        if not report.dry_run:
            receipt = self._consolidation.merge(preview, automatic=True)
            report.operation_ids.append(receipt.operation_id)
            report.lines += [
                f"a link could not be rewritten, and leads nowhere now: {entry.path}" for entry in receipt.left_links
            ]

    def _promote(self, report: StepReport) -> None:
        now = self._store.clock()
        candidates = self._lifecycle.promotion_candidates(now=now)[:MOST_PROMOTIONS]
        candidates = [each for each in candidates if uses.is_undisturbed(self._store, each.entry, now=now)]
        report.lines += [f"{each.entry.title} -> {each.destination} ({each.reason})" for each in candidates]
        report.memory_ids += [each.entry.memory_id or "" for each in candidates]
        if not report.dry_run:
            outcome = self._lifecycle.promote_each(candidates)
            report.operation_ids += dict.fromkeys(each.operation_id for each in outcome.moved)
            report.failed |= {path: str(error) for path, error in outcome.failed.items()}

    def _relate(self, report: StepReport) -> None:
        wishes = []
        for one, other, found in self._kin()[:MOST_RELATIONS]:
            report.lines.append(f"{one.title} - {other.title} ({', '.join(sorted(found.entities))})")
            report.memory_ids += [one.memory_id or "", other.memory_id or ""]
            wishes.append(
                Wish(
                    source_id=one.memory_id or "",
                    target_id=other.memory_id or "",
                    kind=RelationType.RELATED,
                    strength=round(found.strength, 4),
                    metadata={"found_by": ACTOR, "shared_entities": sorted(found.entities)},
                )
            )
        if not report.dry_run:
            outcome = self._relations.relate_each(wishes)
            report.operation_ids += [each.operation_id for each in outcome.done if each.operation_id]
            report.failed |= {f"{wish.source_id} - {wish.target_id}": str(error) for wish, error in outcome.failed}

    def _kin(self) -> list[tuple[Entry, Entry, Kinship]]:
        """Return pairs of memories that share enough to be related and are not yet, the surest first."""
        now = self._store.clock()
        found = []
        related_to = cache(self._related_to)
        for one, other in self._sharing():
            kin = kinship(one.entities, other.entities, one.tags, other.tags)
            related = other.path in related_to(one.path) or one.path in related_to(other.path)
            if kin.is_relation and not related and uses.is_undisturbed(self._store, one, now=now):
                found.append((one, other, kin))
        return sorted(found, key=lambda item: (-item[2].confidence, item[0].path, item[1].path))

    def _sharing(self) -> Sequence[tuple[Entry, Entry]]:
        holders: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in self._store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM):
            for entity in entry.entities:
                holders[entity.casefold()].append(entry)
        pairs = {
            (one.path, other.path): (one, other)
            for entries in holders.values()
            if len(entries) <= _MOST_HOLDERS
            for one, other in combinations(entries, 2)
        }
        return [pairs[key] for key in sorted(pairs)]

    def _related_to(self, path: str) -> frozenset[str]:
        entry = self._store.catalog.get(path)
        return frozenset(edge.target.path for edge in self._relations.outgoing(entry)) if entry else frozenset()

    def _forget(self, report: StepReport) -> None:
        plan = self._forgetting.plan(limit=self._left_today())
        report.lines += [f"{faded.entry.title} (score {faded.score:.3f})" for faded in plan.candidates]
        report.memory_ids += [faded.entry.memory_id or "" for faded in plan.candidates]
        if not report.dry_run:
            result = self._forgetting.run(plan, automatic=True)
            report.operation_ids += dict.fromkeys(moved.operation_id for moved in result.moved)
            report.failed |= result.failed

    def _left_today(self) -> int:
        """Return how many more memories may be forgotten today, however often the upkeep runs."""
        since = self._store.clock() - timedelta(days=1)
        done = sum(
            step.leaves
            for operation in self._store.journal.history(None, actor=ACTOR)
            if operation.kind == "forget" and operation.at > since and operation.undone_by is None
            for step in operation.steps
        )
        present = len(self._store.catalog.memories(Tier.SHORT_TERM))
        return max(0, self._forgetting.most(present + done) - done)


@contextmanager
def _noting(report: StepReport, what: str) -> Iterator[None]:
    """Note in a report why one item failed, and go on with the next."""
    try:
        yield
    except (NoteError, WriteFailed, InvalidInput) as error:
        report.failed[error.path if isinstance(error, NoteError) and error.path else what] = str(error)


def is_due(last: datetime | None, *, now: datetime, hours: float) -> bool:
    """Tell whether upkeep should run again; a last run in the future counts as none."""
    return last is None or last > now or now - last >= timedelta(hours=hours)
