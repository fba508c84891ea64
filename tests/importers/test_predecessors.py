"""Stores that were written by the predecessors' own packages come over with all that they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Memory
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.source import read_stores, stores_at
from tests.importers.conftest import Predecessor


def bring_in(app: App, path: Path) -> str | None:
    found = read_stores(stores_at(path), zone=app.zone)
    assert found.damaged == found.remarks == ()
    plan, operation_id = Importer(app.store).run(found, summary="a store")
    assert plan.remarks == ()
    return operation_id


def memory_of(app: App, memory_id: str) -> Memory:
    return app.store.memory(app.store.memory_entry(memory_id))


def context_of(meta: Mapping[str, Any]) -> str | None:
    extra = {key: value for key, value in meta["extra"].items() if key != "project"}
    parts = [meta["context"], json.dumps(extra, ensure_ascii=False) if extra else None]
    return " ".join(part for part in parts if part) or None


def at(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def check(app: App, theirs: Mapping[str, Any]) -> None:
    memory = memory_of(app, theirs["id"])
    usage = memory.usage
    assert memory.content.rstrip("\n") == theirs["content"].rstrip("\n")
    assert set(memory.tags) == set(theirs["meta"]["tags"])
    assert memory.source == theirs["meta"]["source"]
    assert memory.context == context_of(theirs["meta"])
    assert memory.project == theirs["meta"]["extra"].get("project")
    assert list(memory.entities) == theirs["entities"]
    assert memory.tier.status == theirs["status"]
    assert memory.origin == "import"
    assert usage.use_count == theirs["use_count"] + 1
    assert (usage.created, usage.last_used) == (at(theirs["created_at"]), at(theirs["last_used"]))
    assert usage.strength == theirs["strength"]
    assert usage.promoted == at(theirs["promoted_at"])
    assert (usage.review_count, usage.last_review) == (theirs["review_count"], at(theirs["last_review_at"]))
    assert usage.cross_domain_count == theirs["cross_domain_count"]


def test_every_field_relation_and_status_comes_over(app: App, predecessor: Predecessor) -> None:
    assert bring_in(app, predecessor.path)
    assert {entry.memory_id for entry in app.store.catalog.memories()} == predecessor.memories.keys()
    for theirs in predecessor.memories.values():
        check(app, theirs)
    edges = {
        (edge.source.memory_id, edge.type, edge.target.memory_id): (edge.strength, edge.metadata)
        for entry in app.store.catalog.memories()
        for edge in app.relations.outgoing(entry)
    }
    assert edges == {
        (each["from_memory_id"], each["relation_type"], each["to_memory_id"]): (each["strength"], each["metadata"])
        for each in predecessor.relations
    }


def test_a_second_time_changes_nothing(app: App, predecessor: Predecessor, vault: Path) -> None:
    bring_in(app, predecessor.path)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*.md")}
    assert bring_in(app, predecessor.path) is None
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*.md")} == before


def test_one_undo_takes_everything_back(app: App, predecessor: Predecessor, vault: Path) -> None:
    operation_id = bring_in(app, predecessor.path)
    assert operation_id
    app.history.undo(operation_id)
    assert [path for path in vault.rglob("*.md") if ".trash" not in path.parts] == []
    assert app.store.catalog.memories() == []


def test_their_store_is_left_as_it_was(app: App, predecessor: Predecessor) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in predecessor.path.iterdir()}
    bring_in(app, predecessor.path)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in predecessor.path.iterdir()} == before
