"""Uses of memories: kept durably at once, counted in every score, written to the note when that disturbs nobody."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from mnemex_vault.errors import MnemexError, NotAllowed
from mnemex_vault.history.pending import PendingUse
from mnemex_vault.history.steps import Update
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.store import Store
from mnemex_vault.text.fields import usage_changes
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.note import Note

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


def _adding(store: Store, entry: Entry, uses: Iterable[PendingUse]) -> Callable[[str], str]:
    def add_uses(text: str) -> str:
        note = Note.parse(entry.path, text.encode())
        memory = store.memory_in(note, tier=entry.tier)
        usage = store.with_uses(memory.usage, uses)
        fades_on = store.fades_on(usage, tier=entry.tier)
        return edit(
            text,
            usage_changes(
                usage,
                tier=entry.tier,
                zone=store.rules.zone,
                fades_on=fades_on,
                old=memory.usage,
                values=note.values,
            ),
        )

    return add_uses


def _drop_orphans(store: Store, uses: list[PendingUse]) -> None:
    now = store.believed_time()
    old = [use.id for use in uses if now - use.at > timedelta(days=1)]
    if old:
        store.pending.remove(old)
