"""One line of a transcript, as Claude Code, Cursor or Codex writes it, as the same message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def message_of(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return a message with `role` and `content` blocks, None for a line that is no part of the conversation.

    >>> message_of({"role": "user", "message": {"content": "Hi"}})
    {'content': 'Hi', 'role': 'user'}
    >>> message_of({"type": "event_msg", "payload": {"type": "user_message", "message": "Hi"}})
    {'role': 'user', 'content': 'Hi'}
    """
    payload = record.get("payload")
    if isinstance(payload, dict):
        return _of_codex(str(record.get("type")), payload)
    message = record.get("message")
    if not isinstance(message, dict):
        return None
    # Cursor writes the role beside the message
    return message if "role" in message else {**message, "role": record.get("role")}


def _of_codex(kind: str, payload: Mapping[str, Any]) -> Mapping[str, Any] | None:
    match kind, payload.get("type"):
        case "event_msg", "user_message":
            # the person's own words; the items of the request hold files and surroundings as well
            return {"role": "user", "content": payload.get("message")}
        case "event_msg", "item_completed":
            # so newer versions write them
            return _of_item(payload.get("item"))
        case "response_item", "message" if payload.get("role") == "assistant":
            return {"role": "assistant", "content": _texts(payload.get("content"))}
        case "response_item", "function_call":
            return {"role": "assistant", "content": [_call(payload)]}
        case "response_item", "function_call_output":
            block = {"type": "tool_result", "tool_use_id": payload.get("call_id"), "content": payload.get("output")}
            return {"role": "user", "content": [block]}
    return None


def _of_item(item: object) -> Mapping[str, Any] | None:
    if not isinstance(item, dict) or item.get("type") != "UserMessage":
        return None
    return {"role": "user", "content": _texts(item.get("content"))}


def _texts(content: object) -> list[dict[str, object]]:
    blocks = content if isinstance(content, list) else []
    return [{"type": "text", "text": block.get("text")} for block in blocks if isinstance(block, dict)]


def _call(payload: Mapping[str, Any]) -> dict[str, object]:
    try:
        arguments = json.loads(payload.get("arguments") or "{}")
    except (ValueError, TypeError):
        arguments = {}
    # newer versions part the server from the tool
    parts = [str(payload.get(key) or "") for key in ("namespace", "name")]
    name = "__".join(filter(None, (part.rstrip("_") for part in parts)))
    return {"type": "tool_use", "id": payload.get("call_id"), "name": name, "input": arguments}
