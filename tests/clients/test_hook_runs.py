from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App
from mnemex_vault.clients.hook_runs import HookCall, brief, count_after_answer, keep_before_compaction
from mnemex_vault.memories.draft import Draft


class Transcript:
    """A conversation as Claude Code writes it down."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        path.write_text('{"type":"summary"}\nnot json\n', "utf-8")

    def add(self, role: str, content: object, **more: object) -> None:
        record = {"type": role, "message": {"role": role, "content": content}, **more}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def says(self, text: str) -> None:
        self.add("user", text)

    def answers(self, text: str) -> None:
        self.add("assistant", [{"type": "text", "text": text}])

    def calls(self, tool: str, result: str, **arguments: object) -> None:
        self.number += 1
        call = {"type": "tool_use", "id": f"t{self.number}", "name": f"mcp__mnemex__{tool}", "input": arguments}
        self.add("assistant", [call])
        content = [{"type": "text", "text": result}]
        self.add("user", [{"type": "tool_result", "tool_use_id": f"t{self.number}", "content": content}])

    @property
    def call(self) -> HookCall:
        facts: dict[str, Any] = {"session_id": "s1", "transcript_path": str(self.path), "cwd": "/home/zoe/Atlas"}
        return HookCall.of(json.dumps(facts))


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "transcript.jsonl")


def save(app: App, content: str) -> str:
    return app.collection.save(Draft(content=content)).memory.id


def uses(app: App, memory_id: str) -> int:
    return app.store.usage(app.store.memory_entry(memory_id)).use_count


def test_recalled_memories_whose_words_are_in_the_answer_are_counted_once(app: App, transcript: Transcript) -> None:
    nuts = save(app, "Anna is allergic to walnuts and hazelnuts.")
    opera = save(app, "Anna loves the opera in Verona.")
    transcript.says("What shall I cook for Anna?")
    transcript.calls("search_memory", f"2 of 2 matches.\n1. [{nuts}] Nuts (x)\n   a\n2. [{opera}] Opera (x)\n   b")
    transcript.answers("A mushroom risotto, without walnuts or hazelnuts.")
    assert count_after_answer(app, transcript.call) == [nuts]
    assert (uses(app, nuts), uses(app, opera)) == (2, 1)
    assert count_after_answer(app, transcript.call) == []


def test_what_the_assistant_reports_itself_is_not_counted_twice(app: App, transcript: Transcript) -> None:
    nuts = save(app, "Anna is allergic to walnuts and hazelnuts.")
    transcript.says("What shall I cook?")
    transcript.calls("search_memory", f"1. [{nuts}] Nuts (x)")
    transcript.calls("observe_memory_usage", "ok", memory_ids=[nuts])
    transcript.answers("Nothing with walnuts and hazelnuts.")
    assert count_after_answer(app, transcript.call) == []


def test_what_the_brief_showed_counts_as_recalled(app: App, transcript: Transcript) -> None:
    tea = save(app, "Zoë drinks smoky Lapsang at breakfast.")
    assert tea in brief(app, transcript.call)
    transcript.says("What should I buy?")
    transcript.answers("Some more of your smoky Lapsang.")
    assert count_after_answer(app, transcript.call) == [tea]


def test_what_lasts_and_was_not_saved_is_kept_before_compaction(app: App, transcript: Transcript) -> None:
    transcript.says("Hi there! How does TCP work? Remember that I prefer tabs over spaces.")
    transcript.answers("It handshakes.")
    transcript.says("We decided to host Atlas in Paris.")
    transcript.calls("save_memory", "ok", content="Atlas is hosted in Paris.")
    transcript.answers("Noted.")
    assert len(keep_before_compaction(app, transcript.call)) == 1
    [entry] = app.store.catalog.memories()
    memory = app.store.memory(entry)
    assert memory.content == "Remember that I prefer tabs over spaces."
    assert (memory.project, memory.origin) == ("Atlas", "ai")
    assert keep_before_compaction(app, transcript.call) == []


def test_what_is_known_already_is_not_kept_again(app: App, transcript: Transcript) -> None:
    save(app, "I prefer tabs over spaces.")
    transcript.says("Remember: I prefer tabs over spaces!")
    assert keep_before_compaction(app, transcript.call) == []


def test_helpers_and_what_a_client_adds_are_no_part_of_the_conversation(app: App, transcript: Transcript) -> None:
    transcript.says("<system-reminder>Remember that I prefer tabs over spaces.</system-reminder>")
    transcript.add("user", "Remember that I prefer tabs over spaces.", isSidechain=True)
    assert keep_before_compaction(app, transcript.call) == []


def test_an_empty_vault_has_no_brief(app: App, transcript: Transcript) -> None:
    assert brief(app, transcript.call) == ""
