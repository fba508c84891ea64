from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mnemex_vault.disk.files import Fingerprint
from mnemex_vault.domain.memory import Relation, RelationType, Tier, Usage
from mnemex_vault.index.catalog import Catalog, chosen, strip_target
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.language.folding import name_key
from mnemex_vault.text.note import NoteKind

NOW = datetime(2026, 11, 29, tzinfo=UTC)
USAGE = Usage(created=NOW, last_used=NOW)


def entry(path: str, **values: object) -> Entry:
    known: dict[str, object] = {
        "path": path,
        "etag": path,
        "text_key": path,
        "content_key": path,
        "fingerprint": Fingerprint(1, 2, 3, 4),
        "racy": False,
        "kind": NoteKind.ORDINARY,
        "tier": Tier.LONG_TERM,
        "title": path.rpartition("/")[2][:-3],
    }
    return Entry(**(known | values))  # type: ignore[arg-type]


def memory(path: str, memory_id: str, **values: object) -> Entry:
    return entry(path, **({"memory_id": memory_id, "kind": NoteKind.MEMORY, "usage": USAGE} | values))


def test_an_entry_is_found_by_path_id_name_alias_session_and_content() -> None:
    note = memory("A/Tea.md", "m1", aliases=("Chai",), session="s", content_key="c")
    catalog = Catalog([note])
    assert catalog.get("A/Tea.md") == note
    assert catalog.by_id("m1") == note
    assert catalog.named("TEA") == [note]
    assert catalog.named("chai") == []
    assert catalog.named("chai", aliases=True) == [note]
    assert catalog.session("s") == [note]
    assert catalog.same_content("c") == [note]
    assert catalog.name_taken(name_key("chai"))


def test_a_removed_entry_leaves_no_trace() -> None:
    catalog = Catalog([memory("A/Tea.md", "m1", aliases=("Chai",), session="s", links=("B",))])
    catalog.remove("A/Tea.md")
    assert len(catalog) == 0
    assert catalog.by_id("m1") is None
    assert not catalog.name_taken(name_key("tea"))
    assert catalog.session("s") == []


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("Tea", "x.md", "A/Tea.md"),
        ("tea", "x.md", "A/Tea.md"),
        ("Tea.md", "x.md", "A/Tea.md"),
        ("A/Tea", "x.md", "A/Tea.md"),
        ("Tea#Heading", "x.md", "A/Tea.md"),
        ("Tea#^block", "x.md", "A/Tea.md"),
        ("../A/Tea.md", "B/x.md", "A/Tea.md"),
        ("B/Twin", "x.md", "B/Twin.md"),
        ("Twin", "B/x.md", "B/Twin.md"),
        ("Twin", "x.md", None),
        ("Twin", "A/B/x.md", None),
        ("C/Tea", "x.md", None),
        ("Nothing", "x.md", None),
        ("", "A/Tea.md", "A/Tea.md"),
    ],
)
def test_a_link_target_means_the_note_that_obsidian_would_open(target: str, source: str, expected: str | None) -> None:
    catalog = Catalog([entry("A/Tea.md"), entry("B/Twin.md"), entry("C/D/Twin.md"), entry("x.md")])
    found = catalog.resolve(target, source=source)
    assert (found.path if found else None) == expected


def test_backlinks_are_the_notes_whose_links_resolve_to_it() -> None:
    tea = entry("A/Tea.md")
    catalog = Catalog([tea, entry("x.md", links=("Tea",)), entry("y.md", links=("B/Tea",)), entry("z.md")])
    assert [source.path for source in catalog.linking_to(tea)] == ["x.md"]


def test_of_several_copies_always_the_same_one_answers_to_the_id() -> None:
    copies = [memory("A/Tea 1.md", "m1"), memory("A/Tea.md", "m1"), memory("B/Tea (conflicted copy 1).md", "m1")]
    for order in (copies, copies[::-1]):
        catalog = Catalog(order)
        first = catalog.by_id("m1")
        assert first is not None
        assert first.path == "A/Tea.md"
        assert [each.path for each in catalog.memories()] == ["A/Tea.md"]
    assert Catalog(copies).duplicate_ids()["m1"][0].path == "A/Tea.md"


def test_a_superseded_memory_is_known_until_its_successor_is_archived() -> None:
    relation = Relation(RelationType.SUPERSEDES, "Old")
    new = memory("New.md", "m2", relations=(relation,), links=("Old",))
    catalog = Catalog([memory("Old.md", "m1"), new])
    assert catalog.superseded() == {"Old.md": "New.md"}
    catalog.put(msgspec.structs.replace(new, tier=Tier.ARCHIVED))
    assert catalog.superseded() == {}


def test_a_session_is_in_the_order_of_saving() -> None:
    later = replace(USAGE, created=NOW + timedelta(hours=1), last_used=NOW + timedelta(hours=1))
    catalog = Catalog(
        [
            entry("b.md", session="s", usage=later, kind=NoteKind.MEMORY, memory_id="b"),
            memory("c.md", "c", session="s"),
            memory("a.md", "a", session="s"),
        ]
    )
    assert [each.path for each in catalog.session("s")] == ["a.md", "c.md", "b.md"]


def test_tags_are_counted_by_spelling_over_the_notes_that_may_be_found() -> None:
    hidden = entry("c.md", tags=("Tea",), kind=NoteKind.GENERATED)
    catalog = Catalog([entry("a.md", tags=("Tea", "bread")), entry("b.md", tags=("Tea", "tea")), hidden])
    assert {tag: catalog.tag_count(tag) for tag in catalog.tags()} == {"Tea": 2, "bread": 1, "tea": 1}
    assert catalog.unsearchable() == [hidden]
    catalog.remove("b.md")
    assert {tag: catalog.tag_count(tag) for tag in catalog.tags()} == {"Tea": 1, "bread": 1}
    assert (catalog.bearing("tea"), catalog.bearing("Tea")) == (frozenset(), frozenset({"a.md"}))


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("Docker", "Docker.md"),
        ("docker", "docker.md"),
        ("docker.md", "docker.md"),
        ("DOCKER", None),
        ("Work/docker", "Work/docker.md"),
        ("work/Docker", "work/Docker.md"),
        ("./Docker", "Docker.md"),
        ("Caf\u00e9", "Caf\u00e9.md"),
        ("Cafe\u0301", "Cafe\u0301.md"),
    ],
)
def test_the_spelling_of_a_link_decides_between_names_that_differ_in_case(target: str, path: str | None) -> None:
    paths = ["Docker.md", "docker.md", "Caf\u00e9.md", "Cafe\u0301.md"]
    if "/" in target and not target.startswith("."):
        paths = ["Work/docker.md", "work/Docker.md"]
    named = [each for each in paths if name_key(stem_of(each)) == name_key(stem_of(target))]
    assert chosen(named, strip_target(target), "List.md") == path
