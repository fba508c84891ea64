"""Review: what needs a person, as a queue for the terminal and as a note with check boxes in the vault."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from mnemex_vault.disk.paths import joined
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.domain.similarity import near_duplicates
from mnemex_vault.errors import MnemexError, NoteError, NoteNotFound
from mnemex_vault.history.steps import Create, Update
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.language.tags import label_key
from mnemex_vault.memories import review_note
from mnemex_vault.memories.consolidation import Consolidation
from mnemex_vault.memories.conversations import Conversations
from mnemex_vault.memories.editing import Editing, Revision
from mnemex_vault.memories.graph import Relations, Wish
from mnemex_vault.memories.healing import KIND, ROUGHLY, Pair, find_pairs
from mnemex_vault.memories.history import History
from mnemex_vault.memories.lifecycle import Lifecycle, Moved
from mnemex_vault.memories.status import Overview
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.upkeep import ACTOR
from mnemex_vault.memories.versions import Unsettled, Versions
from mnemex_vault.text import frontmatter
from mnemex_vault.text.file_names import first_free, original_path
from mnemex_vault.text.note import NoteKind

logger = logging.getLogger(__name__)

SIMILAR_FROM = 0.6
_MOST_PAIRS = 10
# what so many projects relied on may hold for all
_PROJECTS = 3
# a box stands for so many memories at most, so that its line stays one that a person can look at
_MOST_AT_ONCE = 50
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A short-term memory and when it fades if nothing happens."""

    entry: Entry
    usage: Usage
    score: float
    fades_at: datetime


