"""Small documents for the tests of the text index."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from mnemex_vault.index.document import Document
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def note(path: str, body: str, **fields: object) -> Document:
    plain = Document(
        path=path,
        etag=f"etag of {body}",
        title="",
        aliases=(),
        tags=(),
        entities=(),
        headings=(),
        body=body,
        source=None,
        created=None,
        project=None,
    )
    return dataclasses.replace(plain, **fields)  # type: ignore[arg-type]


class Sessions:
    """Neighbours from {session: paths in order}."""

    def __init__(self, sessions: Mapping[str, Sequence[str]]) -> None:
        self._sessions = sessions
        self._names = {path: name for name, paths in sessions.items() for path in paths}

    def session_of(self, path: str) -> str | None:
        return self._names.get(path)

    def session(self, name: str) -> Sequence[str]:
        return self._sessions[name]

    def place(self, path: str) -> int:
        return self._sessions[self._names[path]].index(path)


def found(index: TextIndex, question: str, neighbours: Sessions | None = None) -> list[str]:
    relevance = index.relevance(parse(question, now=NOW), neighbours=neighbours)
    return sorted(relevance, key=lambda path: (-relevance[path], path))
