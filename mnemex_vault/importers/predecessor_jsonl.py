"""The predecessors' append-only files: replayed from the top, the last record of an id counts, a tombstone removes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TypeVar

from mnemex_vault.importers.findings import Findings, Problem, Record, excerpt, outdated
from mnemex_vault.importers.json_lines import lines
from mnemex_vault.importers.predecessor import DamagedRecord, Reading, connection, memory_record, record_id
from mnemex_vault.notes.dates import file_time

Item = TypeVar("Item")


def read_jsonl(memories: Path | None, relations: Path | None, *, zone: tzinfo) -> Findings:
    """Return what the files hold; lines that cannot be read are listed, whatever stands in the others is taken."""
    damaged: list[Problem] = []
    remarks: list[Problem] = []
    undated = _last_change(memories)
    records = _replayed(memories, lambda reading: memory_record(reading, undated=undated, zone=zone), damaged, remarks)
    connections = _replayed(relations, connection, damaged, remarks)
    return Findings(
        records=tuple(records), connections=tuple(connections), damaged=tuple(damaged), remarks=tuple(remarks)
    )


def _last_change(path: Path | None) -> datetime:
    return file_time(int(path.stat().st_mtime) if path else 0)


def _replayed(
    path: Path | None, read: Callable[[Reading], Item], damaged: list[Problem], remarks: list[Problem]
) -> list[Item]:
    """Return what stands at the end; a line that cannot be read leaves the version before it standing."""
    alive: dict[str, tuple[Item, list[Problem]]] = {}
    for place, values in lines(path) if path else ():
        if isinstance(values, Problem):
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
                if older and isinstance(older[0], Record) and isinstance(item, Record):
                    remarks += outdated(older[0], item)
                alive[identity] = (item, reading.remarks)
        except DamagedRecord as error:
            damaged.append(Problem(place, f"{error}: {excerpt(values)}"))
    for _, noted in alive.values():
        remarks += noted
    return [item for item, _ in alive.values()]
