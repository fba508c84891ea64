"""A journal that an older version recorded, one operation cut off: it is listed, recovered and undone by this one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from tests.conftest import StandingClock

RECORDED = Path(__file__).parents[1] / "vectors" / "journal"


@pytest.fixture
def recorded(vault: Path, clock: StandingClock, environ: dict[str, str]) -> dict[str, str]:
    """Put the recorded vault and its journal where this version looks for them."""
    shutil.copytree(RECORDED / "vault", vault, dirs_exist_ok=True)
    with open_app(vault, clock=clock, environ=environ) as app:
        state = app.state
    shutil.copytree(RECORDED / "state", state / "journal", dirs_exist_ok=True)
    return environ


def content(app: App, title: str) -> tuple[str, str]:
    [entry] = [each for each in app.store.catalog if each.title == title and each.is_memory]
    return entry.path, app.store.note(entry).content.strip()


def test_a_recorded_journal_is_listed_recovered_and_undone(
    vault: Path, clock: StandingClock, recorded: dict[str, str]
) -> None:
    with open_app(vault, clock=clock, environ=recorded) as app:
        app.catch_up()
        assert app.store.journal.damaged == 0
        assert app.store.journal.unfinished() == []
        assert content(app, "Roof") == ("Memories/Short-term/Roof.md", "The roof leaks.")
        done = app.history.operations()
        kinds = [each.kind for each in done]
        assert kinds == ["save", "forget", "merge", "promote", "update", "save", "save", "save", "save"]
        for each in done[:5]:
            app.history.undo(each.id)
        assert content(app, "Gate") == ("Memories/Short-term/Gate.md", "The gate is green.")
        assert content(app, "Tea") == ("Memories/Short-term/Tea.md", "Tea is served at four.")
        assert content(app, "Library")[0] == "Memories/Short-term/Library.md"
        assert not [each for each in app.store.catalog if each.title == "Roof"]


def test_a_recorded_update_is_undone_after_the_recorded_promotion(
    vault: Path, clock: StandingClock, recorded: dict[str, str]
) -> None:
    with open_app(vault, clock=clock, environ=recorded) as app:
        app.catch_up()
        [update] = [each for each in app.history.operations() if each.kind == "update"]
        app.history.undo(update.id)
        assert content(app, "Gate") == ("Memories/Long-term/Gate.md", "The gate is green.")
