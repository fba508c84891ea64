from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.disk.vault import ObsidianConfig


def configured(root: Path, text: str | bytes, folder: str = ".obsidian") -> ObsidianConfig:
    (root / folder).mkdir(exist_ok=True)
    (root / folder / "app.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return ObsidianConfig.load(root)


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "[]", "null", b"\xff\xfe", "[" * 100_000, '{"trashOption": 1, "newLinkFormat": "x"}']
)
def test_what_cannot_be_read_has_obsidians_defaults(tmp_path: Path, text: str | bytes) -> None:
    assert configured(tmp_path, text) == ObsidianConfig()


def test_a_vault_without_settings_and_a_missing_vault_have_the_defaults(tmp_path: Path) -> None:
    assert ObsidianConfig.load(tmp_path) == ObsidianConfig()
    assert ObsidianConfig.load(tmp_path / "missing") == ObsidianConfig()


def test_settings_are_read_also_behind_a_byte_order_mark(tmp_path: Path) -> None:
    config = configured(
        tmp_path,
        '\ufeff{"trashOption": "local", "newLinkFormat": "relative", "useMarkdownLinks": true,'
        ' "userIgnoreFilters": ["Archive/", "", 3, "/^Daily\\\\//"], "unknown": {}}',
    )
    assert config == ObsidianConfig(
        trash_option="local",
        new_link_format="relative",
        use_markdown_links=True,
        user_ignore_filters=("Archive/", "/^Daily\\//"),
    )


def test_the_configuration_folder_may_have_any_dot_name(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = configured(tmp_path, '{"trashOption": "none"}', folder=".obsidian-work")
    assert (config.folder, config.trash_option) == (".obsidian-work", "none")
    assert configured(tmp_path, '{"trashOption": "local"}').folder == ".obsidian"


def test_template_folders_of_both_plugins_are_known(tmp_path: Path) -> None:
    (tmp_path / ".obsidian/plugins/templater-obsidian").mkdir(parents=True)
    (tmp_path / ".obsidian/templates.json").write_text('{"folder": "Templates/"}')
    (tmp_path / ".obsidian/plugins/templater-obsidian/data.json").write_text('{"templates_folder": "Meta/T"}')
    assert ObsidianConfig.load(tmp_path).template_folders == ("Templates", "Meta/T")
    (tmp_path / ".obsidian/templates.json").write_text('{"folder": "/"}')
    (tmp_path / ".obsidian/plugins/templater-obsidian/data.json").write_text('{"templates_folder": null}')
    assert ObsidianConfig.load(tmp_path).template_folders == ()


def test_excluded_files_are_prefixes_or_patterns_and_a_bad_pattern_excludes_nothing() -> None:
    ignored = ObsidianConfig(user_ignore_filters=("Archive/", "/^Daily\\//", "/(/", "/")).ignore_rule()
    assert [path for path in ("Archive/a.md", "Daily/1.md", "x/Daily/1.md", "a.md") if ignored(path)] == [
        "Archive/a.md",
        "Daily/1.md",
    ]
    assert not ObsidianConfig().ignore_rule()("a.md")


def test_settings_are_never_written(tmp_path: Path) -> None:
    configured(tmp_path, "{")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    ObsidianConfig.load(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
