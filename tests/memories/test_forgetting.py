from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import AutomationPaused
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.forgetting import Exempt
from tests.conftest import StandingClock


def fill(app: App, count: int) -> list[str]:
    return [
        app.collection.save(Draft(content=f"The number of box {n} is {n * 7919}.", kind="none")).memory.id
        for n in range(count)
    ]


@pytest.mark.row("T35")
def test_candidates_are_exactly_the_memories_below_the_threshold(app: App, clock: StandingClock) -> None:
    fill(app, 5)
    clock.advance(days=48)
    assert app.forgetting.plan(limit=100).candidates == []
    clock.advance(days=1)
    assert len(app.forgetting.plan(limit=100).candidates) == 5


def test_a_run_takes_a_tenth_and_says_what_it_left(app: App, clock: StandingClock) -> None:
    fill(app, 25)
    clock.advance(days=60)
    plan = app.forgetting.plan()
    assert len(plan.candidates) == 3
    assert plan.exempt[Exempt.LIMIT] == 22


def test_pinned_and_linked_memories_are_never_forgotten(app: App, clock: StandingClock, vault: Path) -> None:
    pinned = app.collection.save(Draft(content="The safe opens with 31 turns.", pinned=True))
    linked = app.collection.save(Draft(content="Grandmother was born in Lviv.", kind="none"))
    (vault / "Family.md").write_text(f"See [[{Path(linked.path).stem}]].\n")
    clock.advance(days=400)
    app.follow(None)
    plan = app.forgetting.plan(limit=100)
    assert plan.candidates == []
    assert plan.exempt[Exempt.LINKED] == 1
    assert pinned.memory.id


@pytest.mark.row("T27")
def test_a_run_archives_and_each_note_can_be_brought_back(app: App, clock: StandingClock, vault: Path) -> None:
    fill(app, 5)
    texts = sorted(path.read_text("utf-8").rpartition("---\n")[2] for path in vault.rglob("*.md"))
    clock.advance(days=60)
    result = app.forgetting.run(app.forgetting.plan(limit=100))
    assert len(result.moved) == 5
    assert app.store.catalog.memories(Tier.SHORT_TERM) == []
    assert len({moved.operation_id for moved in result.moved}) == 1
    app.history.undo(result.moved[0].operation_id)
    assert texts == sorted(path.read_text("utf-8").rpartition("---\n")[2] for path in vault.rglob("*.md"))
    assert len(app.store.catalog.memories(Tier.SHORT_TERM)) == 5


def test_a_forecast_counts_what_fades_soon(app: App, clock: StandingClock) -> None:
    fill(app, 4)
    clock.advance(days=30)
    assert app.forgetting.plan().soon == 4


@pytest.mark.row("D1", "D2")
@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("days", [8, 400, 3650, -8, -400])
def test_a_clock_that_jumped_stops_a_run(app: App, clock: StandingClock, days: int, automatic: bool) -> None:
    fill(app, 3)
    clock.advance(days=60)
    app.guard.beat()
    clock.advance(days=days)
    if not automatic and 0 < days <= 800:
        # the computer may have been off, and a person asked for it
        assert app.forgetting.run(app.forgetting.plan()).moved
        return
    with pytest.raises(AutomationPaused) as caught:
        app.forgetting.run(app.forgetting.plan(), automatic=automatic)
    assert "clock" in caught.value.reason
    assert len(app.store.catalog.memories(Tier.SHORT_TERM)) == 3


def test_a_run_looks_at_every_score_again(app: App, clock: StandingClock) -> None:
    (memory_id,) = fill(app, 1)
    clock.advance(days=60)
    plan = app.forgetting.plan()
    app.lifecycle.touch(memory_id)
    assert app.forgetting.run(plan).moved == []


@pytest.fixture
def in_use(vault: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    """Open a vault in which the days without a use do not count."""
    with open_app(vault, clock=clock, environ=environ | {"MNEMEX_DECAY_CLOCK": "active_days"}) as app:
        yield app


def a_memory_a_day(app: App, clock: StandingClock, days: int) -> None:
    for _ in range(days):
        app.collection.save(Draft(content=f"The train of {clock.now:%d %B %Y} was late.", kind="none"))
        clock.advance(days=1)


def test_six_weeks_of_leave_let_nothing_fade(in_use: App, clock: StandingClock) -> None:
    a_memory_a_day(in_use, clock, 20)
    entries = in_use.store.catalog.memories(Tier.SHORT_TERM)
    before = in_use.store.score(entries[0], now=clock.now)
    clock.advance(days=42)
    assert in_use.forgetting.plan(limit=100).candidates == []
    three_days = in_use.store.score(entries[0], now=clock.now)
    a_memory_a_day(in_use, clock, 1)
    assert before > three_days > in_use.store.score(entries[0], now=clock.now)
    a_memory_a_day(in_use, clock, 24)
    assert in_use.forgetting.plan(limit=100).candidates == []
    a_memory_a_day(in_use, clock, 1)
    assert [each.entry.path for each in in_use.forgetting.plan(limit=100).candidates] == [entries[0].path]


def test_in_a_vault_used_every_day_both_clocks_are_one(
    in_use: App, vault: Path, clock: StandingClock, environ: dict[str, str], tmp_path: Path
) -> None:
    a_memory_a_day(in_use, clock, 60)
    with open_app(vault, clock=clock, environ=environ | {"MNEMEX_STATE_PATH": str(tmp_path / "other")}) as by_days:
        for entry in by_days.store.catalog.memories():
            assert by_days.store.score(entry, now=clock.now) == in_use.store.score(entry, now=clock.now)
            assert by_days.store.fades_on(by_days.store.usage(entry), tier=entry.tier) == in_use.store.fades_on(
                in_use.store.usage(entry), tier=entry.tier
            )


def test_two_devices_agree_on_what_counts(
    in_use: App, vault: Path, clock: StandingClock, environ: dict[str, str], tmp_path: Path
) -> None:
    a_memory_a_day(in_use, clock, 5)
    clock.advance(days=30)
    a_memory_a_day(in_use, clock, 5)
    there = environ | {"MNEMEX_STATE_PATH": str(tmp_path / "other"), "MNEMEX_DECAY_CLOCK": "active_days"}
    with open_app(vault, clock=clock, environ=there) as other:
        for entry in other.store.catalog.memories():
            assert other.store.score(entry, now=clock.now) == in_use.store.score(entry, now=clock.now)


def test_a_clock_that_jumped_ages_nothing_by_more_than_a_weekend(in_use: App, clock: StandingClock) -> None:
    a_memory_a_day(in_use, clock, 5)
    entry = in_use.store.catalog.memories(Tier.SHORT_TERM)[0]
    clock.advance(days=2)
    weekend = in_use.store.score(entry, now=clock.now)
    clock.advance(days=3000)
    in_use.collection.save(Draft(content="This was saved in the wrong year.", kind="none"))
    clock.advance(days=-3000)
    assert in_use.store.score(entry, now=clock.now) == weekend
    clock.advance(days=3000)
    assert in_use.forgetting.plan(limit=100).candidates == []
