from __future__ import annotations

import unicodedata
from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.index.asking import Fitting
from mnemex_vault.index.ranking import Reason
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Page, Request, in_words
from tests.conftest import StandingClock


def titles(page: Page) -> list[str]:
    return [hit.entry.title for hit in page.hits]


def explained(app: App, query: str, size: int = 10) -> Page:
    return app.recall.search(Request(query=query, size=size, explain=True))


def test_words_of_an_outdated_memory_find_the_one_that_replaced_it(app: App) -> None:
    old = app.collection.save(Draft(content="Tom works at the hospital in Friedrichshain.", title="Old"))
    app.collection.save(Draft(content="From January on he is a nurse.", title="New", supersedes=[old.memory.id]))
    assert titles(app.recall.search(Request(query="which hospital does Tom work at"))) == ["New"]
    assert titles(app.recall.search(Request(query="hospital", superseded=True))) == ["New", "Old"]


def test_a_phrase_or_filter_holds_for_a_successor_as_well(app: App) -> None:
    old = app.collection.save(Draft(content="Tom works at the hospital.", title="Old", tags=["work"]))
    app.collection.save(Draft(content="He is a nurse.", title="New", tags=["people"], supersedes=[old.memory.id]))
    assert titles(app.recall.search(Request(query='"at the hospital"'))) == []
    assert titles(app.recall.search(Request(query="hospital tag:work"))) == []


def test_an_explanation_adds_up_to_the_relevance_and_names_terms_and_fields(app: App) -> None:
    app.collection.save(Draft(content="The ferry leaves from Schaprode.", title="Travel", tags=["ferry"], session="s"))
    app.collection.save(Draft(content="Leave at noon.", title="Hour", session="s"))
    page = explained(app, "when does the ferry leave")
    assert titles(page) == ["Travel", "Hour"]
    for hit in page.hits:
        why = page.reasons[hit.entry.path]
        assert why.text + why.talk == pytest.approx(hit.relevance, rel=1e-5)
        assert sum(term.share for term in why.terms) == pytest.approx(why.text, rel=1e-5)
    first, second = (page.reasons[hit.entry.path] for hit in page.hits)
    assert {term.term: term.fields for term in first.terms} == {"ferry": ("tags", "body"), "leave": ("body",)}
    assert [term.term for term in second.terms] == ["leave"]
    assert second.talk > 0
    assert "ferry" in in_words(first)
    assert "talk " in in_words(second)


def test_without_an_index_the_explanation_is_the_same(app: App) -> None:
    app.collection.save(Draft(content="The ferry leaves from Schaprode.", title="Travel", tags=["ferry"], session="s"))
    app.collection.save(Draft(content="Leave at noon.", title="Hour", session="s"))
    with_index = explained(app, "when does the ferry leave")
    index = app.state / "index"
    index.rename(app.state / "away")
    index.write_text("in the way")
    without = explained(app, "when does the ferry leave")
    assert (with_index.degraded, bool(without.degraded)) == (None, True)
    assert without.reasons.keys() == with_index.reasons.keys()
    for path, why in without.reasons.items():
        assert in_words(why) == in_words(with_index.reasons[path])


def test_an_explanation_says_from_which_note_a_relevance_is_inherited(app: App) -> None:
    old = app.collection.save(Draft(content="Tom works at the hospital.", title="Old"))
    app.collection.save(Draft(content="He is a nurse.", title="New", supersedes=[old.memory.id]))
    page = explained(app, "hospital")
    [why] = page.reasons.values()
    assert why.inherited_from == old.path
    assert [term.term for term in why.terms] == ["hospital"]


def test_what_is_archived_or_superseded_is_named_as_held_back(app: App) -> None:
    gone = app.collection.save(Draft(content="The bridge is closed.", title="Gone"))
    old = app.collection.save(Draft(content="The bridge is red.", title="Old"))
    new = app.collection.save(Draft(content="The bridge is blue.", title="New", supersedes=[old.memory.id]))
    app.lifecycle.forget(gone.memory.id)
    page = explained(app, "bridge")
    assert titles(page) == ["New"]
    assert {(each.entry.title, each.reason, each.by) for each in page.held_back} == {
        ("Gone", Reason.ARCHIVED, None),
        ("Old", Reason.SUPERSEDED, new.path),
    }


