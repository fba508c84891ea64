"""Where the predecessors kept their memories, and which of the files in a place hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from mnemex_vault.errors import InvalidInput, NotPossible
from mnemex_vault.importers.findings import Findings, outdated, together
from mnemex_vault.importers.predecessor_jsonl import read_jsonl
from mnemex_vault.importers.predecessor_sqlite import read_sqlite

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
