from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.saving import Saved

Writer = Callable[..., None]


def save(app: App, content: str, **values: object) -> Saved:
    given = {"tags": None, "entities": None, "strength": None, **values}
    return app.collection.save(Draft(content=content, **given))  # type: ignore[arg-type]


@pytest.fixture
def write(app: App, vault: Path) -> Writer:
    """Write a note as a person does, and let the app see it."""

    def write(path: str, text: str) -> None:
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text, encoding="utf-8")
        app.follow(None)

    return write


def test_names_topics_and_importance_are_found_in_the_text(app: App) -> None:
    saved = save(app, "Critical: we decided with Anna to use PostgreSQL for the Atlas backend.")
    assert saved.memory.entities == ("Anna", "PostgreSQL", "Atlas", "backend")
    assert saved.memory.tags == ("decisions", "database")
    assert saved.memory.usage.strength == 2.0
    assert (saved.enriched, saved.found_entities) == (True, 4)


def test_what_the_caller_gives_stays_even_if_it_is_nothing(app: App) -> None:
    saved = save(app, "Critical: Anna decided to use PostgreSQL.", tags=[], entities=[], strength=0.5)
    assert (saved.memory.tags, saved.memory.entities, saved.memory.usage.strength) == ((), (), 0.5)
    assert not saved.enriched


@pytest.mark.parametrize(
    ("content", "strength"),
    [
        ("I prefer tabs.", 1.0),
        ("Maybe I prefer tabs.", 0.5),
        ("This is important: the tests run before the release.", 1.5),
        ("It is critical that nobody deploys on a Friday.", 2.0),
    ],
)
def test_strength_follows_what_is_said_of_the_importance(app: App, content: str, strength: float) -> None:
    assert save(app, content).memory.usage.strength == strength


def test_an_entity_becomes_a_link_to_the_note_that_bears_its_name(app: App, write: Writer, vault: Path) -> None:
    write("People/Quinn Abernathy.md", "---\naliases: [Quinn]\n---\nA friend.\n")
    write("Projects/Atlas.md", "The planner.\n")
    saved = save(app, "I walk with Quinn Abernathy and talk about Atlas and Docker.")
    text = (vault / saved.path).read_text(encoding="utf-8")
    assert 'entities:\n  - "[[Quinn Abernathy]]"\n  - "[[Atlas]]"\n  - Docker\n' in text


def test_names_in_small_letters_or_of_several_notes_make_no_link(app: App, write: Writer, vault: Path) -> None:
    write("short answers.md", "x\n")
    write("A/River Walk.md", "x\n")
    write("B/River Walk.md", "x\n")
    saved = save(app, "I like short answers on the River Walk.")
    assert "[[" not in (vault / saved.path).read_text(encoding="utf-8")


def test_tags_of_the_vault_come_first_in_its_own_spelling(app: App, write: Writer) -> None:
    write("Garden.md", "---\ntags: [Area/Garden, Preference, todo]\n---\n")
    saved = save(app, "I prefer tomatoes over beans in the garden, and I cook them for my sister.")
    assert saved.memory.tags == ("Area/Garden", "Preference", "family")


def test_a_doing_is_no_topic(app: App, write: Writer) -> None:
    write("Work.md", "---\ntags: [call, book]\n---\n")
    assert save(app, "Please call Petra before you book.").memory.tags == ()


def test_a_tag_that_hides_notes_is_never_suggested(app: App, write: Writer) -> None:
    # the note is hidden itself, but its tag may also stand in the body of a readable one as a nested tag
    write("Diary.md", "---\ntags: [private/health, diary]\n---\n")
    assert "private" not in " ".join(save(app, "I keep my private health diary on paper.").memory.tags)


def test_new_tags_go_below_the_prefix_and_known_ones_do_not(
    vault: Path, environ: dict[str, str], write: Writer, app: App
) -> None:
    from mnemex_vault.app import open_app

    write("Tea.md", "---\ntags: [Food]\n---\n")
    with open_app(vault, environ=environ, options={"tag_prefix": "memory"}) as prefixed:
        assert save(prefixed, "I prefer tea and cheese.").memory.tags == ("Food", "memory/preferences")
        assert save(prefixed, "Rosa sails.", tags=["food", "boats"]).memory.tags == ("Food", "memory/boats")


def test_words_of_the_persons_own_are_known_from_their_note(app: App, write: Writer) -> None:
    assert save(app, "Oisín keeps bees; the hive stands behind the shed.").memory.tags == ()
    write("Memories/Words.md", "---\nmnemex: words\nfirst_names: [Oisín]\ntopic_bees:\n  - hive\n  - honey\n---\n")
    saved = save(app, "Oisín gave me honey.")
    assert saved.memory.entities == ("Oisín",)
    assert saved.memory.tags == ("bees",)
    write("Memories/Words.md", "---\nmnemex: words\nlast_names: [Byrne]\n---\n")
    assert save(app, "Oisín sold the honey.").memory.tags == ()
    assert app.vocabulary.problems() == ("Memories/Words.md: there is no word list 'last_names'",)


def test_enrichment_of_any_text_never_fails(app: App) -> None:
    for content in (
        "#",
        "[[",
        "```\ncode\n```",
        "a" * 50_000,
        "?!" * 5_000,
        "日本語のメモ",
        "[[Atlas|the plan]] `x()`",
    ):
        assert save(app, content, on_duplicate="save").memory.content
