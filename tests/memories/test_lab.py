from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mnemex_vault.app import App
from mnemex_vault.domain.replay import outcome
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.lab import made_up, recorded
from tests.conftest import StandingClock

START = datetime(2026, 1, 1, tzinfo=UTC)


def test_the_uses_of_a_memory_are_known_wherever_its_note_lies_now(app: App, clock: StandingClock) -> None:
    born = clock.now
    used = app.collection.save(Draft(content="The ferry leaves at noon.")).memory.id
    idle = app.collection.save(Draft(content="The bus is blue.")).memory.id
    moments = []
    for _ in range(3):
        clock.advance(days=1)
        app.lifecycle.touch(used)
        moments.append(clock.now)
    candidates = app.lifecycle.promotion_candidates(now=clock.now)
    app.lifecycle.promote(candidates)
    clock.advance(days=1)
    app.lifecycle.forget(idle)
    found = recorded(app.memories)
    assert found.guessed_uses == 0
    assert sorted(len(life.uses) for life in found.lives) == [0, 3]
    assert next(list(life.uses) for life in found.lives if life.uses) == moments
    assert {life.born for life in found.lives} == {born}


def test_uses_that_nobody_wrote_down_are_spread_evenly(app: App, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content="The ferry leaves at noon."))
    born = clock.now
    clock.advance(days=3)
    app.lifecycle.touch(saved.memory.id)
    note = app.root / saved.path
    note.write_text(note.read_text("utf-8").replace("use_count: 2", "use_count: 4"), "utf-8")
    app.follow(None)
    found = recorded(app.memories)
    assert found.guessed_uses == 2
    assert [use - born for use in found.lives[0].uses] == [timedelta(days=day) for day in (1, 2, 3)]


def test_made_up_lives_are_the_same_for_the_same_seed_and_believable() -> None:
    lives = made_up(start=START, days=90, seed=1)
    assert lives == made_up(start=START, days=90, seed=1)
    assert lives != made_up(start=START, days=90, seed=2)
    assert len(lives) == 900
    assert all(life.born <= use <= START + timedelta(days=90) for life in lives for use in life.uses)
    assert all(list(life.uses) == sorted(life.uses) for life in lives)
    found = outcome(lives, Policy(), zone=UTC, end=START + timedelta(days=90))
    assert 3 <= found.uses / found.memories <= 7
    assert 0.2 <= found.promoted / found.memories <= 0.5
    assert found.missed / found.uses < 0.05


def test_what_is_of_a_kind_does_not_fade_in_the_lab_either(app: App, clock: StandingClock) -> None:
    app.collection.save(Draft(content="Always answer in short sentences.", kind="rule"))
    app.collection.save(Draft(content="The bus is blue.", kind="none"))
    clock.advance(days=100)
    found = outcome(recorded(app.memories).lives, Policy(), zone=UTC, end=clock.now)
    assert (found.forgotten, found.kept) == (1, 1)


def test_uses_of_which_the_time_is_guessed_fill_no_pause(app: App, clock: StandingClock) -> None:
    saved = app.collection.save(Draft(content="The ferry leaves at noon.", kind="none"))
    clock.advance(days=40)
    app.lifecycle.touch(saved.memory.id)
    note = app.root / saved.path
    note.write_text(note.read_text("utf-8").replace("use_count: 2", "use_count: 40"), "utf-8")
    app.follow(None)
    found = recorded(app.memories)
    assert found.guessed_uses == 38
    assert found.pauses.until(clock.now.timestamp()) == app.memories.notes.pauses().until(clock.now.timestamp())
