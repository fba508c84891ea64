from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.errors import NotAllowed
from mnemex_vault.memories import history, uses
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from tests.conftest import StandingClock


def changed(app: App, content: str = "The pump needs oil.") -> str:
    saved = app.collection.save(Draft(content=content))
    done = app.editing.update(saved.memory.id, Revision(tags=["garden"]))
    assert done.operation_id
    return done.operation_id


def live(app: App, clock: StandingClock, days: int) -> int:
    """Let days pass one by one, as a server sees them; return how many operations were forgotten."""
    pruned = 0
    for _ in range(days):
        clock.advance(days=1)
        pruned += app.retention.prune_if_due()
    return pruned


def test_what_is_older_than_ninety_days_cannot_be_undone_any_more(app: App, clock: StandingClock) -> None:
    operation_id = changed(app)
    assert live(app, clock, 90) == 0
    assert live(app, clock, 2) == 2
    assert app.history.operations() == []
    assert app.store.journal.images.sizes() == {}
    with pytest.raises(Exception, match=operation_id):
        app.history.undo(operation_id)


def test_the_oldest_go_while_the_texts_take_too_much(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        changed(app, f"Field {number} was sown.")
    monkeypatch.setattr(history, "MOST_BYTES", 0)
    app.retention._moments.remember("pruned", app.store.clock() - timedelta(days=2))
    assert app.retention.prune_if_due() > 0
    assert app.store.journal.images.sizes() == {}


def test_the_journal_is_looked_at_once_a_day(app: App, clock: StandingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(app)
    monkeypatch.setattr(history, "KEPT", timedelta())
    clock.advance(hours=23)
    assert app.retention.prune_if_due() == 0
    clock.advance(hours=2)
    assert app.retention.prune_if_due() == 2


def test_a_clock_that_jumped_forgets_nothing(app: App, clock: StandingClock) -> None:
    changed(app)
    app.guard.check()
    clock.advance(days=3650)
    assert app.retention.prune_if_due() == 0
    assert len(app.history.operations()) == 2


@pytest.mark.parametrize("looked_before", [True, False])
def test_a_clock_that_stands_wrong_for_a_moment_costs_no_history(
    app: App, clock: StandingClock, looked_before: bool, vault: Path, environ: dict[str, str]
) -> None:
    operation_id = changed(app)
    if looked_before:
        app.catch_up()
    clock.advance(days=400)
    app.catch_up()
    changed(app, "The well is dry.")
    with open_app(vault, clock=clock, environ=environ) as other:
        assert "jumped ahead" in str(other.guard.ageing.problem())
        assert other.retention.prune_if_due() == 0
    clock.advance(days=-400, seconds=6)
    app.catch_up()
    assert app.guard.ageing.problem() is None
    assert app.retention.prune_if_due() == 0
    assert app.history.undo(operation_id).undoes == operation_id


def test_after_a_jump_a_person_or_a_week_of_agreeing_time_confirms_the_clock(app: App, clock: StandingClock) -> None:
    changed(app)
    clock.advance(days=400)
    assert live(app, clock, 7) == 0
    assert live(app, clock, 1) == 2
    changed(app, "The well is dry.")
    clock.advance(days=400)
    assert live(app, clock, 1) == 0
    app.guard.accept_clock()
    assert live(app, clock, 1) == 2


def test_a_clock_that_stands_wrong_costs_no_use_of_a_note_that_is_away(
    app: App, clock: StandingClock, vault: Path
) -> None:
    saved = app.collection.save(Draft(content="The pump needs oil."))
    app.catch_up()
    note = vault / saved.path
    note.rename(vault.parent / "away.md")
    uses.record(app.store, app.store.memory_entry(saved.memory.id), "touch", now=clock())
    app.follow(None)
    clock.advance(days=400)
    assert uses.write_pending(app.store, now=clock()) == []
    clock.advance(days=-400)
    (vault.parent / "away.md").rename(note)
    app.follow(None)
    assert app.store.usage(app.store.memory_entry(saved.memory.id)).use_count == 2


def test_nothing_is_forgotten_of_a_vault_that_may_only_be_read(app: App, vault: Path, clock: StandingClock) -> None:
    changed(app)
    (vault / "Memories" / "Settings.md").write_text("---\nmnemex: settings\nread_only: true\n---\n")
    clock.advance(days=100)
    app.follow(None)
    assert app.retention.prune_if_due() == 0
    with pytest.raises(NotAllowed):
        changed(app)
