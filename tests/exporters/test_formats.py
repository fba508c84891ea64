"""What leaves can come back, here or at the programs it is meant for."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Memory, RelationType, Tier
from mnemex_vault.errors import InvalidInput
from mnemex_vault.exporters.formats import FORMATS, check_destination, select, write_files
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.source import read_source
from mnemex_vault.memories.draft import Draft
from tests.conftest import StandingClock


@pytest.fixture
def filled(app: App, clock: StandingClock) -> App:
    texts = ("Ada owns the nightly export.", "Exports go to the cold bucket.", "The old bucket is gone.")
    ids = [
        app.collection.save(
            Draft(content=text, title="Export", tags=["ops"], project="atlas", context="planning", strength=1.5)
        ).memory.id
        for text in texts
    ]
    app.relations.create(ids[0], ids[1], RelationType.SUPPORTS, strength=0.5, metadata={"note": "x"})
    app.relations.create(ids[1], ids[2], RelationType.SUPERSEDES)
    clock.advance(days=2)
    app.collection.use([ids[0]], now=clock())
    candidate = app.lifecycle.promotion_candidate(ids[1], now=clock(), force=True)
    assert candidate
    app.lifecycle.promote([candidate])
    app.lifecycle.forget(ids[2])
    return app


def exported(app: App, folder: Path, kind: str) -> Path:
    write_files(folder, FORMATS[kind](select(app.memories, app.relations)))
    return folder


def memories(app: App) -> dict[str, Memory]:
    return {entry.memory_id or "": app.store.memory(entry) for entry in app.store.catalog.memories()}


def edges(app: App) -> set[tuple[str | None, str, str | None, float, str]]:
    return {
        (edge.source.memory_id, edge.type, edge.target.memory_id, edge.strength, json.dumps(dict(edge.metadata)))
        for entry in app.store.catalog.memories()
        for edge in app.relations.outgoing(entry)
    }


def other_vault(tmp_path: Path, clock: StandingClock, source: Path) -> App:
    (tmp_path / "other").mkdir()
    environ = {"MNEMEX_STATE_PATH": str(tmp_path / "other-state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    with open_app(tmp_path / "other", clock=clock, environ=environ, options={"timezone": "UTC"}) as other:
        Importer(other.memories).run(read_source(source, zone=UTC), summary="back")
        return other


def test_markdown_comes_back_as_it_was(filled: App, tmp_path: Path, clock: StandingClock) -> None:
    other = other_vault(tmp_path, clock, exported(filled, tmp_path / "out", "markdown"))
    assert memories(other) == memories(filled)
    assert edges(other) == edges(filled)


def test_the_predecessors_files_come_back_but_for_what_they_do_not_know(
    filled: App, tmp_path: Path, clock: StandingClock
) -> None:
    other = other_vault(tmp_path, clock, exported(filled, tmp_path / "out", "jsonl"))
    for memory_id, memory in memories(filled).items():
        back = memories(other)[memory_id]
        assert (back.content, back.tags, back.tier, back.project, back.context) == (
            memory.content,
            memory.tags,
            memory.tier,
            memory.project,
            memory.context,
        )
        assert (back.usage.use_count, back.usage.strength) == (memory.usage.use_count, memory.usage.strength)
        assert (back.usage.created, back.usage.last_used) == (memory.usage.created, memory.usage.last_used)
    assert {edge[1] for edge in edges(other)} == {"supports", "related"}


def test_the_predecessors_files_have_their_keys(filled: App, tmp_path: Path) -> None:
    folder = exported(filled, tmp_path / "out", "jsonl")
    lines: list[dict[str, Any]] = [json.loads(line) for line in (folder / "memories.jsonl").read_text().splitlines()]
    assert {line["status"] for line in lines} == {"active", "promoted", "archived"}
    assert sorted(line["use_count"] for line in lines)[-1] >= 1
    assert all(line["promoted_to"] for line in lines if line["status"] == "promoted")


def test_the_graph_has_a_name_of_its_own_for_every_memory(filled: App, tmp_path: Path) -> None:
    folder = exported(filled, tmp_path / "out", "memory-server")
    lines = [json.loads(line) for line in (folder / "memory.json").read_text().splitlines()]
    names = [line["name"] for line in lines if line["type"] == "entity"]
    assert len(set(names)) == 3
    ends = {line[end] for line in lines if line["type"] == "relation" for end in ("from", "to")}
    assert ends <= set(names)


def test_only_the_wanted_tiers_leave_and_no_relation_to_others(filled: App) -> None:
    selection = select(filled.memories, filled.relations, [Tier.LONG_TERM])
    assert (len(selection.memories), selection.edges) == (1, [])


def test_an_export_goes_only_to_a_new_or_empty_folder_outside_the_vault(tmp_path: Path, vault: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/theirs.md").write_text("x")
    (tmp_path / "file").write_text("x")
    for place in (vault, vault / "out", tmp_path / "full", tmp_path / "file"):
        with pytest.raises(InvalidInput):
            check_destination(place, vault)
    check_destination(tmp_path / "new", vault)
