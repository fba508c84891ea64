"""The forms in which memories leave: our notes, the predecessors' files, the reference memory server's graph."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import PurePosixPath

from mnemex_vault.domain.memory import Memory, RelationType, Tier
from mnemex_vault.exporters.selection import Exported, Selection
from mnemex_vault.memories.graph import Edge

Files = Mapping[str, bytes]
_FOLDERS = {Tier.SHORT_TERM: "Short-term", Tier.LONG_TERM: "Long-term", Tier.ARCHIVED: "Archive"}
# what the predecessors know; they would refuse any other
_THEIR_TYPES = frozenset(
    {
        RelationType.RELATED,
        RelationType.CAUSES,
        RelationType.SUPPORTS,
        RelationType.CONTRADICTS,
        RelationType.HAS_DECISION,
        RelationType.CONSOLIDATED_FROM,
    }
)


def markdown(selection: Selection) -> Files:
    """Return the notes byte for byte, in a folder for each tier."""
    files: dict[str, bytes] = {}
    for each in selection.memories:
        files[_free(f"{_FOLDERS[each.memory.tier]}/{PurePosixPath(each.path).name}", files)] = each.data
    return files


def _free(path: str, files: Mapping[str, bytes]) -> str:
    taken = {name.casefold() for name in files}
    stem, number = path.removesuffix(".md"), 1
    while path.casefold() in taken:
        number += 1
        path = f"{stem} {number}.md"
    return path


def jsonl(selection: Selection) -> Files:
    """Return the two files of the predecessors."""
    return {
        "memories.jsonl": _lines(_their_memory(each.memory, each.path) for each in selection.memories),
        "relations.jsonl": _lines(_their_relation(edge) for edge in selection.edges),
    }


def memory_server(selection: Selection) -> Files:
    """Return the file of the reference memory server: every memory an entity, its text the observation."""
    names = _names(selection.memories)
    entities = (
        {"type": "entity", "name": names[each.path], "entityType": "memory", "observations": [each.memory.content]}
        for each in selection.memories
    )
    relations = (
        {
            "type": "relation",
            "from": names[edge.source.path],
            "to": names[edge.target.path],
            "relationType": edge.metadata.get("relation", edge.type),
        }
        for edge in selection.edges
    )
    return {"memory.json": _lines((*entities, *relations))}


def _names(memories: Iterable[Exported]) -> dict[str, str]:
    """Return a name for each note by its path; a title that several have gets the id behind it."""
    memories = list(memories)
    count = Counter(each.memory.title for each in memories)
    return {
        each.path: each.memory.title if count[each.memory.title] == 1 else f"{each.memory.title} ({each.memory.id})"
        for each in memories
    }


def _their_memory(memory: Memory, path: str) -> dict[str, object]:
    usage = memory.usage
    extra = {"project": memory.project} if memory.project else {}
    long_term = memory.tier is Tier.LONG_TERM
    return {
        "id": memory.id,
        "content": memory.content,
        "meta": {"tags": memory.tags, "source": memory.source, "context": memory.context, "extra": extra},
        "created_at": int(usage.created.timestamp()),
        "last_used": int(usage.last_used.timestamp()),
        # they do not count the save
        "use_count": usage.use_count - 1,
        "strength": usage.strength,
        "status": memory.tier.status,
        "promoted_at": _epoch(usage.promoted or usage.last_used) if long_term else None,
        "promoted_to": path if long_term else None,
        "embed": None,
        "entities": memory.entities,
        "review_priority": 0.0,
        "last_review_at": _epoch(usage.last_review),
        "review_count": usage.review_count,
        "cross_domain_count": usage.cross_domain_count,
    }


def _their_relation(edge: Edge) -> dict[str, object]:
    known = edge.type in _THEIR_TYPES
    return {
        "id": edge.id,
        "from_memory_id": edge.source.memory_id,
        "to_memory_id": edge.target.memory_id,
        "relation_type": edge.type if known else RelationType.RELATED.value,
        "strength": edge.strength,
        "created_at": int(edge.source.usage.created.timestamp()) if edge.source.usage else 0,
        "metadata": edge.metadata if known else {**edge.metadata, "relation": edge.type},
    }


def _epoch(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())


def _lines(items: Iterable[Mapping[str, object]]) -> bytes:
    return b"".join(json.dumps(item, default=str).encode("ascii") + b"\n" for item in items)


FORMATS: Mapping[str, Callable[[Selection], Files]] = {
    "markdown": markdown,
    "jsonl": jsonl,
    "memory-server": memory_server,
}
