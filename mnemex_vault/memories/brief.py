"""The session brief: what an assistant should know before the first question, within a fixed number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemex_vault.disk.state import Moments
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.scoring import State
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.tags import name_key
from mnemex_vault.memories.recalled import shorten
from mnemex_vault.memories.store import Store

# a token counts as four characters
MAX_CHARACTERS = 1_200 * 4
_EACH = 6
_LINE = 160
_OVERHEAD = 40
_BRIEFED = "brief"


@dataclass(frozen=True, slots=True)
class BriefItem:
    """One memory of the brief, under the heading that explains why it is shown."""

    section: str
    entry: Entry
    text: str
    score: float


class Brief:
    """What is worth knowing now."""

    def __init__(self, store: Store, moments: Moments) -> None:
        self._store = store
        self._moments = moments

    def make(self, *, project: str | None = None) -> list[BriefItem]:
        """Return pinned, strongest long-term, recent, changed by the person, and fading memories; each once."""
        store, now = self._store, self._store.clock()
        live = [entry for entry in store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM) if store.may_read(entry)]
        gone = store.catalog.superseded()
        live = [entry for entry in live if entry.path not in gone]
        if project:
            live.sort(key=lambda entry: name_key(entry.project or "") != name_key(project))
        items: list[BriefItem] = []
        taken: set[str] = set()
        room = MAX_CHARACTERS
        for section, entries in self._sections(live, now=now):
            for entry in [entry for entry in entries if entry.path not in taken][:_EACH]:
                item = self._item(section, entry, now=now)
                if item is None or len(item.text) + len(entry.title) + _OVERHEAD > room:
                    continue
                room -= len(item.text) + len(entry.title) + _OVERHEAD
                taken.add(entry.path)
                items.append(item)
        self._moments.remember(_BRIEFED, now)
        return items

    def _sections(self, live: Sequence[Entry], *, now: datetime) -> Iterable[tuple[str, list[Entry]]]:
        store = self._store

        def best(entries: Iterable[Entry]) -> list[Entry]:
            return sorted(entries, key=lambda entry: (-store.score(entry, now=now), entry.path))

        short = [entry for entry in live if entry.tier is Tier.SHORT_TERM]
        fading = [
            entry
            for entry in short
            if scoring.state(store.usage(entry), store.rules.policy, now=now) in (State.FADING, State.DUE)
        ]
        yield "pinned", best(entry for entry in live if store.usage(entry).pinned)
        yield "changed by you", self._changed(live)
        yield "long-term", best(entry for entry in live if entry.tier is Tier.LONG_TERM)
        yield "recent", sorted(short, key=lambda entry: store.usage(entry).last_used, reverse=True)
        yield "fading", sorted(fading, key=lambda entry: store.score(entry, now=now))

    def _changed(self, live: Iterable[Entry]) -> list[Entry]:
        """Return the memories that someone else changed since the last brief, the latest first."""
        since = self._moments.last(_BRIEFED)
        if since is None:
            return []
        ours = {step.after for operation in self._store.journal.history(None) for step in operation.steps}
        changed = [
            entry for entry in live if entry.fingerprint.mtime_ns / 1e9 > since.timestamp() and entry.etag not in ours
        ]
        return sorted(changed, key=lambda entry: entry.fingerprint.mtime_ns, reverse=True)

    def _item(self, section: str, entry: Entry, *, now: datetime) -> BriefItem | None:
        try:
            text = " ".join(self._store.note(entry).content.split())
        except MnemexError:
            return None
        return BriefItem(section, entry, shorten(text, _LINE), self._store.score(entry, now=now))
