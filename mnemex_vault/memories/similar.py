"""Nearly equal memories, named when a new one is saved so that the caller can supersede instead of repeat."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest

from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.similarity import jaccard, tokens
from mnemex_vault.errors import IndexUnavailable, MnemexError
from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.query import Query
from mnemex_vault.memories.store import Store

# below this, texts share words by chance
SIMILAR = 0.5
_MOST = 3
_CANDIDATES = 6
_FIRST_LINE = 120
# more words of a text cost time and find nothing else; long ones tell more apart
_QUERY_CHARACTERS = 400
_QUERY_TERMS = 8


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory that says nearly the same."""

    id: str
    title: str
    first_line: str


def similar_to(store: Store, content: str) -> tuple[Similar, ...]:
    """Return up to three live memories whose words are nearly those of the text, the most similar first."""
    words = tokens(content)
    terms = dict.fromkeys(Analyzer().query_terms(content[:_QUERY_CHARACTERS]))
    query = Query(terms=tuple(nlargest(_QUERY_TERMS, terms, key=len)))
    try:
        candidates = store.text.best(query, _CANDIDATES)
    except IndexUnavailable:
        return ()
    found = []
    for path in candidates:
        entry = store.catalog.get(path)
        if entry is None or not entry.is_memory or entry.tier is Tier.ARCHIVED:
            continue
        try:
            similarity = jaccard(words, tokens(store.content(entry)))
            if similarity < SIMILAR:
                continue
            text = store.note(entry).content
        except MnemexError:
            continue
        else:
            first_line = text.strip().partition("\n")[0][:_FIRST_LINE]
            found.append((similarity, Similar(entry.memory_id or "", entry.title, first_line)))
    found.sort(key=lambda pair: -pair[0])
    return tuple(similar for _, similar in found[:_MOST])
