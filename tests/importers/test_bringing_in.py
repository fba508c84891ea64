"""What becomes of memories in the vault: notes, links, and what is there already."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Kind, RelationType, Tier, Usage
from mnemex_vault.errors import NotAllowed
from mnemex_vault.history.steps import Create
from mnemex_vault.importers.bringing_in import Importer, ImportPlan
from mnemex_vault.importers.findings import Connection, Findings, Record
from mnemex_vault.memories.draft import Draft
from mnemex_vault.text.note import Note
from tests.conftest import StandingClock

LONG_AGO = datetime(2026, 3, 1, 12, tzinfo=UTC)


def record(memory_id: str, content: str = "", *, tier: Tier = Tier.SHORT_TERM, title: str | None = None) -> Record:
    usage = Usage(created=LONG_AGO, last_used=LONG_AGO + timedelta(days=2), use_count=4, days_used=2)
    return Record(id=memory_id, content=content or f"The text of {memory_id}.", tier=tier, usage=usage, title=title)


def relate(source: str, target: str, kind: RelationType = RelationType.SUPPORTS, strength: float = 1.0) -> Connection:
    return Connection(source_id=source, target_id=target, type=kind, strength=strength)


def bring_in(app: App, records: Sequence[Record], connections: Sequence[Connection] = ()) -> ImportPlan:
    found = Findings(records=tuple(records), connections=tuple(connections))
    return Importer(app.memories).run(found, summary="a test")[0]


def edges(app: App) -> set[tuple[str | None, str, str | None]]:
    return {
        (edge.source.memory_id, edge.type, edge.target.memory_id)
        for entry in app.store.catalog.memories()
        for edge in app.relations.outgoing(entry)
    }


def notes(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")}


def test_every_tier_has_its_folder(app: App, vault: Path, clock: StandingClock) -> None:
    bring_in(app, [record(tier.value, tier=tier, title=tier.value.title()) for tier in Tier])
    assert notes(vault).keys() == {
        "Memories/Short-term/Short-Term.md",
        "Memories/Long-term/Long-Term.md",
        f"Memories/Archive/{clock.now.year}/Archived.md",
    }


def test_equal_texts_and_titles_become_notes_of_their_own(app: App, vault: Path) -> None:
    app.collection.save(Draft(content="Tea is served at four."))
    bring_in(app, [record(f"m{number}", "Tea is served at four.") for number in range(12)])
    assert len(notes(vault)) == 13
    assert len({Path(path).stem.casefold() for path in notes(vault)}) == 13
    assert len(app.store.catalog.memories()) == 13


def test_a_name_that_something_else_has_is_left_to_it(app: App, vault: Path) -> None:
    (vault / "Memories/Short-term").mkdir(parents=True)
    (vault / "Memories/Short-term/TEA.MD").mkdir()
    bring_in(app, [record(f"m{number}", title="Tea" if number == 7 else f"Note {number}") for number in range(20)])
    assert app.store.memory_entry("m7").path == "Memories/Short-term/Tea 2.md"


def test_a_known_memory_stays_as_the_person_made_it(app: App, vault: Path) -> None:
    bring_in(app, [record("a")])
    path = vault / app.store.memory_entry("a").path
    path.write_text(path.read_text("utf-8").replace("The text of a.", "My own words."), "utf-8")
    app.follow(None)
    before = notes(vault)
    plan = bring_in(app, [record("a", "Something else.")])
    assert (plan.created, plan.known) == ((), 1)
    assert notes(vault) == before


def test_a_memory_that_was_forgotten_here_does_not_come_back(app: App) -> None:
    bring_in(app, [record("a")])
    app.lifecycle.forget("a")
    bring_in(app, [record("a")])
    assert [entry.tier for entry in app.store.catalog.memories()] == [Tier.ARCHIVED]


def test_a_relation_of_a_known_memory_to_a_new_one_is_added_and_the_rest_of_its_note_stays(
    app: App, vault: Path
) -> None:
    bring_in(app, [record("a"), record("b")], [relate("a", "b")])
    path = vault / app.store.memory_entry("a").path
    path.write_text(path.read_text("utf-8").replace("origin: import", "mood: calm  # mine\norigin: import"), "utf-8")
    app.follow(None)
    bring_in(app, [record("a"), record("b"), record("c")], [relate("a", "b"), relate("a", "c", strength=0.5)])
    assert edges(app) == {("a", "supports", "b"), ("a", "supports", "c")}
    assert "mood: calm  # mine\n" in path.read_text("utf-8")


def test_a_relation_that_the_person_removed_does_not_come_back_but_is_told(app: App) -> None:
    bring_in(app, [record("a"), record("b")], [relate("a", "b")])
    app.relations.delete("a", "b", RelationType.SUPPORTS)
    plan = bring_in(app, [record("a"), record("b")], [relate("a", "b")])
    assert edges(app) == set()
    assert [str(remark) for remark in plan.remarks] == [
        "relation a supports b: is not in the vault, which has both memories; left so"
    ]


def test_a_relation_to_nothing_is_told_and_left_out(app: App) -> None:
    plan = bring_in(app, [record("a")], [relate("a", "gone"), relate("gone", "a")])
    assert [remark.place for remark in plan.remarks] == ["relation a supports gone", "relation gone supports a"]
    assert plan.relations == 0


def test_entities_that_are_notes_of_the_vault_become_links(app: App, vault: Path) -> None:
    (vault / "Ada Lovelace.md").write_text("A person.\n")
    app.follow(None)
    found = Findings(records=(_with_entities(record("a"), ("Ada Lovelace", "Nobody")),))
    Importer(app.memories).run(found, summary="a test")
    note = Note.parse("a.md", (vault / app.store.memory_entry("a").path).read_bytes())
    assert note.values["entities"] == ["[[Ada Lovelace]]", "Nobody"]


def _with_entities(made: Record, entities: tuple[str, ...]) -> Record:
    return Record(id=made.id, content=made.content, tier=made.tier, usage=made.usage, entities=entities)


PROMOTED = """---
created: 2026-03-01
last_used: 2026-03-03
use_count: 3
stm_id: {id}
tags: [finance, mine]
mood: calm
---
# Invoices