def test_how_far_a_memory_has_faded_is_shown_and_does_not_count_in_the_order(app: App, clock: StandingClock) -> None:
    app.collection.save(Draft(content="Wolgast has a blue bridge, a drawbridge.", title="Faded"))
    clock.advance(days=60)
    app.collection.save(Draft(content="Lena painted her kitchen blue last week.", title="Fresh"))
    page = explained(app, "blue bridge", size=1)
    [hit] = page.hits
    assert (hit.entry.title, hit.rank) == ("Faded", 1.0)
    assert hit.score is not None
    assert hit.score < 0.1
    assert page.held_back == []


def test_what_the_weight_of_its_tier_pushed_off_the_page_is_named_as_held_back(app: App, vault: Path) -> None:
    (vault / "Roads.md").write_text("The bridge is closed, closed.\n")
    app.follow(None)
    app.collection.save(Draft(content="The bridge is closed at night for repairs.", title="Fresh"))
    page = app.recall.search(Request(query="bridge closed", size=1, ordinary=True, explain=True, long_term_weight=0.7))
    assert titles(page) == ["Fresh"]
    assert [(each.entry.path, each.reason) for each in page.held_back] == [("Roads.md", Reason.TIER)]


def test_what_a_filter_left_out_is_named_as_held_back_and_unwanted_kinds_are_not(app: App, vault: Path) -> None:
    (vault / "Bridge.md").write_text("bridge bridge\n")
    app.follow(None)
    app.collection.save(Draft(content="The bridge is closed.", title="Tagged", tags=["traffic"]))
    app.collection.save(Draft(content="The bridge is red.", title="Other"))
    page = app.recall.search(Request(query="bridge", tags=["traffic"], explain=True))
    assert titles(page) == ["Tagged"]
    assert [(each.entry.title, each.reason) for each in page.held_back] == [("Other", Reason.FILTERED)]


def test_without_being_asked_nothing_is_explained(app: App) -> None:
    app.collection.save(Draft(content="The bridge is closed."))
    page = app.recall.search(Request(query="bridge"))
    assert (page.reasons, page.held_back) == ({}, ())


def test_a_copy_of_a_memory_is_found_as_a_note_and_opened_by_its_path(app: App, vault: Path) -> None:
    saved = app.collection.save(Draft(content="The ferry leaves from Schaprode.", title="Ferry"))
    copy = "Memories/Short-term/Ferry again.md"
    (vault / copy).write_bytes((vault / saved.path).read_bytes())
    app.follow(None)
    page = app.recall.search(Request(query="ferry", ordinary=True, explain=True))
    assert {hit.entry.path: hit.entry.item_id for hit in page.hits} == {
        saved.path: saved.memory.id,
        copy: f"note:{copy}",
    }
    [as_note] = [hit for hit in page.hits if hit.entry.path == copy]
    assert as_note.score is None
    [opened], missing = app.collection.open([f"note:{copy}"])
    assert (opened.entry.item_id, opened.memory, missing) == (f"note:{copy}", None, [])
    assert [hit.entry.path for hit in app.recall.search(Request(query="ferry")).hits] == [saved.path]


TAGS = [
    "machine learning",
    "node.js",
    "C#",
    "R&D",
    "v1.2",
    "हिन्दी",
    "cafe\u0301",
    "tag🎉",
    "👨‍👩‍👧",
    "Work/Plan B",
    "日本、東京",
]


@pytest.mark.parametrize("tag", TAGS)
def test_what_was_saved_under_a_tag_is_found_by_the_tag_as_it_was_given(app: App, tag: str) -> None:
    app.collection.save(Draft(content="The heron nests by the weir.", tags=[tag]))
    app.collection.save(Draft(content="The kettle is blue.", tags=["other"]))
    for given in (tag, f"#{tag}", tag.upper(), unicodedata.normalize("NFD", tag)):
        assert len(app.recall.search(Request(tags=[given])).hits) == 1
        assert len(app.recall.search(Request(query=f'tag:"{given}"')).hits) == 1
        assert [hit.entry.title for hit in app.recall.search(Request(query=f'-tag:"{given}"')).hits] == [
            "The kettle is blue"
        ]


