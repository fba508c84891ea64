"""Memories for other programs: which leave, in which forms, and into a folder that is new or empty."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from mnemex_vault.domain.memory import Memory, RelationType, Tier
from mnemex_vault.errors import InvalidInput, NotPossible, WriteFailed
from mnemex_vault.memories.face import Memories
from mnemex_vault.memories.graph import Edge, Relations
from mnemex_vault.progress import Progress, unseen

# The memories that are exported, and how they are related.


@dataclass(frozen=True, slots=True)
class Exported:
    """A memory, with all its uses, and the bytes of its note."""

    memory: Memory
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Selection:
    """Memories by path, and the relations from one of them to another."""

    memories: Sequence[Exported]
    edges: Sequence[Edge]


def select(memories: Memories, relations: Relations, tiers: Collection[Tier] = tuple(Tier)) -> Selection:
    """Read the memories of these tiers; raises NoteNotFound if one disappears meanwhile."""
    entries = memories.all(*tiers)
    paths = {entry.path for entry in entries}
    usage_of = memories.usages()
    exported = [
        Exported(replace(memories.memory(entry), usage=usage_of(entry)), entry.path, memories.files.read(entry.path))
        for entry in entries
    ]
    edges = [edge for entry in entries for edge in relations.outgoing(entry) if edge.target.path in paths]
    return Selection(exported, edges)


# The forms in which memories leave: our notes, the predecessors' files, the reference memory server's graph.

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


# Files for other programs, written to a folder that is new or empty.


def check_destination(folder: Path, vault: Path) -> None:
    """Raise InvalidInput unless files may be written there: into a new or empty folder outside the vault."""
    if folder.resolve().is_relative_to(vault.resolve()):
        raise InvalidInput(str(folder), "lies in the vault; an export is no part of it")
    if folder.exists() and not folder.is_dir():
        raise NotPossible(str(folder), "is a file; name a new or empty folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise NotPossible(str(folder), "is not empty; name a new or empty folder")


def write_files(folder: Path, files: Mapping[str, bytes], *, progress: Progress = unseen) -> None:
    """Write the files, readable for this user alone; raises WriteFailed if the disk refuses."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for done, (name, data) in enumerate(files.items(), 1):
            path = folder / name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            progress(done, len(files))
    except OSError as error:
        raise WriteFailed(str(error.filename or folder), error.strerror or str(error)) from error
