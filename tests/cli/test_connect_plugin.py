"""`mnemex plugin` in vaults of different kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemex_vault.vaultkit.plugin_files import shipped
from tests.cli.conftest import Run, contents

PLACE = "plugins/mnemex-vault"


@pytest.fixture
def config(vault: Path) -> Path:
    folder = vault / ".obsidian"
    folder.mkdir()
    (folder / "app.json").write_text("{}")
    return folder


def test_it_copies_the_plugin_and_says_how_to_enable_it(run: Run, vault: Path, config: Path) -> None:
    outcome = run("plugin", "install", "--yes")
    assert outcome.code == 0, outcome.err
    assert "Enable it in Obsidian" in outcome.out
    assert contents(config / PLACE) == shipped()
    assert "Everything is there already" in run("plugin", "install").out


def test_it_asks_and_shows_first(run: Run, vault: Path, config: Path) -> None:
    before = contents(vault)
    assert run("plugin", "install").code == 2
    refused = run("plugin", "install", typed="n\n", terminal=True)
    assert ".obsidian/plugins/mnemex-vault/main.js" in refused.out
    assert "Nothing was written" in refused.out
    told = run("plugin", "install", "--dry-run", "--json").data
    assert (told["written"], len(told["files"])) == (False, 3)
    assert contents(vault) == before
    assert run("plugin", "install", typed="y\n", terminal=True).code == 0
    assert contents(config / PLACE) == shipped()


def test_the_configuration_folder_may_have_any_name(run: Run, vault: Path, config: Path) -> None:
    config.rename(vault / ".desktop config")
    assert run("plugin", "install", "--yes", "--json").data["folder"] == ".desktop config/plugins/mnemex-vault"
    assert contents(vault / ".desktop config" / PLACE) == shipped()
    assert not config.exists()


def test_a_newer_plugin_and_its_data_stay(run: Run, vault: Path, config: Path) -> None:
    run("plugin", "install", "--yes")
    manifest = config / PLACE / "manifest.json"
    (config / PLACE / "data.json").write_text('{"mine": 1}')
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": "99.0.0"}))
    (config / PLACE / "main.js").write_text("newer")
    before = contents(vault)
    outcome = run("plugin", "install", "--yes")
    assert (outcome.code, "99.0.0 is newer" in outcome.out) == (0, True)
    assert contents(vault) == before


def test_an_older_plugin_is_replaced_and_its_data_stay(run: Run, vault: Path, config: Path) -> None:
    run("plugin", "install", "--yes")
    manifest = config / PLACE / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": "0.0.1"}))
    (config / PLACE / "main.js").write_text("older")
    (config / PLACE / "data.json").write_text('{"mine": 1}')
    told = run("plugin", "install", "--yes", "--json").data
    assert [each["action"] for each in told["files"]] == ["replace", "keep", "replace"]
    assert contents(config / PLACE) == {**shipped(), "data.json": b'{"mine": 1}'}


def test_nothing_is_written_where_it_must_not(run: Run, vault: Path, config: Path, tmp_path: Path) -> None:
    assert run("plugin", "polish").code == 2
    assert run("plugin", "install", "--yes", MNEMEX_READ_ONLY="true").code == 1
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (config / "plugins").symlink_to(elsewhere)
    assert run("plugin", "install", "--yes").code == 1
    assert not list(elsewhere.iterdir())


def test_status_says_what_the_vault_has_and_writes_nothing(run: Run, vault: Path, config: Path) -> None:
    before = contents(vault)
    assert "mnemex plugin install" in run("plugin", "status").out
    assert contents(vault) == before
    run("plugin", "install", "--yes")
    assert "not switched on" in run("plugin", "status").out
    (config / "community-plugins.json").write_text('\ufeff["other", "mnemex-vault"]')
    told = run("plugin", "status", "--json", MNEMEX_READ_ONLY="true").data
    assert (told["enabled"], told["found"] == told["version"], told["written"]) == (True, True, False)
    (config / "community-plugins.json").write_text('["mnemex-va')
    (config / PLACE / "main.js").write_text("older")
    assert "brings it up to date" in run("plugin", "status").out
    assert run("plugin", "status", "--json").data["enabled"] is False


def test_it_is_taken_out_after_asking_and_its_settings_stay(run: Run, vault: Path, config: Path) -> None:
    run("plugin", "install", "--yes")
    (config / PLACE / "data.json").write_text('{"mine": 1}')
    there = contents(config)
    assert run("plugin", "remove").code == 2
    assert "Nothing was removed" in run("plugin", "remove", typed="n\n", terminal=True).out
    assert "Nothing was removed" in run("plugin", "remove", "--dry-run").out
    assert contents(config) == there
    assert len(run("plugin", "remove", "--yes", "--json").data["removed"]) == 3
    assert contents(config / PLACE) == {"data.json": b'{"mine": 1}'}
    assert "Nothing was removed" in run("plugin", "remove").out


def test_another_plugin_in_that_folder_stays(run: Run, vault: Path, config: Path) -> None:
    (config / PLACE).mkdir(parents=True)
    (config / PLACE / "manifest.json").write_text('{"id": "other", "version": "1.0.0"}')
    (config / PLACE / "main.js").write_text("theirs")
    before = contents(vault)
    for action in ("install", "status", "remove"):
        assert run("plugin", action, "--yes").code == 1
    assert contents(vault) == before