@pytest.mark.parametrize("tag", ["cafe\u0301", "Machine Learning", "C++", "2026", "_private", "a--b"])
def test_a_tag_of_an_ordinary_note_is_found_as_it_is_written_there(app: App, vault: Path, tag: str) -> None:
    (vault / "Note.md").write_text(f'---\ntags:\n  - "{tag}"\n---\nHeron.\n', "utf-8")
    app.follow(None)
    assert len(app.recall.search(Request(tags=[tag], ordinary=True)).hits) == 1
    assert len(app.recall.search(Request(query=f'tag:"{tag}"', ordinary=True)).hits) == 1


def test_a_project_filters_however_it_is_spelled(app: App) -> None:
    app.collection.save(Draft(content="The heron nests by the weir.", project="Cafe\u0301  Atlas"))
    app.collection.save(Draft(content="The kettle is blue."))
    for name in ("Café Atlas", "CAFÉ atlas", " cafe\u0301 atlas "):
        (hit,) = app.recall.search(Request(query=f'project:"{name}"')).hits
        assert hit.entry.project == "Café Atlas"
        assert len(app.recall.search(Request(query=f'heron kettle -project:"{name}"')).hits) == 1
        assert app.recall.search(Request(query="heron", project=name)).hits[0].project_bonus > 1
        assert app.brief.make(project=name)[0].entry.project == "Café Atlas"


def test_what_belongs_to_no_project_stands_between_the_conversation_s_and_others(app: App) -> None:
    for project in ("blog", None, "shop"):
        app.collection.save(Draft(content=f"Deploy with make {project}.", project=project))
    found = app.recall.search(Request(query="deploy with make", project="Shop")).hits
    assert [hit.entry.project for hit in found] == ["shop", None, "blog"]
    assert {hit.project_bonus for hit in app.recall.search(Request(query="deploy with make")).hits} == {1.0}


def test_a_result_says_what_it_has_of_the_question_and_what_it_lacks(app: App) -> None:
    app.collection.save(Draft(content="Tom is allergic to penicillin.", title="Allergy"))
    app.collection.save(Draft(content="The ferry leaves at noon.", title="Ferry"))
    page = app.recall.search(Request(query="is Anna allergic to penicillin"))
    [fit] = [page.fit(hit) for hit in page.hits]
    assert fit is not None
    assert (fit.has, fit.lacks) == (("allergic", "penicillin"), ("anna",))
    assert fit.fitting is Fitting.PARTLY
    page = app.recall.search(Request(query="is Tom allergic to penicillin"))
    assert [fit.fitting for hit in page.hits if (fit := page.fit(hit))] == [Fitting.FITS]


@pytest.mark.parametrize("name", ["Jana", "Tomas", "Marten", "Ulrike", "Sophie"])
def test_an_answer_about_someone_else_is_never_presented_as_a_fit(app: App, name: str) -> None:
    for known in ("Jan", "Tom", "Martin", "Ulrich", "Sofia"):
        app.collection.save(Draft(content=f"{known} has his birthday on 3 May.", title=f"Birthday of {known}"))
    page = app.recall.search(Request(query=f"when is the birthday of {name}"))
    assert page.hits
    assert Fitting.FITS not in [fit.fitting for hit in page.hits if (fit := page.fit(hit))]


def test_what_only_stands_beside_a_hit_is_told_apart_and_is_no_match(app: App) -> None:
    app.collection.save(Draft(content="Where do you spend your holidays?", title="Question", session="s"))
    app.collection.save(Draft(content="In Portugal, every year.", title="Reply", session="s"))
    page = app.recall.search(Request(query="holidays"))
    assert (titles(page), page.total) == (["Question"], 1)
    assert [entry.title for entry in page.beside] == ["Reply"]


def test_a_word_that_no_note_has_matches_nothing_in_a_young_vault(app: App) -> None:
    for number in range(8):
        app.collection.save(Draft(content=f"Fact number {number} about tea.", session="s"))
    page = app.recall.search(Request(query="花生"))
    assert (page.hits, page.total, page.beside) == ([], 0, [])


