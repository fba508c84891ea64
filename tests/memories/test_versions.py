from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import RelationType
from mnemex_vault.domain.trust import Supersede
from mnemex_vault.domain.versions import Standing
from mnemex_vault.errors import InvalidInput
from mnemex_vault.memories import versions
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Page, Request
from tests.conftest import StandingClock

VECTORS = Path(__file__).parents[1] / "vectors" / "versions.json"
SHARED: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))
OLD, NEW = "Our office is in Bergen.", "We moved the office to Tromsø."


def save(app: App, clock: StandingClock, content: str, **values: object) -> str:
    clock.advance(days=1)
    return app.collection.save(Draft(content=content, **values)).memory.id  # type: ignore[arg-type]


def found(app: App, query: str) -> tuple[list[str], Page]:
    page = app.recall.search(Request(query=query))
    return [hit.entry.memory_id or "" for hit in page.hits], page


def test_of_two_versions_the_newer_stands_first_and_both_are_marked(app: App, clock: StandingClock) -> None:
    old, new = save(app, clock, OLD), save(app, clock, NEW)
    ids, page = found(app, "Where is our office?")
    assert ids[:2] == [new, old]
    assert [page.versions[hit.entry.path].newest for hit in page.hits[:2]] == [True, False]


def test_of_two_long_texts_that_which_tells_of_a_changed_number_stands_first(app: App, clock: StandingClock) -> None:
    old = save(
        app,
        clock,
        "I'm trying to manage the repository of the budget tracker, which has 150 commits merged into the main branch so "
        "far, and I want to be sure that I keep to what is good practice, can you review my workflow and tell me what else "
        "I could do? I use the command line for all of it.",
    )
    new = save(
        app,
        clock,
        "I'm trying to build a secure login for the app, considering the growth of the commits merged into main, which "
        "have now reached 165, and I want it to follow good practice, especially since I have never put anything like it "
        "into production, so where do I begin, and what do I leave for later?",
    )
    question = "How many commits have been merged into the main branch of my repository?"
    assert found(app, question)[0] == [new, old]
    assert found(app, question.replace("have been", "had been"))[0] == [old, new]


def test_notes_that_are_no_memories_stand_beside_what_tells_of_numbers(
    app: App, clock: StandingClock, vault: Path
) -> None:
    save(app, clock, "The north pump in the barn needs 40 litres of oil.")
    (vault / "Pumps.md").write_text("The pump in the barn is old.\n")
    app.follow(None)
    page = app.recall.search(Request(query="How much oil does the north pump need?", ordinary=True))
    assert {hit.entry.is_memory for hit in page.hits} == {True, False}


@pytest.mark.parametrize(
    ("asked", "other", "question"),
    [
        (
            "The north pump needs 40 litres of diesel a day.",
            "The south pump now needs 65 litres of diesel a day.",
            "How many litres of diesel does the north pump need a day?",
        ),
        (
            "Der Kurs am Montag hat 12 Plätze im großen Saal.",
            "Der Kurs am Freitag hat jetzt 20 Plätze im großen Saal.",
            "Wie viele Plätze hat der Kurs am Montag im großen Saal?",
        ),
    ],
)
def test_what_a_question_names_stands_above_its_newer_neighbour(
    app: App, clock: StandingClock, asked: str, other: str, question: str
) -> None:
    first, second = save(app, clock, asked), save(app, clock, other)
    ids, page = found(app, question)
    assert ids == [first, second]
    assert page.versions == {}


def test_a_question_about_the_past_turns_the_order(app: App, clock: StandingClock) -> None:
    old, new = save(app, clock, OLD), save(app, clock, NEW)
    assert found(app, "Where was our office before?")[0][:2] == [old, new]


def test_a_chain_stands_in_its_order(app: App, clock: StandingClock) -> None:
    texts = [OLD, "Our office is in Tromsø now.", "Our office is in Oslo now."]
    ids = [save(app, clock, text) for text in texts]
    assert found(app, "Where is our office?")[0][:3] == ids[::-1]


