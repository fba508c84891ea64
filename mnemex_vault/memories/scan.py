"""Searching without an index: the notes themselves are read and scored, slowly but by the same formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mnemex_vault.errors import MnemexError
from mnemex_vault.index.describe import describe
from mnemex_vault.index.document import Document
from mnemex_vault.index.neighbours import CatalogNeighbours
from mnemex_vault.index.query import Query
from mnemex_vault.memories.store import Store
from mnemex_vault.notes.note import Note


def scan(store: Store, query: Query, neighbours: CatalogNeighbours) -> Mapping[str, float]:
    """Return the raw score of every note that matches, as the index would."""
    return store.text.scan(_documents(store), query, neighbours=neighbours)


def _documents(store: Store) -> Iterator[Document]:
    now = store.clock()
    for entry in store.catalog:
        if not entry.searchable:
            continue
        try:
            data, fingerprint = store.vault.files.read(entry.path)
        except MnemexError:
            continue
        note = Note.parse(entry.path, data)
        document = describe(note, fingerprint, tier=entry.tier, zone=store.rules.zone, now=now)[1]
        if document is not None:
            yield document
