"""The life of one memory: use, promotion, demotion, forgetting, restoring."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal

from mnemex_vault.disk.paths import joined
from mnemex_vault.domain import reinforcement, scoring
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.scoring import PromotionReason
from mnemex_vault.domain.trust import waits
from mnemex_vault.errors import (
    DuplicateId,
    InvalidInput,
    MnemexError,
    NoteError,
    NotPossible,
    UnreadableNote,
    as_many_as_can,
)
from mnemex_vault.history.pending import PendingUse
from mnemex_vault.history.steps import Trash, Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.folding import name_key
from mnemex_vault.language.secrets import refuse_secrets
from mnemex_vault.memories import uses
from mnemex_vault.memories.moving import broken_links, free_path, left_links, plan_moves
from mnemex_vault.memories.recalled import origin_of
from mnemex_vault.memories.store import WAITS, Store, found_again
from mnemex_vault.text.fields import usage_changes
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.note import Note
from mnemex_vault.text.values import write_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A memory before and after a use; `written` is False while the note is left alone because someone edits it."""

    entry: Entry
    usage: Usage
    score_before: float
    score: float
    cross_domain: bool
    written: bool
    fades_on: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that may be promoted, with the plan: where its note goes and which notes' links change."""

    entry: Entry
    reason: str
    score: float
    usage: Usage
    destination: str
    links_in: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A memory whose note lies elsewhere now; the links of `left_links` could not be rewritten."""

    memory_id: str
    title: str
    origin: str
    source: str
    path: str
    tier: Tier
    operation_id: str
    left_links: tuple[Entry, ...] = ()


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of several memories; the notes of `failed`, by path, were left as they were."""

    moved: list[Moved] = field(default_factory=list)
    failed: dict[str, MnemexError] = field(default_factory=dict)


_Place = tuple[Entry, str]


