"""The examples and prompts of the documentation are what the program writes and reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemex_vault.clients.connecting import FULL, SHORT
from mnemex_vault.clients.entries import Server, with_server
from mnemex_vault.clients.places import ClientName
from mnemex_vault.memories.vocabulary import additions
from mnemex_vault.settings import load
from mnemex_vault.text.frontmatter import read

DOCS = Path(__file__).parents[1] / "docs"
SERVER = Server(name="mnemex", command="/home/you/.local/bin/mnemex", args=["serve", "--vault", "/home/you/Notes"])


@pytest.mark.parametrize(
    ("name", "client"),
    [
        ("claude-desktop.json", ClientName.CLAUDE_DESKTOP),
        ("vscode-mcp.json", ClientName.VSCODE),
        ("zed-settings.json", ClientName.ZED),
        ("codex.toml", ClientName.CODEX),
    ],
)
def test_an_example_of_a_client_is_what_connect_writes(name: str, client: ClientName) -> None:
    assert (DOCS / "examples" / name).read_text("utf-8") == with_server(client, "", SERVER)


def test_the_example_of_settings_has_no_problem() -> None:
    loaded = load(note=read((DOCS / "examples/settings.md").read_text("utf-8")))
    assert (loaded.problems, loaded.warnings) == ((), ())
    assert loaded.settings.preset == "decisions"


def test_the_example_of_words_names_every_list_and_no_other() -> None:
    text = (DOCS / "examples/words.md").read_text("utf-8")
    found = additions(read(text))
    assert found.problems == ()
    assert found.topics == {"bees": ("hive", "honey", "varroa")}
    named = re.findall(r"`(\w+)`", text.split("The lists are named")[1].split(";")[0])
    assert additions({name: ["x"] for name in named}).problems == ()


@pytest.mark.parametrize(("length", "text"), [("short", SHORT), ("full", FULL)])
def test_the_prompts_are_what_the_command_prints(length: str, text: str) -> None:
    page = (DOCS / f"prompts/system-prompt-{length}.md").read_text("utf-8")
    assert f"```text\n{text}\n```" in page
