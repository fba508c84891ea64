"""A vault full of strange notes: every command gets through, and no note of somebody else changes."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver, contents
from tests.conftest import StandingClock

ODD = json.loads((Path(__file__).parents[1] / "vectors/odd-notes.json").read_text("utf-8"))


def data_of(note: dict[str, str]) -> bytes:
    return base64.b64decode(note["bytes_base64"]) if "bytes_base64" in note else note["text"].encode()


@pytest.fixture
def odd(vault: Path) -> dict[str, bytes]:
    """Fill the vault, also the short-term folder, and return what it holds."""
    for folder in ("", "Memories/Short-term/"):
        for note in ODD:
            place = vault / f"{folder}{note['name']}"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data_of(note))
    return contents(vault)


def test_every_command_gets_through_and_changes_no_foreign_note(
    run: Run, odd: dict[str, bytes], saved: Saver, clock: StandingClock, vault: Path
) -> None:
    memory_id = saved()
    clock.advance(days=90)
    assert run("doctor", "--accept-clock").code == 0
    for command in (
        ["search", "film", "--all", "--verbose", "--limit", "100"],
        ["search", "--all", "--limit", "100"],
        ["status"],
        ["doctor"],
        ["gc", "--apply"],
        ["restore", memory_id],
        ["touch", memory_id, "--boost"],
        ["promote", memory_id, "--force"],
        ["reindex"],
        ["history"],
        ["try"],
        ["init", "--yes"],
    ):
        for form in ([], ["--json"]):
            outcome = run(*command, *form)
            if command[0] not in ("restore", "promote") or not form:
                assert (outcome.code, outcome.err) == (0, ""), command
    after = contents(vault)
    assert {path: after[path] for path in odd} == odd


def test_every_note_that_can_be_found_can_be_shown(run: Run, odd: dict[str, bytes]) -> None:
    found = run("search", "--all", "--limit", "100", "--json").data["results"]
    assert len(found) > 10
    for each in found:
        (shown,) = run("show", each["id"], "--json").data["memories"]
        assert shown["path"] == each["path"]


def test_a_note_that_was_changed_a_moment_ago_is_left_alone_but_the_use_counts(
    run: Run, saved: Saver, clock: StandingClock, vault: Path
) -> None:
    memory_id = saved()
    note = vault / "Memories/Short-term/Anna plays the cello on Mondays.md"
    clock.advance(days=3)
    note.write_text(note.read_text("utf-8") + "And on Fridays.\n", "utf-8")
    os.utime(note, (clock().timestamp(), clock().timestamp()))
    before = contents(vault)
    assert "was changed a moment ago" in run("touch", memory_id).out
    assert contents(vault) == before
    assert "1 use to be written when the notes are quiet." in run("status").out
    clock.advance(seconds=15)
    assert "to be written" not in run("status").out
    assert "use_count: 2\n" in note.read_text("utf-8")
