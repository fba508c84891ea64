"""Looking for memories that fit a message, unasked, and at most every few minutes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from mnemex_vault.index.ranking import Hit
from mnemex_vault.language.activation import recall_finding, reinforce_finding
from mnemex_vault.language.word_lists import Lexicon
from mnemex_vault.memories.lifecycle import Lifecycle, Touched
from mnemex_vault.memories.recall import Recall, Request
from mnemex_vault.memories.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoRecallLimits:
    """How well a memory must fit, how many are wanted, how long to pause, whether a confirmed one is strengthened."""

    relevance: float
    results: int
    pause: timedelta
    reinforces: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a message is about, which memories fit it, and which of them it confirmed.

    `again_at` is set if nothing was looked for because the last look was so short a time ago.
    """

    topics: Sequence[str] = ()
    hits: Sequence[Hit] = ()
    reinforced: Sequence[str] = ()
    again_at: datetime | None = None


class AutoRecall:
    """Remembers when it last looked, for each session.

    To mention a thing is no use of its memory; to confirm it is one.
    """

    def __init__(self, store: Store, recall: Recall, lifecycle: Lifecycle) -> None:
        self._store = store
        self._recall = recall
        self._lifecycle = lifecycle
        self._lock = threading.Lock()
        self._last: dict[str, datetime] = {}

    def process(self, message: str, lexicon: Lexicon, limits: AutoRecallLimits) -> Recalled:
        """Return the memories that fit a message; nothing if it names no topic, or during the pause."""
        finding = recall_finding(message, lexicon)
        names = [entity.name for entity in finding.entities]
        topics = list(dict.fromkeys([*names, *finding.tags, *finding.query.split()]))
        if not topics:
            return Recalled()
        again_at = self._pause_until(limits.pause)
        if again_at is not None:
            return Recalled(topics=topics, again_at=again_at)
        request = Request(query=finding.query or " ".join(names), size=limits.results, review=False)
        page = self._recall.search(request)
        hits = [hit for hit in page.answers if hit.relevance >= limits.relevance]
        confirms = limits.reinforces and reinforce_finding(message, lexicon).should_reinforce
        return Recalled(
            topics=topics, hits=hits, reinforced=self._reinforce(hits[:1], finding.tags) if confirms else ()
        )

    def _pause_until(self, pause: timedelta) -> datetime | None:
        """Return until when to pause; None if it is time to look, which is then remembered."""
        now, session = self._store.clock(), self._store.session
        with self._lock:
            self._last = {each: last for each, last in self._last.items() if last <= now < last + pause}
            if session in self._last:
                return self._last[session] + pause
            self._last[session] = now
        return None

    def _reinforce(self, hits: Sequence[Hit], tags: Sequence[str]) -> list[str]:
        ids = [hit.entry.memory_id for hit in hits if hit.entry.is_memory and hit.entry.memory_id]
        used = self._lifecycle.observe(ids, tags)
        return [memory_id for memory_id, each in used.items() if isinstance(each, Touched)]
