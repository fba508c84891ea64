"""What `init` would create is shown first, written through the vault, and never overwrites."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mnemex_vault.errors import ConfigError
from mnemex_vault.settings import TABLE, Settings, load
from mnemex_vault.text import frontmatter
from mnemex_vault.vaultkit.init import Action, Present, Step, apply, changes, plan
from mnemex_vault.vaultkit.settings_note import settings_note

VIEWS = [f"Memories/{name}.base" for name in ("Memories", "Fading first", "Long-term", "Written by AI lately")]


def present(vault: Path, settings_note: str | None = None) -> Present:
    def read(path: str) -> str | None:
        file = vault / path
        return file.read_bytes().decode() if file.exists() else None

    return Present(has_folder=lambda path: (vault / path).is_dir(), read=read, settings_note=settings_note)


def carry_out(steps: list[Step], vault: Path) -> None:
    def create(path: str, text: str) -> None:
        with (vault / path).open("x", encoding="utf-8") as file:
            file.write(text)

    def replace(path: str, before: str, text: str) -> None:
        assert (vault / path).read_bytes().decode() == before
        (vault / path).write_text(text, encoding="utf-8")

    apply(steps, make_folder=lambda path: (vault / path).mkdir(parents=True), create=create, replace=replace)


def test_an_empty_vault_gets_folders_settings_and_views_and_then_nothing_more(tmp_path: Path) -> None:
    steps = plan(present(tmp_path), Settings())
    assert not list(tmp_path.iterdir())
    assert [(step.action, step.path) for step in steps] == [
        (Action.FOLDER, "Memories/Short-term"),
        (Action.FOLDER, "Memories/Long-term"),
        (Action.FOLDER, "Memories/Archive"),
        (Action.CREATE, "Memories/Settings.md"),
        *[(Action.CREATE, path) for path in VIEWS],
    ]
    carry_out(steps, tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == sorted(["Memories/Settings.md", *VIEWS])
    assert changes(plan(present(tmp_path, "Memories/Settings.md"), Settings(), refresh_views=True)) == []


def test_what_exists_is_kept_and_the_rest_follows_the_settings_note(tmp_path: Path) -> None:
    (tmp_path / "Brain" / "Archive").mkdir(parents=True)
    steps = plan(present(tmp_path, "Brain/How it works.md"), Settings(long_term_folder="Knowledge"))
    assert Step(Action.KEEP, "Brain/How it works.md", reason="is there") in steps
    assert Step(Action.KEEP, "Brain/Archive", reason="is there") in steps
    assert {step.path for step in changes(steps)} == {
        "Brain/Short-term",
        "Knowledge",
        *[path.replace("Memories/", "Brain/", 1) for path in VIEWS],
    }


def test_a_persons_own_note_named_settings_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "Memories").mkdir()
    (tmp_path / "Memories/Settings.md").write_text("my camera settings")
    steps = plan(present(tmp_path), Settings())
    assert "Memories/Mnemex settings.md" in [step.path for step in changes(steps)]
    carry_out(steps, tmp_path)
    assert (tmp_path / "Memories/Settings.md").read_text() == "my camera settings"


def test_an_untouched_view_is_refreshed_only_when_asked_and_a_changed_one_never(tmp_path: Path) -> None:
    carry_out(plan(present(tmp_path), Settings()), tmp_path)
    mine = tmp_path / VIEWS[1]
    mine.write_text(mine.read_text().replace("Fading first", "Soon gone"))
    mine_before = mine.read_bytes()
    now = present(tmp_path, "Memories/Settings.md")
    exponential = Settings(decay_model="exponential")
    assert changes(plan(now, exponential)) == []
    steps = plan(now, exponential, refresh_views=True)
    assert [step.path for step in changes(steps)] == [VIEWS[0], VIEWS[3]]
    assert [step.reason for step in steps if step.path == VIEWS[1]] == ["is yours"]
    carry_out(steps, tmp_path)
    assert "formula.score" in (tmp_path / VIEWS[0]).read_text()
    assert mine.read_bytes() == mine_before


def test_a_view_with_other_line_endings_counts_as_untouched(tmp_path: Path) -> None:
    carry_out(plan(present(tmp_path), Settings()), tmp_path)
    view = tmp_path / VIEWS[0]
    view.write_bytes(view.read_bytes().replace(b"\n", b"\r\n"))
    now = present(tmp_path, "Memories/Settings.md")
    assert changes(plan(now, Settings(), refresh_views=True)) == []
    steps = plan(now, Settings(decay_model="exponential"), refresh_views=True)
    carry_out(steps, tmp_path)
    assert "formula.score" in view.read_text()


def properties_of(text: str) -> dict[str, object]:
    read: dict[str, object] = {**frontmatter.read(text)}
    assert read == yaml.safe_load(text.split("---\n")[1])
    return read


def test_the_settings_note_holds_the_choices_and_loads_as_them() -> None:
    chosen: dict[str, object] = {
        "timezone": "Europe/Berlin",
        "upkeep": ["archive", "promote"],
        "read_paths": ["Work # 2026", "Ünï"],
        "pl_halflife_days": 7,
        "archive_folder": "Attic",
    }
    properties = properties_of(settings_note(chosen))
    assert list(properties)[:5] == ["mnemex", "timezone", "preset", "upkeep", "read_paths"]
    assert properties["mnemex"] == "settings"
    loaded = load(note=properties)
    assert not loaded.problems
    assert loaded.settings == load(options=chosen).settings


def test_no_upkeep_and_no_reading_are_empty_lists_in_the_note() -> None:
    properties = properties_of(settings_note({"upkeep": [], "read_paths": []}))
    assert (properties["upkeep"], properties["read_paths"]) == ([], [])
    assert load(note=properties).settings.read_paths == ()


def test_the_settings_note_explains_every_setting() -> None:
    text = settings_note({})
    assert all(f"`{name}`" in text for name in TABLE)
    assert "memory_id" not in text


def test_a_choice_that_is_no_value_is_refused() -> None:
    with pytest.raises(ConfigError, match="timezone"):
        settings_note({"timezone": "Mars"})
