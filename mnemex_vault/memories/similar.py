"""Nearly equal memories, named when a new one is saved so that the caller can supersede instead of repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.similarity import SIMILAR_THRESHOLD, most_similar
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.recalled import origin_of
from mnemex_vault.memories.store import Store

_MOST = 3
_CANDIDATES = 6
_FIRST_LINE = 120
# the index holds stems, and those of title and tags as well: a little less of likeness there may be enough of it here
_LIKE_ENOUGH_TO_READ = 0.7 * SIMILAR_THRESHOLD


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory that says nearly the same."""

    id: str
    title: str
    first_line: str
    origin: str


def similar_to(store: Store, content: str) -> tuple[Similar, ...]:
    """Return up to three live memories whose words are nearly those of the text, the most similar first.

    Raises IndexUnavailable.
    """

    def is_live(path: str) -> bool:
        entry = store.catalog.get(path)
        return entry is not None and entry.is_memory and entry.tier is not Tier.ARCHIVED

    candidates = store.text.alike(content, is_live, threshold=_LIKE_ENOUGH_TO_READ, count=_CANDIDATES)
    entries = {path: entry for path in candidates if (entry := store.catalog.get(path))}
    texts = dict(_texts(store, entries.values()))
    found = most_similar(content, texts, threshold=SIMILAR_THRESHOLD, limit=_MOST)
    return tuple(_similar(entries[path], texts[path]) for path, _ in found)


def _texts(store: Store, entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        with suppress(MnemexError):
            yield entry.path, store.note(entry).content


def _similar(entry: Entry, text: str) -> Similar:
    first_line = text.strip().partition("\n")[0][:_FIRST_LINE]
    return Similar(entry.memory_id or "", entry.title, first_line, origin_of(entry.origin))
