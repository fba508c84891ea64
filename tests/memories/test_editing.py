from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import InvalidInput, NoteChanged
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock


@pytest.fixture
def saved(app: App) -> tuple[str, str]:
    draft = Draft(content="The cello lesson is on Monday.", title="Cello lesson", tags=["music"], kind="none")
    saved = app.collection.save(draft)
    return saved.memory.id, saved.path


def etag(app: App, memory_id: str) -> str:
    return app.collection.open([memory_id])[0][0].note.etag


@pytest.mark.row("T21")
def test_a_new_content_needs_the_etag(app: App, saved: tuple[str, str]) -> None:
    with pytest.raises(InvalidInput):
        app.editing.update(saved[0], Revision(content="The cello lesson is on Tuesday."))


def test_a_new_content_replaces_the_old_one_in_note_and_search(app: App, saved: tuple[str, str], vault: Path) -> None:
    app.editing.update(saved[0], Revision(content="The cello lesson is on Tuesday."), etag=etag(app, saved[0]))
    assert (vault / saved[1]).read_text("utf-8").endswith("---\nThe cello lesson is on Tuesday.\n")
    assert app.recall.search(Request(query="Tuesday")).total == 1
    assert app.recall.search(Request(query="Monday")).total == 0


@pytest.mark.row("T21")
def test_a_stale_etag_is_refused_with_the_difference(app: App, saved: tuple[str, str], vault: Path) -> None:
    old = etag(app, saved[0])
    path = vault / saved[1]
    path.write_text(path.read_text("utf-8") + "Bring the bow.\n", "utf-8")
    with pytest.raises(NoteChanged) as caught:
        app.editing.update(saved[0], Revision(content="Other."), etag=old)
    assert "+Bring the bow." in caught.value.difference
    assert path.read_text("utf-8").endswith("Bring the bow.\n")


@pytest.mark.row("T21")
def test_properties_change_without_an_etag(app: App, saved: tuple[str, str], vault: Path) -> None:
    app.editing.update(saved[0], Revision(tags=["music", "Lessons 2"], strength=1.5, source="Anna"))
    text = (vault / saved[1]).read_text("utf-8")
    assert "tags:\n  - music\n  - Lessons-2\n" in text
    assert "strength: 1.5\n" in text
    assert "source: Anna\n" in text


def test_a_new_title_renames_the_note_and_the_links_to_it(app: App, saved: tuple[str, str], vault: Path) -> None:
    old = Path(saved[1]).stem
    (vault / "Plan.md").write_text(f"See [[{old}|the lesson]] and `[[{old}]]`.\n", "utf-8")
    app.follow(None)
    updated = app.editing.update(saved[0], Revision(title="Cello with Mr Brandt"))
    assert updated.path == "Memories/Short-term/Cello with Mr Brandt.md"
    assert not (vault / saved[1]).exists()
    assert (vault / "Plan.md").read_text("utf-8") == f"See [[Cello with Mr Brandt|the lesson]] and `[[{old}]]`.\n"


def test_pinning_stops_the_fading_and_unpinning_starts_it(app: App, saved: tuple[str, str], vault: Path) -> None:
    assert app.editing.pin(saved[0]).fades_on is None
    text = (vault / saved[1]).read_text("utf-8")
    assert "pinned: true\n" in text
    assert "fades_on" not in text
    app.editing.pin(saved[0], pinned=False)
    assert "fades_on: " in (vault / saved[1]).read_text("utf-8")


def test_an_adopted_note_keeps_all_that_a_person_wrote(app: App, vault: Path, clock: StandingClock) -> None:
    path = vault / "Memories" / "Short-term" / "Bike.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\ncreated: 2020-01-01 # own\nmood: good\n---\nThe bike is at the shop.\n", "utf-8")
    app.follow(None)
    adopted = app.editing.adopt("Memories/Short-term/Bike.md")
    text = path.read_text("utf-8")
    assert text.startswith("---\ncreated: 2020-01-01 # own\nmood: good\n")
    assert text.endswith("---\nThe bike is at the shop.\n")
    assert f"memory_id: {adopted.memory.id}\n" in text
    assert app.store.memory_entry(adopted.memory.id).path == "Memories/Short-term/Bike.md"
    with pytest.raises(InvalidInput):
        app.editing.adopt("Memories/Short-term/Bike.md")


