"""Obsidian's excluded files: ordinary notes that no search comes up with, though their own name still opens them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.enrichment import Enrichment
from mnemex_vault.memories.recall import Request


def exclude(vault: Path, *filters: str) -> None:
    (vault / ".obsidian").mkdir(exist_ok=True)
    (vault / ".obsidian" / "app.json").write_text(json.dumps({"userIgnoreFilters": filters}), encoding="utf-8")


def found(app: App, query: str) -> set[str]:
    return {hit.entry.path for hit in app.recall.search(Request(query=query, ordinary=True)).hits}


@pytest.fixture
def notes(app: App, vault: Path) -> App:
    for path in ("Daily/Monday.md", "Old/Plan.md", "Work/Plan for the garden.md", "Memories/How it works.md"):
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text("The garden needs water. #garden/beds\n", encoding="utf-8")
    app.store.follow_vault()
    return app


ALL = {"Daily/Monday.md", "Old/Plan.md", "Work/Plan for the garden.md", "Memories/How it works.md"}


@pytest.mark.parametrize(
    ("filters", "hidden"),
    [
        ((), set()),
        (("Old/",), {"Old/Plan.md"}),
        (("/^Daily\\//", "/(/", "/"), {"Daily/Monday.md"}),
        (("Memories/",), set()),
        (("Work/Plan",), {"Work/Plan for the garden.md"}),
    ],
)
def test_ordinary_notes_that_obsidian_excludes_are_not_found(
    notes: App, vault: Path, filters: tuple[str, ...], hidden: set[str]
) -> None:
    exclude(vault, *filters)
    notes.store.follow_vault()
    assert found(notes, "garden water") == ALL - hidden
    assert found(notes, "") == ALL - hidden


def test_a_filter_added_or_taken_away_while_the_server_runs_holds_after_the_next_look(notes: App, vault: Path) -> None:
    assert found(notes, "garden") == ALL
    exclude(vault, "Old/")
    notes.store.follow_vault()
    assert found(notes, "garden") == ALL - {"Old/Plan.md"}
    (vault / ".obsidian" / "app.json").unlink()
    notes.store.follow_vault()
    assert found(notes, "garden") == ALL


def test_memories_are_found_wherever_they_lie(app: App, vault: Path) -> None:
    exclude(vault, "Memories/", "Projects/")
    saved = app.collection.save(Draft(content="The garden needs water.", title="Garden"))
    (vault / "Projects").mkdir()
    path = app.store.entry(saved.memory.id).path
    (vault / path).rename(vault / "Projects" / "Garden.md")
    app.store.follow_vault()
    assert found(app, "garden water") == {"Projects/Garden.md"}


def test_who_names_an_excluded_note_or_its_folder_gets_it(notes: App, vault: Path) -> None:
    exclude(vault, "Old/")
    notes.store.follow_vault()
    assert found(notes, "garden path:Old") == {"Old/Plan.md"}
    assert notes.store.entry("note:Old/Plan.md").path == "Old/Plan.md"


@pytest.mark.parametrize("excluded", [True, False])
def test_tags_and_names_of_excluded_notes_are_not_put_into_new_memories(app: App, vault: Path, excluded: bool) -> None:
    (vault / "Old").mkdir()
    (vault / "Old" / "Ruth second plan.md").write_text("#irrigation\n", encoding="utf-8")
    exclude(vault, *(["Old/"] if excluded else []))
    app.store.follow_vault()
    draft = Draft(content="By Ruth second plan the beds need irrigation.", entities=None, tags=None)
    enriched = Enrichment(app.store, app.vocabulary).enrich(draft).draft
    assert ("Ruth second plan" in (enriched.entities or ())) is not excluded
    assert ("irrigation" in (enriched.tags or ())) is not excluded


def test_a_template_folder_named_while_the_server_runs_is_left_out(notes: App, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "templates.json").write_text('{"folder": "Old"}', encoding="utf-8")
    notes.store.follow_vault()
    assert found(notes, "garden") == ALL - {"Old/Plan.md"}
