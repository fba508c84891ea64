"""`init` on a real vault: durable, exclusive, and read back by the settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import NoteChanged, NoteExists, PathOutsideVault, WriteFailed
from mnemex_vault.settings import Settings, load
from mnemex_vault.text import frontmatter
from mnemex_vault.vaultkit.init import changes, look, plan, write

VIEW = "Memories/Memories.base"


class Kept:
    """Parks displaced files in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, bytes] = {}

    def __call__(self, folder: int, temp: str, *, path: str, data: bytes) -> None:
        self.texts[path] = data
        os.unlink(temp, dir_fd=folder)


def test_an_old_vault_gets_what_it_lacks_and_keeps_every_byte(tmp_path: Path) -> None:
    (tmp_path / "Memories").mkdir()
    (tmp_path / VIEW).write_bytes(b"\xff not even text")
    (tmp_path / "Diary.md").write_bytes(b"---\nmnemex: no\r\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    chosen: dict[str, object] = {"timezone": "Asia/Tokyo", "upkeep": ["archive"], "read_paths": ["Work"]}
    write(plan(look(tmp_path, None), Settings(), chosen=chosen), tmp_path, park=Kept())
    assert {path: path.read_bytes() for path in before} == before
    note = (tmp_path / "Memories/Settings.md").read_text(encoding="utf-8")
    loaded = load(note={**frontmatter.read(note)})
    assert loaded.settings == load(options=chosen).settings
    assert changes(plan(look(tmp_path, "Memories/Settings.md"), loaded.settings, refresh_views=True)) == []


def test_a_refreshed_view_is_replaced_and_its_old_text_kept(tmp_path: Path) -> None:
    write(plan(look(tmp_path, None), Settings()), tmp_path, park=Kept())
    old = (tmp_path / VIEW).read_bytes()
    kept = Kept()
    steps = plan(look(tmp_path, "Memories/Settings.md"), Settings(decay_model="exponential"), refresh_views=True)
    write(steps, tmp_path, park=kept)
    assert kept.texts[VIEW] == old
    assert b"formula.score" in (tmp_path / VIEW).read_bytes()


def test_whoever_was_quicker_wins(tmp_path: Path) -> None:
    steps = plan(look(tmp_path, None), Settings())
    (tmp_path / "Memories").mkdir()
    (tmp_path / "Memories/settings.md").write_text("mine")
    with pytest.raises(NoteExists):
        write(steps, tmp_path, park=Kept())
    write(plan(look(tmp_path, None), Settings()), tmp_path, park=Kept())
    assert (tmp_path / "Memories/settings.md").read_text() == "mine"
    note = "Memories/Mnemex settings.md"
    refreshing = plan(look(tmp_path, note), Settings(decay_model="exponential"), refresh_views=True)
    (tmp_path / VIEW).write_text("views: []\n")
    with pytest.raises(NoteChanged):
        write(refreshing, tmp_path, park=Kept())
    assert (tmp_path / VIEW).read_text() == "views: []\n"


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(WriteFailed, match="too long"):
        write(plan(look(tmp_path, None), Settings(short_term_folder="x" * 300)), tmp_path, park=Kept())
    (tmp_path / "Memories").write_text("a file in the way")
    with pytest.raises(PathOutsideVault):
        plan(look(tmp_path, None), Settings())


@pytest.mark.parametrize("folder", ["", "Work", "Templates"])
def test_no_file_that_is_made_has_a_name_that_another_file_of_the_vault_has(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    for name in ("SETTINGS.md", "Fading First.base"):
        (tmp_path / folder / name).write_text("mine")
    steps = plan(look(tmp_path, None), Settings())
    write(steps, tmp_path, park=Kept())
    names = [path.name.casefold() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(names) == len(set(names))
    assert (tmp_path / "Memories/Mnemex settings.md").is_file()
    assert (tmp_path / "Memories/Mnemex fading first.base").is_file()
    again = look(tmp_path, "Memories/Mnemex settings.md")
    assert changes(plan(again, Settings(), refresh_views=True)) == []


def test_a_link_to_a_note_that_is_not_there_yet_is_not_captured(app: App, vault: Path) -> None:
    (vault / "Diary.md").write_text("See [[Settings]] and [[Review#Week|that]].\n", "utf-8")
    app.follow(None)
    paths = {step.path for step in plan(look(vault, None, app.store.catalog), Settings())}
    assert "Memories/Mnemex settings.md" in paths
    written = app.review.write(folder="Memories", device="here")
    assert written == "Memories/Mnemex review.md"
    app.follow(None)
    assert app.review.write(folder="Memories", device="here") is None
