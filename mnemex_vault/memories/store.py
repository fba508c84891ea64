"""The store: vault, journal and index together, and the one way to change a note."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from mnemex_vault.clock import Clock
from mnemex_vault.disk.paths import within
from mnemex_vault.disk.safeguards import understanding
from mnemex_vault.disk.vault import Vault
from mnemex_vault.domain import reinforcement, scoring
from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.domain.trust import waits
from mnemex_vault.errors import (
    IndexUnavailable,
    MnemexError,
    NotAllowed,
    NoteAway,
    NoteError,
    NoteNotFound,
    UnreadableNote,
)
from mnemex_vault.history.journal import Journal, Operation
from mnemex_vault.history.operation import Refusal, TakenBack, perform, undo
from mnemex_vault.history.pending import APPROVAL, PendingUse, PendingUses
from mnemex_vault.history.steps import Change
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.document import Document
from mnemex_vault.index.entry import NOTE_PREFIX, Entry
from mnemex_vault.index.reconcile import Changes, Reconciler
from mnemex_vault.index.text_index import TextIndex
from mnemex_vault.memories.rules import Rules
from mnemex_vault.progress import READING_NOTES, WRITING_NOTES, Watch, unwatched
from mnemex_vault.text.fields import content_of, memory_changes, render
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.inert_text import as_given
from mnemex_vault.text.note import Note

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
# so many notes changed by others within so short a time are not a person's typing
MANY = 50
SETTLED = timedelta(seconds=30)


def nothing() -> None:
    """Do nothing, where something could be done."""


# why a tool may not make more of a memory
WAITS = "comes from others and waits for a person's yes: `mnemex approve`, `mnemex pin`, or an edit in Obsidian"


@dataclass(slots=True)
class Store:
    """What every use case works with; `rules` may be replaced while running when the settings note changes.

    `actor` names this process in the journal, `client` the one of several for whom the present call is made.
    `last_writes` remembers when this process wrote bookkeeping of a note and which version it left, so that its own
    write is not taken for a person's. `watch` is told how far long work is.
    `believed_time` is the time by which things grow old: it stands still after a jump of the clock.
    `before_writing` is called ahead of every change, and may refuse it with an error of ours.
    """

    vault: Vault
    journal: Journal
    pending: PendingUses
    catalog: Catalog
    text: TextIndex
    reconciler: Reconciler
    rules: Rules
    clock: Clock
    believed_time: Clock
    new_id: Callable[[], str]
    actor: str
    last_writes: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    closed_links: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    watch: Watch = unwatched
    before_writing: Callable[[], None] = nothing
    client: ContextVar[str] = field(default_factory=lambda: ContextVar("client", default=""))

    @property
    def session(self) -> str:
        """Return who makes changes now, for the journal: a session may undo its own."""
        client = self.client.get()
        return f"{self.actor}/{client}" if client else self.actor

    @property
    def policy(self) -> Policy:
        """Return what scoring goes by now: the rules', and the times in which nobody used a memory."""
        rules = self.rules
        if rules.decay_clock == "days":
            return rules.policy
        return replace(rules.policy, pauses=self.catalog.pauses().until(self.clock().timestamp()))

    def commit(
        self,
        kind: str,
        steps: Sequence[Change],
        *,
        summary: str,
        now: datetime,
        uses: Sequence[str] = (),
        actor: str | None = None,
    ) -> Operation:
        """Make these changes as one undoable operation and bring the index up to date; raises as `writer` does.

        A broken index never fails a change: the notes are the truth.
        """
        with self.writer(path for step in steps for path in step.paths) as writer:
            return writer.perform(kind, steps, summary=summary, now=now, uses=uses, actor=actor)

    @contextmanager
    def writer(self, paths: Iterable[str]) -> Iterator[Writer]:
        """Hold the vault's lock while notes at these paths are changed; the index follows them once it is free.

        Raises NotAllowed in read-only mode or outside the write scope, before anything is written.
        """
        self.check_paths(paths)
        self.vault.check()
        writer = Writer(self)
        try:
            with self.vault.lock:
                yield writer
        finally:
            for operation in writer.done:
                self._follow_own(operation)

    def _follow_own(self, operation: Operation) -> None:
        paths = operation.paths
        self.follow(paths, now=operation.at, own=True)
        for path in paths:
            self.last_writes.pop(path, None)
            if entry := self.catalog.get(path):
                self.last_writes[path] = (operation.at, entry.etag)

    def follow(self, paths: Iterable[str], *, now: datetime, own: bool = False) -> Changes:
        """Let the index follow these paths, after an `own` change or others; a failure is left to the next scan."""
        try:
            return self.reconciler.reconcile(paths, now=now, own=own, progress=self.watch(READING_NOTES))
        except (MnemexError, OSError) as error:
            logger.warning("the index will catch up later: %s", error)
            return Changes()

    def from_index(self, ask: Callable[[], T], *, otherwise: T) -> tuple[T, str | None]:
        """Return what the index answers, else `otherwise` and why: no change ever fails because the index does."""
        try:
            return ask(), None
        except IndexUnavailable as error:
            logger.warning("the index could not be asked: %s", error)
            return otherwise, error.reason

    def check_allowed(self, steps: Sequence[Change]) -> None:
        """Raise NotAllowed in read-only mode, or when a step leads outside the write scope."""
        self.check_paths(path for step in steps for path in step.paths)

    def check_paths(self, paths: Iterable[str]) -> None:
        """Raise NotAllowed in read-only mode, or for a path outside both write scope and memory folders."""
        self.before_writing()
        if self.rules.read_only:
            raise NotAllowed(f"the vault is read-only for Mnemex Vault ({self.rules.read_only_because})")
        outside = next((path for path in paths if not self.may_write(path)), None)
        if outside is not None:
            raise NotAllowed(f"{outside} lies outside the folders that may be written (setting write_paths)")

    def may_write(self, path: str) -> bool:
        """Tell whether a path lies in the write scope or a memory folder."""
        scope = self.rules.write_paths
        return scope is None or within(path, (*scope, *self._memory_folders()))

    def _memory_folders(self) -> Iterator[str]:
        """Yield the folders of memories, and the one that holds them with the notes we generate."""
        layout = self.vault.layout
        root = layout.short_term.rpartition("/")[0]
        yield from (folder for folder in (root, layout.short_term, layout.long_term, layout.archive) if folder)

    def folder_of(self, tier: Tier, *, now: datetime | None = None) -> str:
        """Return the folder in which a note of a tier made now, in the vault's zone, lies."""
        return self.vault.folder_of(tier, now=(now or self.clock()).astimezone(self.rules.zone))

    def link_name(self, entry: Entry) -> str:
        """Return the shortest target that means this note and no other: its name, or its path."""
        unique = len(self.catalog.named(entry.stem)) <= 1
        return entry.stem if unique else entry.path[: -len(".md")]

    def entity_notes(self, name: str) -> list[Entry]:
        """Return the ordinary and long-term notes that bear this name or alias."""
        return [
            entry
            for entry in self.catalog.named(name, aliases=True)
            if entry.searchable and not (entry.is_memory and entry.tier is not Tier.LONG_TERM)
        ]

    def linked(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of the names that are the name of exactly one such note, and can be written as links."""
        return frozenset(name for name in names if [entry.stem for entry in self.entity_notes(name)] == [name])

    def composed(self, memory: Memory, *, stem: str, fades: bool = True) -> str:
        """Return the text of the note of this name that a memory becomes; with the day on which it `fades`, if so."""
        return render(
            memory,
            zone=self.rules.zone,
            fades_on=self.fades_on(memory.usage, tier=memory.tier) if fades else None,
            stem=stem,
            linked=self.linked(memory.entities),
            neutralise=self.rules.neutralise,
        )

    def amended(self, text: str, path: str, tier: Tier, revise: Callable[[Memory], Memory]) -> str:
        """Return the text of a memory's note with what a revision changes in its properties."""
        note = Note.parse(path, text.encode())
        old = self.memory_in(note, tier=tier)
        new = revise(old)
        changes = memory_changes(
            old,
            new,
            zone=self.rules.zone,
            fades_on=self.fades_on(new.usage, tier=tier),
            values=note.values,
            stem=note.stem,
            neutralise=self.rules.neutralise,
        )
        return edit(text, changes)

    def taken_names(self, *, besides: Entry | None = None) -> Callable[[str], bool]:
        """Return a function that tells by `name_key` whether a note besides this one, or a template, has a name."""
        templates = self.vault.template_names()
        named = self.catalog.named
        return lambda key: (
            key in templates or any(besides is None or other.path != besides.path for other in named(key, aliases=True))
        )

    def look_for(self, ids: Iterable[str]) -> None:
        """Look through the vault once if any of these ids is unknown, for calls of `entry` with `looked`."""
        if any(self._known(memory_id) is None for memory_id in ids):
            self.follow_vault()

    def entry(self, memory_id: str, *, looked: bool = False) -> Entry:
        """Return the note that answers to an id or to `note:<path>`.

        An unknown id is first looked for on disk, unless that was `looked` for just now. Raises NoteNotFound.
        """
        found = self._known(memory_id)
        if found is None and not looked:
            self.follow_vault()
            found = self._known(memory_id)
        if found is None or not self.may_read(found):
            raise NoteNotFound(memory_id=memory_id)
        return found

    def follow_vault(self) -> Changes:
        """Compare the whole vault with the index now."""
        return self.reconciler.reconcile(now=self.clock())

    def is_unsettled(self, *, now: datetime) -> bool:
        """Tell whether others changed many notes just now: a checkout or a sync that may be half done."""
        since = (now - SETTLED).timestamp() * 1e9
        recent = [entry for entry in self.catalog if _changed_ns(entry) > since and not self._wrote(entry)]
        return len(recent) >= MANY

    def _wrote(self, entry: Entry) -> bool:
        return self.last_writes.get(entry.path, (None, ""))[1] == entry.etag

    def _known(self, memory_id: str) -> Entry | None:
        if memory_id.startswith(NOTE_PREFIX):
            entry = self.catalog.get(memory_id.removeprefix(NOTE_PREFIX))
            return entry if entry is not None and (entry.searchable or entry.is_away) else None
        return self.catalog.by_id(memory_id)

    def memory_entry(self, memory_id: str, *, looked: bool = False) -> Entry:
        """Return the note of a memory; raises NoteNotFound, or UnreadableNote if its frontmatter is broken."""
        entry = self.entry(memory_id, looked=looked)
        if not entry.is_memory:
            if entry.memory_id is None:
                raise NoteNotFound(memory_id=memory_id)
            raise UnreadableNote(entry.path, "; ".join(entry.problems) or "its frontmatter cannot be read")
        return entry

    def may_read(self, entry: Entry) -> bool:
        """Tell whether the read scope covers the note; memory folders are always covered."""
        scope = self.rules.read_paths
        return scope is None or entry.memory_id is not None or within(entry.path, scope)

    def trusts(self, entry: Entry) -> bool:
        """Tell whether a memory may stand in for the person: it does not wait for a yes, or has had it.

        What waits is pinned or long-term only by the hand of a person, whose yes that is.
        """
        if not waits(entry.origin, entry.approved, self.rules.approve) or entry.tier is Tier.LONG_TERM:
            return True
        return entry.usage is not None and entry.usage.pinned

    def waiting(self) -> list[Entry]:
        """Return the live memories that wait for a person's yes, the latest first."""
        live = self.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM)
        found = [(entry.usage.created, entry.path, entry) for entry in live if entry.usage and not self.trusts(entry)]
        return [entry for _, _, entry in sorted(found, key=lambda each: each[:2], reverse=True)]

    def may_find(self, entry: Entry) -> bool:
        """Tell whether a search may come up with the note.

        Obsidian's excluded files answer to their own name only; memories and their folders are never excluded.
        """
        if not self.may_read(entry):
            return False
        if entry.memory_id is not None or not self.vault.is_excluded(entry.path):
            return True
        return within(entry.path, self._memory_folders())

    @property
    def finds_all(self) -> bool:
        """Tell whether nothing in the vault is kept from a search."""
        return self.rules.read_paths is None and not self.vault.config.user_ignore_filters

    def note(self, entry: Entry) -> Note:
        """Read the note of an entry; raises NoteNotFound when it is gone, UnreadableNote when it cannot be read."""
        data, _ = self.vault.files.read(entry.path)
        if entry.is_away and not data.strip(b"\0"):
            raise NoteAway(entry.path, "; ".join(entry.problems))
        with understanding(entry.path):
            return Note.parse(entry.path, data)

    def link_targets(self, entry: Entry) -> tuple[str, ...]:
        """Return where the links of a note lead, of a private one too: the target of a link is not content."""
        if entry.searchable:
            return entry.links
        etag, targets = self.closed_links.get(entry.path, ("", ()))
        if etag != entry.etag:
            with suppress(NoteError):
                targets = tuple(dict.fromkeys(link.target for link in self.note(entry).links))
            self.closed_links[entry.path] = (entry.etag, targets)
        return targets

    def content(self, entry: Entry) -> str:
        """Read the text of a note without looking at its properties; raises NoteNotFound when it is gone."""
        data, _ = self.vault.files.read(entry.path)
        text = content_of(data.decode("utf-8", "replace"))
        return as_given(text, entry.origin) if entry.memory_id else text

    def document(self, entry: Entry) -> Document | None:
        """Read the note of an entry as the text index takes it in; None if its text may not be found, or it is gone."""
        return self.reconciler.document(entry)

    def memory(self, entry: Entry) -> Memory:
        """Read the memory in a note, without uses that are not written yet."""
        return self.memory_in(self.note(entry), tier=entry.tier)

    def memory_in(self, note: Note, *, tier: Tier) -> Memory:
        """Return the memory in a note; one without any date counts as remembered and used now."""
        return note.memory(tier=tier, zone=self.rules.zone, undated=self.clock())

    def usage(self, entry: Entry) -> Usage:
        """Return the bookkeeping of a memory with all uses, written or not."""
        if entry.usage is None:
            raise UnreadableNote(entry.path, "it is not a memory")
        return self.with_uses(entry.usage, self.pending.of(entry.memory_id or ""))

    def usages(self) -> Callable[[Entry], Usage]:
        """Return `usage` as of now for many entries: the waiting uses are read once."""
        waiting: defaultdict[str, list[PendingUse]] = defaultdict(list)
        for use in self.pending.all():
            waiting[use.memory_id].append(use)

        def usage_of(entry: Entry) -> Usage:
            if entry.usage is None:
                raise UnreadableNote(entry.path, "it is not a memory")
            uses = waiting.get(entry.memory_id or "") if waiting else None
            return self.with_uses(entry.usage, uses) if uses else entry.usage

        return usage_of

    def with_uses(self, usage: Usage, uses: Iterable[PendingUse]) -> Usage:
        """Return the bookkeeping after these uses, in the order of their times."""
        for each in sorted(uses, key=lambda use: use.at):
            if each.kind == APPROVAL:
                continue
            if each.kind == "observe":
                usage = reinforcement.observe(usage, now=each.at, zone=self.rules.zone, cross_domain=each.cross_domain)
            else:
                usage = reinforcement.use(usage, now=each.at, zone=self.rules.zone, boost=each.boost)
        return usage

    def score(self, entry: Entry, *, now: datetime) -> float:
        """Return the decay score of a memory now."""
        return scoring.score(self.usage(entry), self.policy, now=now)

    def fades_on(self, usage: Usage, *, tier: Tier) -> date | None:
        """Return the day, in the vault's zone, on which a short-term memory fades if it is not used again."""
        if tier is not Tier.SHORT_TERM:
            return None
        moment = scoring.fades_at(usage, self.policy)
        return moment.astimezone(self.rules.zone).date() if moment else None


