from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.app import make_app, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.history.steps import Create
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.service import Service
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def service(vault: Path, environ: dict[str, str]) -> Iterator[Service]:
    service = Service(make_app(vault, environ=environ, options={"quiet_seconds": 1}))
    service.start()
    assert service.wait_ready(PATIENCE)
    yield service
    service.close()


def found(service: Service, query: str) -> list[str]:
    return [hit.entry.path for hit in service.app.recall.search(Request(query=query, ordinary=True)).hits]


@pytest.mark.row("T13")
def test_edits_by_hand_are_found_by_themselves(service: Service, vault: Path) -> None:
    note = vault / "Plan.md"
    note.write_text("Sow the rye.\n")
    wait_until(lambda: found(service, "rye") == ["Plan.md"])
    note.write_text("Sow the barley.\n")
    wait_until(lambda: found(service, "barley") == ["Plan.md"])
    assert found(service, "rye") == []
    note.rename(vault / "Work.md")
    wait_until(lambda: found(service, "barley") == ["Work.md"])
    (vault / "Work.md").unlink()
    wait_until(lambda: found(service, "barley") == [])


def test_one_thread_follows_events_and_one_looks_after_all_else(vault: Path, environ: dict[str, str]) -> None:
    before = set(threading.enumerate())
    service = Service(make_app(vault, environ=environ))
    service.start()
    try:
        assert service.wait_ready(PATIENCE)
        assert service.watching == "events"
        names = [thread.name for thread in set(threading.enumerate()) - before]
        assert sorted(name for name in names if name.startswith("mnemex-")) == ["mnemex-service", "mnemex-watcher"]
    finally:
        service.close()


@pytest.mark.row("T6")
def test_a_use_is_written_after_the_quiet_time(service: Service, vault: Path) -> None:
    saved = service.app.collection.save(Draft(content="The gate key is under the stone."))
    path = vault / saved.path
    path.write_text(path.read_text("utf-8") + "Still there.\n", "utf-8")
    wait_until(lambda: found(service, "still"))
    touched = service.app.lifecycle.touch(saved.memory.id)
    assert not touched.written
    assert "use_count: 1\n" in path.read_text("utf-8")
    wait_until(lambda: "use_count: 2\n" in path.read_text("utf-8"))
    assert path.read_text("utf-8").endswith("Still there.\n")


@pytest.mark.row("E15", "T18")
def test_a_vault_that_goes_away_and_comes_back_is_followed_again(service: Service, vault: Path) -> None:
    saved = service.app.collection.save(Draft(content="The gate key is under the stone."))
    vault.rename(vault.with_name("away"))
    wait_until(lambda: service.problem is not None or service.app.guard.problem() is not None)
    assert not vault.exists()
    assert service.app.store.catalog.by_id(saved.memory.id) is not None
    vault.with_name("away").rename(vault)
    (vault / "New.md").write_text("Rye grows.\n")
    wait_until(lambda: found(service, "rye") == ["New.md"])
    (vault / "Later.md").write_text("Oats grow.\n")
    wait_until(lambda: found(service, "oats") == ["Later.md"])
    assert service.problem is None


def test_the_settings_note_is_followed(service: Service, vault: Path) -> None:
    (vault / "Memories").mkdir(exist_ok=True)
    note = vault / "Memories" / "Settings.md"
    note.write_text("---\nmnemex: settings\npl_halflife_days: 10\n---\n")
    wait_until(lambda: service.app.settings.pl_halflife_days == 10)
    note.write_text("---\nmnemex: settings\npl_halflife_days: banana\n---\n")
    wait_until(lambda: bool(service.app.loaded.problems))
    assert service.app.settings.pl_halflife_days == 10


@pytest.mark.row("E14")
def test_a_memory_root_that_is_renamed_is_followed(service: Service, vault: Path) -> None:
    (vault / "Memories").mkdir(exist_ok=True)
    (vault / "Memories" / "Settings.md").write_text("---\nmnemex: settings\n---\n")
    wait_until(lambda: service.app.settings_path == "Memories/Settings.md")
    saved = service.app.collection.save(Draft(content="The gate key is under the stone."))
    (vault / "Memories").rename(vault / "Gedächtnis")
    wait_until(lambda: service.app.settings_path == "Gedächtnis/Settings.md")
    assert service.app.store.memory_entry(saved.memory.id).tier is Tier.SHORT_TERM
    again = service.app.collection.save(Draft(content="The pump needs oil."))
    assert again.path.startswith("Gedächtnis/Short-term/")
    assert not (vault / "Memories").exists()


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_large_undo_of_another_process_is_no_emptied_vault(
    service: Service, vault: Path, environ: dict[str, str]
) -> None:
    known = service.app.store.catalog
    with open_app(vault, environ=environ) as other:
        steps = [Create(f"Memories/Long-term/Field {n}.md", f"Field {n} grows rye.\n") for n in range(300)]
        done = other.store.commit("import", steps, summary="300 fields", now=other.store.clock())
        wait_until(lambda: len(known) == 300)
        other.history.undo(done.id)
        wait_until(lambda: len(known) == 0)
    assert service.problem is None
    assert service.app.guard.problem() is None


def test_a_service_that_is_closed_while_it_starts_ends_without_a_word(
    vault: Path, environ: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    (vault / "Plan.md").write_text("Sow the rye.\n")
    service = Service(make_app(vault, environ=environ))
    service._stopping.set()
    service._run()
    service.close()
    assert service.app.store.catalog.get("Plan.md")
    assert caplog.messages == []
