"""A conversation as a transcript file has it, of any client: who said what, which tools of ours were called."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

# One line of a transcript, as Claude Code, Cursor or Codex writes it, as the same message.


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


# A conversation of Claude Code as its transcript file has it: who said what, which tools of ours were called.

_OURS = re.compile(r"mcp__[\w-]*mnemex[\w-]*__(\w+)")
_READING = frozenset({"search_memory", "search_unified", "open_memories"})
_REPORTING = frozenset({"observe_memory_usage", "touch_memory"})
_LISTED_ID = re.compile(r"^(?:\d+\. |- )?\[([A-Za-z0-9_-]{1,64})\] |\"id\": ?\"([A-Za-z0-9_-]{1,64})\"", re.MULTILINE)
# what a client puts into a person's turn by itself
_NOT_SAID = re.compile(r"<(system-reminder|command-\w+|local-command-\w+|attached_files)>.*?</\1>", re.DOTALL)
_FRAME = re.compile(r"</?user_query>")


@dataclass(slots=True)
class Turn:
    """What a person said and everything up to their next words.

    `recalled` are the ids that our tools showed, `reported` those whose use the assistant told us itself.
    """

    said: str = ""
    answer: list[str] = field(default_factory=list)
    recalled: list[str] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)
    saved: bool = False


def turns_of(lines: Iterable[str]) -> list[Turn]:
    """Return the turns of a transcript; lines that cannot be read say nothing."""
    turns = [Turn()]
    calls: dict[str, str] = {}
    for message in _messages(lines):
        said = _said(message)
        if said:
            turns.append(Turn(said=said))
        for block in _blocks(message):
            _take(turns[-1], block, calls, by_assistant=message.get("role") == "assistant")
    return [turn for turn in turns if turn.said or turn.answer or turn.recalled]


def listed_ids(text: str) -> list[str]:
    """Return the ids that an answer of ours lists, as text or as JSON.

    >>> listed_ids('1. [k7q2x4dhw9] Title (facts)'), listed_ids('{"id": "k7q2x4dhw9"}')
    (['k7q2x4dhw9'], ['k7q2x4dhw9'])
    """
    return list(dict.fromkeys(match[1] or match[2] for match in _LISTED_ID.finditer(text)))


def _messages(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        # what a helper of the assistant does is no part of the conversation
        if isinstance(record, dict) and not record.get("isSidechain") and not record.get("isMeta"):
            message = message_of(record)
            if message is not None:
                yield message


def _said(message: Mapping[str, Any]) -> str:
    if message.get("role") != "user":
        return ""
    content = message.get("content")
    texts = [content] if isinstance(content, str) else [_text(block) for block in _blocks(message)]
    return _FRAME.sub("", _NOT_SAID.sub("", "\n".join(text for text in texts if text))).strip()


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(block: Mapping[str, Any]) -> str:
    text = block.get("text") if block.get("type") == "text" else None
    return text if isinstance(text, str) else ""


def _take(turn: Turn, block: Mapping[str, Any], calls: dict[str, str], *, by_assistant: bool) -> None:
    match block.get("type"):
        case "text" if by_assistant:
            turn.answer.append(_text(block))
        case "tool_use":
            _take_call(turn, block, calls)
        case "tool_result" if calls.get(str(block.get("tool_use_id"))) in _READING:
            turn.recalled += listed_ids(_result_text(block))


def _take_call(turn: Turn, block: Mapping[str, Any], calls: dict[str, str]) -> None:
    name = _OURS.fullmatch(str(block.get("name")))
    if name is None:
        return
    calls[str(block.get("id"))] = name[1]
    arguments = block.get("input")
    given = arguments if isinstance(arguments, dict) else {}
    turn.saved = turn.saved or name[1] == "save_memory"
    if name[1] in _REPORTING:
        turn.reported |= {str(given.get("memory_id"))} | set(_ids(given.get("memory_ids")))
    turn.reported |= set(_ids(given.get("used_ids")))


def _ids(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _result_text(block: Mapping[str, Any]) -> str:
    content = block.get("content")
    return content if isinstance(content, str) else "\n".join(_text(part) for part in _blocks(block))
