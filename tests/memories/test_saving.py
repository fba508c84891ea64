from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.errors import InvalidInput, NoteNotFound
from mnemex_vault.index.reconcile import Changes
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.store import Store
from tests.conftest import StandingClock

FACT = "Anna prefers TypeScript over JavaScript for the garden planner."


def found(app: App, query: str) -> list[str]:
    return [hit.entry.title for hit in app.recall.search(Request(query=query)).hits]


def test_a_saved_memory_is_a_note_in_the_short_term_folder(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=FACT, tags=["preferences"], session="planning"))
    text = (vault / saved.path).read_text("utf-8")
    assert saved.path.startswith("Memories/Short-term/")
    assert text.endswith(f"---\n{FACT}\n")
    assert "tags:\n  - preferences\n" in text
    assert f"memory_id: {saved.memory.id}\n" in text
    assert "session: planning\n" in text


def test_a_saved_memory_is_found_at_once(app: App) -> None:
    saved = app.collection.save(Draft(content=FACT))
    assert found(app, "garden planner language") == [saved.memory.title]


@pytest.mark.row("H11")
def test_a_title_that_no_file_can_bear_is_kept_as_alias(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=FACT, title="Why: TypeScript?"))
    assert (vault / saved.path).is_file()
    assert ":" not in saved.path
    opened, _ = app.collection.open([saved.memory.id])
    assert opened[0].entry.title == "Why: TypeScript?"


@pytest.mark.row("H11")
def test_two_memories_of_one_title_get_names_of_their_own(app: App) -> None:
    first = app.collection.save(Draft(content="The spare key hangs in the shed.", title="Spare key"))
    second = app.collection.save(Draft(content="The spare key moved to the cellar.", title="spare KEY"))
    assert first.path.lower() != second.path.lower()


def test_a_name_that_a_persons_note_bears_is_left_to_it(app: App, vault: Path) -> None:
    (vault / "Spare key.md").write_text("mine\n")
    app.follow(None)
    saved = app.collection.save(Draft(content="The spare key hangs in the shed.", title="Spare key"))
    assert Path(saved.path).stem != "Spare key"
    assert (vault / "Spare key.md").read_text() == "mine\n"


def test_equal_text_is_reinforced_instead_of_saved_twice(app: App, clock: StandingClock, vault: Path) -> None:
    first = app.collection.save(Draft(content=FACT))
    clock.advance(days=1)
    again = app.collection.save(Draft(content="  anna PREFERS TypeScript over JavaScript\nfor the garden planner."))
    assert again.reinforced
    assert again.memory.id == first.memory.id
    assert again.memory.usage.use_count == 2
    assert len(list(vault.rglob("*.md"))) == 1


def test_equal_text_can_be_saved_or_refused_on_request(app: App) -> None:
    app.collection.save(Draft(content=FACT))
    assert not app.collection.save(Draft(content=FACT, on_duplicate="save")).reinforced
    with pytest.raises(InvalidInput):
        app.collection.save(Draft(content=FACT, on_duplicate="refuse"))


def test_nearly_equal_text_is_saved_and_the_other_is_named(app: App) -> None:
    first = app.collection.save(Draft(content="The dentist is on floor 3 of the Mill Street house."))
    second = app.collection.save(Draft(content="The dentist is on floor 4 of the Mill Street house."))
    assert not second.reinforced
    assert [similar.id for similar in second.similar] == [first.memory.id]


def test_a_superseding_memory_inherits_the_uses_and_hides_the_old_one(app: App, clock: StandingClock) -> None:
    old = app.collection.save(Draft(content="The dentist is on floor 3 of the Mill Street house."))
    for _ in range(3):
        clock.advance(days=1)
        app.lifecycle.touch(old.memory.id)
    new = app.collection.save(
        Draft(content="The dentist is on floor 4 of the Mill Street house.", supersedes=[old.memory.id])
    )
    assert new.memory.usage.use_count == 4
    assert found(app, "dentist floor") == [new.memory.title]


