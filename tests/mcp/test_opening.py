from __future__ import annotations

import threading
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app
from mnemex_vault.errors import IndexUnavailable, VaultUnavailable
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.service import Service
from tests.mcp.talking import Snapshot, Talk
from tests.waiting import PATIENCE


def test_a_vault_that_comes_back_is_opened_at_the_next_call(tmp_path: Path, environ: dict[str, str]) -> None:
    root = tmp_path / "away"
    opening = Opening(lambda: Service(make_app(root, environ=environ)))
    opening.start()
    with pytest.raises(VaultUnavailable):
        opening.app()
    root.mkdir()
    try:
        assert opening.complete_app().root == root
        assert opening.lacking() == ()
    finally:
        opening.close()


def test_a_file_in_place_of_a_vault_is_told(tmp_path: Path, environ: dict[str, str]) -> None:
    root = tmp_path / "file"
    root.write_text("no folder", encoding="utf-8")
    opening = Opening(lambda: Service(make_app(root, environ=environ)))
    opening.start()
    with pytest.raises(VaultUnavailable, match="not a folder"):
        opening.app()


def test_a_vault_that_goes_away_is_told_by_every_call(talk: Talk, vault: Path) -> None:
    vault.rename(vault.with_name("elsewhere"))
    assert "Nothing was changed" in talk.refusal("save_memory", content="Lost?")
    assert "cannot be used now" in talk.refusal("search_memory", query="lost")


def test_a_call_waits_for_an_opening_only_so_long(app: App) -> None:
    release = threading.Event()

    def slow() -> App:
        release.wait(PATIENCE)
        return app

    opening = Opening(slow, wait_seconds=0.1)
    opening.start()
    with pytest.raises(IndexUnavailable, match="still being opened"):
        opening.app()
    assert opening.tool_set() == "core"
    release.set()


def test_a_search_before_the_index_is_complete_says_what_may_be_missing(app: App, talk: Talk) -> None:
    service = Service(app)
    opening = Opening.of(service)
    opening._wait_seconds = 0.1
    service.progress = 0.62
    assert "index 62% ready" in Talk(opening).call("search_memory", query="anything")["message"]
    service.ready.set()
    assert "ready" not in Talk(opening).call("search_memory", query="anything")["message"]


def test_a_save_does_not_wait_for_the_index(app: App, talk: Talk) -> None:
    opening = Opening.of(Service(app))
    assert Talk(opening).call("save_memory", content="Saved at once.")["success"]


def test_stopping_ends_the_wait(app: App) -> None:
    opening = Opening.of(Service(app))
    opening.stop()
    with pytest.raises(IndexUnavailable, match="stopping"):
        opening.complete_app()


def test_a_read_only_vault_is_searched_and_never_changed(
    vault: Path, environ: dict[str, str], talk: Talk, snapshot: Snapshot
) -> None:
    saved = talk.call("save_memory", content="The bridge.")
    before = snapshot()
    app = make_app(vault, environ={**environ, "MNEMEX_READ_ONLY": "true"})
    app.catch_up()
    reading = Talk(app)
    try:
        found = reading.call("search_memory", query="bridge", used_ids=[saved["memory_id"]])
        assert found["count"] == 1
        assert reading.call("open_memories", memory_ids=[saved["memory_id"]])["count"] == 1
        assert "read-only" in reading.refusal("save_memory", content="Another bridge.")
        assert "read-only" in reading.refusal("touch_memory", memory_id=saved["memory_id"])
        assert "read-only" in reading.refusal("forget_memory", memory_id=saved["memory_id"])
        assert snapshot() == before
    finally:
        app.close()
