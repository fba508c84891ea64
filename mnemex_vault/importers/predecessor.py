"""Memories and relations as STM Server, Mnemex and CortexGraph wrote them, in JSONL or SQLite, in our terms.

Values that are absurd become the default, as their own programs would give it, and are remarked on.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from mnemex_vault.domain.memory import MAX_STRENGTH, RelationType, Tier, Usage
from mnemex_vault.errors import NotPossible
from mnemex_vault.importers import findings
from mnemex_vault.importers.json_lines import lines
from mnemex_vault.language.words import word_set
from mnemex_vault.memories.draft import clean_labels, clean_tags
from mnemex_vault.text.keys import MAX_COUNT
from mnemex_vault.text.values import as_number, file_time, read_time

# A memory or relation as STM Server, Mnemex and CortexGraph wrote it, in our terms.

STORE = "mnemex"
_TIERS = {tier.status: tier for tier in Tier}
_SHOWN = 40
_META_KEYS = word_set("tags source context extra")
_KEYS = word_set(
    """
    id content meta created_at last_used use_count strength status promoted_at promoted_to embed entities
    review_priority last_review_at review_count cross_domain_count _deleted
    """
)


class DamagedRecord(ValueError):
    """What stands there is no memory and no relation."""


@dataclass(slots=True)
class Reading:
    """Reads the values of one record; `remarks` collects what could not be used."""

    values: Mapping[str, object]
    place: str
    remarks: list[findings.Problem] = field(default_factory=list)

    def text(self, key: str) -> str | None:
        """Return a text, None if there is none."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self._remark(key, "is no text")
            return None
        return findings.speakable(value)

    def time(self, key: str) -> datetime | None:
        """Return a time, None if there is none that makes sense."""
        value = self.values.get(key)
        number = as_number(value)
        moment = read_time(number if number is not None else value if isinstance(value, str) else None, UTC)
        if moment is None and value is not None:
            self._remark(key, "is no time")
        return moment

    def count(self, key: str) -> int:
        """Return a number of times, 0 if there is none."""
        number = self.number(key, 0.0)
        if 0 <= number < MAX_COUNT:
            return int(number)
        self._remark(key, "is no count")
        return 0

    def number(self, key: str, default: float) -> float:
        """Return a finite number."""
        value = self.values.get(key)
        number = as_number(value)
        if number is None and value is not None:
            self._remark(key, "is no number")
        return default if number is None else number

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; a single text counts as a list of one."""
        value = self.values.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        found = [findings.speakable(item) for item in items if isinstance(item, str)]
        if len(found) < len(items):
            self._remark(key, "is no list of texts")
        return found

    def part(self, key: str) -> Mapping[str, object]:
        """Return an object in the record, an empty one if there is none."""
        value = self.values.get(key)
        if isinstance(value, dict):
            return value
        if value is not None:
            self._remark(key, "is no object")
        return {}

    def _remark(self, key: str, what: str) -> None:
        value = findings.excerpt(self.values.get(key))
        self.remarks.append(findings.Problem(self.place, f"{key} {what} and was left out: {value}"))


def record_id(values: Mapping[str, object]) -> str:
    """Return the id of a record as it stands; raises DamagedRecord without one."""
    identity = values.get("id")
    if not isinstance(identity, str) or not identity.strip():
        raise DamagedRecord("it has no id")
    return identity


def memory_record(reading: Reading, *, undated: datetime, zone: tzinfo) -> findings.Record:
    """Return a memory; `undated` stands for times that it lacks. Raises DamagedRecord if it has no text."""
    identity = record_id(reading.values)
    content = reading.values.get("content")
    if not isinstance(content, str) or not content.strip():
        raise DamagedRecord("it has no content")
    if findings.speakable(content) != content:
        reading.remarks.append(
            findings.Problem(reading.place, "content holds characters that no file can hold, shown as \ufffd")
        )
    meta = Reading(reading.part("meta"), reading.place, reading.remarks)
    project, context = _beside(meta, reading)
    tier = _tier(reading)
    return findings.Record(
        id=findings.usable_id(identity, store=STORE),
        content=findings.speakable(content),
        tier=tier,
        usage=_usage(reading, tier, undated=undated, zone=zone),
        tags=clean_tags(meta.texts("tags")),
        entities=clean_labels(reading.texts("entities")),
        project=project,
        source=meta.text("source") if isinstance(meta.values.get("source"), str) else None,
        context=context,
        name=_promoted_name(reading) if tier is Tier.LONG_TERM else None,
        place=reading.place,
    )


def _promoted_name(reading: Reading) -> str | None:
    """Return the name of the note that a memory was promoted to: notes of the person may link to it."""
    path = reading.text("promoted_to") or ""
    return path.replace("\\", "/").rpartition("/")[2].removesuffix(".md").strip() or None


def _beside(meta: Reading, record: Reading) -> tuple[str | None, str | None]:
    """Return project and context; whatever else is told stands behind the context, where a person can read it."""
    extra = {**_unknown(record, _KEYS), **_unknown(meta, _META_KEYS), **meta.part("extra"), **_no_texts(meta)}
    named = extra.pop("project", None)
    project = " ".join(findings.speakable(named).split()) if isinstance(named, str) else ""
    if named is not None and not project:
        extra["project"] = named
    text = findings.speakable(json.dumps(extra, ensure_ascii=False)) if extra else ""
    context = None if "context" in extra else meta.text("context")
    return project or None, " ".join(part for part in (context, text) if part) or None


def _no_texts(meta: Reading) -> dict[str, object]:
    """Return what stands where a text should and is none."""
    values = {key: meta.values.get(key) for key in ("source", "context")}
    return {key: value for key, value in values.items() if value and not isinstance(value, str)}


def _unknown(reading: Reading, known: frozenset[str]) -> dict[str, object]:
    return {key: value for key, value in reading.values.items() if key not in known and value not in (None, "", [], {})}


def _tier(reading: Reading) -> Tier:
    status = reading.values.get("status", "active")
    tier = _TIERS.get(status) if isinstance(status, str) else None
    if tier is None:
        reading.remarks.append(
            findings.Problem(reading.place, f"status {status!r:.{_SHOWN}} is unknown, taken as active")
        )
    return tier or Tier.SHORT_TERM


def _usage(reading: Reading, tier: Tier, *, undated: datetime, zone: tzinfo) -> Usage:
    created, last_used = reading.time("created_at"), reading.time("last_used")
    created = created or last_used or undated
    last_used = last_used or created
    uses = reading.count("use_count")
    promoted = reading.time("promoted_at")
    return Usage(
        created=created,
        last_used=last_used,
        # the save is our first use
        use_count=uses + 1,
        days_used=2 if uses and created.astimezone(zone).date() != last_used.astimezone(zone).date() else 1,
        strength=min(max(reading.number("strength", 1.0), 0.0), MAX_STRENGTH),
        promoted=promoted or (last_used if tier is Tier.LONG_TERM else None),
        review_count=reading.count("review_count"),
        last_review=reading.time("last_review_at"),
        cross_domain_count=reading.count("cross_domain_count"),
    )


def connection(reading: Reading) -> findings.Connection:
    """Return a relation; raises DamagedRecord if an end is missing or it leads to itself."""
    record_id(reading.values)
    ends = [reading.values.get(key) for key in ("from_memory_id", "to_memory_id")]
    source, target = (each if isinstance(each, str) and each.strip() else None for each in ends)
    if source is None or target is None:
        raise DamagedRecord("it has no two ends")
    if source == target:
        raise DamagedRecord("it leads from a memory to itself")
    kind, metadata = findings.relation_type(reading.text("relation_type") or RelationType.RELATED)
    further = dict(reading.part("metadata"))
    if metadata and findings.OTHER_TYPE in further:
        metadata[findings.OTHER_TYPE] = (
            f"{metadata[findings.OTHER_TYPE]}, {findings.excerpt(further[findings.OTHER_TYPE])}"
        )
    return findings.Connection(
        source_id=findings.usable_id(source, store=STORE),
        target_id=findings.usable_id(target, store=STORE),
        type=kind,
        strength=min(max(reading.number("strength", 1.0), 0.0), 1.0),
        metadata={**further, **metadata},
    )


# The predecessors' append-only files: replayed from the top, the last record of an id counts, a tombstone removes.

Item = TypeVar("Item")


def read_jsonl(memories: Path | None, relations: Path | None, *, zone: tzinfo) -> findings.Findings:
    """Return what the files hold; lines that cannot be read are listed, whatever stands in the others is taken."""
    damaged: list[findings.Problem] = []
    remarks: list[findings.Problem] = []
    undated = _last_change(memories)
    records = _replayed(memories, lambda reading: memory_record(reading, undated=undated, zone=zone), damaged, remarks)
    connections = _replayed(relations, connection, damaged, remarks)
    return findings.Findings(
        records=tuple(records), connections=tuple(connections), damaged=tuple(damaged), remarks=tuple(remarks)
    )


def _last_change(path: Path | None) -> datetime:
    return file_time(int(path.stat().st_mtime) if path else 0)


def _replayed(
    path: Path | None, read: Callable[[Reading], Item], damaged: list[findings.Problem], remarks: list[findings.Problem]
) -> list[Item]:
    """Return what stands at the end; a line that cannot be read leaves the version before it standing."""
    alive: dict[str, tuple[Item, list[findings.Problem]]] = {}
    for place, values in lines(path) if path else ():
        if isinstance(values, findings.Problem):
            damaged.append(values)
            continue
        reading = Reading(values, place)
        try:
            identity = record_id(values)
            if values.get("_deleted"):
                alive.pop(identity, None)
            else:
                item = read(reading)
                older = alive.pop(identity, None)
                if older and isinstance(older[0], findings.Record) and isinstance(item, findings.Record):
                    remarks += findings.outdated(older[0], item)
                alive[identity] = (item, reading.remarks)
        except DamagedRecord as error:
            damaged.append(findings.Problem(place, f"{error}: {findings.excerpt(values)}"))
    for _, noted in alive.values():
        remarks += noted
    return [item for item, _ in alive.values()]


# The SQLite store of CortexGraph, read from a copy so that not even its lock files change.

_JSON_COLUMNS = ("meta", "entities", "metadata")


def read_sqlite(database: Path, *, zone: tzinfo) -> findings.Findings:
    """Return what the database holds; rows that cannot be read are listed. Raises InvalidInput if it is none."""
    undated = file_time(int(database.stat().st_mtime))
    problems: list[findings.Problem] = []
    remarks: list[findings.Problem] = []
    with TemporaryDirectory(prefix="mnemex-") as folder, closing(_opened(database, Path(folder))) as store:
        rows = _Rows(store, database.name, problems, remarks)
        try:
            records = rows.read("memories", lambda reading: memory_record(reading, undated=undated, zone=zone))
            connections = rows.read("relations", connection)
        except sqlite3.DatabaseError as error:
            raise NotPossible(str(database), f"cannot be read as a store of memories: {error}") from error
    return findings.Findings(
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
    def __init__(
        self, store: sqlite3.Connection, name: str, damaged: list[findings.Problem], remarks: list[findings.Problem]
    ) -> None:
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
                self._damaged.append(findings.Problem(place, f"{error}: {findings.excerpt(_shown(row))}"))
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
