"""Reading every note once in a while, a few at a time: for edits that left size, times and inode as they were."""

from __future__ import annotations

import math
from bisect import bisect_right
from datetime import datetime, timedelta

from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.reconcile import Changes, Reconciler

ROUND = timedelta(days=1)


class Slices:
    """Goes round the notes in the order of their paths, once in a `ROUND`."""

    def __init__(self, catalog: Catalog, reconciler: Reconciler, *, start: str = "") -> None:
        self._catalog = catalog
        self._reconciler = reconciler
        self.position = start

    def next(self, *, now: datetime, since: timedelta) -> Changes:
        """Read the share of the notes that is due after this span of time."""
        paths = sorted(entry.path for entry in self._catalog)
        if not paths:
            return Changes()
        share = min(len(paths), math.ceil(len(paths) * (since / ROUND)))
        first = bisect_right(paths, self.position)
        chosen = (paths[first:] + paths[:first])[:share]
        if chosen:
            self.position = chosen[-1]
        return self._reconciler.rehash(chosen, now=now)