def test_two_facts_that_are_both_true_each_answer_their_own_question(app: App, clock: StandingClock) -> None:
    anna = save(app, clock, "Anna's birthday is on 3 March.")
    ben = save(app, clock, "Ben's birthday is on 5 May.")
    assert found(app, "When is Anna's birthday?")[0][0] == anna
    assert found(app, "When is Ben's birthday?")[0][0] == ben


def test_what_was_said_to_be_both_true_is_no_version(app: App, clock: StandingClock) -> None:
    old, new = save(app, clock, OLD), save(app, clock, NEW)
    app.relations.create(new, old, RelationType.BOTH_TRUE)
    assert found(app, "Where is our office?")[1].versions == {}


def test_a_save_names_what_it_may_replace(app: App, clock: StandingClock) -> None:
    old = save(app, clock, OLD)
    save(app, clock, "Ben's birthday is on 5 May.")
    [known] = app.collection.save(Draft(content=NEW)).known
    assert (known.entry.memory_id, known.standing) == (old, Standing.VERSION)


def test_what_has_little_in_common_is_not_called_a_version(app: App, clock: StandingClock) -> None:
    save(app, clock, "Minimal 5.2.10 got a bunch of improvements for mobile, to help with writing on the iPad.")
    new = Draft(content="QuickAdd 0.5.0 has mobile support just in time to run the macro on my new iPad.")
    assert [each.standing for each in app.collection.save(new).known] in ([], [None])


def test_what_was_replaced_is_history_of_what_replaced_it(app: App, clock: StandingClock) -> None:
    old = save(app, clock, OLD)
    new = save(app, clock, NEW, supersedes=[old])
    ids, page = found(app, "Where is our office?")
    assert ids == [new]
    [earlier] = page.history[page.hits[0].entry.path]
    assert (earlier.entry.memory_id, earlier.until) == (old, clock())
    assert found(app, "Where was our office before?")[0] == [old, new]


def test_a_fact_that_returns_is_the_present_again(app: App, clock: StandingClock) -> None:
    old = save(app, clock, OLD)
    between = save(app, clock, NEW, supersedes=[old])
    again = app.collection.save(Draft(content=OLD))
    assert not again.reinforced
    assert [entry.memory_id for entry in again.replaced] == [between]
    assert found(app, "Where is our office?")[0] == [again.memory.id]
    app.history.undo(again.operation_id)
    assert found(app, "Where is our office?")[0] == [between]


@pytest.mark.parametrize(("setting", "replaced"), [("ask", 0), ("auto", 1)])
def test_only_auto_replaces_by_itself(app: App, clock: StandingClock, setting: Supersede, replaced: int) -> None:
    save(app, clock, "My phone number is 555 1234.")
    save(app, clock, "Ben speaks Spanish.")
    app.store.rules = replace(app.store.rules, supersede=setting)
    saved = app.collection.save(Draft(content="My phone number has changed and is 555 9876 now."))
    assert len(saved.replaced) == replaced
    assert app.collection.save(Draft(content="Ben speaks Portuguese.")).replaced == ()


def test_a_circle_hides_only_what_was_said_earlier(app: App, clock: StandingClock) -> None:
    old, new = save(app, clock, OLD), save(app, clock, NEW)
    app.relations.create(new, old, RelationType.SUPERSEDES)
    app.relations.create(old, new, RelationType.SUPERSEDES)
    assert found(app, "Where is our office?")[0] == [new]
    assert [[entry.memory_id for entry in circle] for circle in app.store.catalog.circles()] == [[new, old]]


