"""The SQLite store of CortexGraph, read from a copy so that not even its lock files change."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from mnemex_vault.errors import NotPossible
from mnemex_vault.importers.findings import Findings, Problem, excerpt
from mnemex_vault.importers.predecessor import DamagedRecord, Reading, connection, memory_record
from mnemex_vault.notes.dates import file_time

Item = TypeVar("Item")

_JSON_COLUMNS = ("meta", "entities", "metadata")


def read_sqlite(database: Path, *, zone: tzinfo) -> Findings:
    """Return what the database holds; rows that cannot be read are listed. Raises InvalidInput if it is none."""
    undated = file_time(int(database.stat().st_mtime))
    problems: list[Problem] = []
    remarks: list[Problem] = []
    with TemporaryDirectory(prefix="mnemex-") as folder, closing(_opened(database, Path(folder))) as store:
        rows = _Rows(store, database.name, problems, remarks)
        try:
            records = rows.read("memories", lambda reading: memory_record(reading, undated=undated, zone=zone))
            connections = rows.read("relations", connection)
        except sqlite3.DatabaseError as error:
            raise NotPossible(str(database), f"cannot be read as a store of memories: {error}") from error
    return Findings(
        records=tuple(records), connections=tuple(connections), damaged=tuple(problems), remarks=tuple(remarks)
    )


def _opened(database: Path, folder: Path) -> sqlite3.Connection:
    """Open a copy, with the changes that are not in the main file yet."""
    copy = folder / "store.db"
    shutil.copyfile(database, copy)
    log = database.with_name(database.name + "-wal")
    if log.is_file():
        shutil.copyfile(log, folder / "store.db-wal")
    store = sqlite3.connect(copy)
    store.row_factory = sqlite3.Row
    # text that is no UTF-8 costs only its row
    store.text_factory = bytes
    return store


class _Rows:
    def __init__(self, store: sqlite3.Connection, name: str, damaged: list[Problem], remarks: list[Problem]) -> None:
        self._store = store
        self._name = name
        self._damaged = damaged
        self._remarks = remarks

    def read(self, table: str, read: Callable[[Reading], Item]) -> list[Item]:
        """Return the rows of a table, in the order in which they were written."""
        found: list[Item] = []
        for number, row in self._rows(table):
            place = f"{self._name}:{table}:{number}"
            try:
                reading = Reading(_values(row), place, self._remarks)
                found.append(read(reading))
            except DamagedRecord as error:
                self._damaged.append(Problem(place, f"{error}: {excerpt(_shown(row))}"))
        return found

    def _rows(self, table: str) -> Iterator[tuple[int, dict[str, object]]]:
        if not self._store.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            return
        cursor = self._store.execute(f"SELECT rowid AS _row, * FROM {table} ORDER BY rowid")
        for row in cursor:
            # the names of columns are texts whatever the values are
            yield row["_row"], {key: row[key] for key in row.keys() if key != "_row"}  # noqa: SIM118


def _values(row: dict[str, object]) -> dict[str, object]:
    """Return a row as the files would hold it."""
    values = {key: _text(value) for key, value in row.items() if key != "embed"}
    for key in _JSON_COLUMNS:
        text = values.get(key)
        if isinstance(text, str):
            values[key] = _parsed(key, text)
    return values


def _shown(row: dict[str, object]) -> dict[str, object]:
    return {key: value.decode("utf-8", "replace") if isinstance(value, bytes) else value for key, value in row.items()}


def _text(value: object) -> object:
    try:
        return value.decode("utf-8") if isinstance(value, bytes) else value
    except UnicodeDecodeError as error:
        raise DamagedRecord("it is not UTF-8") from error


def _parsed(key: str, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"its {key} is not JSON") from error