@pytest.mark.parametrize(
    "values",
    [
        {"content": ""},
        {"content": "  \n"},
        {"content": "x" * 60_000},
        {"content": "a\x00b"},
        {"content": "half \ud83d"},
        {"content": "x", "strength": 2.5},
        {"content": "x", "strength": float("nan")},
        {"content": "x", "half_life_days": 0},
        {"content": "x", "tags": ["t"] * 51},
        {"content": "x", "origin": "nobody"},
        {"content": "x", "on_duplicate": "maybe"},
        {"content": "x", "source": "s" * 501},
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_field_named(values: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        Draft(**values)  # type: ignore[arg-type]
    assert caught.value.field in values


@pytest.mark.parametrize(
    ("kind", "origin", "inherited"), [(None, "ai", "identity"), (None, "web", None), ("none", "ai", None)]
)
def test_what_replaces_a_standing_fact_stands_too(
    app: App, kind: str | None, origin: str, inherited: str | None
) -> None:
    old = app.collection.save(Draft(content="Our office is in Bergen.", kind="identity"))
    new = Draft(
        content="The plan of the third floor was redrawn.", supersedes=[old.memory.id], kind=kind, origin=origin
    )
    assert app.collection.save(new).memory.usage.kind == inherited


def test_what_replaces_a_standing_fact_is_of_the_kind_of_its_own_text(app: App) -> None:
    old = app.collection.save(Draft(content="Our office is in Bergen.", kind="identity"))
    new = app.collection.save(Draft(content="I prefer short answers.", supersedes=[old.memory.id]))
    assert new.memory.usage.kind == "preference"


def test_an_unknown_id_to_supersede_saves_nothing(app: App, vault: Path) -> None:
    with pytest.raises(NoteNotFound):
        app.collection.save(Draft(content=FACT, supersedes=["nobody"]))
    assert not list(vault.rglob("*.md"))


def test_an_entity_with_a_note_of_its_own_becomes_a_link(app: App, vault: Path) -> None:
    (vault / "Anna.md").write_text("My sister.\n")
    app.follow(None)
    saved = app.collection.save(Draft(content=FACT, entities=["Anna", "TypeScript"]))
    text = (vault / saved.path).read_text("utf-8")
    assert 'entities:\n  - "[[Anna]]"\n  - TypeScript\n' in text


def test_opening_gives_the_whole_text_and_names_unknown_ids(app: App) -> None:
    saved = app.collection.save(Draft(content=FACT))
    opened, missing = app.collection.open([saved.memory.id, "nobody"])
    assert [each.note.content for each in opened] == [FACT]
    assert missing == ["nobody"]


def test_opening_counts_as_a_use_once_a_day(app: App, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content=FACT))
    for _ in range(3):
        app.collection.open([saved.memory.id])
        clock.advance(days=1)
    opened, _ = app.collection.open([saved.memory.id])
    count = opened[0].usage.use_count if opened[0].usage else 0
    app.collection.open([saved.memory.id])
    again, _ = app.collection.open([saved.memory.id])
    assert count == 3
    assert again[0].usage is not None
    assert again[0].usage.use_count == 4


@pytest.mark.row("T6")
def test_searching_never_writes(app: App, vault: Path, clock: StandingClock) -> None:
    app.collection.save(Draft(content=FACT))
    clock.advance(days=2)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in vault.rglob("*.md")}
    for _ in range(100):
        app.recall.search(Request(query="garden planner"))
    assert before == {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in vault.rglob("*.md")}


@pytest.mark.row("B2")
def test_a_save_while_the_index_is_broken_still_succeeds(app: App, vault: Path) -> None:
    app.store.text.close()
    saved = app.collection.save(Draft(content=FACT))
    assert (vault / saved.path).read_text("utf-8").endswith(f"{FACT}\n")


def test_a_read_only_vault_is_not_written(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    from mnemex_vault.app import open_app
    from mnemex_vault.errors import NotAllowed

    with open_app(vault, clock=clock, environ=environ, options={"read_only": True}) as app, pytest.raises(NotAllowed):
        app.collection.save(Draft(content=FACT))
    assert not list(vault.iterdir())


def test_a_note_that_was_moved_a_moment_ago_is_opened_where_it_lies_now(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=FACT))
    (vault / "People").mkdir()
    (vault / saved.path).rename(vault / "People" / "Anna.md")
    opened, missing = app.collection.open([saved.memory.id])
    assert [each.entry.path for each in opened] == ["People/Anna.md"]
    assert missing == []


def test_one_unreadable_note_does_not_keep_others_from_being_opened(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content=FACT))
    broken = app.collection.save(Draft(content="The pump needs oil."))
    path = vault / broken.path
    path.unlink()
    path.symlink_to("/etc/hostname")
    opened, missing = app.collection.open([broken.memory.id, saved.memory.id])
    assert [each.entry.memory_id for each in opened] == [saved.memory.id]
    assert missing == [broken.memory.id]


def test_an_equal_text_that_supersedes_another_memory_is_saved(app: App) -> None:
    first = app.collection.save(Draft(content=FACT))
    old = app.collection.save(Draft(content="Anna prefers JavaScript for the garden planner."))
    new = app.collection.save(Draft(content=FACT, supersedes=[old.memory.id]))
    assert not new.reinforced
    assert new.memory.id != first.memory.id


def test_what_is_refused_counts_no_use(app: App, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content=FACT))
    clock.advance(days=1)
    with pytest.raises(NoteNotFound):
        app.collection.save(Draft(content="Other.", supersedes=["nobody"]), used_ids=[saved.memory.id])
    assert app.store.usage(app.store.memory_entry(saved.memory.id)).use_count == 1


def test_many_unknown_ids_are_looked_for_on_disk_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    follow = Store.follow_vault

    def looking(store: Store) -> Changes:
        looks.append("look")
        return follow(store)

    monkeypatch.setattr(Store, "follow_vault", looking)
    unknown = [f"unknown{number}" for number in range(20)]
    assert app.collection.open(unknown) == ([], unknown)
    assert len(looks) == 1
    assert {type(each) for each in app.lifecycle.observe(unknown).values()} == {NoteNotFound}
    assert len(looks) == 2
    assert app.collection.use(unknown, now=app.store.clock()) == unknown
    assert len(looks) == 3


def test_a_note_that_appeared_is_found_among_unknown_ids(app: App, vault: Path) -> None:
    (vault / "Memories").mkdir(exist_ok=True)
    (vault / "Memories/New.md").write_text("---\nmemory_id: brandnew\n---\nIt has just come.\n", encoding="utf-8")
    opened, missing = app.collection.open(["unknown", "brandnew", "note:Other.md"])
    assert [each.entry.memory_id for each in opened] == ["brandnew"]
    assert missing == ["unknown", "note:Other.md"]


def test_a_memory_takes_no_name_of_a_template(vault: Path, clock: StandingClock, environ: dict[str, str]) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/templates.json").write_text('{"folder": "Patterns"}', "utf-8")
    (vault / "Patterns/Deep").mkdir(parents=True)
    (vault / "Patterns/Deep/MEETING.md").write_text("# {{title}}\n", "utf-8")
    with open_app(vault, clock=clock, environ=environ) as app:
        first = app.collection.save(Draft(content="It is on Monday.", title="Meeting"))
        assert first.path == "Memories/Short-term/Meeting 2.md"
        again = app.editing.update(first.memory.id, Revision(title="Monday"))
        assert app.editing.update(again.memory.id, Revision(title="Meeting")).path == first.path
