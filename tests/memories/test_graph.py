from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.errors import InvalidInput, NoteNotFound
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.graph import Wish
from tests.conftest import StandingClock


def save(app: App, content: str, **values: object) -> tuple[str, str]:
    saved = app.collection.save(Draft(content=content, **values))  # type: ignore[arg-type]
    return saved.memory.id, saved.path


def test_a_relation_is_a_wikilink_in_the_first_notes_frontmatter(app: App, vault: Path) -> None:
    (one, path), (two, other) = save(app, "The harvest failed."), save(app, "There was frost in May.")
    edge, new = app.relations.create(one, two, RelationType.CAUSES)
    assert new
    assert f'causes:\n  - "[[{Path(other).stem}]]"\n' in (vault / path).read_text("utf-8")
    assert (edge.source.memory_id, edge.target.memory_id, edge.type) == (one, two, "causes")
    assert [each.id for each in app.relations.incoming(app.store.memory_entry(two))] == [edge.id]


def test_a_relation_is_made_once(app: App) -> None:
    (one, _), (two, _) = save(app, "The harvest failed."), save(app, "There was frost in May.")
    first, _ = app.relations.create(one, two, RelationType.CAUSES)
    second, new = app.relations.create(one, two, RelationType.CAUSES)
    assert not new
    assert first.id == second.id


def test_strength_and_metadata_of_a_relation_are_kept(app: App) -> None:
    (one, _), (two, _) = save(app, "The harvest failed."), save(app, "There was frost in May.")
    app.relations.create(one, two, RelationType.SUPPORTS, strength=0.8, metadata={"note": "a: 'b'"})
    (edge,) = app.relations.outgoing(app.store.memory_entry(one))
    assert (edge.strength, dict(edge.metadata)) == (0.8, {"note": "a: 'b'"})


def test_a_relation_to_itself_to_nobody_or_of_no_strength_is_refused(app: App) -> None:
    one, _ = save(app, "The harvest failed.")
    two, _ = save(app, "There was frost in May.")
    with pytest.raises(InvalidInput):
        app.relations.create(one, one, RelationType.RELATED)
    with pytest.raises(NoteNotFound):
        app.relations.create(one, "nobody", RelationType.RELATED)
    with pytest.raises(InvalidInput):
        app.relations.create(one, two, RelationType.RELATED, strength=1.5)


def test_a_deleted_relation_leaves_the_note_as_it_was(app: App, vault: Path) -> None:
    (one, path), (two, _) = save(app, "The harvest failed."), save(app, "There was frost in May.")
    before = (vault / path).read_bytes()
    app.relations.create(one, two, RelationType.CAUSES)
    app.relations.delete(one, two, RelationType.CAUSES)
    assert (vault / path).read_bytes() == before
    with pytest.raises(NoteNotFound):
        app.relations.delete(one, two, RelationType.CAUSES)


def test_superseding_inherits_the_uses(app: App, clock: StandingClock) -> None:
    (old, _), (new, _) = save(app, "The shop opens at nine."), save(app, "The shop opens at ten.")
    for _ in range(4):
        clock.advance(days=1)
        app.lifecycle.touch(old)
    app.relations.create(new, old, RelationType.SUPERSEDES)
    assert app.store.usage(app.store.memory_entry(new)).use_count == 5


def test_what_is_said_later_to_replace_a_standing_fact_stands_too(app: App, vault: Path) -> None:
    old = app.collection.save(Draft(content="Our office is in Bergen.", kind="identity")).memory.id
    new, path = save(app, "The plan of the third floor was redrawn.")
    app.relations.create(new, old, RelationType.SUPERSEDES)
    assert app.store.usage(app.store.memory_entry(new)).kind == "identity"
    text = (vault / path).read_text("utf-8")
    assert "kind: identity\n" in text
    assert "fades_on" not in text


def test_wikilinks_in_texts_are_edges_and_ordinary_notes_ends(app: App, vault: Path) -> None:
    (vault / "Farm.md").write_text("Our farm.\n")
    app.follow(None)
    one, _ = save(app, "The harvest at [[Farm]] failed.")
    graph = app.relations.neighbourhood(one)
    assert {node.path for node in graph.nodes} >= {"Farm.md"}
    assert [edge.type for edge in graph.edges] == ["link"]
    edge, _ = app.relations.create(one, "note:Farm.md", RelationType.RELATED)
    assert edge.target.path == "Farm.md"


def test_the_graph_comes_in_pages_with_the_edges_among_them(app: App) -> None:
    ids = [save(app, f"Fact number {n} stands alone.", on_duplicate="save")[0] for n in range(5)]
    app.relations.create(ids[0], ids[1], RelationType.RELATED)
    graph = app.relations.graph([Tier.SHORT_TERM], limit=10)
    assert graph.total == 5
    assert len(graph.edges) == 1
    assert len(app.relations.graph([Tier.SHORT_TERM], offset=4, limit=10).nodes) == 1


def test_the_page_on_the_graph_shows_relations_as_notes_have_them(app: App, vault: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/graph.md").read_text("utf-8")
    shown = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    save(app, "Ben keeps bees")
    one, path = save(app, "Anna has a smoker.")
    wish = Wish(
        source_id=one,
        target_id=app.store.catalog.named("Ben keeps bees")[0].memory_id or "",
        kind=RelationType.RELATED,
        strength=0.7,
        metadata={"found_by": "upkeep"},
    )
    app.relations.relate([wish])
    assert len(shown) == 1
    assert shown[0] in (vault / path).read_text("utf-8")


def test_several_relations_are_one_operation(app: App, vault: Path) -> None:
    ids = [save(app, f"Fact number {n} stands alone.", on_duplicate="save")[0] for n in range(3)]
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    wishes = [
        Wish(source_id=one, target_id=other, kind=RelationType.RELATED)
        for one, other in [(ids[0], ids[1]), (ids[0], ids[2]), (ids[1], ids[2]), (ids[0], ids[1])]
    ]
    related = app.relations.relate(wishes)
    assert (len(related.created), len(related.existing)) == (3, 0)
    assert related.operation_id
    app.history.undo(related.operation_id)
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_one_relation_that_cannot_be_keeps_all_from_being_made(app: App, vault: Path) -> None:
    ids = [save(app, f"Fact number {n} stands alone.", on_duplicate="save")[0] for n in range(2)]
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    wishes = [Wish(source_id=ids[0], target_id=other, kind=RelationType.RELATED) for other in (ids[1], ids[0])]
    with pytest.raises(InvalidInput):
        app.relations.relate(wishes)
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before
