"""One message as a client sends it: taken whole and unambiguous, or answered with what is wrong with it.

The SDK drops what it cannot read, and takes a request whose id it cannot read for a notification: its sender would
wait for an answer that never comes.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

from mnemex_vault.mcp.stdio import LONGEST_LINE

logger = logging.getLogger(__name__)

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NO_MESSAGE = (
    'a message is one JSON object with jsonrpc "2.0", a method, params that are an object, and for a request an id '
    "that is a text or a whole number"
)
_STRING = r'"(?:[^"\\]|\\.)*+"'
# a quote that nothing closes ends what can be told apart
_TOKEN = re.compile(rf'{_STRING}|[\[{{]++|[\]}}]++|"', re.DOTALL)
_MEMBER = re.compile(rf"\s*+:(?:\s*+({_STRING}|-?\d[\d.eE+-]*+)\s*+[,}}])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Frame:
    """What came: the text of a message, or the answers that its sender is owed because it is none."""

    text: str | None
    answers: Sequence[str] = ()


class _Broken(Exception):
    def __init__(self, code: int, reason: str, ids: Iterable[object] = ()) -> None:
        super().__init__(reason)
        self.code = code
        self.ids = ids

    def answers(self) -> list[str]:
        told = {"code": self.code, "message": str(self)}
        ids = [each for each in self.ids if _is_id(each)] or [None]
        return [json.dumps({"jsonrpc": "2.0", "id": each, "error": told}) for each in ids]


def read_frame(raw: bytes) -> Frame:
    """Return one message without a byte order mark, or what to answer to what is no JSON, no JSON-RPC, or a batch."""
    raw = raw.removeprefix(_BYTE_ORDER_MARK)
    try:
        _check(_parsed(raw))
    except _Broken as broken:
        logger.warning("what the client sent was refused: %s", broken)
        return Frame(None, broken.answers())
    return Frame(raw.decode())


def _parsed(raw: bytes) -> Any:
    if len(raw) > LONGEST_LINE:
        raise _Broken(INVALID_REQUEST, f"a message has at most {LONGEST_LINE} bytes", _ids_in(raw))
    try:
        return from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise _Broken(PARSE_ERROR, f"this is no JSON: {error}", _ids_in(raw)) from None


def _check(message: Any) -> None:
    if isinstance(message, list):
        ids = [each.get("id") for each in message if _is_request(each)]
        raise _Broken(INVALID_REQUEST, "batches are not taken; send each message by itself", ids)
    ids = [message.get("id")] if _is_request(message) else []
    read = _validated(message)
    if read is None and ids and _validated({**message, "params": None}) is not None:
        raise _Broken(INVALID_PARAMS, _NO_MESSAGE, ids)
    if read is None or (isinstance(read, JSONRPCNotification) and "id" in message):
        raise _Broken(INVALID_REQUEST, _NO_MESSAGE, ids)


def _validated(message: object) -> JSONRPCMessage | None:
    try:
        return jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return None


def _is_request(message: object) -> bool:
    """Tell whether an id in it is the client's own: that of an answer is one of ours."""
    return isinstance(message, dict) and not message.keys() & {"result", "error"}


def _is_id(value: object) -> bool:
    """Tell whether a client may know its request again by this value, though no request should have a fraction."""
    if isinstance(value, str):
        return value == value.encode(errors="ignore").decode()
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _ids_in(raw: bytes) -> list[object]:
    """Return the ids of the requests in what is no JSON as a whole, as far as its objects can be told apart."""
    return [each.get("id") for each in _objects(raw.decode(errors="replace")) if _is_request(each)]


def _objects(text: str) -> Iterator[dict[str, object]]:
    """Give the outermost objects with their scalar values; of other values the name alone is known."""
    depth = 0
    members: dict[str, object] = {}
    for token in _TOKEN.finditer(text):
        found = token[0]
        if found == '"':
            break
        depth += len(found) if found[0] in "[{" else -len(found) if found[0] in "]}" else 0
        if not depth:
            yield members
            members = {}
        elif depth == 1 and (member := _MEMBER.match(text, token.end())):
            members[found[1:-1]] = _scalar(member[1])
    yield members


def _scalar(text: str | None) -> object:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None
