"""Uses of memories, and the yes that an edit by hand is: kept durably at once, written when that disturbs nobody."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.trust import waits
from mnemex_vault.errors import MnemexError, NotAllowed
from mnemex_vault.history.pending import APPROVAL, PendingUse
from mnemex_vault.history.steps import Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.reconcile import Changes
from mnemex_vault.memories.store import SETTLED, Store
from mnemex_vault.text.fields import usage_changes
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.note import Note
from mnemex_vault.text.values import write_time

logger = logging.getLogger(__name__)


def record(
    store: Store, entry: Entry, kind: str, *, now: datetime, boost: bool = False, cross_domain: bool = False
) -> None:
    """Keep one use of a memory; raises NotAllowed in read-only mode."""
    if store.rules.read_only:
        raise NotAllowed(f"the vault is read-only for Mnemex Vault ({store.rules.read_only_because})")
    store.pending.add(
        PendingUse(
            id=store.new_id(),
            memory_id=entry.memory_id or "",
            at=now,
            kind=kind,
            boost=boost,
            cross_domain=cross_domain,
        )
    )


def record_approvals(store: Store, changes: Changes, *, now: datetime) -> None:
    """Keep the yes that a person gave to memories that wait for it, by changing their words, a pin or a drag.

    No program changes the words of a memory that waits, pins it or makes it long-term. Links alone are changed when
    other notes are renamed, and what follows the last change at once may be a file that is still on its way.
    """
    if store.rules.read_only or store.is_unsettled(now=now):
        return
    by_hand = [
        entry for before, entry in changes.edited if _is_yes(before, entry) and not store.journal.left(entry.etag)
    ]
    dragged = [store.catalog.by_id(each.memory_id) for each in changes.moves if each.after is Tier.LONG_TERM]
    for entry in [*by_hand, *filter(None, dragged)]:
        if waits(entry.origin, entry.approved, store.rules.approve):
            record(store, entry, APPROVAL, now=now)


def _is_yes(before: Entry, entry: Entry) -> bool:
    if entry.usage and before.usage and entry.usage.pinned and not before.usage.pinned:
        return True
    rested = entry.fingerprint.mtime_ns - before.fingerprint.mtime_ns > SETTLED.total_seconds() * 1e9
    return rested and before.content_key != entry.content_key and before.links == entry.links


def write_pending(store: Store, *, now: datetime, at_once: bool = False) -> list[str]:
    """Write the kept uses of every note that is quiet (of all notes if `at_once`); return the paths written.

    Uses of a memory that no longer exists are dropped after a day, so that a note which is only away for a
    moment does not lose them.
    """
    waiting: defaultdict[str, list[PendingUse]] = defaultdict(list)
    for use in store.pending.all():
        waiting[use.memory_id].append(use)
    written = []
    for memory_id, uses in waiting.items():
        entry = store.catalog.by_id(memory_id)
        if entry is None or not entry.is_memory:
            _drop_orphans(store, uses)
        elif (at_once or is_quiet(store, entry, now=now)) and _write(store, entry, now=now):
            written.append(entry.path)
    return written


def is_quiet(store: Store, entry: Entry, *, now: datetime) -> bool:
    """Tell whether nobody else changed the note lately, and we did not write it just now."""
    wrote_at, _ = store.last_writes.get(entry.path, (None, ""))
    just_now = wrote_at is not None and timedelta() <= now - wrote_at < timedelta(seconds=store.rules.quiet_seconds)
    return not just_now and is_undisturbed(store, entry, now=now)


def is_undisturbed(store: Store, entry: Entry, *, now: datetime) -> bool:
    """Tell whether nobody but us, in whatever process, changed the note within the quiet time."""
    _, left = store.last_writes.get(entry.path, (None, ""))
    if left == entry.etag or store.journal.left(entry.etag):
        return True
    age = now.timestamp() - entry.fingerprint.mtime_ns / 1e9
    return age < 0 or age >= store.rules.quiet_seconds


def unwritten(store: Store, memory_id: str) -> list[PendingUse]:
    """Return the uses that stand in no note yet; for a true answer the caller holds the vault's lock."""
    waiting = store.pending.of(memory_id)
    # a process that died may have written some without telling so
    written = store.journal.written_uses() if waiting else frozenset()
    return [use for use in waiting if use.id not in written]


def _write(store: Store, entry: Entry, *, now: datetime) -> bool:
    try:
        with store.writer([entry.path]) as writer:
            waiting = store.pending.of(entry.memory_id or "")
            uses = unwritten(store, entry.memory_id or "")
            if uses:
                update = Update(entry.path, _adding(store, entry, uses))
                ids = [use.id for use in uses]
                writer.perform("use", [update], summary=entry.title, now=now, uses=ids)
        store.pending.remove([use.id for use in waiting])
    except MnemexError as error:
        # kept and tried again; the note is as the person left it
        logger.info("uses of %s wait: %s", entry.path, error)
        return False
    return bool(uses)


def _adding(store: Store, entry: Entry, uses: Sequence[PendingUse]) -> Callable[[str], str]:
    said_yes = [use.at for use in uses if use.kind == APPROVAL]

    def add_uses(text: str) -> str:
        note = Note.parse(entry.path, text.encode())
        memory = store.memory_in(note, tier=entry.tier)
        usage = store.with_uses(memory.usage, uses)
        fades_on = store.fades_on(usage, tier=entry.tier)
        changes = usage_changes(
            usage,
            tier=entry.tier,
            zone=store.rules.zone,
            fades_on=fades_on,
            old=memory.usage,
            values=note.values,
        )
        if said_yes:
            changes["approved"] = write_time(min(said_yes), store.rules.zone)
        return edit(text, changes)

    return add_uses


def _drop_orphans(store: Store, uses: list[PendingUse]) -> None:
    now = store.believed_time()
    old = [use.id for use in uses if now - use.at > timedelta(days=1)]
    if old:
        store.pending.remove(old)
