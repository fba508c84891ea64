"""Searching without an index: the notes themselves are read and scored, slowly but by the same formula."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mnemex_vault.errors import MnemexError
from mnemex_vault.index.answering import Scanned
from mnemex_vault.index.document import Document
from mnemex_vault.memories.store import Store


def scan(store: Store) -> Scanned:
    """Read all notes, to be asked and to explain as the index would."""
    return store.text.scanned(_documents(store))


def _documents(store: Store) -> Iterator[Document]:
    for entry in store.catalog:
        if entry.searchable:
            with suppress(MnemexError):
                document = store.document(entry)
                if document is not None:
                    yield document
