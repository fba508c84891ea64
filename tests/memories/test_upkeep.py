from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import AutomationPaused
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.upkeep import Step
from tests.conftest import StandingClock, as_json

ALL = list(Step)


def save(app: App, content: str, **values: object) -> str:
    return app.collection.save(Draft(content=content, kind="none", **values)).memory.id  # type: ignore[arg-type]


def notes(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")}


@pytest.fixture
def lived_in(app: App, clock: StandingClock) -> list[str]:
    """Thirty memories that have faded, one that is used often, two that name the same people."""
    ids = [save(app, f"Hen {n} laid its {n * 7 + 3}th egg.") for n in range(30)]
    clock.advance(days=60)
    used = save(app, "Anna and Ben keep bees together.", entities=["Anna", "Ben"], tags=["bees"])
    save(app, "Ben gave Anna a new smoker.", entities=["Ben", "Anna"], tags=["bees"])
    for _ in range(4):
        clock.advance(days=1)
        app.lifecycle.touch(used)
    clock.advance(days=1)
    return [*ids, used]


def test_a_dry_run_of_every_step_changes_nothing(app: App, vault: Path, lived_in: list[str]) -> None:
    before = notes(vault)
    reports = app.upkeep.run(ALL, dry_run=True, merging=True)
    assert [report.step for report in reports] == ALL
    assert notes(vault) == before


@pytest.mark.slow
def test_a_hundred_runs_at_the_same_time_are_one(app: App, vault: Path, lived_in: list[str]) -> None:
    app.upkeep.run(ALL, dry_run=False)
    once = notes(vault)
    for _ in range(5):
        app.upkeep.run(ALL, dry_run=False)
    assert notes(vault) == once


def test_a_run_promotes_relates_and_forgets_within_its_limits(app: App, lived_in: list[str]) -> None:
    reports = {report.step: report for report in app.upkeep.run(ALL, dry_run=False)}
    assert reports[Step.PROMOTE].memory_ids == [lived_in[-1]]
    assert app.store.memory_entry(lived_in[-1]).tier is Tier.LONG_TERM
    assert len(reports[Step.RELATE].lines) == 1
    assert len(reports[Step.FORGET].operation_ids) == 1
    assert len(app.store.catalog.memories(Tier.ARCHIVED)) == 4


@pytest.mark.row("T25")
def test_everything_a_run_did_can_be_undone(app: App, vault: Path, lived_in: list[str]) -> None:
    before = notes(vault)
    app.upkeep.run(ALL, dry_run=False)
    for operation in app.store.journal.history(None, actor="upkeep"):
        app.history.undo(operation.id)
    assert notes(vault) == before


@pytest.mark.row("T25")
def test_similar_memories_are_merged_only_on_request(app: App, clock: StandingClock) -> None:
    one = save(app, "The bees swarmed on the last day of May this year at the farm by the lake.")
    two = save(app, "The bees swarmed on the last day of May this year at the farm by the lake indeed.")
    app.upkeep.run([Step.MERGE], dry_run=False)
    assert app.store.memory_entry(one).tier is Tier.SHORT_TERM
    app.upkeep.run([Step.MERGE], dry_run=False, merging=True)
    assert app.store.memory_entry(one).tier is Tier.ARCHIVED
    assert app.store.memory_entry(two).tier is Tier.ARCHIVED


def test_a_guard_stops_a_run_but_not_a_dry_one(app: App, clock: StandingClock, lived_in: list[str]) -> None:
    app.guard.beat()
    clock.advance(days=5000)
    assert app.upkeep.run(ALL, dry_run=True)
    with pytest.raises(AutomationPaused):
        app.upkeep.run(ALL, dry_run=False)


@pytest.mark.row("T27")
def test_a_year_alone_loses_nothing_beyond_the_cap(app: App, clock: StandingClock) -> None:
    for n in range(40):
        save(app, f"Hen {n} laid its {n * 7 + 3}th egg.")
    clock.advance(days=400)
    app.upkeep.run([Step.FORGET], dry_run=False)
    assert len(app.store.catalog.memories(Tier.SHORT_TERM)) == 36
    assert len(app.store.catalog.memories(Tier.ARCHIVED)) == 4


def test_promotions_of_a_run_are_one_operation_and_one_bad_note_stops_only_itself(
    app: App, vault: Path, clock: StandingClock
) -> None:
    ids = [save(app, f"Hen {n} laid its {n * 7 + 3}th egg.") for n in range(4)]
    for _ in range(4):
        clock.advance(hours=20)
        for memory_id in ids:
            app.lifecycle.touch(memory_id)
    bad = vault / app.store.memory_entry(ids[0]).path
    bad.unlink()
    (report,) = app.upkeep.run([Step.PROMOTE], dry_run=False)
    assert list(report.failed) == [bad.relative_to(vault).as_posix()]
    assert len(report.operation_ids) == 1
    assert all(app.store.memory_entry(each).tier is Tier.LONG_TERM for each in ids[1:])


def test_one_note_that_cannot_be_changed_stops_no_other_in_any_step(
    app: App, vault: Path, clock: StandingClock
) -> None:
    twins = [
        [
            save(app, f"The {name} meets on the first floor.", on_duplicate="save"),
            save(app, f"The {name} meets on the first floor there.", on_duplicate="save"),
        ]
        for name in ("reading group in the library", "old rowing club by the river")
    ]
    kin = [save(app, f"{one} keeps bees.", entities=["Anna", "Ben"], tags=["bees"]) for one in ("Anna", "Ben", "Cleo")]
    clock.advance(days=1)
    for memory_id in (twins[0][0], kin[0]):
        as_json(vault / app.store.memory_entry(memory_id).path)
    app.follow(None)
    clock.advance(days=1)
    merge, relate = app.upkeep.run([Step.MERGE, Step.RELATE], dry_run=False, merging=True)
    assert [len(merge.failed), len(merge.operation_ids)] == [1, 1]
    assert all("JSON" in why for why in [*merge.failed.values(), *relate.failed.values()])
    assert relate.failed
    assert relate.operation_ids