def test_where_nothing_active_answers_the_best_archived_memory_is_shown_as_such(app: App) -> None:
    gone = app.collection.save(Draft(content="The bridge over the Oder is closed.", title="Gone"))
    app.collection.save(Draft(content="The ferry leaves at noon.", title="Ferry"))
    app.lifecycle.forget(gone.memory.id)
    page = app.recall.search(Request(query="is the bridge over the Oder closed"))
    assert (titles(page), page.total, page.from_archive) == (["Gone"], 0, 1)
    assert app.recall.search(Request(query="when does the ferry leave")).from_archive == 0
    asked_for = app.recall.search(Request(query="bridge", tiers=frozenset({Tier.LONG_TERM})))
    assert (titles(asked_for), asked_for.from_archive) == ([], 0)


def test_a_preview_shows_the_passage_that_answers(app: App) -> None:
    filler = "Nothing of interest happened on that day, and nobody spoke. " * 20
    app.collection.save(Draft(content=f"{filler}The zebra only eats hay from Ulm. {filler}", title="Diary"))
    page = app.recall.search(Request(query="what does the zebra eat"))
    [preview] = app.recall.previews(page.hits, found=page.found)
    assert "zebra only eats hay" in preview.text
    assert len(preview.text) < 320


def test_filters_on_time_hold_for_the_day_on_which_a_note_was_made(app: App, clock: StandingClock, vault: Path) -> None:
    today = clock.now.astimezone(app.store.rules.zone).date()
    (vault / f"{today - timedelta(days=9)}.md").write_text("The bridge was painted.\n")
    app.follow(None)
    app.collection.save(Draft(content="The bridge is closed.", title="Early"))
    clock.advance(days=3)
    app.collection.save(Draft(content="The bridge is open.", title="Late"))

    def found(query: str, *, ordinary: bool = False) -> list[str]:
        return sorted(titles(app.recall.search(Request(query=query, ordinary=ordinary))))

    assert found(f"bridge after:{today + timedelta(days=1)}") == ["Late"]
    assert found(f"bridge before:{today + timedelta(days=1)}") == ["Early"]
    assert found(f"created:{today}") == ["Early"]
    assert found('bridge created:"3 days ago"') == ["Early"]
    assert found(f"bridge before:{today}", ordinary=True) == [str(today - timedelta(days=9))]
    assert found("bridge after:dinner") == ["Early", "Late"]
    assert titles(app.recall.search(Request(query="bridge", after=f"{today + timedelta(days=1)}"))) == ["Late"]
    assert titles(app.recall.search(Request(query="bridge after:2000", before=f"{today + timedelta(days=1)}"))) == [
        "Early"
    ]
    assert titles(app.recall.search(Request(after=f"{today}", before=f"{today + timedelta(days=1)}"))) == ["Early"]


def test_what_is_weak_or_archived_is_not_shown_to_who_has_not_asked(app: App) -> None:
    gone = app.collection.save(Draft(content="The bridge over the Oder is closed.", title="Gone"))
    app.lifecycle.forget(gone.memory.id)
    for number in range(30):
        app.collection.save(Draft(content=f"Note {number}: over and out, the ferry leaves.", title=f"Ferry {number}"))
    page = app.recall.search(Request(query="why is the bridge at Frankfurt closed for lorries, ferry"))
    assert "Gone" in titles(page)
    assert page.answers == []
    assert app.recall.search(Request(query="the ferry leaves")).answers


@pytest.mark.parametrize(
    "query", ["Le Guin", "anarchists", "hardcover", "Tehanu", "diary of October 4", "what happened on 4 October 2021"]
)
def test_properties_of_a_note_are_searched_and_the_date_in_its_name(app: App, vault: Path, query: str) -> None:
    (vault / "2021-10-04.md").write_text(
        "---\ntitle: The Dispossessed\nauthor: Ursula Le Guin\ndescription: About anarchists\n"
        "format: hardcover\nnext:\n  - '[[Tehanu]]'\n---\nA book.\n"
    )
    (vault / "other.md").write_text("---\nformat: paperback\n---\nAnother book.\n")
    app.catch_up()
    assert [hit.entry.path for hit in app.recall.search(Request(query=query, ordinary=True)).hits] == ["2021-10-04.md"]


def test_the_bookkeeping_of_a_memory_is_not_searched(app: App) -> None:
    app.collection.save(Draft(content="The ferry leaves at nine.", title="Ferry", session="harbour talk"))
    assert not app.recall.search(Request(query="harbour")).hits
