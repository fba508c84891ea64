"""The knowledge graph of the reference memory server: entities with observations, and relations between them.

Its file has one JSON object a line; what its tool `read_graph` answers, one object with two lists, is read as well.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.errors import NotPossible
from mnemex_vault.importers import findings
from mnemex_vault.importers.json_lines import lines
from mnemex_vault.language.folding import name_key
from mnemex_vault.memories.draft import clean_labels, clean_tags
from mnemex_vault.text.values import file_time

STORE = "memory server"
_LISTS = {"entities": "entity", "relations": "relation"}
_KNOWN = frozenset({"type", "name", "entityType", "observations"})
Item = tuple[str, dict[str, object] | findings.Problem]


@dataclass(slots=True)
class _Entity:
    """All that the lines of one name say."""

    place: str
    kinds: dict[str, None] = field(default_factory=dict)
    said: dict[str, None] = field(default_factory=dict)
    more: dict[str, None] = field(default_factory=dict)


def read_memory_server(path: Path) -> findings.Findings:
    """Return what the file holds: every name as one memory with all that is said of it; relations by those names.

    Raises NotPossible for what is no file.
    """
    if not path.is_file():
        raise NotPossible(str(path), "is not the file of a memory server")
    undated = file_time(int(path.stat().st_mtime))
    entities: dict[str, _Entity] = {}
    relations: list[tuple[str, str, str, str]] = []
    damaged: list[findings.Problem] = []
    for place, values in _items(path):
        reason = values.reason if isinstance(values, findings.Problem) else _take(values, entities, relations, place)
        if reason:
            damaged.append(
                findings.Problem(
                    place, reason if isinstance(values, findings.Problem) else f"{reason}: {findings.excerpt(values)}"
                )
            )
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for name in entities:
        alike[name_key(name.strip())].append(name)
    return findings.Findings(
        records=tuple(_record(name, entity, undated) for name, entity in entities.items()),
        connections=tuple(_connection(relation, alike) for relation in relations),
        damaged=tuple(damaged),
    )


def _items(path: Path) -> Iterator[Item]:
    whole = _whole(path)
    if whole is None:
        yield from lines(path)
        return
    for key, kind in _LISTS.items():
        items = whole.get(key, [])
        for number, item in enumerate(items if isinstance(items, list) else [items], 1):
            place = f"{path.name}:{key}:{number}"
            problem = findings.Problem(place, f"not an object: {findings.excerpt(item)}")
            yield place, {"type": kind, **item} if isinstance(item, dict) else problem


def _whole(path: Path) -> Mapping[str, object] | None:
    """Return the file as the one object that it may be."""
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.keys() & _LISTS.keys() else None


def _take(
    values: dict[str, object], entities: dict[str, _Entity], relations: list[tuple[str, str, str, str]], place: str
) -> str:
    """Take over one entity or relation; return what is wrong with it."""
    match values.get("type"):
        case "entity":
            return _take_entity(values, entities, place)
        case "relation":
            return _take_relation(values, relations, place)
        case _:
            return "neither an entity nor a relation"


def _take_entity(values: Mapping[str, object], entities: dict[str, _Entity], place: str) -> str:
    name = values.get("name")
    if not isinstance(name, str) or not name.strip():
        return "an entity without a name"
    entity = entities.setdefault(name, _Entity(place))
    kind, observations = values.get("entityType"), values.get("observations")
    if isinstance(kind, str) and kind.strip():
        entity.kinds[kind.strip()] = None
    entity.said.update(dict.fromkeys(_observations(observations if isinstance(observations, list) else [observations])))
    more = {key: value for key, value in values.items() if key not in _KNOWN and value not in (None, "", [], {})}
    if more:
        entity.more[findings.speakable(json.dumps(more, ensure_ascii=False))] = None
    return ""


def _take_relation(values: Mapping[str, object], relations: list[tuple[str, str, str, str]], place: str) -> str:
    ends = [values.get("from"), values.get("to")]
    names = [each for each in ends if isinstance(each, str) and each.strip()]
    if len(names) < len(ends):
        return "a relation without two ends"
    if names[0] == names[1]:
        return "a relation that leads from an entity to itself"
    relations.append((names[0], str(values.get("relationType") or RelationType.RELATED), names[1], place))
    return ""


def _connection(relation: tuple[str, str, str, str], alike: Mapping[str, list[str]]) -> findings.Connection:
    source, kind, target, place = relation
    known, metadata = findings.relation_type(kind)
    source_id, target_id = (findings.derived_id(_meant(name, alike), store=STORE) for name in (source, target))
    said = f"{place}: {source} {kind} {target}"
    return findings.Connection(
        source_id=source_id, target_id=target_id, type=known, metadata=metadata, said=findings.speakable(said)
    )


def _meant(name: str, alike: Mapping[str, list[str]]) -> str:
    """Return the entity that an end of a relation means: the very name, else the only one in another spelling."""
    names = alike.get(name_key(name.strip()), [])
    return names[0] if len(names) == 1 else name


def _record(name: str, entity: _Entity, undated: datetime) -> findings.Record:
    title = " ".join(findings.speakable(name).split())
    head = f"{title} ({', '.join(entity.kinds)})" if entity.kinds else title
    lines = [f"{head}:", *(f"- {text}" for text in entity.said)] if entity.said else [head]
    return findings.Record(
        id=findings.derived_id(name, store=STORE),
        title=title,
        content=findings.speakable("\n".join(lines)),
        tier=Tier.LONG_TERM,
        usage=Usage(created=undated, last_used=undated, promoted=undated),
        tags=clean_tags(entity.kinds),
        entities=clean_labels([title]),
        source="memory server",
        context=" ".join(entity.more) or None,
        place=entity.place,
    )


def _observations(items: Iterable[object]) -> Iterator[str]:
    """Yield what is observed in words; an item that is no text as JSON."""
    for item in items:
        content = item.get("content") if isinstance(item, dict) and item.keys() == {"content"} else item
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        if content is not None and text.strip():
            # an observation of several lines stays one item of the list
            yield text.strip().replace("\n", "\n  ")
