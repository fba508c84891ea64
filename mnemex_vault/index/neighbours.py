"""What notes tell of each other, for the ranking: who was saved in the same session, who links to whom."""

from __future__ import annotations

from collections.abc import Sequence

from mnemex_vault.index.catalog import Catalog
from mnemex_vault.notes.note import NoteKind


class CatalogNeighbours:
    """Sessions and links of the catalog, kept as long as the catalog does not change."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._revision = -1
        self._sessions: dict[str, Sequence[str]] = {}
        self._links: dict[str, Sequence[str]] = {}

    def session_of(self, path: str) -> str | None:
        """Return the session in which a note was saved."""
        entry = self._catalog.get(path)
        return entry.session if entry else None

    def session(self, name: str) -> Sequence[str]:
        """Return the notes of a session in the order in which they were saved."""
        self._check()
        found = self._sessions.get(name)
        if found is None:
            found = [entry.path for entry in self._catalog.session(name) if entry.searchable]
            self._sessions[name] = found
        return found

    def linked(self, path: str) -> Sequence[str]:
        """Return the notes that a note links to or is linked from; generated notes connect nothing."""
        self._check()
        found = self._links.get(path)
        if found is None:
            found = self._links[path] = self._around(path)
        return found

    def _around(self, path: str) -> Sequence[str]:
        entry = self._catalog.get(path)
        if entry is None or not entry.searchable:
            return ()
        targets = [self._catalog.resolve(target, source=path) for target in entry.links]
        sources = [source for source in self._catalog.linking_to(entry) if source.kind is not NoteKind.GENERATED]
        ends = [end for end in (*targets, *sources) if end is not None and end.path != path]
        return list(dict.fromkeys(end.path for end in ends))

    def _check(self) -> None:
        if self._revision != self._catalog.revision:
            self._revision = self._catalog.revision
            self._sessions, self._links = {}, {}
