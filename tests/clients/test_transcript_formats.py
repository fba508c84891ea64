from __future__ import annotations

import json

import pytest

from mnemex_vault.clients.transcript import turns_of


def lines(*records: object) -> list[str]:
    return [json.dumps(record) for record in records]


def codex(kind: str, **payload: object) -> dict[str, object]:
    return {"timestamp": "2026-11-30T10:00:00Z", "type": kind, "payload": payload}


SAID = codex("event_msg", type="user_message", message="What shall I cook?")
SAID_TO_A_NEWER = codex(
    "event_msg",
    type="item_completed",
    item={"type": "UserMessage", "content": [{"type": "text", "text": "What shall I cook?", "text_elements": []}]},
)


@pytest.mark.parametrize(
    ("namespace", "said"), [(None, SAID), ("mcp__mnemex", SAID_TO_A_NEWER), ("mcp__mnemex__", SAID)]
)
def test_a_rollout_of_codex_is_read(namespace: str | None, said: dict[str, object]) -> None:
    tool = {"namespace": namespace, "name": "search_memory"} if namespace else {"name": "mcp__mnemex__search_memory"}
    [turn] = turns_of(
        lines(
            codex("session_meta", id="s", cwd="/x"),
            codex(
                "response_item",
                type="message",
                role="user",
                content=[{"type": "input_text", "text": "<environment_context>I live here</environment_context>"}],
            ),
            said,
            codex("event_msg", type="item_completed", item={"type": "AgentMessage", "content": []}),
            codex("event_msg", type="item_completed", item=None),
            codex("response_item", type="function_call", call_id="c1", arguments='{"query": "food"}', **tool),
            codex("response_item", type="function_call_output", call_id="c1", output="1. [k7q2x4dhw9] Nuts (x)"),
            codex("response_item", type="reasoning", summary=[]),
            codex(
                "response_item",
                type="message",
                role="assistant",
                content=[{"type": "output_text", "text": "A risotto."}],
            ),
        )
    )
    assert (turn.said, turn.answer, turn.recalled) == ("What shall I cook?", ["A risotto."], ["k7q2x4dhw9"])


def test_a_use_that_codex_reports_itself_is_known() -> None:
    call = codex(
        "response_item",
        type="function_call",
        name="mcp__mnemex__observe_memory_usage",
        call_id="c1",
        arguments='{"memory_ids": ["k7q2x4dhw9"]}',
    )
    broken = codex("response_item", type="function_call", name="mcp__mnemex__touch_memory", call_id="c2", arguments="{")
    [turn] = turns_of(lines(codex("event_msg", type="user_message", message="Hi"), call, broken))
    assert "k7q2x4dhw9" in turn.reported


def test_a_transcript_of_cursor_is_read() -> None:
    [turn] = turns_of(
        lines(
            {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>\nI prefer tabs\n</user_query>"}]}},
            {"role": "assistant", "message": {"content": [{"type": "text", "text": "Noted."}]}},
        )
    )  # fmt: skip
    assert (turn.said, turn.answer) == ("I prefer tabs", ["Noted."])


@pytest.mark.parametrize(
    "record", [{}, {"message": "x"}, {"payload": {}}, {"payload": {"type": "message"}}, {"payload": 1}]
)
def test_other_lines_say_nothing(record: dict[str, object]) -> None:
    assert turns_of(lines(record, {"type": "response_item", "payload": {"type": "message", "role": "assistant"}})) == []
