"""Who learnt what, in a vault that people share through git; a team of five is `python -m tests.bench.team`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.backup.team import Team
from mnemex_vault.errors import NotPossible
from mnemex_vault.memories.draft import Draft
from tests.bench.team import simulate
from tests.conftest import StandingClock

Commit = Callable[[str], None]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    root = tmp_path / "Team"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    return root


@pytest.fixture
def commit(shared: Path) -> Commit:
    def commit_as(name: str) -> None:
        who = ["-c", f"user.name={name}", "-c", "user.email=x@example.org", "-c", "commit.gpgSign=false"]
        subprocess.run(["git", "add", "--all"], cwd=shared, check=True)
        subprocess.run(["git", *who, "commit", "--quiet", "--allow-empty", "-m", "x"], cwd=shared, check=True)

    return commit_as


def open_there(shared: Path) -> AbstractContextManager[App]:
    options = {"quiet_seconds": 0}
    environ = {"MNEMEX_STATE_PATH": str(shared.parent / "state"), "MNEMEX_TIMEZONE": "UTC"}
    return open_app(
        shared, clock=StandingClock(datetime.now(UTC) + timedelta(days=1)), environ=environ, options=options
    )


def told(app: App, limit: int = 100) -> list[tuple[str, str, str]]:
    return [(each.who, each.kind, each.title) for each in Team(app.memories.files).contributions(limit=limit)]


def test_each_change_has_who_made_it_and_uses_are_none(shared: Path, commit: Commit) -> None:
    with open_there(shared) as app:
        assert told(app) == []
        (shared / "An ordinary note.md").write_text("Nothing to remember.\n")
        kiln = app.collection.save(Draft(content="The kiln is red.", title="Kiln é 日"), used_ids=()).memory
        commit("Zoë")
        app.lifecycle.touch(kiln.id)
        assert "use_count: 2" in (shared / app.store.memory_entry(kiln.id).path).read_text("utf-8")
        commit("Ben")
        path = shared / app.store.memory_entry(kiln.id).path
        path.write_text(path.read_text("utf-8").replace("is red", "is blue"), "utf-8")
        app.follow({path.relative_to(shared).as_posix()})
        commit("Ada")
        app.review.promote(kiln.id)
        commit("Ben")
        app.lifecycle.forget(kiln.id)
        commit("Zoë")
        (shared / app.store.memory_entry(kiln.id).path).unlink()
        commit("Ada")
        assert told(app) == [
            ("Ada", "deleted", "Kiln é 日"),
            ("Zoë", "let go", "Kiln é 日"),
            ("Ben", "promoted", "Kiln é 日"),
            ("Ada", "rewrote", "Kiln é 日"),
            ("Zoë", "learnt", "Kiln é 日"),
        ]
        assert told(app, limit=2) == told(app)[:2]
        moved = Team(app.memories.files).contributions(limit=2)[1]
        assert (moved.memory_id, "Long-term" in moved.before, "Archive" in moved.path) == (kiln.id, True, True)


def test_what_lies_more_than_a_page_of_commits_back_is_found(
    shared: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemex_vault.backup.team._PAGE", 2)
    with open_there(shared) as app:
        for number in range(5):
            app.collection.save(Draft(content=f"The {number}. lamp is lit.", title=f"Lamp {number}"), used_ids=())
            commit(f"Person {number}")
        assert told(app) == [(f"Person {number}", "learnt", f"Lamp {number}") for number in (4, 3, 2, 1, 0)]


def test_a_vault_without_a_repository_says_so(tmp_path: Path) -> None:
    with open_there(tmp_path) as app, pytest.raises(NotPossible, match="no git repository"):
        Team(app.memories.files)


# most of it is starting git
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_five_people_lose_nothing_over_a_remote_and_the_history_names_who_learnt_what(tmp_path: Path) -> None:
    report = simulate(tmp_path, notes=40, days=3, uses=2)
    assert report.sound, report
    assert report.learnt == report.saves == 15
    assert report.pushes_refused > 0
