"""What a person named to import, found out by looking at it, and where the predecessors kept their memories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path

from mnemex_vault.errors import InvalidInput, NotPossible
from mnemex_vault.importers import assistant_files
from mnemex_vault.importers.exports import is_export
from mnemex_vault.importers.findings import Findings, outdated, together
from mnemex_vault.importers.markdown_folder import read_markdown
from mnemex_vault.importers.memory_server import read_memory_server
from mnemex_vault.importers.predecessor import read_jsonl, read_sqlite

# Where the predecessors kept their memories, and which of the files in a place hold them.

MEMORIES, RELATIONS = "memories.jsonl", "relations.jsonl"
# the oldest generation first, so that of a memory which several have the newest record counts
PREFIXES = ("STM_", "MNEMEX_", "CORTEXGRAPH_")
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Store:
    """The files of one store; a database or a pair of files."""

    memories: Path | None = None
    relations: Path | None = None
    database: Path | None = None

    @property
    def path(self) -> Path:
        """Return the file that names the store."""
        return self.database or self.memories or self.relations or Path()


def stores_at(path: Path, variables: Mapping[str, str] | None = None) -> list[Store]:
    """Return the stores at a path: a folder with the files, one with `jsonl/` in it, one of the files, or a database.

    `variables` may give the files other names. Raises InvalidInput if there is none.
    """
    if path.is_file():
        found = [_store_of_file(path)]
    else:
        names = _names(variables or {})
        found = [store for folder in (path, path / "jsonl") for store in _in_folder(folder, names)]
    if not found:
        reason = f"holds no {MEMORIES}, no jsonl/{MEMORIES} and no database" if path.exists() else "is not there"
        raise NotPossible(str(path), reason)
    return found


def _store_of_file(path: Path) -> Store:
    if _is_database(path):
        return Store(database=path)
    relations = path.with_name(path.name.replace("memories", "relations"))
    return Store(memories=path, relations=relations if relations != path and relations.is_file() else None)


def _in_folder(folder: Path, names: tuple[str, str]) -> Iterator[Store]:
    # whoever wrote both wrote the files last
    yield from (Store(database=path) for path in sorted(folder.glob("*.db")) if _is_database(path))
    memories, relations = (folder / name if (folder / name).is_file() else None for name in names)
    if memories or relations:
        yield Store(memories=memories, relations=relations)


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _names(variables: Mapping[str, str]) -> tuple[str, str]:
    memories, relations = (
        next((variables[prefix + key] for prefix in reversed(PREFIXES) if variables.get(prefix + key)), default)
        for key, default in (("MEMORIES_FILENAME", MEMORIES), ("RELATIONS_FILENAME", RELATIONS))
    )
    return memories, relations


def usual_stores(home: Path, config: Path, variables: Mapping[str, str]) -> list[Store]:
    """Return the stores in the places where the predecessors kept them, or that `variables` name.

    `config` is the folder that holds theirs, usually `~/.config`.
    """
    named = [
        variables[prefix + key]
        for prefix in PREFIXES
        for key in ("SQLITE_PATH", "STORAGE_PATH")
        if variables.get(prefix + key)
    ]
    places = [
        home / ".stm",
        config / "stm",
        config / "mnemex",
        config / "cortexgraph",
        *(_below(home, each) for each in named),
    ]
    found: dict[Path, Store] = {}
    for place in places:
        try:
            stores = stores_at(place, variables)
        except InvalidInput:
            continue
        found.update({store.path.resolve(): store for store in stores})
    return list(found.values())


def _below(home: Path, text: str) -> Path:
    text = text.replace("$HOME", str(home)).replace("${HOME}", str(home))
    return home / text[2:] if text.startswith("~/") else Path(text)


def read_stores(stores: Sequence[Store], *, zone: tzinfo) -> Findings:
    """Return what the stores hold together; of a memory that several have the last counts.

    Raises InvalidInput for one that cannot be read at all.
    """
    found = [
        read_sqlite(store.database, zone=zone)
        if store.database
        else read_jsonl(store.memories, store.relations, zone=zone)
        for store in stores
    ]
    newest = {record.id: number for number, each in enumerate(found) for record in each.records}
    kept = [
        replace(each, records=tuple(record for record in each.records if newest[record.id] == number))
        for number, each in enumerate(found)
    ]
    last = {record.id: record for each in kept for record in each.records}
    remarks = [
        remark
        for number, each in enumerate(found)
        for record in each.records
        if newest[record.id] != number
        for remark in outdated(record, last[record.id])
    ]
    all_of_them = together(kept)
    return replace(all_of_them, remarks=(*all_of_them.remarks, *remarks))


# What a person named to import: found out by looking at it.

_LOOKED_AT = 1 << 16


class Kind(StrEnum):
    """The kinds of stores that can be imported."""

    MNEMEX = "mnemex"
    MEMORY_SERVER = "memory-server"
    MARKDOWN = "markdown"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"

    @property
    def is_export(self) -> bool:
        """Tell whether it holds what a person said, of which only what they choose becomes a memory."""
        return self in (Kind.CHATGPT, Kind.CLAUDE)


def kind_of(path: Path) -> Kind:
    """Return what a file or folder holds; raises InvalidInput if nothing is there."""
    if not path.exists():
        raise NotPossible(str(path), "is not there")
    if path.is_file():
        return Kind.CHATGPT if is_export(path) else Kind.MEMORY_SERVER if _is_graph(path) else Kind.MNEMEX
    if any((folder / assistant_files.INDEX).is_file() for folder in assistant_files.claude_code_folders(path)):
        return Kind.CLAUDE_CODE
    if assistant_files.codex_folder(path):
        return Kind.CODEX
    try:
        stores_at(path)
    except InvalidInput:
        return Kind.CHATGPT if is_export(path) else Kind.MARKDOWN
    return Kind.MNEMEX


def _is_graph(path: Path) -> bool:
    """Tell whether the first thing in a file is a part of the reference server's graph."""
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT).decode("utf-8-sig", "ignore").lstrip()
    except OSError as error:
        raise NotPossible(str(path), f"cannot be read: {error.strerror}") from error
    for line in start.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value.get("type") in ("entity", "relation") or "relations" in value
    return '"entityType"' in start


def read_source(path: Path, *, zone: tzinfo, kind: Kind | None = None) -> Findings:
    """Return what a file or folder holds. Raises InvalidInput for what cannot be read at all."""
    match kind or kind_of(path):
        case Kind.MNEMEX:
            return read_stores(stores_at(path), zone=zone)
        case Kind.MEMORY_SERVER:
            return read_memory_server(path)
        case Kind.MARKDOWN:
            return read_markdown(path, zone=zone)
        case Kind.CLAUDE_CODE:
            return assistant_files.read_claude_code(path, zone=zone)
        case Kind.CODEX:
            return assistant_files.read_codex(path)
        case _:
            raise NotPossible(str(path), "holds conversations, of which a person chooses what is kept")
