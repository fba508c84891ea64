"""Which vault is meant when none is named, and how a person chooses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, contents


def vaults(parent: Path, *names: str) -> list[Path]:
    found = [parent / name for name in names]
    for each in found:
        (each / ".obsidian").mkdir(parents=True)
    return found


def test_option_environment_folder_and_choice_go_before_each_other_in_this_order(
    bare_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, named, around, chosen = vaults(tmp_path, "option", "named", "around", "chosen")
    (around / "Deep/er").mkdir(parents=True)
    assert bare_run("use").code == 1
    assert bare_run("use", str(chosen)).code == 0
    assert bare_run("use", "--json").data == {"vault": str(chosen), "by": "mnemex use", "chosen": None}
    monkeypatch.chdir(around / "Deep/er")
    assert bare_run("use", "--json").data["vault"] == str(around)
    assert "the working folder" in bare_run("use").out
    told = bare_run("use", "--json", MNEMEX_VAULT_PATH=str(named)).data
    assert (told["vault"], told["by"]) == (str(named), "MNEMEX_VAULT_PATH")
    assert bare_run("status", "--json", "--vault", str(option), MNEMEX_VAULT_PATH=str(named)).data["vault"] == str(
        option
    )


def test_the_choice_lies_in_the_configuration_folder_and_survives_a_lost_state(
    bare_run: Run, tmp_path: Path, environ: dict[str, str]
) -> None:
    (vault,) = vaults(tmp_path, "Notes")
    bare_run("use", str(vault))
    assert list(contents(Path(environ["XDG_CONFIG_HOME"]))) == ["mnemex/default-vault"]
    assert bare_run("use", "--json", MNEMEX_STATE_PATH=str(tmp_path / "another")).data["vault"] == str(vault)


def test_init_chooses_as_well(bare_run: Run, vault: Path) -> None:
    assert bare_run("init", str(vault), "--yes").code == 0
    assert bare_run("use", "--json").data["vault"] == str(vault)


@pytest.mark.parametrize("name", ["plain", "missing", ""])
def test_what_is_no_vault_is_not_chosen(name: str, bare_run: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    outcome = bare_run("use", str(tmp_path / name) if name else "")
    assert outcome.code != 0
    assert bare_run("use").code == 1


def test_a_choice_that_the_environment_overrides_says_so(bare_run: Run, tmp_path: Path) -> None:
    chosen, named = vaults(tmp_path, "chosen", "named")
    outcome = bare_run("use", str(chosen), MNEMEX_VAULT_PATH=str(named))
    assert outcome.code == 0
    assert f"MNEMEX_VAULT_PATH names another vault, {named}" in outcome.err
