"""Searching without an index: the notes themselves are read and scored, slowly but by the same formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from mnemex_vault.errors import MnemexError
from mnemex_vault.index.document import Document
from mnemex_vault.index.neighbours import CatalogNeighbours
from mnemex_vault.index.query import Query
from mnemex_vault.memories.store import Store


def scan(store: Store, query: Query, neighbours: CatalogNeighbours) -> Mapping[str, float]:
    """Return the raw score of every note that matches, as the index would."""
    return store.text.scan(_documents(store), query, neighbours=neighbours)


def _documents(store: Store) -> Iterator[Document]:
    for entry in store.catalog:
        if entry.searchable:
            with suppress(MnemexError):
                document = store.document(entry)
                if document is not None:
                    yield document
