"""The written dialogues hold right calls: each is understood by the real server and does what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App
from mnemex_vault.memories.draft import Draft
from tests.mcp.talking import Talk

DIALOGUES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors/dialogues.json").read_text(encoding="utf-8")
)["dialogues"]


def filled(value: Any, ids: dict[str, str], app: App) -> Any:
    if isinstance(value, list):
        return [filled(item, ids, app) for item in value]
    if isinstance(value, str) and value.startswith("$etag:"):
        return app.store.memory_entry(ids[value.removeprefix("$etag:")]).etag
    return ids[value[1:]] if isinstance(value, str) and value.startswith("$") else value


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda each: str(each["name"]))
def test_every_call_of_a_dialogue_is_answered(app: App, talk: Talk, dialogue: dict[str, Any]) -> None:
    known = {name: app.collection.save(Draft(content=text)).memory.id for name, text in dialogue["known"].items()}
    for turn in dialogue["turns"]:
        for call in turn["calls"]:
            arguments = {name: filled(value, known, app) for name, value in call["arguments"].items()}
            answer = talk.call(call["tool"], **arguments)
            if call["tool"] == "save_memory":
                assert answer["hints"] == [], "a good memory stands alone"


def test_the_patterns_are_all_there() -> None:
    assert len(DIALOGUES) >= 30
    assert len({each["name"] for each in DIALOGUES}) == len(DIALOGUES)
    patterns = {each["pattern"] for each in DIALOGUES}
    assert {"auto-save", "auto-recall", "auto-observe", "auto-reinforce", "consolidation", "correction"} <= patterns
    quiet = [turn for each in DIALOGUES for turn in each["turns"] if not turn["calls"]]
    assert len(quiet) >= 8
