"""JSON as people keep it in configuration files, with comments and trailing commas, edited without moving a byte more.

`put` and `drop` change one member, `append` and `discard` one item of a list; everything else stays as it was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemex_vault.errors import ConfigError

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
# what may follow a value on its line and belongs to it
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\n\r]*|/\*[^\n]*?\*/[ \t]*(?=\r?\n))")
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """A value and where it stands; `parts` are the members or items of a container."""

    start: int
    end: int
    value: Any
    parts: list[Part] = field(default_factory=list)

    def part(self, key: str) -> Part | None:
        """Return the member of that name; of several the last, as parsers do."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


@dataclass(slots=True)
class Part:
    """A member of an object or an item of a list; `comma` is where the one behind it stands, if there is one."""

    start: int
    node: Node
    key: str | None = None
    comma: int | None = None


def parse(text: str) -> Node:
    """Return the value of a text; an empty one is an empty object. Raises ConfigError naming the line."""
    start = _skip(text, 0)
    if start == len(text):
        return Node(start, start, {})
    node = _value(text, start, 0)
    end = _skip(text, node.end)
    if end != len(text):
        raise _error(text, end)
    return node


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _error(text: str, at: int) -> ConfigError:
    return ConfigError([f"line {text.count(chr(10), 0, at) + 1} is not valid JSON"])


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise _error(text, at)
    if text[at : at + 1] in ("{", "["):
        return _container(text, at, depth)
    match = _STRING.match(text, at) or _SCALAR.match(text, at)
    if match is None:
        raise _error(text, at)
    try:
        return Node(at, match.end(), json.loads(match[0]))
    except ValueError as error:
        raise _error(text, at) from error


def _container(text: str, start: int, depth: int) -> Node:
    close = "}" if text[start] == "{" else "]"
    parts: list[Part] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != close:
        if parts and parts[-1].comma is None:
            raise _error(text, at)
        part = _member(text, at, depth) if close == "}" else Part(at, _value(text, at, depth + 1))
        parts.append(part)
        at = _skip(text, part.node.end)
        if text[at : at + 1] == ",":
            part.comma = at
            at = _skip(text, at + 1)
    whole: Any = [part.node.value for part in parts]
    if close == "}":
        whole = {part.key: part.node.value for part in parts}
    return Node(start, at + 1, whole, parts)


def _member(text: str, start: int, depth: int) -> Part:
    name = _STRING.match(text, start)
    colon = _skip(text, name.end()) if name else start
    if name is None or text[colon : colon + 1] != ":":
        raise _error(text, start)
    return Part(start, _value(text, _skip(text, colon + 1), depth + 1), key=json.loads(name[0]))


def put(text: str, path: Sequence[str], value: object) -> str:
    r"""Return the text with a member set; objects on the way to it are made.

    Raises ConfigError if one of them is something else.

    >>> put('{\n  // mine\n  "a": 1 // one\n}\n', ["b", "c"], True)
    '{\n  // mine\n  "a": 1, // one\n  "b": {\n    "c": true\n  }\n}\n'
    """
    if not text.strip("\ufeff \t\r\n"):
        return text.strip(" \t\r\n") + json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n"
    node = parse(text)
    for depth, key in enumerate(path):
        if not isinstance(node.value, dict):
            raise ConfigError([f"{'.'.join(path[:depth]) or 'it'} is not an object"])
        part = node.part(key)
        if part is None:
            return _insert(text, node, f"{json.dumps(key, ensure_ascii=False)}: ", _nested(path[depth + 1 :], value))
        node = part.node
    if node.value == value:
        return text
    return text[: node.start] + _written(text, value, _indent(text, node.start)) + text[node.end :]


def append(text: str, path: Sequence[str], item: object) -> str:
    """Return the text with an item at the end of a list, which is made if it is missing; one that is in stays."""
    node = _find(parse(text), path)
    if node is None:
        return put(text, path, [item])
    if not isinstance(node.value, list):
        raise ConfigError([f"{'.'.join(path)} is not a list"])
    return text if item in node.value else _insert(text, node, "", item)


def drop(text: str, path: Sequence[str]) -> str:
    """Return the text without a member; without a change if there is none."""
    owner = _find(parse(text), path[:-1])
    part = owner.part(path[-1]) if owner is not None and isinstance(owner.value, dict) else None
    return text if owner is None or part is None else _delete(text, owner, part)


