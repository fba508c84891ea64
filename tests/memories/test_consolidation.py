from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.clusters import Limits
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.errors import InvalidInput
from mnemex_vault.memories.draft import Draft
from tests.conftest import StandingClock

TEXTS = (
    "The reading group meets in the library on the first floor.",
    "The reading group meets in the library on the first floor, always.",
)


def save(app: App, content: str) -> str:
    return app.collection.save(Draft(content=content, on_duplicate="save")).memory.id


def snapshot(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")}


@pytest.fixture
def twins(app: App) -> list[str]:
    return [save(app, text) for text in TEXTS]


def test_similar_memories_form_a_cluster_with_a_lasting_id(app: App, twins: list[str]) -> None:
    (cluster,) = app.consolidation.clusters()
    assert sorted(cluster.members) == sorted(twins)
    assert app.consolidation.find(cluster.id) == cluster


@pytest.mark.row("T24")
def test_merging_archives_the_sources_and_one_undo_restores_every_byte(
    app: App, twins: list[str], vault: Path, clock: StandingClock
) -> None:
    other = save(app, "Tea is served.")
    app.relations.create(other, twins[0], RelationType.RELATED)
    clock.advance(days=1)
    before = snapshot(vault)
    (cluster,) = app.consolidation.clusters()
    receipt = app.consolidation.merge(app.consolidation.preview(cluster))
    assert sorted(receipt.archived) == sorted(twins)
    assert all(app.store.memory_entry(each).tier is Tier.ARCHIVED for each in twins)
    merged = app.store.memory_entry(receipt.memory.id)
    assert "always" in app.store.note(merged).content
    (edge,) = app.relations.outgoing(app.store.memory_entry(other))
    assert edge.target.memory_id == receipt.memory.id
    app.history.undo(receipt.operation_id)
    assert {path: data for path, data in snapshot(vault).items() if not path.startswith(".trash/")} == before


@pytest.mark.row("T26")
def test_memories_that_differ_in_a_number_are_never_merged_automatically(app: App) -> None:
    save(app, "The dentist is on floor 3 of the Mill Street house by the river.")
    save(app, "The dentist is on floor 4 of the Mill Street house by the river.")
    (cluster,) = app.consolidation.clusters(limits=Limits(threshold=0.7))
    preview = app.consolidation.preview(cluster)
    assert preview.cautions
    with pytest.raises(InvalidInput):
        app.consolidation.merge(preview, automatic=True)
    assert len(app.store.catalog.memories(Tier.SHORT_TERM)) == 2


def test_given_content_is_taken_as_it_is(app: App, twins: list[str], vault: Path) -> None:
    (cluster,) = app.consolidation.clusters()
    receipt = app.consolidation.merge(app.consolidation.preview(cluster, content="The group meets upstairs."))
    assert (vault / receipt.path).read_text("utf-8").endswith("---\nThe group meets upstairs.\n")


def test_linking_relates_the_members_once_and_one_undo_takes_it_back(app: App, twins: list[str], vault: Path) -> None:
    (cluster,) = app.consolidation.clusters()
    before = snapshot(vault)
    (linked,) = app.consolidation.link([cluster]).done
    assert (len(linked.created), len(linked.existing)) == (1, 0)
    (again,) = app.consolidation.link([cluster]).done
    assert (len(again.created), len(again.existing), again.operation_id) == (0, 1, None)
    app.history.undo(linked.operation_id)
    assert snapshot(vault) == before
    assert all(app.store.memory_entry(each).tier is Tier.SHORT_TERM for each in twins)


def test_an_unknown_cluster_is_refused(app: App) -> None:
    with pytest.raises(InvalidInput):
        app.consolidation.find("0" * 16)


def test_the_uses_of_the_sources_are_those_of_the_merged_memory(
    app: App, twins: list[str], clock: StandingClock
) -> None:
    for memory_id in (twins[0], twins[0], twins[1]):
        clock.advance(days=1)
        app.lifecycle.touch(memory_id)
    (cluster,) = app.consolidation.clusters()
    receipt = app.consolidation.merge(app.consolidation.preview(cluster))
    assert receipt.memory.usage.use_count == 4


def test_sources_of_one_name_that_link_to_each_other_are_merged_and_come_back(
    app: App, vault: Path, clock: StandingClock
) -> None:
    ids = [save(app, text) for text in TEXTS]
    paths = ["Memories/Short-term/One/Group.md", "Memories/Short-term/Two/Group.md"]
    for memory_id, path in zip(ids, paths, strict=True):
        (vault / path).parent.mkdir()
        (vault / app.store.memory_entry(memory_id).path).rename(vault / path)
    for path, other in (paths, reversed(paths)):
        link = f"See [[{other.removesuffix('.md')}|the other]].\n"
        (vault / path).write_text((vault / path).read_text("utf-8") + link, "utf-8")
    (vault / "Mine.md").write_text("[[One/Group]] and [[Two/Group]]\n", "utf-8")
    clock.advance(days=1)
    app.follow(None)
    before = snapshot(vault)
    receipt = app.consolidation.merge(app.consolidation.preview(app.consolidation.cluster_of(ids)))
    assert len(set(receipt.archived.values())) == 2
    merged = app.store.memory_entry(receipt.memory.id)
    assert {edge.target.memory_id for edge in app.relations.outgoing(merged)} == set(ids)
    one, two = (app.store.memory_entry(memory_id) for memory_id in ids)
    assert {edge.target.memory_id for edge in app.relations.links(one)} == {ids[1]}
    assert {edge.target.memory_id for edge in app.relations.links(two)} == {ids[0]}
    mine = app.store.entry("note:Mine.md")
    assert [edge.target.memory_id for edge in app.relations.links(mine)] == ids
    app.history.undo(receipt.operation_id)
    assert {path: data for path, data in snapshot(vault).items() if not path.startswith(".trash/")} == before
