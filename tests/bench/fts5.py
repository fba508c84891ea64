"""The baseline: SQLite FTS5 with the porter tokenizer, words joined by OR, without the same stop words."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from mnemex_vault.language.tongues import tongues


class Fts5:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("create virtual table notes using fts5(path unindexed, title, body, tokenize='porter')")

    def add(self, notes: Iterable[tuple[str, str, str]]) -> None:
        self._connection.executemany("insert into notes values (?, ?, ?)", notes)
        self._connection.commit()

    def search(self, question: str, limit: int) -> list[str]:
        words = [
            word for word in re.findall(r"\w+", question.lower()) if word not in tongues().by_code["en"].function_words
        ]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "select path from notes where notes match ? order by rank limit ?", (match, limit)
        )
        return [str(row[0]) for row in rows]