def test_what_contradicts_stands_beside_it_until_it_is_settled(app: App, clock: StandingClock) -> None:
    one = save(app, clock, "Tea keeps Ben awake at night.")
    for text in ("Tea grows in the hills.", "The tea shop opens at night."):
        save(app, clock, text)
    other = save(app, clock, "Ben sleeps best after a pot of black tea.")
    app.relations.create(other, one, RelationType.CONTRADICTS)
    ids, page = found(app, "Does tea keep Ben awake at night?")
    assert ids[:2] == [other, one]
    told = page.contradictions[page.hits[1].entry.path]
    assert [entry.memory_id for entry in told] == [other]
    assert not page.versions[page.hits[1].entry.path].newest
    app.relations.create(other, one, RelationType.BOTH_TRUE)
    assert found(app, "Does tea keep Ben awake at night?")[1].contradictions == {}


def test_a_search_as_of_a_day_knows_what_was_known_then(app: App, clock: StandingClock) -> None:
    old = save(app, clock, OLD)
    before = clock().date()
    new = save(app, clock, NEW, supersedes=[old])
    after = clock().date()

    def known(day: date) -> list[str | None]:
        page = app.recall.search(Request(query="Where is our office?", as_of=day))
        return [hit.entry.memory_id for hit in page.hits]

    assert (known(before), known(after), known(before - timedelta(days=1))) == ([old], [new], [])
    clock.advance(days=3)
    app.lifecycle.forget(new)
    assert known(after) == [new]
    assert known(clock().date()) != [new]


def test_opening_as_of_a_day_gives_its_text_or_says_that_it_is_that_of_now(app: App, clock: StandingClock) -> None:
    memory_id = save(app, clock, OLD)
    saved = clock().date()
    clock.advance(days=2)
    etag = app.store.memory_entry(memory_id).etag
    app.editing.update(memory_id, Revision(content="Our office is in Bergen, floor 2."), etag=etag)
    changed = clock().date()

    def then(day: date) -> tuple[bool, str | None]:
        [opened], _ = app.collection.open([memory_id], as_of=day)
        assert opened.then
        return opened.then.saved, opened.then.text

    assert then(saved) == (True, OLD)
    assert then(changed) == (True, "Our office is in Bergen, floor 2.")
    assert then(saved - timedelta(days=1)) == (False, None)
    note = app.root / app.store.memory_entry(memory_id).path
    note.write_text(note.read_text("utf-8").replace("floor 2", "floor 3"), "utf-8")
    app.follow(None)
    etag = app.store.memory_entry(memory_id).etag
    app.editing.update(memory_id, Revision(content="Nobody knows."), etag=etag)
    assert then(saved) == (True, OLD)
    assert then(changed + timedelta(days=5))[1] == "Nobody knows."


@pytest.mark.parametrize(
    ("present", "late", "question"),
    [
        ("I live in Bergen.", "In 2019 I lived in Oslo.", "Where do I live?"),
        ("Our bank is GLS.", "Formerly our bank was Sparkasse.", "Which bank do we have?"),
        ("Unser Büro ist in Köln.", "Im Jahr 2021 war unser Büro in Bonn.", "Wo ist unser Büro?"),
        ("J'habite à Lyon.", "En 2019 j'habitais à Lille.", "Où est-ce que j'habite ?"),
        ("Nuestra oficina está en Bilbao.", "En 2021 nuestra oficina estaba en Vigo.", "¿Dónde está nuestra oficina?"),
        ("Наш офис в Самаре.", "В 2021 году наш офис был в Твери.", "Где наш офис?"),
        ("私は京都に住んでいます。", "2019年、私は大阪に住んでいました。", "私はどこに住んでいますか"),
    ],
)
def test_what_is_told_late_of_how_it_was_replaces_nothing(
    app: App, clock: StandingClock, present: str, late: str, question: str
) -> None:
    now = save(app, clock, present)
    app.store.rules = replace(app.store.rules, supersede="auto")
    clock.advance(days=1)
    told = app.collection.save(Draft(content=late))
    assert told.replaced == ()
    assert all(each.late for each in told.known if each.entry.memory_id == now)
    ids = found(app, question)[0]
    assert now in ids[:1] or told.memory.id not in ids


