"""Where vault, state and configuration are found."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mnemex_vault.errors import ConfigError, VaultUnavailable
from mnemex_vault.settings import (
    find_vault,
    machine_zone_name,
    read_dotenv,
    remember_vault,
    remembered_vault,
    state_base,
    vault_state,
)
from mnemex_vault.settings.locations import Dotenv


def _folder(parent: Path, name: str) -> Path:
    path = parent / name
    path.mkdir()
    return path


def test_the_option_goes_before_the_environment_and_that_before_the_remembered_vault(tmp_path: Path) -> None:
    option, ours, inherited, remembered = (_folder(tmp_path, name) for name in ("option", "ours", "inherited", "last"))
    environ = {"LTM_VAULT_PATH": str(inherited), "MNEMEX_VAULT_PATH": str(ours)}
    assert find_vault(option, environ, remembered) == option
    assert find_vault(None, environ, remembered) == ours
    assert find_vault("", environ | {"MNEMEX_VAULT_PATH": " "}, remembered) == inherited
    assert find_vault(None, {}, remembered) == remembered


def test_without_any_vault_the_error_says_how_to_name_one() -> None:
    with pytest.raises(ConfigError, match=r"--vault FOLDER.*MNEMEX_VAULT_PATH.*mnemex init"):
        find_vault(None, {}, None)


def test_a_vault_that_is_a_file_or_missing_is_unavailable(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(VaultUnavailable, match="is not a folder"):
        find_vault(file, {}, None)
    with pytest.raises(VaultUnavailable, match="no such folder"):
        find_vault(tmp_path / "missing", {}, None)


def test_a_relative_vault_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _folder(tmp_path, "Notizen ü")
    monkeypatch.chdir(tmp_path)
    assert find_vault("Notizen ü", {}, None) == tmp_path / "Notizen ü"


def test_a_remembered_vault_is_found_again_and_replaced_by_the_next(tmp_path: Path) -> None:
    base = tmp_path / "state"
    assert remembered_vault(base) is None
    for name in ("One vault", "zwei\nzeilig"):
        remember_vault(base, tmp_path / name)
        assert remembered_vault(base) == tmp_path / name
    assert [path.name for path in base.iterdir()] == ["default-vault"]


def test_the_state_folder_is_private_and_one_for_each_real_vault(tmp_path: Path) -> None:
    base = tmp_path / "deep" / "state"
    vault, other = _folder(tmp_path, "vault"), _folder(tmp_path, "other")
    link = tmp_path / "link"
    link.symlink_to(vault)
    state = vault_state(base, vault)
    assert state == vault_state(base, link)
    assert state != vault_state(base, other)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert stat.S_IMODE(base.stat().st_mode) == 0o700


def test_a_state_folder_inside_the_vault_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="lies in the vault"):
        vault_state(tmp_path / "state", tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_state_path_of_the_environment_is_taken() -> None:
    assert state_base({"MNEMEX_STATE_PATH": "/var/state"}) == Path("/var/state")
    assert state_base({"MNEMEX_STATE_PATH": "~/state"}) == Path.home() / "state"
    assert state_base({}).name == "mnemex"


def test_our_own_dotenv_goes_before_the_working_folders(tmp_path: Path) -> None:
    working, config = _folder(tmp_path, "working"), _folder(tmp_path, "config")
    environ = {"XDG_CONFIG_HOME": str(config)}
    assert read_dotenv(environ, working_folder=working).path is None
    (working / ".env").write_text("A=1\n")
    found = read_dotenv(environ, working_folder=working)
    assert (dict(found.values), found.own) == ({"A": "1"}, False)
    _folder(config, "mnemex")
    (config / "mnemex" / ".env").write_text("A=2\n")
    found = read_dotenv(environ, working_folder=working)
    assert (dict(found.values), found.own) == ({"A": "2"}, True)


def test_our_own_dotenv_that_is_no_text_is_an_error_and_a_foreign_one_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff\n")
    assert read_dotenv({"XDG_CONFIG_HOME": str(tmp_path)}, working_folder=tmp_path).path is None
    (_folder(tmp_path, "mnemex") / ".env").write_bytes(b"A=\xff\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_dotenv({"XDG_CONFIG_HOME": str(tmp_path)}, working_folder=tmp_path)


def test_the_name_of_the_computers_zone_comes_from_tz_or_the_link(tmp_path: Path) -> None:
    zone = tmp_path / "zoneinfo" / "Europe"
    zone.mkdir(parents=True)
    (zone / "Berlin").touch()
    link = tmp_path / "localtime"
    link.symlink_to(zone / "Berlin")
    assert machine_zone_name({}, localtime=link) == "Europe/Berlin"
    assert machine_zone_name({"TZ": ":Asia/Tokyo"}, localtime=link) == "Asia/Tokyo"
    assert machine_zone_name({"TZ": "CET-1CEST"}, localtime=link) == "Europe/Berlin"
    assert machine_zone_name({}, localtime=tmp_path / "missing") is None


def test_a_working_folder_that_cannot_be_looked_into_is_passed_over(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert read_dotenv(environ, working_folder=tmp_path / ("x" * 300)) == Dotenv()
