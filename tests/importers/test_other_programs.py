"""The reference memory server's graph, and folders of markdown."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.errors import InvalidInput
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.findings import Findings, Record, settled
from mnemex_vault.importers.markdown_folder import read_markdown
from mnemex_vault.importers.memory_server import read_memory_server
from mnemex_vault.importers.source import Kind, kind_of, read_source
from mnemex_vault.text.note import Note

GRAPH: list[dict[str, object]] = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea", "works\nfrom home"]},
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works at"},
    {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "founded"},
    {"type": "relation", "from": "Acme", "to": "Ada", "relationType": "supports"},
]


def graph(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines), "utf-8")
    return path


def by_title(found: Findings) -> dict[str | None, Record]:
    return {record.title: record for record in found.records}


@pytest.fixture(params=["lines", "one object"])
def graph_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "lines":
        return graph(tmp_path / "memory.json", [json.dumps(each) for each in GRAPH])
    entities = [{key: each[key] for key in each if key != "type"} for each in GRAPH[:2]]
    relations = [{key: each[key] for key in each if key != "type"} for each in GRAPH[2:]]
    return graph(tmp_path / "memory.json", [json.dumps({"entities": entities, "relations": relations}, indent=2)])


def test_entities_become_permanent_memories_with_their_observations(graph_file: Path) -> None:
    found = read_memory_server(graph_file)
    ada, acme = by_title(found)["Ada"], by_title(found)["Acme"]
    assert ada.content == "Ada (person):\n- likes tea\n- works\n  from home"
    assert acme.content == "Acme (company)"
    assert (ada.tier, ada.tags, ada.entities) == (Tier.LONG_TERM, ("person",), ("Ada",))
    assert found.damaged == ()


def test_relations_keep_their_names(graph_file: Path) -> None:
    found = settled(read_memory_server(graph_file))
    ids = {record.id: record.title for record in found.records}
    assert {(ids[each.source_id], each.type, ids[each.target_id]): each.metadata for each in found.connections} == {
        ("Ada", RelationType.RELATED, "Acme"): {"relation": "works at, founded"},
        ("Acme", RelationType.SUPPORTS, "Ada"): {},
    }


def test_a_damaged_line_of_a_graph_costs_only_itself(tmp_path: Path) -> None:
    bad = [
        '{"type": "entity"',
        '{"type": "entity", "name": ""}',
        '{"type": "task"}',
        '{"type": "relation", "from": "x"}',
    ]
    loop = json.dumps({"type": "relation", "from": "Ada", "to": "Ada", "relationType": "is"})
    path = graph(tmp_path / "memory.json", [*bad, loop, *(json.dumps(each) for each in GRAPH)])
    found = settled(read_memory_server(path))
    assert [problem.place for problem in found.damaged] == [f"memory.json:{number}" for number in range(1, 6)]
    assert (len(found.records), len(found.connections)) == (2, 2)


def test_a_graph_comes_into_the_vault_once(app: App, graph_file: Path, vault: Path) -> None:
    for _ in range(2):
        Importer(app.memories).run(read_memory_server(graph_file), summary="a graph")
    note = Note.parse("x.md", (vault / "Memories/Long-term/Ada.md").read_bytes())
    assert note.values["related"] == ["[[Acme]]"]
    assert len(app.store.catalog.memories()) == 2


# markdown

BASIC = """---
title: Coffee Brewing
type: note
permalink: drinks/coffee-brewing
tags:
  - drinks
created: 2026-02-01T08:00:00
modified: 2026-02-05T09:00:00
---
# Coffee Brewing

## Observations
- [method] Pour over takes four minutes #timing (measured)
- [ ] a task for [[Tea]]

