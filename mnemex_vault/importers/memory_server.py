"""The knowledge graph of the reference memory server: entities with observations, and relations between them.

Its file has one JSON object a line; what its tool `read_graph` answers, one object with two lists, is read as well.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.importers.findings import (
    OTHER_TYPE,
    Connection,
    Findings,
    Problem,
    Record,
    derived_id,
    relation_type,
    speakable,
)
from mnemex_vault.importers.json_lines import lines
from mnemex_vault.memories.draft import clean_labels, clean_tags

STORE = "memory server"
_LISTS = {"entities": "entity", "relations": "relation"}
Item = tuple[str, dict[str, object] | Problem]


def read_memory_server(path: Path) -> Findings:
    """Return what the file holds: every entity as one memory; its relations by the names that they lead to."""
    undated = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    records: dict[str, Record] = {}
    relations: defaultdict[tuple[str, RelationType, str], list[str]] = defaultdict(list)
    damaged: list[Problem] = []
    for place, values in _items(path):
        reason = values.reason if isinstance(values, Problem) else _take(values, records, relations, undated)
        if reason:
            damaged.append(Problem(place, reason))
    return Findings(
        records=tuple(records.values()),
        connections=tuple(
            Connection(source_id=source, target_id=target, type=kind, metadata=_metadata(names))
            for (source, kind, target), names in relations.items()
        ),
        damaged=tuple(damaged),
    )


def _metadata(names: Iterable[str]) -> dict[str, object]:
    """Return the names of relations that all became the same one."""
    text = ", ".join(dict.fromkeys(name for name in names if name))
    return {OTHER_TYPE: text} if text else {}


def _items(path: Path) -> Iterator[Item]:
    whole = _whole(path)
    if whole is None:
        yield from lines(path)
        return
    for key, kind in _LISTS.items():
        items = whole.get(key)
        for number, item in enumerate(items if isinstance(items, list) else [], 1):
            place = f"{path.name}:{key}:{number}"
            yield place, {"type": kind, **item} if isinstance(item, dict) else Problem(place, "not an object")


def _whole(path: Path) -> Mapping[str, object] | None:
    """Return the file as the one object that it may be."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.keys() & _LISTS.keys() else None


def _take(
    values: dict[str, object],
    records: dict[str, Record],
    relations: defaultdict[tuple[str, RelationType, str], list[str]],
    undated: datetime,
) -> str:
    """Take over one entity or relation; return what is wrong with it."""
    if values.get("type") == "entity":
        record = _record(values, undated)
        if record is None:
            return "an entity without a name"
        records[record.id] = record
        return ""
    if values.get("type") != "relation":
        return "neither an entity nor a relation"
    ends = [values.get("from"), values.get("to")]
    names = [each for each in ends if isinstance(each, str) and each.strip()]
    if len(names) < len(ends):
        return "a relation without two ends"
    if names[0] == names[1]:
        return "a relation that leads from an entity to itself"
    kind, other = relation_type(str(values.get("relationType") or RelationType.RELATED))
    source, target = (derived_id(name, store=STORE) for name in names)
    relations[source, kind, target].append(str(other.get(OTHER_TYPE, "")))
    return ""


def _record(values: Mapping[str, object], undated: datetime) -> Record | None:
    name = values.get("name")
    if not isinstance(name, str) or not name.strip():
        return None
    kind = values.get("entityType")
    kind = kind.strip() if isinstance(kind, str) else ""
    observations = values.get("observations")
    said = list(_observations(observations if isinstance(observations, list) else []))
    title = " ".join(speakable(name).split())
    head = f"{title} ({kind})" if kind else title
    return Record(
        id=derived_id(name, store=STORE),
        title=title,
        content=speakable("\n".join([f"{head}:", *(f"- {text}" for text in said)]) if said else head),
        tier=Tier.LONG_TERM,
        usage=Usage(created=undated, last_used=undated, promoted=undated),
        tags=clean_tags([kind]) if kind else (),
        entities=clean_labels([title]),
        source="memory server",
    )


def _observations(items: Iterable[object]) -> Iterator[str]:
    for item in items:
        text = item.get("content") if isinstance(item, dict) else item
        if isinstance(text, str) and text.strip():
            # an observation of several lines stays one item of the list
            yield text.strip().replace("\n", "\n  ")
