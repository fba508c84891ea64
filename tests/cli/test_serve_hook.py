from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run, Saver


def test_the_brief_is_given_as_claude_code_takes_it(run: Run, saved: Saver) -> None:
    saved()
    outcome = run("hook", "session-start", typed='{"session_id": "s", "cwd": "/x/Atlas"}')
    told = json.loads(outcome.out)["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "Anna plays the cello" in told["additionalContext"]


def test_before_compaction_and_after_an_answer_nothing_is_said(run: Run, tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(
        json.dumps({"message": {"role": "user", "content": "Remember that I prefer tabs."}}) + "\n", "utf-8"
    )
    payload = json.dumps({"session_id": "s", "transcript_path": str(transcript)})
    assert run("hook", "pre-compact", typed=payload).out == ""
    assert run("hook", "stop", typed=payload).out == ""
    assert run("search", "tabs", "--json").data["count"] == 1


def test_a_failure_never_stops_the_client(run: Run, tmp_path: Path) -> None:
    for typed, vault in (("nonsense", None), ('{"transcript_path": "/nowhere"}', None), ("{}", tmp_path / "gone")):
        more = ("--vault", str(vault)) if vault else ()
        outcome = run("hook", "stop", *more, typed=typed)
        assert (outcome.code, outcome.out) == (0, "")


def test_the_brief_is_given_as_cursor_takes_it(run: Run, saved: Saver) -> None:
    saved()
    outcome = run("hook", "session-start", typed='{"conversation_id": "c", "workspace_roots": ["/x/Atlas"]}')
    assert "Anna plays the cello" in json.loads(outcome.out)["additional_context"]
