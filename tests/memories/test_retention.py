from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import NotAllowed
from mnemex_vault.memories import retention
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from tests.conftest import StandingClock


def changed(app: App, content: str = "The pump needs oil.") -> str:
    saved = app.collection.save(Draft(content=content))
    done = app.editing.update(saved.memory.id, Revision(tags=["garden"]))
    assert done.operation_id
    return done.operation_id


def test_what_is_older_than_ninety_days_cannot_be_undone_any_more(app: App, clock: StandingClock) -> None:
    operation_id = changed(app)
    clock.advance(days=89)
    assert app.retention.prune_if_due() == 0
    clock.advance(days=2)
    assert app.retention.prune_if_due() == 2
    assert app.history.operations() == []
    assert app.store.journal.images.sizes() == {}
    with pytest.raises(Exception, match=operation_id):
        app.history.undo(operation_id)


def test_the_oldest_go_while_the_texts_take_too_much(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        changed(app, f"Field {number} was sown.")
    monkeypatch.setattr(retention, "MOST_BYTES", 0)
    app.retention._moments.remember("pruned", app.store.clock() - timedelta(days=2))
    assert app.retention.prune_if_due() > 0
    assert app.store.journal.images.sizes() == {}


def test_the_journal_is_looked_at_once_a_day(app: App, clock: StandingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(app)
    monkeypatch.setattr(retention, "KEPT", timedelta())
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


def test_nothing_is_forgotten_of_a_vault_that_may_only_be_read(app: App, vault: Path, clock: StandingClock) -> None:
    changed(app)
    (vault / "Memories" / "Settings.md").write_text("---\nmnemex: settings\nread_only: true\n---\n")
    clock.advance(days=100)
    app.follow(None)
    assert app.retention.prune_if_due() == 0
    with pytest.raises(NotAllowed):
        changed(app)