def test_the_time_that_a_text_states_or_its_caller_gives_is_kept(app: App, clock: StandingClock) -> None:
    def since(**values: str) -> str | None:
        moment = app.collection.save(Draft(on_duplicate="save", **values)).memory.valid_from  # type: ignore[arg-type]
        return moment.date().isoformat() if moment else None

    assert since(content="In 2019 I lived in Oslo.") == "2019-01-01"
    assert since(content="We moved the office on 3 May 2025.") == "2025-05-03"
    assert since(content="My birthday is on 3 March 1985.") is None
    assert since(content="The deadline was moved to 3 May 2031.") is None
    assert since(content="I work at Bosch.", valid_from="March 2020") == "2020-03-01"
    with pytest.raises(InvalidInput, match="valid_from"):
        since(content="I work at Bosch.", valid_from="soon")


def test_versions_are_put_in_order_by_the_time_they_state(app: App, clock: StandingClock) -> None:
    last = save(app, clock, "Our office is in Oslo.", valid_from="2025")
    first = save(app, clock, "Our office is in Bergen.", valid_from="2020")
    assert found(app, "Where is our office?")[0] == [last, first]
    app.editing.update(first, Revision(valid_from="2026-01"))
    assert found(app, "Where is our office?")[0] == [first, last]


def test_what_notes_state_is_remembered_within_bounds(
    app: App, clock: StandingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "_REMEMBERED", 4)
    compared = versions.Versions(app.store)
    ids = [save(app, clock, f"{name} lives in Bergen.") for name in ("Anna", "Ben", "Cleo", "Dora")]
    entries = [app.store.memory_entry(memory_id) for memory_id in ids]
    statements = [compared._read(entry) for entry in entries]
    assert len(compared._statements) == 2
    clock.advance(minutes=1)
    app.lifecycle.touch(ids[-1])
    assert app.store.memory_entry(ids[-1]).etag != entries[-1].etag
    assert compared._read(app.store.memory_entry(ids[-1])) is statements[-1]
    assert statements[0][0].words[1] is statements[1][0].words[1]


def written(app: App, name: str, said: dict[str, Any]) -> None:
    """Write a memory as a vector tells of it."""
    folder = app.root / "Memories" / ("Archive/2026" if said.get("archived") else "Short-term")
    folder.mkdir(parents=True, exist_ok=True)
    saved, true = (app.store.clock() + timedelta(days=said.get(key, 0) - 50) for key in ("day", "true"))
    lines = [f"{kind}: {json.dumps([f'[[{each}]]' for each in said[kind]])}" for kind in KINDS if kind in said]
    lines += [f"valid_from: {true:%Y-%m-%d}"] if "true" in said else []
    lines += [f"{key}: {saved:%Y-%m-%dT%H:%M:%S}" for key in ("created", "last_used")]
    (folder / f"{name}.md").write_text("\n".join(["---", *lines, f"memory_id: id{name}", "---", f"{name}.\n"]))


KINDS = ("contradicts", "supersedes", "both_true")


@pytest.mark.parametrize("case", SHARED, ids=lambda case: str(case["name"]))
def test_what_replaces_what_and_what_is_open_is_as_the_plugin_has_it(app: App, case: dict[str, Any]) -> None:
    for name, said in case["notes"].items():
        written(app, name, said)
    app.follow(None)
    pairs = [[each.newer.title, each.older.title] for each in app.review.unsettled()]
    assert sorted(pairs) == case["open"]
    replaced = [Path(path).stem for path in app.store.catalog.superseded()]
    assert sorted(replaced) == case["replaced"]
    looked_at = {item.entry.title for item in app.review.queue()}
    assert looked_at == {name for name, said in case["notes"].items() if not said.get("archived")} - set(replaced)