## Relations
- pairs with [[Walnut Bread]] (at breakfast)
- supports [[drinks/tea|the tea note]]
- contradicts [[Nowhere]]
- [[Plain link]]
"""


def folder(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        os.utime(path, (1_770_000_000, 1_770_000_000))
    return root


def basic_memory(root: Path) -> Path:
    bread = "---\ntitle: Walnut Bread\npermalink: food/walnut-bread\n---\nSee [[Coffee Brewing]] and ![[oven.png]].\n"
    tea = "---\ntitle: Tea\npermalink: drinks/tea\n---\nGreen.\n"
    return folder(root, drinks__coffee=BASIC, food__bread=bread, drinks__tea=tea)


def test_a_note_of_basic_memory_keeps_text_tags_dates_and_keys(tmp_path: Path) -> None:
    record = by_title(read_markdown(basic_memory(tmp_path / "b"), zone=UTC))["Coffee Brewing"]
    assert record.content == BASIC.split("---\n", 2)[2].removesuffix("\n")
    assert record.tags == ("drinks",)
    assert record.usage.created == datetime(2026, 2, 1, 8, tzinfo=UTC)
    assert record.usage.last_used == datetime(2026, 2, 5, 9, tzinfo=UTC)
    assert record.properties == {"type": "note", "permalink": "drinks/coffee-brewing"}


def test_lines_of_basic_memory_become_relations_and_a_link_to_nothing_is_told(tmp_path: Path) -> None:
    found = read_markdown(basic_memory(tmp_path / "b"), zone=UTC)
    titles = {record.id: record.title for record in found.records}
    assert {
        (titles[each.source_id], each.type, titles[each.target_id]): each.metadata for each in found.connections
    } == {
        ("Coffee Brewing", RelationType.RELATED, "Walnut Bread"): {"relation": "pairs with"},
        ("Coffee Brewing", RelationType.SUPPORTS, "Tea"): {},
    }
    assert [str(remark) for remark in found.remarks] == [
        "drinks/coffee.md: contradicts [[Nowhere]] leads to no note here"
    ]


def test_links_in_texts_follow_to_the_names_that_notes_get(app: App, tmp_path: Path, vault: Path) -> None:
    (vault / "Coffee Brewing.md").write_text("The vault has one of this name.\n")
    app.follow(None)
    Importer(app.memories).run(read_markdown(basic_memory(tmp_path / "b"), zone=UTC), summary="basic-memory")
    bread = Note.parse("x.md", (vault / "Memories/Long-term/Walnut Bread.md").read_bytes())
    assert "See [[Coffee Brewing 2]] and" in bread.content
    assert "[[Tea|the tea note]]" in (vault / "Memories/Long-term/Coffee Brewing 2.md").read_text("utf-8")
    assert bread.values["permalink"] == "food/walnut-bread"


def test_a_folder_of_markdown_comes_into_the_vault_once(app: App, tmp_path: Path) -> None:
    for _ in range(2):
        Importer(app.memories).run(read_markdown(basic_memory(tmp_path / "b"), zone=UTC), summary="basic-memory")
    assert len(app.store.catalog.memories()) == 3


def test_notes_of_any_program_come_over_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    root = folder(
        tmp_path / "any",
        Plain="Just text with [[Other]].\n- see [[Other]]\n",
        Other="",
        Broken="---\ntags: [a\n---\nText.\n",
        deep__er__Note="---\nsource: {a: 1}\ncreated: banana\ntags: one, two\n---\nText.\n",
    )
    (root / ".obsidian").mkdir()
    (root / ".obsidian/hidden.md").write_text("no")
    (root / "binary.md").write_bytes(b"\0\1")
    found = read_markdown(root, zone=UTC)
    records = by_title(found)
    assert records.keys() == {"Plain", "Other", "Note"}
    assert found.connections == ()
    assert records["Other"].content == "Other"
    assert (records["Note"].tags, records["Note"].source) == (("one", "two"), None)
    assert records["Note"].usage.created == datetime.fromtimestamp(1_770_000_000, UTC)
    assert [problem.place for problem in found.damaged] == ["Broken.md", "binary.md"]


# what it is


def test_it_is_found_out_what_a_person_named(tmp_path: Path, graph_file: Path) -> None:
    (tmp_path / "s").mkdir()
    memories = graph(tmp_path / "s/memories.jsonl", [json.dumps({"id": "a", "content": "x"})])
    kinds = {graph_file: Kind.MEMORY_SERVER, memories: Kind.MNEMEX, memories.parent: Kind.MNEMEX}
    assert {path: kind_of(path) for path in kinds} == kinds
    assert kind_of(basic_memory(tmp_path / "b")) is Kind.MARKDOWN


@pytest.mark.parametrize("kind", [Kind.MEMORY_SERVER, Kind.MARKDOWN, None])
def test_what_is_not_there_or_of_another_kind_is_refused(tmp_path: Path, kind: Kind | None) -> None:
    path = {Kind.MEMORY_SERVER: tmp_path, Kind.MARKDOWN: graph(tmp_path / "a", ["x"]), None: tmp_path / "no"}[kind]
    with pytest.raises(InvalidInput):
        read_source(path, zone=UTC, kind=kind)