@dataclass(frozen=True, slots=True)
class Wider:
    """A memory of one project that answers in several relied on, and may hold for all."""

    entry: Entry
    projects: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What needs a person: which of two holds, what waits for a yes (by source), what holds everywhere, what fades."""

    unsettled: Sequence[Unsettled]
    waiting: Sequence[Sequence[Entry]]
    wider: Sequence[Wider]
    fading: Sequence[QueueItem]

    def __bool__(self) -> bool:
        return bool(self.unsettled or self.waiting or self.wider or self.fading)


@dataclass(slots=True)
class Ticked:
    """What became of the ticked boxes: `failed` are those that could not be carried out, with the reason."""

    done: list[review_note.Tick] = field(default_factory=list)
    failed: list[tuple[review_note.Tick, str]] = field(default_factory=list)


class Review:
    """Queue, note and ticks."""

    def __init__(
        self,
        store: Store,
        overview: Overview,
        editing: Editing,
        consolidation: Consolidation,
        history: History,
        conversations: Conversations,
    ) -> None:
        self._store = store
        self._conversations = conversations
        self._overview = overview
        self._editing = editing
        self._consolidation = consolidation
        self._history = history
        self._lifecycle = Lifecycle(store)
        self._relations = Relations(store)
        self._versions = Versions(store)

    def needs(self, *, days: float | None = None) -> Needs:
        """Return all that needs a person; of what fades only what does within so many days, if given."""
        return Needs(
            unsettled=self.unsettled(), waiting=self.waiting(), wider=self.wider(), fading=self.queue(days=days)
        )

    def wider(self) -> list[Wider]:
        """Return the memories of a project that conversations about three or more relied on lately."""
        found = []
        apart = self._conversations.apart()
        for memory_id, projects in self._conversations.projects_of().items():
            entry = None if memory_id in apart else self._store.catalog.by_id(memory_id)
            if len(projects) >= _PROJECTS and entry and entry.project and entry.tier is not Tier.ARCHIVED:
                found.append(Wider(entry, sorted(projects.values(), key=label_key)))
        return sorted(found, key=lambda each: each.entry.path)

    def keep_apart(self, memory_id: str) -> None:
        """Let a memory stay with its project, and do not ask again. Raises NoteNotFound."""
        self._conversations.keep_apart(self._store.memory_entry(memory_id).memory_id or "")

    def widen(self, memory_id: str) -> str | None:
        """Let a memory belong to no project; return the operation that undo takes back."""
        return self._editing.update(memory_id, Revision(project="")).operation_id

    def unsettled(self, *, most: int = _MOST_PAIRS) -> list[Unsettled]:
        """Return pairs of memories that may not both hold, and nobody has said which does."""
        return self._versions.unsettled(most=most)

    def settle(self, holds: str, other: str, *, both: bool = False) -> str | None:
        """Note which of two memories holds, or that both do; return the operation that undo takes back."""
        kind = RelationType.BOTH_TRUE if both else RelationType.SUPERSEDES
        return self._relations.relate([Wish(source_id=holds, target_id=other, kind=kind)]).operation_id

    def waiting(self) -> list[list[Entry]]:
        """Return what waits for a person's yes, those of one source together."""
        by_source: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in self._store.waiting():
            by_source[entry.source or ""].append(entry)
        return list(by_source.values())

    def waiting_of(
        self, *, source: str | None = None, project: str | None = None, batch: str | None = None
    ) -> list[Entry]:
        """Return what waits and is of this source, of this project, and was brought by this operation.

        Raises OperationNotFound.
        """
        brought = set(self._store.journal.find(batch).paths) if batch is not None else None
        return [
            entry
            for entry in self._store.waiting()
            if (source is None or (entry.source or "") == source)
            and (project is None or label_key(entry.project or "") == label_key(project))
            and (brought is None or entry.path in brought)
        ]

    def queue(self, *, days: float | None = None, limit: int | None = None) -> list[QueueItem]:
        """Return the memories that fade soonest, those within `days` only if given; not what another one replaces."""
        store, now, policy = self._store, self._store.clock(), self._store.policy
        replaced = store.catalog.superseded()
        end = None if days is None else now + timedelta(days=days)
        items = []
        usage_of = store.usages()
        for entry in store.catalog.memories(Tier.SHORT_TERM):
            usage = usage_of(entry)
            moment = None if entry.path in replaced else scoring.fades_at(usage, policy)
            if moment is not None and (end is None or moment <= end):
                score = scoring.score(usage, policy, now=now)
                items.append(QueueItem(entry, usage, score, moment))
        items.sort(key=lambda item: (item.fades_at, item.entry.path))
        return items if limit is None else items[:limit]

    def path(self) -> str | None:
        """Return where the review note lies, if there is one."""
        return next((path for path, text in self._generated() if _is_review(text)), None)

    def _generated(self) -> Iterable[tuple[str, str]]:
        for entry in self._store.catalog:
            if entry.kind is NoteKind.GENERATED:
                try:
                    yield entry.path, self._store.note(entry).text
                except NoteError:
                    continue

    def last_run(self) -> review_note.Run | None:
        """Return the last upkeep of any device, as the review note tells."""
        for _, text in self._generated():
            if _is_review(text):
                return review_note.last_run(text, zone=self._store.rules.zone)
        return None

    def write(self, *, folder: str, device: str, applied: Sequence[review_note.Tick] = ()) -> str | None:
        """Write the review note if its items changed; return its path, or None if it stays as it is.

        A note with a tick that is not among the `applied` ones stays.
        """
        store, now = self._store, self._store.clock()
        run, review, zone = review_note.Run(now, device), self._items(), store.rules.zone
        path = self.path()
        if path is None:
            path = joined(folder, f"{first_free(review_note.NAMES, store.catalog.is_spoken_for)}.md")
            text = review_note.render(review, run, zone=zone)
            store.commit("review", [Create(path, text)], summary="review note", now=now, actor=ACTOR)
            return path

        def change(text: str) -> str:
            return review_note.refresh(text, review, run, zone=zone, applied=applied) or text

        operation = store.commit("review", [Update(path, change)], summary="review note", now=now, actor=ACTOR)
        return path if operation.steps else None

    def stamp(self, device: str) -> None:
        """Note in the review note that upkeep ran now on this device."""
        path = self.path()
        if path is not None:
            run, zone = review_note.Run(self._store.clock(), device), self._store.rules.zone
            change = Update(path, lambda text: review_note.stamp(text, run, zone=zone))
            self._store.commit("review", [change], summary="upkeep", now=run.time, actor=ACTOR)

    def _items(self) -> review_note.Review:
        store = self._store
        unsettled = self.unsettled()
        open_pairs = {frozenset((each.newer.path, each.older.path)) for each in unsettled}
        return review_note.Review(
            unsettled=[self._pair(each.newer, each.older) for each in unsettled],
            waiting=[_waiting(store, entries[:_MOST_AT_ONCE]) for entries in self.waiting()],
            wider=[
                review_note.Everywhere(
                    each.entry.memory_id or "", store.link_name(each.entry), each.entry.project or "", each.projects
                )
                for each in self.wider()
            ],
            fading=[
                review_note.Fading(item.entry.memory_id or "", store.link_name(item.entry), self._day(item.fades_at))
                for item in self.queue(days=_WEEK.days)
            ],
            unmanaged=[review_note.Unmanaged(path, path[: -len(".md")]) for path in self._overview.unmanaged()],
            similar=self._similar(open_pairs),
            conflicts=[
                review_note.Conflict(pair.copy, _original(store, pair), pair.copy[: -len(".md")])
                for pair in find_pairs(store)
            ],
            done=self._done(),
        )

    def _day(self, moment: datetime) -> date:
        return max(moment, self._store.clock()).astimezone(self._store.rules.zone).date()

    def _similar(self, known: Set[frozenset[str]]) -> list[review_note.SimilarPair]:
        """Return memories that may say the same, without the pairs of paths that are known already."""
        texts = self._consolidation.texts()
        found = []
        for pair in near_duplicates(texts, threshold=SIMILAR_FROM):
            one, other = (self._store.memory_entry(each) for each in (pair.first, pair.second))
            if frozenset((one.path, other.path)) in known or self._settled(one, other):
                continue
            older, newer = sorted((one, other), key=lambda entry: (self._store.usage(entry).created, entry.path))
            found.append(self._pair(newer, older))
            if len(found) == _MOST_PAIRS:
                break
        return found

    def _pair(self, newer: Entry, older: Entry) -> review_note.SimilarPair:
        named = [(entry.memory_id or "", self._store.link_name(entry)) for entry in (older, newer)]
        return review_note.SimilarPair(*named[0], *named[1])

    def _settled(self, one: Entry, other: Entry) -> bool:
        """Tell whether a person has decided about the pair: related memories stay as they are."""
        edges = [*self._relations.outgoing(one), *self._relations.outgoing(other)]
        return any({edge.source.path, edge.target.path} == {one.path, other.path} for edge in edges)

    def _done(self) -> list[review_note.Done]:
        since = self._store.clock() - _WEEK
        return [
            review_note.Done(operation.id, f"{_VERBS.get(operation.kind, operation.kind)} {operation.summary}")
            for operation in self._store.journal.history(None, actor=ACTOR)
            if operation.kind in _VERBS and operation.at > since and operation.undone_by is None and operation.complete
        ]

    def apply_ticks(self) -> Ticked:
        """Do what the ticked boxes of the review note ask for; one that cannot be carried out stays in the note."""
        path = self.path()
        entry = self._store.catalog.get(path) if path else None
        if entry is None:
            return Ticked()
        outcome = Ticked()
        for tick in review_note.ticked(self._store.note(entry).text):
            try:
                self._verb(tick)()
            except NoteNotFound:
                # what it was about is gone, which settles it
                outcome.done.append(tick)
            except MnemexError as error:
                logger.warning("a tick for %s could not be carried out: %s", tick.action.value, error)
                outcome.failed.append((tick, str(error)))
            else:
                outcome.done.append(tick)
        return outcome

    def _verb(self, tick: review_note.Tick) -> Callable[[], object]:
        first, last = tick.ids[0], tick.ids[-1]
        verbs: dict[review_note.Action, Callable[[], object]] = {
            review_note.Action.KEEP: lambda: self._lifecycle.touch(first),
            review_note.Action.PROMOTE: lambda: self.promote(first),
            review_note.Action.LET_GO: lambda: self._lifecycle.forget(first, reason="let go in review"),
            review_note.Action.ADOPT: lambda: self._editing.adopt(first),
            review_note.Action.MERGE: lambda: self._merge(tick.ids),
            review_note.Action.SUPERSEDE: lambda: self.settle(first, last),
            review_note.Action.KEEP_BOTH: lambda: self.settle(first, last, both=True),
            review_note.Action.EVERYWHERE: lambda: self.widen(first),
            review_note.Action.ONLY_HERE: lambda: self.keep_apart(first),
            review_note.Action.APPROVE: lambda: self._editing.approve(tick.ids),
            review_note.Action.UNDO: lambda: self._undo(first),
        }
        return verbs[tick.action]

    def promote(self, memory_id: str) -> Sequence[Moved]:
        """Promote a memory because a person says so."""
        candidate = self._lifecycle.promotion_candidate(memory_id, now=self._store.clock(), force=True, by_person=True)
        return self._lifecycle.promote([candidate] if candidate else [])

    def _undo(self, operation_id: str) -> None:
        """Take back what can be; raises the reason for a note that cannot."""
        for refusal in self._history.take_back(operation_id).left:
            raise refusal

    def _merge(self, ids: Sequence[str]) -> object:
        return self._consolidation.merge(self._consolidation.preview(self._consolidation.cluster_of(ids)))


_VERBS = {
    "promote": "promoted",
    "forget": "archived",
    "relate": "related",
    "merge": "merged",
    KIND: "joined",
    ROUGHLY: "joined",
}


def _is_review(text: str) -> bool:
    try:
        return frontmatter.read(text).get("mnemex") == review_note.PROPERTY_VALUE
    except MnemexError:
        return False


def _waiting(store: Store, entries: Sequence[Entry]) -> review_note.Waiting:
    ids = [entry.memory_id or "" for entry in entries]
    return review_note.Waiting(entries[0].source or "", ids, [store.link_name(entry) for entry in entries])


def _original(store: Store, pair: Pair) -> str:
    """Return what stands in a link to the original; when that is gone, what it was called."""
    return store.link_name(pair.original) if pair.original else stem_of(original_path(pair.copy))