@dataclass(slots=True)
class Writer:
    """Makes changes while the vault's lock is held, so that what they rest on stays true; `done` are its operations."""

    store: Store
    done: list[Operation] = field(default_factory=list)

    def perform(
        self,
        kind: str,
        steps: Sequence[Change],
        *,
        summary: str,
        now: datetime,
        uses: Sequence[str] = (),
        actor: str | None = None,
    ) -> Operation:
        """Make these changes as one operation; raises as `history.operation.perform` does."""
        store, who = self.store, actor or self.store.session
        told = store.watch(WRITING_NOTES)
        self.done.append(
            perform(
                store.vault, store.journal, kind, steps, now=now, actor=who, summary=summary, uses=uses, progress=told
            )
        )
        return self.done[-1]

    def undo(self, operation_id: str, *, now: datetime, barred: Mapping[str, Refusal]) -> TakenBack:
        """Do the inverse of an operation; raises as `history.operation.undo` does."""
        store, told = self.store, self.store.watch(WRITING_NOTES)
        undone = undo(
            store.vault, store.journal, operation_id, now=now, actor=store.session, barred=barred, progress=told
        )
        self.done.append(undone.operation)
        return undone


class WithStore(Protocol):
    """A group of verbs on memories."""

    _store: Store


W = TypeVar("W", bound=WithStore)


def found_again(verb: Callable[Concatenate[W, P], R]) -> Callable[Concatenate[W, P], R]:
    """Let a verb be done once more, on the vault as it is, if a note was moved between being found and written.

    For verbs that write nothing when they fail.
    """

    @wraps(verb)
    def done(self: W, /, *args: P.args, **named: P.kwargs) -> R:
        try:
            return verb(self, *args, **named)
        except NoteNotFound as error:
            if not error.path:
                raise
            self._store.follow_vault()
            return verb(self, *args, **named)

    return done


def _changed_ns(entry: Entry) -> int:
    return max(entry.fingerprint.mtime_ns, entry.fingerprint.ctime_ns)