def discard(text: str, path: Sequence[str], item: object) -> str:
    """Return the text without the items of a list that are equal to this one."""
    while True:
        owner = _find(parse(text), path)
        parts = owner.parts if owner is not None and isinstance(owner.value, list) else []
        part = next((part for part in parts if part.node.value == item), None)
        if owner is None or part is None:
            return text
        text = _delete(text, owner, part)


def without_emptied(text: str, before: str, base: str | None) -> str:
    """Return the text without lists and objects that are empty now, were not `before` and, if known, not in `base`."""
    had, wanted = parse(before), parse(base) if base is not None else None
    while True:
        emptied = (
            path
            for path in _empty(parse(text), ())
            if (old := _find(had, path)) is not None and old.value and (wanted is None or _find(wanted, path) is None)
        )
        path = next(emptied, None)
        if path is None:
            return text
        text = drop(text, path)


def _empty(node: Node, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the empty containers in objects, except the whole."""
    for part in node.parts:
        if part.key is not None:
            yield from _empty(part.node, (*path, part.key))
    if path and node.value in ({}, []):
        yield path


def value_at(text: str, path: Sequence[str]) -> Any:
    """Return the value of a member, None if there is none."""
    node = _find(parse(text), path)
    return None if node is None else node.value


def _find(node: Node, path: Sequence[str]) -> Node | None:
    for key in path:
        part = node.part(key) if isinstance(node.value, Mapping) else None
        if part is None:
            return None
        node = part.node
    return node


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, owner: Node, name: str, value: object) -> str:
    last = owner.parts[-1] if owner.parts else None
    before = text[owner.start : (last.start if last else owner.end)]
    if last is not None and "\n" not in before:
        tail = last.node.end
        written = f"{name}{json.dumps(value, ensure_ascii=False)}"
        if last.comma is not None:
            return f"{text[: last.comma + 1]} {written}{text[last.comma + 1 :]}"
        return f"{text[:tail]}, {written}{text[tail:]}"
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent(text, owner.start)
    inner = _indent(text, last.start) if last else outer + _unit(text)
    written = f"{newline}{inner}{name}{_written(text, value, inner)}"
    if last is None:
        rest = text[owner.start + 1 :]
        gap = "" if "\n" in text[owner.start : owner.end] else f"{newline}{outer}"
        return f"{text[: owner.start + 1]}{written}{gap}{rest.lstrip(' ') if gap else rest}"
    return _after(text, last, written)


def _after(text: str, last: Part, written: str) -> str:
    """Insert behind the last part and the comment on its line; keep the way in which the list ends."""
    if last.comma is not None:
        at = _end_of_line(text, last.comma + 1)
        return f"{text[:at]}{written},{text[at:]}"
    at = _end_of_line(text, last.node.end)
    return f"{text[: last.node.end]},{text[last.node.end : at]}{written}{text[at:]}"


def _end_of_line(text: str, at: int) -> int:
    match = _REST_OF_LINE.match(text, at)
    return match.end() if match else at


def _delete(text: str, owner: Node, part: Part) -> str:
    index = owner.parts.index(part)
    start = _whitespace_before(text, part.start)
    if index < len(owner.parts) - 1:
        end = (part.comma or part.node.end) + 1
        if text[start : start + 1] not in ("\r", "\n"):
            # on one line with the next one
            return text[: part.start] + text[end:].lstrip(" ")
        return text[:start] + text[end:]
    if index == 0:
        end = part.node.end if part.comma is None else part.comma + 1
        rest = text[end:]
        return text[:start] + (rest.lstrip() if not text[end : owner.end - 1].strip() else rest)
    previous = owner.parts[index - 1].comma
    if part.comma is not None or previous is None:
        return text[:start] + text[(part.node.end if part.comma is None else part.comma + 1) :]
    return text[:previous] + text[previous + 1 : start] + text[part.node.end :]


def _whitespace_before(text: str, at: int) -> int:
    """Return where the line break and indentation before a position begin, else the spaces before it."""
    start = at
    while text[start - 1 : start] in (" ", "\t"):
        start -= 1
    if text[start - 1 : start] == "\n":
        start -= 2 if text[start - 2 : start - 1] == "\r" else 1
    return start


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return what one level is indented by in this text."""
    return next(_indents(text), "  ")


def _indents(text: str) -> Iterator[str]:
    for match in re.finditer(r'^([ \t]+)"', text, re.MULTILINE):
        yield match[1]


def _written(text: str, value: object, indent: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    written = json.dumps(value, indent=_unit(text), ensure_ascii=False)
    return written.replace("\n", f"{newline}{indent}")
