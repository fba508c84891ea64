"""How long the journal keeps what it displaced: bounded by age and size, looked at once a day."""

from __future__ import annotations

from datetime import timedelta

from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.moments import Moments
from mnemex_vault.memories.store import Store

KEPT = timedelta(days=90)
MOST_BYTES = 512 << 20
EVERY = timedelta(days=1)
_PRUNED = "pruned"


class Retention:
    """Lets go of what is too old to be undone."""

    def __init__(self, store: Store, guard: Guard, moments: Moments) -> None:
        self._store = store
        self._guard = guard
        self._moments = moments

    def prune_if_due(self) -> int:
        """Forget old operations and their texts, at most once a day; return how many.

        After a jump of the clock nothing grows older until the time is confirmed.
        """
        store, now = self._store, self._store.clock()
        last = self._moments.last(_PRUNED)
        if last is not None and timedelta() <= now - last < EVERY:
            return 0
        self.look_at_clock()
        if store.rules.read_only or self._guard.problem(of_clock=False) is not None:
            return 0
        with store.vault.lock:
            pruned = store.journal.prune(now=self._guard.ageing.believed_time(), max_age=KEPT, max_bytes=MOST_BYTES)
        self._moments.remember(_PRUNED, now)
        return pruned

    def look_at_clock(self) -> None:
        """Compare the clock with its last look, or, if there was none, with the last operation."""
        latest = next(iter(self._store.journal.operations()), None)
        if latest is not None:
            self._guard.ageing.look(since=latest.at)
