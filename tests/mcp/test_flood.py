"""A client that sends many calls at once and takes some of them back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.text.note import Note, NoteKind
from tests.mcp.piped import Pipe, dispose, empty_folder, surroundings_in
from tests.waiting import PATIENCE


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    pipe = Pipe(empty_folder(tmp_path), surroundings_in(tmp_path))
    yield pipe
    dispose(pipe)


def message(number: int) -> dict[str, Any]:
    if number % 2:
        return {"name": "search_memory", "arguments": {"query": f"fact {number}"}}
    return {"name": "save_memory", "arguments": {"content": f"Fact {number} of the flood. " + "word " * 50 + "end"}}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("I7")
def test_every_call_of_a_flood_is_answered_or_taken_back_and_none_is_half_done(
    pipe: Pipe, tmp_path: Path, storms: bool
) -> None:
    pipe.greet()
    numbers = range(100, 1_100 if storms else 300)
    cancelled = {number for number in numbers if number % 3 == 0}
    for number in numbers:
        call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": message(number)}
        pipe.send(json.dumps(call).encode())
        if number in cancelled:
            stop = {"method": "notifications/cancelled", "params": {"requestId": number}}
            pipe.send(json.dumps({"jsonrpc": "2.0", **stop}).encode())
    answers: dict[int, dict[str, Any]] = {}
    while not set(numbers) - cancelled <= answers.keys():
        answer = pipe.answer()
        answers[answer["id"]] = answer
    # it serves on; what was taken back may still be answered
    pipe.request("ping")
    while pipe.answer().get("id") in cancelled:
        continue
    for number in set(numbers) - cancelled:
        assert answers[number]["result"]["isError"] is False, answers[number]
    pipe.stdin.close()
    pipe.process.wait(timeout=PATIENCE)
    notes = [Note.parse(path.name, path.read_bytes()) for path in (tmp_path / "vault").rglob("*.md")]
    assert all(note.kind is NoteKind.MEMORY and note.content.endswith("word end") for note in notes)
    saves = {number for number in numbers if number % 2 == 0}
    assert len(saves - cancelled) <= len(notes) <= len(saves)
    assert [path for path in (tmp_path / "vault").rglob("*") if path.is_file() and path.suffix != ".md"] == []
