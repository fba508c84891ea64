"""How things stand: counts, what fades soon, the state of the index, and what is wrong with notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.scoring import State
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.healing import rough_counts
from mnemex_vault.memories.history import overwritten
from mnemex_vault.memories.store import Store
from mnemex_vault.text.file_names import twins, unportable
from mnemex_vault.text.keys import FIELDS
from mnemex_vault.text.note import NoteKind

SOON = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Figures for people and tools.

    `away` counts notes whose text is not on this device. `paused` says why automatic change is stopped, if it is.
    `watching` tells how this process follows the vault: "events", "polling", "not watching", None if it need not.
    """

    notes: int
    short_term: int
    long_term: int
    archived: int
    ordinary: int
    unmanaged: int
    away: int
    fading: int
    due: int
    fades_within_a_week: int
    pending_uses: int
    waiting_for_index: int
    problems: int
    paused: str | None
    watching: str | None = None


class Trouble(StrEnum):
    """What `doctor` finds."""

    UNREADABLE = "unreadable"
    UNREAD = "cannot be read"
    AWAY = "not on this device"
    CLOSED = "closed folder"
    ODD_VALUE = "odd value"
    SAME_ID = "same id"
    CONFLICT = "conflict copy"
    UNMANAGED = "unmanaged"
    SECRET = "secret"
    NAME = "name"
    KEY = "property"
    OVERWRITTEN = "overwritten"
    COUNT = "count"


_TROUBLES = {
    NoteKind.UNREADABLE: Trouble.UNREADABLE,
    NoteKind.BINARY: Trouble.UNREAD,
    NoteKind.AWAY: Trouble.AWAY,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should look at; nothing is repaired unasked."""

    trouble: Trouble
    path: str
    detail: str


def property_types() -> dict[str, str]:
    """Return the type of each key of a memory, by Obsidian's own names."""
    return {field.key: field.holds.of_obsidian for field in FIELDS}


class Overview:
    """Looking at the whole."""

    def __init__(self, store: Store, guard: Guard, *, watching: Callable[[], str | None]) -> None:
        self._store = store
        self._guard = guard
        self.watching = watching

    def status(self) -> Status:
        """Return the figures as of now."""
        store, now, policy = self._store, self._store.clock(), self._store.policy
        tiers = {tier: store.catalog.memories(tier) for tier in Tier}
        short = tiers[Tier.SHORT_TERM]
        usage_of = store.usages()
        states = [scoring.state(usage_of(entry), policy, now=now) for entry in short]
        moments = [scoring.fades_at(usage_of(entry), policy) for entry in short]
        entries = list(store.catalog)
        return Status(
            notes=len(entries),
            short_term=len(short),
            long_term=len(tiers[Tier.LONG_TERM]),
            archived=len(tiers[Tier.ARCHIVED]),
            ordinary=sum(1 for entry in entries if entry.kind is NoteKind.ORDINARY),
            unmanaged=len(self.unmanaged()),
            away=sum(1 for entry in entries if entry.is_away),
            fading=states.count(State.FADING),
            due=states.count(State.DUE),
            fades_within_a_week=sum(1 for moment in moments if moment is not None and moment <= now + SOON),
            pending_uses=len(store.pending.all()),
            waiting_for_index=store.text.pending,
            problems=sum(1 for _ in self.findings()),
            paused=self._guard.problem(),
            watching=self.watching(),
        )

    def unmanaged(self) -> Sequence[str]:
        """Return the notes in the short-term folder that a person wrote and nobody adopted."""
        return sorted(
            entry.path
            for entry in self._store.catalog
            if entry.kind is NoteKind.ORDINARY and entry.tier is Tier.SHORT_TERM
        )

    def findings(self) -> Iterable[Finding]:
        """Return what is wrong with notes, by path."""
        found = [*self._notes(), *self._doubles(), *self.conflicts()]
        found += [
            Finding(Trouble.CLOSED, folder, f"cannot be read ({reason}); its notes count as they last were")
            for folder, reason in self._store.reconciler.closed.items()
        ]
        found += [Finding(Trouble.UNMANAGED, path, "not a memory yet; adopt it") for path in self.unmanaged()]
        return sorted(found, key=lambda finding: (finding.path, finding.trouble))

    def _notes(self) -> Iterable[Finding]:
        for entry in self._store.catalog:
            trouble = _TROUBLES.get(entry.kind, Trouble.ODD_VALUE)
            for problem in entry.problems:
                yield Finding(trouble, entry.path, problem)

    def _doubles(self) -> Iterable[Finding]:
        for memory_id, copies in self._store.catalog.duplicate_ids().items():
            for copy in copies[1:]:
                yield Finding(Trouble.SAME_ID, copy.path, f"carries the id {memory_id} of {copies[0].path}")

    def names(self) -> Iterator[Finding]:
        """Yield the notes whose paths another system could not hold or tell apart, or no link could name."""
        for path in self._store.vault.left_out():
            yield Finding(Trouble.NAME, path, "is left out: its name is no text, or holds a backslash")
        paths = sorted(entry.path for entry in self._store.catalog)
        same = twins(paths)
        for path in paths:
            for reason in unportable(path):
                yield Finding(Trouble.NAME, path, reason)
            if path in same:
                yield Finding(Trouble.NAME, path, f"Windows, macOS and Android take it for {same[path]}")

    def keys(self) -> Iterator[Finding]:
        """Yield properties that Obsidian takes for one, since they differ in case only; reads all notes."""
        for entry in sorted(self._store.catalog, key=lambda entry: entry.path):
            with suppress(MnemexError):
                for key, other in twins(self._store.note(entry).values).items():
                    yield Finding(Trouble.KEY, entry.path, f"{key} stands beside {other}; Obsidian takes them for one")

    def overwritten(self) -> Iterator[Finding]:
        """Yield the notes over which something older than our last text was saved; reads those that we changed."""
        for each in overwritten(self._store):
            at = each.operation.at.astimezone(self._store.rules.zone)
            detail = (
                f"the text of {each.operation.id}, acknowledged at {at:%Y-%m-%d %H:%M}, was overwritten by an older one"
            )
            yield Finding(Trouble.OVERWRITTEN, each.path, detail)

    def counts(self) -> Iterator[Finding]:
        """Yield the memories of which several devices may have made more uses than were counted."""
        for entry in rough_counts(self._store):
            detail = "was used on several devices before they met; it may have been used more often than its count says"
            yield Finding(Trouble.COUNT, entry.path, detail)

    def secrets(self) -> Iterator[Finding]:
        """Yield where notes that an assistant may read hold what looks like a key or password; reads them all."""
        store = self._store
        for entry in sorted(store.catalog, key=lambda entry: entry.path):
            if not entry.searchable or not store.may_read(entry):
                continue
            try:
                text = store.note(entry).text
            except MnemexError:
                continue
            for secret in find_secrets(text):
                yield Finding(Trouble.SECRET, entry.path, f"what looks like a {secret.place}")

    def conflicts(self) -> Iterable[Finding]:
        """Return the copies that sync tools made."""
        for path, _ in self._store.vault.conflict_copies():
            yield Finding(Trouble.CONFLICT, path, "a sync tool made this copy; compare it with the original")
