"""Where vault, state and configuration are found."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
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
    assert find_vault(None, {"LTM_VAULT_PATH": environ["LTM_VAULT_PATH"]}, remembered) == inherited
    assert find_vault(None, {}, remembered) == remembered


@pytest.mark.parametrize("blank", ["", " ", "\t"])
def test_an_empty_text_is_no_name_of_a_vault_and_nothing_is_taken_in_its_place(tmp_path: Path, blank: str) -> None:
    with pytest.raises(ConfigError, match="--vault"):
        find_vault(blank, {"MNEMEX_VAULT_PATH": str(tmp_path)}, tmp_path)
    for variable in ("MNEMEX_VAULT_PATH", "LTM_VAULT_PATH"):
        with pytest.raises(ConfigError, match=variable):
            find_vault(None, {variable: blank}, tmp_path)
        assert find_vault(tmp_path, {variable: blank}, None) == tmp_path
    with pytest.raises(ConfigError):
        open_app(blank).__enter__()


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


def test_a_state_folder_inside_the_vault_is_refused_also_through_a_link(tmp_path: Path) -> None:
    vault = _folder(tmp_path, "vault")
    (tmp_path / "link").symlink_to(vault)
    for base in (vault, vault / "state", tmp_path / "link" / "state", vault / "a" / ".." / "b"):
        with pytest.raises(ConfigError, match="lies in the vault"):
            vault_state(base, vault)
    assert not list(vault.iterdir())


@pytest.mark.row("C4")
def test_a_link_in_place_of_the_state_folder_is_refused_and_nothing_is_put_where_it_leads(tmp_path: Path) -> None:
    vault, elsewhere = _folder(tmp_path, "vault"), _folder(tmp_path, "elsewhere")
    (tmp_path / "base").symlink_to(elsewhere)
    with pytest.raises(ConfigError, match="is a link"):
        vault_state(tmp_path / "base", vault)
    with pytest.raises(ConfigError, match="is a link"):
        remember_vault(tmp_path / "base", vault)
    state = vault_state(tmp_path / "good", vault)
    state.rmdir()
    state.symlink_to(elsewhere)
    with pytest.raises(ConfigError, match="is a link"):
        open_app(vault, environ={"MNEMEX_STATE_PATH": str(tmp_path / "good")}).__enter__()
    assert not list(elsewhere.iterdir())


@pytest.mark.row("C4")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")
def test_a_state_folder_of_someone_else_is_refused(tmp_path: Path) -> None:
    vault = _folder(tmp_path, "vault")
    os.chown(vault_state(tmp_path / "base", vault), 65_534, 65_534)
    with pytest.raises(ConfigError, match="belongs to another user"):
        vault_state(tmp_path / "base", vault)


@pytest.mark.row("C4", "S18")
def test_a_state_folder_that_others_may_enter_is_tightened(tmp_path: Path) -> None:
    vault = _folder(tmp_path, "vault")
    vault_state(tmp_path / "base", vault).chmod(0o755)
    assert stat.S_IMODE(vault_state(tmp_path / "base", vault).stat().st_mode) == 0o700


def test_a_base_that_serves_other_purposes_keeps_its_mode(tmp_path: Path) -> None:
    vault = _folder(tmp_path, "vault")
    (tmp_path / "base").mkdir(mode=0o755)
    assert stat.S_IMODE(vault_state(tmp_path / "base", vault).stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "base").stat().st_mode) == 0o755


def test_a_base_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be made"):
        vault_state(tmp_path / "file", _folder(tmp_path, "vault"))


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
