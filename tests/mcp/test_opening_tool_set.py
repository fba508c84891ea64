"""What is listed before the vault is open is what the opened vault would list."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
from mnemex_vault.mcp.opening import early_tool_set

NOTE = "---\nmnemex: settings\n{property}---\n\nThis note says how many tools there are.\n"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where no .env lies."""
    monkeypatch.chdir(tmp_path)


def write(note: Path, text: str) -> None:
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(text, encoding="utf-8")


def test_without_settings_the_core_tools_are_listed(vault: Path, environ: dict[str, str]) -> None:
    assert early_tool_set(vault, environ, {}) == "core"


@pytest.mark.parametrize("source", ["environment", "inherited", "option", "dotenv"])
def test_what_decides_over_the_settings_note_is_enough(vault: Path, environ: dict[str, str], source: str) -> None:
    write(vault / "Memories/Settings.md", NOTE.format(property="tools: core\n"))
    options = {"tools": "full"} if source == "option" else {}
    more = {"environment": {"MNEMEX_TOOLS": "full"}, "inherited": {"STM_TOOLS": "full"}}.get(source, {})
    if source == "dotenv":
        write(Path(".env"), "MNEMEX_TOOLS=full\n")
    assert early_tool_set(vault, environ | more, options) == "full"
    with open_app(vault, environ=environ | more, options=options) as app:
        assert app.settings.tools == "full"


@pytest.mark.parametrize("place", ["Memories/Settings.md", "Gedächtnis/Einstellungen.md"])
@pytest.mark.parametrize("line", ["tools: full\n", '"TOOLS" : full\n', "tools: core\n"])
def test_a_settings_note_that_speaks_of_tools_has_to_be_read(
    vault: Path, environ: dict[str, str], place: str, line: str
) -> None:
    write(vault / place, NOTE.format(property=line))
    with open_app(vault, environ=environ):
        pass
    assert early_tool_set(vault, environ, {}) is None


def test_a_settings_note_that_does_not_leaves_the_core_tools(vault: Path, environ: dict[str, str]) -> None:
    for place in ("Memories/Settings.md", "Other.md"):
        write(vault / place, NOTE.format(property="preset: tidy\n"))
    with open_app(vault, environ=environ) as app:
        assert app.settings.tools == "core"
    assert early_tool_set(vault, environ, {}) == "core"


def test_what_cannot_be_read_is_left_to_the_opened_vault(vault: Path, environ: dict[str, str]) -> None:
    assert early_tool_set(vault, environ | {"MNEMEX_TOOLS": "most"}, {}) is None
    (vault / "Memories").mkdir()
    os.mkfifo(vault / "Memories/Settings.md")
    assert early_tool_set(vault, environ, {}) is None


def test_a_damaged_catalog_names_no_settings_note(vault: Path, environ: dict[str, str]) -> None:
    write(vault / "Settings.md", NOTE.format(property=""))
    with open_app(vault, environ=environ) as app:
        catalog = app.state / "index" / "catalog-v1.log"
    data = catalog.read_bytes()
    for damaged in (b"", data[:-20], data.replace(b"{", b"[")):
        catalog.write_bytes(damaged)
        assert early_tool_set(vault, environ, {}) == "core"