class Lifecycle:
    """Verbs on single memories; every change is one undoable operation, by the session or by `actor`."""

    def __init__(self, store: Store, *, actor: str | None = None) -> None:
        self._store = store
        self._actor = actor

    def touch(self, memory_id: str, *, boost: bool = False) -> Touched:
        """Count a use now: kept durably, in every score at once, in the note when that disturbs nobody."""
        return self._use(memory_id, "touch", boost=boost, context_tags=())

    def observe(self, memory_ids: Iterable[str], context_tags: Sequence[str] = ()) -> dict[str, Touched | NoteError]:
        """Count a use of each that is also a review; one that is unknown or unreadable maps to its error."""
        results: dict[str, Touched | NoteError] = {}
        ids = list(dict.fromkeys(memory_ids))
        self._store.look_for(ids)
        for memory_id in ids:
            try:
                results[memory_id] = self._use(memory_id, "observe", boost=False, context_tags=context_tags)
            except NoteError as error:
                results[memory_id] = error
        return results

    def _use(
        self, memory_id: str, kind: Literal["touch", "observe"], *, boost: bool, context_tags: Sequence[str]
    ) -> Touched:
        store, now = self._store, self._store.clock()
        entry = store.memory_entry(memory_id, looked=kind == "observe")
        before = store.score(entry, now=now)
        cross_domain = kind == "observe" and reinforcement.is_cross_domain(entry.tags, context_tags)
        uses.record(store, entry, kind, now=now, boost=boost, cross_domain=cross_domain)
        written = entry.path in uses.write_pending(store, now=now)
        entry = store.memory_entry(memory_id)
        usage = store.usage(entry)
        return Touched(
            entry=entry,
            usage=usage,
            score_before=before,
            score=scoring.score(usage, store.policy, now=now),
            cross_domain=cross_domain,
            written=written,
            fades_on=store.fades_on(usage, tier=entry.tier),
        )

    def promotion_candidates(self, *, now: datetime, folder: str | None = None) -> list[Candidate]:
        """Return the short-term memories that the rules promote, the best first."""
        store, policy = self._store, self._store.policy
        found = []
        usage_of = store.usages()
        for entry in filter(store.trusts, store.catalog.memories(Tier.SHORT_TERM)):
            reason = scoring.promotion_reason(usage_of(entry), policy, now=now, origin=_stranger(entry))
            if reason is not None:
                score = store.score(entry, now=now)
                found.append((-score, entry.path, entry, _words(reason, score, store)))
        candidates: list[Candidate] = []
        taken: set[str] = set()
        for _, _, entry, words in sorted(found, key=lambda each: each[:2]):
            candidates.append(self._candidate(entry, words, now=now, folder=folder, taken=taken))
            taken.add(name_key(candidates[-1].destination))
        return candidates

    def promotion_candidate(
        self, memory_id: str, *, now: datetime, force: bool = False, folder: str | None = None, by_person: bool = False
    ) -> Candidate | None:
        """Return the plan for one memory, or None if the rules do not promote it and it is not forced.

        Raises NotPossible if it is long-term already, or waits for a yes that only a person can give.
        """
        store = self._store
        entry = store.memory_entry(memory_id)
        if entry.tier is Tier.LONG_TERM:
            raise _long_term_already(entry)
        if not (by_person or store.trusts(entry)):
            raise NotPossible("memory_id", f"{entry.title!r} {WAITS}")
        reason = scoring.promotion_reason(store.usage(entry), store.policy, now=now, origin=_stranger(entry))
        if reason is None and not force:
            return None
        words = _words(reason, store.score(entry, now=now), store) if reason else "asked for"
        return self._candidate(entry, words, now=now, folder=folder)

    def _candidate(
        self, entry: Entry, reason: str, *, now: datetime, folder: str | None, taken: Collection[str] = ()
    ) -> Candidate:
        store = self._store
        target = store.folder_of(Tier.LONG_TERM, now=now) if folder is None else folder.strip("/")
        if store.vault.tier_of(joined(target, "x.md")) is not Tier.LONG_TERM:
            raise InvalidInput("folder", f"{target} is not a long-term folder")
        destination = free_path(store, entry, target, taken=taken)
        return Candidate(
            entry=entry,
            reason=reason,
            score=store.score(entry, now=now),
            usage=store.usage(entry),
            destination=destination,
            links_in=broken_links(store, entry, destination),
        )

    @found_again
    def promote(self, candidates: Sequence[Candidate]) -> list[Moved]:
        """Carry out promotions as one operation: the moves, the notes' keys, the links that would break."""
        present = [self._as_it_is(candidate) for candidate in candidates]
        return self._move_all(self._promotions(present), "promote", now=self._store.clock())

    def _as_it_is(self, candidate: Candidate) -> Candidate:
        entry = self._store.memory_entry(candidate.entry.memory_id or "")
        if entry.tier is Tier.LONG_TERM:
            raise _long_term_already(entry)
        return replace(candidate, entry=entry)

    def promote_each(self, candidates: Sequence[Candidate]) -> Outcome:
        """Do the same, without those memories that cannot be promoted."""
        now = self._store.clock()
        return _each_of(self._promotions(candidates), lambda moves: self._move_all(moves, "promote", now=now))

    def _promotions(self, candidates: Sequence[Candidate]) -> list[_Place]:
        moves: list[_Place] = []
        taken: set[str] = set()
        for candidate in candidates:
            place = candidate.destination
            if name_key(place) in taken:
                place = free_path(self._store, candidate.entry, place.rpartition("/")[0], taken=taken)
            moves.append((candidate.entry, place))
            taken.add(name_key(place))
        return moves

    @found_again
    def demote(self, memory_id: str) -> Moved:
        """Move a long-term memory back to the short-term folder, where it fades again."""
        store, now = self._store, self._store.clock()
        entry = store.memory_entry(memory_id)
        if entry.tier is not Tier.LONG_TERM:
            raise NotPossible("memory_id", f"{entry.title!r} is not long-term")
        folder = store.folder_of(Tier.SHORT_TERM, now=now)
        return self._move(entry, free_path(store, entry, folder), "demote", now=now)

    @found_again
    def forget(self, memory_id: str, *, to_trash: bool = False, reason: str = "") -> Moved:
        """Let a memory go: to the archive, where it can be restored, or to the trash.

        Raises SecretFound for a reason with a key or password in it, which the journal would keep.
        """
        store, now = self._store, self._store.clock()
        if store.rules.detect_secrets:
            refuse_secrets([("reason", reason)], can_be_kept=False)
        entry = store.memory_entry(memory_id)
        if to_trash:
            return self.trash([entry], now=now, reason=reason)[0]
        if entry.tier is Tier.ARCHIVED:
            raise NotPossible("memory_id", f"{entry.title!r} is archived already")
        return self.archive([entry], now=now, reason=reason)[0]

    def archive(self, entries: Sequence[Entry], *, now: datetime, reason: str = "") -> list[Moved]:
        """Move memories to the archive of the year, as one operation."""
        return self._move_all(self._archivings(entries, now=now), "forget", now=now, reason=reason)

    def forget_each(self, entries: Sequence[Entry], *, now: datetime, to_trash: bool, reason: str) -> Outcome:
        """Let memories go as one operation, without those for which that cannot be done."""
        if to_trash:
            return _each_of(
                [(entry, "") for entry in entries],
                lambda moves: self.trash([entry for entry, _ in moves], now=now, reason=reason),
            )
        moves = self._archivings(entries, now=now)
        return _each_of(moves, lambda some: self._move_all(some, "forget", now=now, reason=reason))

    def _archivings(self, entries: Sequence[Entry], *, now: datetime) -> list[_Place]:
        store = self._store
        folder = store.folder_of(Tier.ARCHIVED, now=now)
        moves: list[_Place] = []
        taken: set[str] = set()
        for entry in entries:
            moves.append((entry, free_path(store, entry, folder, taken=taken)))
            taken.add(name_key(moves[-1][1]))
        return moves

    def trash(self, entries: Sequence[Entry], *, now: datetime, reason: str = "") -> list[Moved]:
        """Move memories to the trash, as one operation."""
        if not entries:
            return []
        steps = [Trash(entry.path) for entry in entries]
        operation = self._store.commit("forget", steps, summary=_summary(entries, reason), now=now, actor=self._actor)
        places = {step.path: step.to or "" for step in operation.steps}
        return [
            Moved(
                memory_id=entry.memory_id or "",
                title=entry.title,
                origin=origin_of(entry.origin),
                source=entry.path,
                path=places.get(entry.path, ""),
                tier=Tier.ARCHIVED,
                operation_id=operation.id,
            )
            for entry in entries
        ]

    @found_again
    def restore(self, memory_id: str) -> Moved:
        """Bring an archived memory back to where it came from, used anew so that it does not fade at once."""
        store, now = self._store, self._store.clock()
        entry = store.memory_entry(memory_id)
        carrying = store.catalog.copies(memory_id)
        if len(carrying) > 1 and any(each.tier is Tier.ARCHIVED for each in carrying):
            raise DuplicateId(memory_id, [each.path for each in carrying])
        if entry.tier is not Tier.ARCHIVED:
            raise NotPossible("memory_id", f"{entry.title!r} is not archived")
        return self._move(entry, free_path(store, entry, self._home(entry, now=now)), "restore", now=now, used=True)

    def _home(self, entry: Entry, *, now: datetime) -> str:
        """Return the folder the note lay in before it was archived, else that of the tier it had last."""
        source = self._archived_from(entry)
        if source is not None and self._store.vault.tier_of(source) is not Tier.ARCHIVED:
            return source.rpartition("/")[0]
        permanent = entry.usage is not None and entry.usage.promoted is not None
        return self._store.folder_of(Tier.LONG_TERM if permanent else Tier.SHORT_TERM, now=now)

    def _archived_from(self, entry: Entry) -> str | None:
        """Return the path that the note had before its last move, as the journal remembers it."""
        for operation in self._store.journal.history(None):
            for step in operation.steps:
                if step.kind == "move" and step.to == entry.path:
                    return step.path
        return None

    def _move(self, entry: Entry, destination: str, kind: str, *, now: datetime, used: bool = False) -> Moved:
        return self._move_all([(entry, destination)], kind, now=now, used=used)[0]

    def _move_all(
        self,
        moves: Sequence[_Place],
        kind: str,
        *,
        now: datetime,
        reason: str = "",
        used: bool = False,
    ) -> list[Moved]:
        """Move notes and write into each what its new tier and the uses that waited mean, as one operation."""
        if not moves:
            return []
        store = self._store
        steps, left = plan_moves(store, moves), left_links(store, moves)
        summary = _summary([entry for entry, _ in moves], reason)
        use_ids: list[str] = []
        concerned = [path for step in steps for path in step.paths] + [destination for _, destination in moves]
        # no other process may write the same uses meanwhile
        with store.writer(concerned) as writer:
            for entry, destination in moves:
                waiting = uses.unwritten(store, entry.memory_id or "")
                use_ids += [use.id for use in waiting]
                steps.append(
                    Update(destination, self._rewritten(entry, destination, kind, waiting, now=now, used=used))
                )
            operation = writer.perform(kind, steps, summary=summary, now=now, uses=use_ids, actor=self._actor)
        store.pending.remove(use_ids)
        return [
            Moved(
                memory_id=entry.memory_id or "",
                title=entry.title,
                origin=origin_of(entry.origin),
                source=entry.path,
                path=destination,
                tier=store.vault.tier_of(destination),
                operation_id=operation.id,
                left_links=left,
            )
            for entry, destination in moves
        ]

    def _rewritten(
        self, entry: Entry, destination: str, kind: str, waiting: Sequence[PendingUse], *, now: datetime, used: bool
    ) -> Callable[[str], str]:
        store = self._store
        tier, zone = store.vault.tier_of(destination), store.rules.zone

        def change(text: str) -> str:
            note = Note.parse(destination, text.encode())
            memory = store.memory_in(note, tier=tier)
            usage = _after_move(store.with_uses(memory.usage, waiting), kind, now)
            if used:
                usage = reinforcement.use(usage, now=now, zone=zone)
            fades_on = store.fades_on(usage, tier=tier)
            changes = usage_changes(
                usage, tier=tier, zone=zone, fades_on=fades_on, old=memory.usage, values=note.values
            )
            if kind == "promote" and waits(memory.origin, memory.approved, store.rules.approve):
                # only a person promotes what waits, and that is the yes
                changes["approved"] = write_time(now, zone)
            return edit(text, changes)

        def told_of_the_source(text: str) -> str:
            try:
                return change(text)
            except UnreadableNote as error:
                # it lies there still
                raise UnreadableNote(entry.path, error.reason) from error

        return told_of_the_source


def _each_of(places: Sequence[_Place], verb: Callable[[Sequence[_Place]], list[Moved]]) -> Outcome:
    found = as_many_as_can(places, verb, lambda place: (place[0].path, place[1]))
    return Outcome(
        moved=[moved for each in found.done for moved in each],
        failed={entry.path: error for (entry, _), error in found.failed},
    )


def _long_term_already(entry: Entry) -> NotPossible:
    return NotPossible("memory_id", f"{entry.title!r} is long-term already, at {entry.path}")


def _after_move(usage: Usage, kind: str, now: datetime) -> Usage:
    return replace(usage, promoted=now) if kind == "promote" else usage


def _summary(entries: Sequence[Entry], reason: str) -> str:
    subject = entries[0].title if len(entries) == 1 else f"{len(entries)} memories"
    return f"{subject} ({reason})" if reason else subject


def _stranger(entry: Entry) -> str | None:
    return None if entry.approved else entry.origin


def _words(reason: PromotionReason, score: float, store: Store) -> str:
    policy = store.policy
    if reason is PromotionReason.HIGH_SCORE:
        return f"score {score:.2f}, {policy.promote_threshold:g} is enough"
    return f"used {policy.promote_use_count} times within {policy.promote_window_days:g} days"
