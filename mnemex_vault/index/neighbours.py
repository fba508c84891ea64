"""What notes tell of each other, for the ranking: who was saved next to whom in the same session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mnemex_vault.index.catalog import Catalog


class CatalogNeighbours:
    """Sessions of the catalog, kept as long as the catalog does not change."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._revision = -1
        self._sessions: dict[str, tuple[Sequence[str], Mapping[str, int]]] = {}

    def session_of(self, path: str) -> str | None:
        """Return the session in which a note was saved."""
        entry = self._catalog.get(path)
        return entry.session if entry else None

    def session(self, name: str) -> Sequence[str]:
        """Return the notes of a session in the order in which they were saved."""
        return self._session(name)[0]

    def place(self, path: str) -> int:
        """Return the place of a note in its session."""
        return self._session(self.session_of(path) or "")[1].get(path, 0)

    def next_to(self, path: str) -> Sequence[str]:
        """Return the notes right before and right after one in its session."""
        name = self.session_of(path)
        if name is None:
            return ()
        paths, place = self.session(name), self.place(path)
        return [*paths[max(0, place - 1) : place], *paths[place + 1 : place + 2]]

    def _session(self, name: str) -> tuple[Sequence[str], Mapping[str, int]]:
        if self._revision != self._catalog.revision:
            self._revision, self._sessions = self._catalog.revision, {}
        found = self._sessions.get(name)
        if found is None:
            paths = [entry.path for entry in self._catalog.session(name) if entry.searchable]
            found = self._sessions[name] = (paths, {path: place for place, path in enumerate(paths)})
        return found
