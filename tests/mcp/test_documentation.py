"""The page on the tools is true: every example runs, every argument and key is named, and no other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import anyio
import pytest
from mcp.types import Tool as ListedTool

from mnemex_vault.app import App
from tests.mcp.talking import Talk

PAGE = (Path(__file__).parents[2] / "docs/tools.md").read_text(encoding="utf-8")
EXAMPLES: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| .* \| `(\{.*\})` \|$", PAGE, re.MULTILINE))
NOTE = """---
origin: ai
pinned: false
created: 2026-11-20T12:00:00
last_used: 2026-11-20T12:00:00
use_count: 1
strength: 1
memory_id: {memory_id}
---
{content}
"""


def full(talk: Talk) -> list[ListedTool]:
    """Give all tools, also those that the settings leave out."""

    return anyio.run(talk.server.all_tools)


def section(tool: str, begin: str) -> str:
    found = re.search(rf"^### `{tool}`\n\n.*?^({begin} .*?)\n(?:\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, (tool, begin)
    return found[1]


def names(text: str) -> set[str]:
    """Give the names at the top level of a sentence, without what stands in brackets."""
    while re.search(r"\([^()]*\)", text):
        text = re.sub(r"\([^()]*\)", "", text)
    return set(re.findall(r"`(\w+)`", text.split(". ")[0]))


@pytest.fixture
def furnished(vault: Path, app: App) -> Path:
    short = vault / "Memories/Short-term"
    short.mkdir(parents=True)
    (short / "One.md").write_text(NOTE.format(memory_id="k7q2x4dhw9", content="Zoë prefers TypeScript."), "utf-8")
    (short / "Two.md").write_text(
        NOTE.format(memory_id="m3v8r1tq5z", content="Zoë lives in Bonn.").replace(
            "pinned", 'supports:\n  - "[[One]]"\npinned'
        ),
        "utf-8",
    )
    archive = vault / "Memories/Archive/2026"
    archive.mkdir(parents=True)
    (archive / "Three.md").write_text(NOTE.format(memory_id="t5w9c2hx7b", content="Zoë had a cat."), "utf-8")
    (vault / "Projects").mkdir()
    (vault / "Projects/Garden.md").write_text("The balcony garden.\n", "utf-8")
    app.follow(None)
    return vault


@pytest.mark.parametrize("tool", EXAMPLES)
def test_the_example_of_every_tool_runs(furnished: Path, talk: Talk, tool: str) -> None:
    if tool == "undo":
        talk.call("save_memory", content="Something to take back.")
    assert talk.call(tool, **json.loads(EXAMPLES[tool]))


def test_every_tool_has_an_example(talk: Talk) -> None:
    assert {tool.name for tool in full(talk)} == set(EXAMPLES)


def test_every_argument_and_key_is_named(talk: Talk) -> None:
    for tool in full(talk):
        assert tool.output_schema is not None
        assert names(section(tool.name, "Takes")) == set(tool.input_schema["properties"]), tool.name
        # what every answer may have is told once, above
        assert names(section(tool.name, "Answers")) == set(tool.output_schema["properties"]) - {"notice"}, tool.name


def test_the_keys_of_results_are_named(talk: Talk) -> None:
    listed = {each.name: each.output_schema or {} for each in talk.listing()}
    found = set(listed["search_memory"]["$defs"]["FoundNote"]["properties"])
    text = section("search_memory", "A result has").replace(";", ",")
    assert set(re.findall(r"`(\w+)`", text)) == found - {"section"}
    opened = set(listed["open_memories"]["$defs"]["OpenedNote"]["properties"])
    assert names(section("open_memories", "A memory has")) == opened