@pytest.mark.parametrize(
    "values", [{"content": " "}, {"title": ""}, {"strength": -1}, {"half_life_days": -2}, {"tags": ["t"] * 60}]
)
def test_what_cannot_be_kept_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Revision(**values)  # type: ignore[arg-type]


def test_a_new_title_makes_no_link_of_the_vault_ambiguous(app: App, vault: Path) -> None:
    (vault / "Tea.md").write_text("A note of the person.\n", "utf-8")
    (vault / "Diary.md").write_text("[[Tea]]\n", "utf-8")
    app.follow(None)
    saved = app.collection.save(Draft(content="Green, at four.", title="Drinks"))
    updated = app.editing.update(saved.memory.id, Revision(title="TEA"))
    assert updated.path == "Memories/Short-term/TEA 2.md"
    assert app.store.catalog.resolve("Tea", source="Diary.md") == app.store.catalog.get("Tea.md")


def test_a_title_may_change_in_case_only(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="Green, at four.", title="tea"))
    (vault / "Diary.md").write_text("[[tea]]\n", "utf-8")
    app.follow(None)
    updated = app.editing.update(saved.memory.id, Revision(title="Tea"))
    assert updated.path == "Memories/Short-term/Tea.md"
    assert [path.name for path in (vault / "Memories/Short-term").iterdir()] == ["Tea.md"]
    assert app.store.catalog.resolve("tea", source="Diary.md") == app.store.catalog.get(updated.path)


def test_a_title_that_was_found_in_the_text_follows_the_text(app: App, vault: Path) -> None:
    memory = app.collection.save(Draft(content="The office is in Bergen.")).memory
    (vault / "Plan.md").write_text("See [[The office is in Bergen]].\n", "utf-8")
    app.follow({"Plan.md"})
    revision = Revision(content="The office is in Tromso.")
    updated = app.editing.update(memory.id, revision, etag=etag(app, memory.id))
    assert updated.memory.title == "The office is in Tromso"
    assert Path(updated.path).stem == "The office is in Tromso"
    assert (vault / "Plan.md").read_text("utf-8") == "See [[The office is in Tromso]].\n"
    assert app.history.last().summary == "The office is in Tromso"
    app.history.undo()
    assert (vault / "Plan.md").read_text("utf-8") == "See [[The office is in Bergen]].\n"
    assert app.store.memory_entry(memory.id).title == "The office is in Bergen"


@pytest.mark.parametrize("title", ["Office", None])
def test_a_title_that_somebody_chose_stays_when_the_text_changes(title: str | None, app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The office is in Bergen.", title=title))
    if title is None:
        (vault / saved.path).rename(vault / "Memories" / "Short-term" / "Office.md")
        app.follow(None)
    revision = Revision(content="The office is in Tromso.")
    updated = app.editing.update(saved.memory.id, revision, etag=etag(app, saved.memory.id))
    assert (updated.memory.title, Path(updated.path).stem) == ("Office", "Office")


def test_a_found_title_that_no_file_can_bear_follows_the_text_as_well(app: App) -> None:
    memory = app.collection.save(Draft(content="Use C:\\temp for builds.")).memory
    assert app.store.memory_entry(memory.id).stem != memory.title
    revision = Revision(content="Use D:\\temp for builds?")
    updated = app.editing.update(memory.id, revision, etag=etag(app, memory.id))
    assert updated.memory.title == "Use D:\\temp for builds"
    assert app.store.memory_entry(memory.id).title == updated.memory.title