Mine to edit.
"""


def test_a_promoted_note_becomes_the_memory_and_keeps_what_is_the_persons(app: App, vault: Path) -> None:
    (vault / "stm-promoted").mkdir()
    (vault / "stm-promoted/Invoices.md").write_text(PROMOTED.format(id="a"), "utf-8")
    app.follow(None)
    promoted = record("a", tier=Tier.LONG_TERM)
    plan = bring_in(app, [promoted, record("b")], [relate("a", "b"), relate("b", "a")])
    assert [placed.path for placed in plan.linked] == ["stm-promoted/Invoices.md"]
    assert len(notes(vault)) == 2
    note = Note.parse("x.md", (vault / "stm-promoted/Invoices.md").read_bytes())
    assert note.body == "# Invoices\n\nMine to edit.\n"
    assert (note.values["mood"], note.values["stm_id"], note.values["tags"]) == ("calm", "a", ["finance", "mine"])
    memory = app.store.memory(app.store.memory_entry("a"))
    assert (memory.tier, memory.usage) == (Tier.LONG_TERM, promoted.usage)
    assert edges(app) == {("a", "supports", "b"), ("b", "supports", "a")}
    before = notes(vault)
    assert bring_in(app, [promoted, record("b")], [relate("a", "b"), relate("b", "a")]).known == 2
    assert notes(vault) == before


def test_a_promoted_note_that_cannot_be_read_is_left_and_not_doubled(app: App, vault: Path) -> None:
    text = PROMOTED.format(id="a").replace("mood: calm", "source: mail: re: plans")
    (vault / "Invoices.md").write_text(text, "utf-8")
    app.follow(None)
    promoted = record("a", tier=Tier.LONG_TERM)
    plan = bring_in(app, [promoted])
    assert "repair it and run again" in str(plan.remarks[0])
    assert notes(vault) == {"Invoices.md": text.encode()}
    (vault / "Invoices.md").write_text(text.replace("mail: re: plans", '"mail: re: plans"'), "utf-8")
    app.follow(None)
    assert len(bring_in(app, [promoted]).linked) == 1


def test_nothing_of_an_import_becomes_active(app: App, vault: Path) -> None:
    text = "<% tp.system.prompt() %> ![[Secret]] `= this.file`"
    bring_in(app, [record("a", text, title="Sly")])
    assert b"<%" not in (vault / "Memories/Short-term/Sly.md").read_bytes()
    assert app.store.memory(app.store.memory_entry("a")).content == text


@pytest.mark.parametrize("text", ["---\nmemory_id: zzz\n---\nx", "x\n\n\n", " ", "a\r\nb", "🌱" * 3_000, "# [[x]]"])
def test_texts_of_any_kind_are_given_back(app: App, text: str) -> None:
    bring_in(app, [record("a", text)])
    assert app.store.memory(app.store.memory_entry("a")).content.rstrip("\n") == text.rstrip("\n")


def test_a_read_only_vault_stays_as_it_is(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    with open_app(vault, clock=clock, environ=environ, options={"read_only": True}) as app, pytest.raises(NotAllowed):
        bring_in(app, [record("a")])
    assert notes(vault) == {}


def test_the_history_names_the_import_once(app: App) -> None:
    bring_in(app, [record(f"m{number}") for number in range(30)], [relate("m1", "m2")])
    (operation,) = app.history.operations()
    assert (operation.kind, len(operation.steps)) == ("import", 30)
    assert json.dumps(operation.summary) == '"a test"'


@pytest.mark.row("S12")
def test_what_no_note_could_give_back_is_left_out_and_told(app: App, vault: Path) -> None:
    huge = replace(record("huge", "word " * 1_800_000), title="Huge")
    tagged = replace(record("tagged"), tags=tuple(f"tag{number}" for number in range(10_000)))
    named = replace(record("named"), entities=tuple(f"Person {number}" for number in range(3_000)))
    kept = replace(record("kept"), properties={"list": [f"value {number}" for number in range(5_000)]})
    plan = bring_in(app, [record("small"), huge, tagged, named, kept], [relate("small", "huge")])
    assert [placed.record.id for placed in plan.created] == ["small"]
    told = [str(remark) for remark in plan.remarks]
    assert [line for line in told if "too large for one note" in line] == [
        f"{name}: is too large for one note, and was left out" for name in ("huge", "tagged", "named", "kept")
    ]
    assert any("one of the two is not there" in line for line in told)
    assert len(notes(vault)) == 1
    assert app.overview.findings() == []


@pytest.mark.slow
@pytest.mark.row("S12")
@pytest.mark.parametrize("strength", [1.0, 0.5])
def test_a_memory_keeps_as_many_relations_as_its_note_has_room_for(app: App, strength: float) -> None:
    spokes = [record(f"spoke{number}") for number in range(2_500)]
    wheel = [relate("hub", spoke.id, strength=strength) for spoke in spokes]
    plan = Importer(app.memories).plan(Findings(records=(record("hub"), *spokes), connections=tuple(wheel)))
    written = [Note.parse(step.path, step.text.encode()) for step in plan.steps if isinstance(step, Create)]
    assert len(written) == 2_501
    assert [note.path for note in written if note.problems] == []
    [hub] = [note for note in written if note.memory_id == "hub"]
    found = len(hub.memory(tier=Tier.SHORT_TERM, zone=UTC).relations)
    assert 200 < found < 2_500
    assert plan.relations == found
    [remark] = [str(remark) for remark in plan.remarks]
    assert remark.startswith(f"hub: has 2,500 relations; the last {2_500 - found:,} have no room in its note")


def test_what_always_holds_comes_with_its_kind_and_does_not_fade(app: App) -> None:
    said = "I am allergic to penicillin."
    web = replace(record("web", said), origin="web")
    ours = replace(record("ours", said), is_ours=True)
    bring_in(app, [record("allergy", said), record("printer", "The printer was repaired last week."), web, ours])
    kinds = {name: app.store.usage(app.store.memory_entry(name)).kind for name in ("allergy", "printer", "web", "ours")}
    assert kinds == {"allergy": Kind.SAFETY, "printer": None, "web": None, "ours": None}
    assert app.store.fades_on(app.store.usage(app.store.memory_entry("allergy")), tier=Tier.SHORT_TERM) is None
