"""Stores that were written by the predecessors' own packages come over with all that they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Memory
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.source import read_stores, stores_at
from tests.conftest import wants_full
from tests.importers.conftest import KINDS, Predecessor, store_of

Picture = dict[Path, tuple[bytes, int]]


def picture(folder: Path) -> Picture:
    """Give bytes and times of every file in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def bring_in(app: App, path: Path) -> str | None:
    found = read_stores(stores_at(path), zone=app.zone)
    assert found.damaged == found.remarks == ()
    plan, operation_id = Importer(app.memories).run(found, summary="a store")
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


@dataclass(frozen=True)
class BroughtIn:
    """A vault into which a store was brought once, for tests that leave it as it is."""

    app: App
    vault: Path
    theirs: Predecessor
    before: Picture


@pytest.fixture(scope="module", params=KINDS)
def brought_in(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BroughtIn]:
    place = tmp_path_factory.mktemp("brought")
    theirs = store_of(request.param, place / "theirs", full=wants_full(request.config))
    before = picture(theirs.path)
    with opened(place) as app:
        assert bring_in(app, theirs.path)
        yield BroughtIn(app, place / "vault", theirs, before)


@contextmanager
def opened(place: Path) -> Iterator[App]:
    (place / "vault").mkdir()
    environ = {"MNEMEX_STATE_PATH": str(place / "state"), "XDG_CONFIG_HOME": str(place / "config")}
    with open_app(place / "vault", environ=environ, options={"timezone": "UTC"}) as app:
        yield app


def test_every_field_relation_and_status_comes_over(brought_in: BroughtIn) -> None:
    app, predecessor = brought_in.app, brought_in.theirs
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


def test_their_store_is_left_as_it_was(brought_in: BroughtIn) -> None:
    assert picture(brought_in.theirs.path) == brought_in.before


def test_a_second_time_changes_nothing(brought_in: BroughtIn) -> None:
    before = picture(brought_in.vault)
    assert bring_in(brought_in.app, brought_in.theirs.path) is None
    assert picture(brought_in.vault) == before


@pytest.mark.parametrize("kind", [KINDS[0], *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])])
def test_one_undo_takes_everything_back(kind: str, tmp_path: Path, full: bool) -> None:
    with opened(tmp_path) as app:
        operation_id = bring_in(app, store_of(kind, tmp_path / "theirs", full=full).path)
        assert operation_id
        app.history.undo(operation_id)
        assert [path for path in (tmp_path / "vault").rglob("*.md") if ".trash" not in path.parts] == []
        assert app.store.catalog.memories() == []
