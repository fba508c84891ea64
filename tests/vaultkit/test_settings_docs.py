"""Page and example file are what the table makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.settings import TABLE, Settings, load
from mnemex_vault.settings.locations import parse_dotenv
from mnemex_vault.vaultkit.settings_docs import env_example, main, page

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "make"), [("docs/settings.md", page), (".env.example", env_example)])
def test_the_file_in_the_repository_is_up_to_date(name: str, make: object) -> None:
    assert callable(make)
    assert (ROOT / name).read_text(encoding="utf-8") == make()


def test_every_setting_is_on_the_page_and_in_the_example() -> None:
    assert all(f"| `{name}` |" in page() for name in TABLE)
    assert all(f"\n#MNEMEX_{name.upper()}=" in env_example() for name in TABLE)


def test_the_example_sets_nothing_and_uncommented_it_sets_the_defaults() -> None:
    assert parse_dotenv(env_example()) == {}
    lines = [line.removeprefix("#") for line in env_example().splitlines() if line.startswith("#MNEMEX_")]
    loaded = load(dotenv=parse_dotenv("\n".join(lines)))
    assert loaded.settings == Settings()
    assert not loaded.warnings


def test_the_command_prints_what_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env"]) == 0
    assert capsys.readouterr().out == env_example()
    assert main(["page"]) == 0
    assert capsys.readouterr().out == page()
    assert main([]) == 2
    assert capsys.readouterr().out == ""
