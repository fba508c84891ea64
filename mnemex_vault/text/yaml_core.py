"""YAML 1.2 core as Obsidian reads it, and values as the YAML that we write: no tags, anchors or YAML 1.1 surprises."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import yaml

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.text.keys import DATE_KEYS

# What plain scalars mean in YAML 1.2 core, as Obsidian reads them: only numbers, true, false and null are no text.

Value = str | int | float | bool | None | list["Value"] | dict[str, "Value"]

# Python refuses to convert longer ones; a number this long is infinite in Obsidian, too
_MAX_DIGITS = 300
_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{"-" + word: -math.inf for word in (".inf", ".Inf", ".INF")},
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASED = {"0o": (re.compile(r"0o[0-7]+"), 8), "0x": (re.compile(r"0x[0-9a-fA-F]+"), 16)}
_NUMBER_START = frozenset("0123456789+-.")


def resolve(text: str) -> Value:
    """Return what a plain scalar means.

    >>> [resolve(text) for text in ("yes", "010", "1e3", "12:30", "2026-01-02", "~", "0x1F", "1_000")]
    ['yes', 10, 1000.0, '12:30', '2026-01-02', None, 31, '1_000']
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INTEGER.fullmatch(text):
        return _whole(text, 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    pattern, base = _BASED.get(text[:2], (None, 10))
    return _whole(text, base) if pattern and pattern.fullmatch(text) else text


def _whole(text: str, base: int) -> float:
    if len(text) <= _MAX_DIGITS:
        return int(text, base)
    return -math.inf if text[0] == "-" else math.inf


def number_text(value: float) -> str:
    """Return a number as people and Obsidian write it.

    >>> number_text(1.0), number_text(0.25), number_text(7)
    ('1', '0.25', '7')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


# YAML 1.2 core as Obsidian reads it, from the event stream of libyaml: no tags, anchors or YAML 1.1 surprises.
#
# Working on events bounds depth and size before anything is built, and gives the exact place of every value.

MAX_BYTES = 64 * 1024
MAX_DEPTH = 20
MAX_NODES = 2_000


# without libyaml PyYAML's own parser gives the same events, only slower
FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# libyaml breaks lines at these three, Obsidian does not: they are read under the name of characters nobody uses
_BREAKS = "\x85\u2028\u2029"
_STAND_INS = "\U0010fff0\U0010fff1\U0010fff2"
_HIDE = str.maketrans(_BREAKS, _STAND_INS)
_SHOW = str.maketrans(_STAND_INS, _BREAKS)


class Style(Enum):
    """How a value is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"
    BLOCK_LIST = "block list"
    FLOW_LIST = "flow list"
    BLOCK_MAP = "block map"
    FLOW_MAP = "flow map"


# the style that libyaml gives; None and "" are plain
_SCALAR_STYLES = {style.value: style for style in (Style.SINGLE, Style.DOUBLE, Style.LITERAL, Style.FOLDED)}
_QUOTED = frozenset({Style.SINGLE, Style.DOUBLE})


@dataclass(slots=True)
class Node:
    """A value and where it stands: `text[start:end]`; `keys` runs parallel to `children` in a map."""

    value: Value
    start: int
    end: int
    style: Style
    children: list[Node] = field(default_factory=list)
    keys: list[Node] = field(default_factory=list)
    pending: Node | None = None


def parse(text: str, *, loader: Any = FAST_LOADER) -> Node | None:
    """Return the root of one YAML document, None if it is empty.

    Raises UnreadableNote for broken YAML, duplicate or composed keys, anchors, aliases, tags, merge keys, more
    than one document, and for more than 64 KB, 20 levels or 2,000 nodes.
    """
    if len(text) > MAX_BYTES or (not text.isascii() and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES):
        raise UnreadableNote("", "the frontmatter is larger than 64 KB")
    hidden = not text.isascii() and any(character in text for character in _BREAKS)
    try:
        return _Builder(text.translate(_HIDE) if hidden else text, hidden).build(loader)
    except yaml.MarkedYAMLError as error:
        raise UnreadableNote("", _describe(error)) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise UnreadableNote("", "the frontmatter holds a character that YAML forbids") from error


def _describe(error: yaml.MarkedYAMLError) -> str:
    # the fence is line 1 of the note, and marks count from 0
    line = f"line {error.problem_mark.line + 2}: " if error.problem_mark else ""
    return f"{line}{error.problem or 'the frontmatter is no YAML'}"


class _Builder:
    """Builds nodes from events without recursion."""

    def __init__(self, text: str, hidden: bool) -> None:
        self._text = text
        self._hidden = hidden
        self._open: list[Node] = []
        self._root: Node | None = None
        self._count = 0
        self._documents = 0

    def build(self, loader: Any) -> Node | None:
        next_event = loader(self._text).get_event
        while (kind := type(event := next_event())) is not yaml.StreamEndEvent:
            # exact types, the most frequent first: this loop is what reading a vault costs
            if kind is yaml.ScalarEvent:
                self._add(self._scalar(event))
            elif kind is yaml.SequenceStartEvent or kind is yaml.MappingStartEvent:
                self._enter(event)
            elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
                self._leave(event)
            else:
                self._document(event)
        return self._root

    def _document(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableNote("", _at(event, "an alias of YAML is not read"))
        if not isinstance(event, yaml.DocumentStartEvent):
            return
        self._documents += 1
        if self._documents > 1:
            raise UnreadableNote("", _at(event, "a second YAML document begins"))
        if event.version or event.tags:
            raise UnreadableNote("", "a directive of YAML is not read")

    def _scalar(self, event: Any) -> Node:
        self._check(event)
        text: str = event.value.translate(_SHOW) if self._hidden else event.value
        style = _SCALAR_STYLES.get(event.style, Style.PLAIN)
        value = resolve(text) if style is Style.PLAIN else text
        end = event.end_mark.index
        if style in _QUOTED and self._text.startswith("#", end):
            # libyaml takes it for a comment, Obsidian for an error
            raise UnreadableNote("", _at(event, "a comment follows without a space"))
        return Node(value, event.start_mark.index, end, style)

    def _enter(self, event: Any) -> None:
        self._check(event)
        if len(self._open) >= MAX_DEPTH:
            raise UnreadableNote("", _at(event, f"nested deeper than {MAX_DEPTH} levels"))
        listed = isinstance(event, yaml.SequenceStartEvent)
        style = (
            (Style.FLOW_LIST if listed else Style.FLOW_MAP)
            if event.flow_style
            else (Style.BLOCK_LIST if listed else Style.BLOCK_MAP)
        )
        start = event.start_mark.index
        self._open.append(Node([] if listed else {}, start, start, style))

    def _leave(self, event: Any) -> None:
        node = self._open.pop()
        in_flow = node.style in (Style.FLOW_LIST, Style.FLOW_MAP)
        # the end of a block is only seen at the next token: its last value is where it ends
        node.end = event.end_mark.index if in_flow or not node.children else node.children[-1].end
        self._add(node)

    def _check(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        self._count += 1
        if self._count > MAX_NODES:
            raise UnreadableNote("", f"the frontmatter has more than {MAX_NODES} values")
        if event.anchor is not None:
            raise UnreadableNote("", _at(event, "an anchor of YAML is not read"))
        if event.tag is not None:
            raise UnreadableNote("", _at(event, "a tag of YAML is not read"))

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if isinstance(parent.value, list):
            parent.value.append(node.value)
            parent.children.append(node)
        elif parent.pending is None:
            parent.pending = node
        else:
            self._pair(parent, parent.pending, node)

    def _pair(self, parent: Node, key: Node, node: Node) -> None:
        assert isinstance(parent.value, dict)
        name = _key_text(key)
        if name in parent.value:
            raise UnreadableNote("", f"the key {name!r} stands there twice")
        if name == "<<":
            raise UnreadableNote("", "a merge key of YAML is not read")
        parent.value[name] = node.value
        parent.keys.append(key)
        parent.children.append(node)
        parent.pending = None


def _key_text(key: Node) -> str:
    if isinstance(key.value, str):
        return key.value
    if isinstance(key.value, (list, dict)):
        raise UnreadableNote("", "a key is a list or a map")
    if key.value is None:
        return ""
    return str(key.value).lower() if isinstance(key.value, bool) else number_text(key.value)


def _at(event: yaml.Event, problem: str) -> str:
    return f"line {event.start_mark.line + 2}: {problem}" if event.start_mark else problem


# Values as the YAML text that we write: one line a value, quoted where YAML or Obsidian needs it.

_CONTROL = re.compile(r"\r\n|[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")
_INVISIBLE = re.compile("[\ufeff\ufffe\uffff]")
# words, numbers and times that readers of YAML 1.1 take for something else
_OTHER_READERS = re.compile(r"y|n|yes|no|on|off|=|<<|[-+.]?[0-9][0-9a-fotxz_.,:+ -]*", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?")
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_FLOW = re.compile(r"[,\[\]{}?:]")


def one_line(text: str) -> str:
    """Return the text with every line break and control character turned into a space.

    Raises InvalidInput for NUL and lone surrogates, which no note can hold.
    """
    if _FORBIDDEN.search(text):
        raise InvalidInput("text", "NUL and lone surrogates cannot be saved")
    return _CONTROL.sub(" ", text)


def normalise(value: Value) -> Value:
    """Return what will be read back after the value was written."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, list):
        return [normalise(item) for item in value]
    return value


def scalar(value: Value, *, key: str = "", flow: bool = False) -> str:
    """Return one value on one line; a date as the value of a date key stands there without quotation marks.

    >>> [scalar(text) for text in ("plain text", "[[Link]]", "yes", "a: b", "12:30", "2026-01-02", 1.0, True)]
    ['plain text', '"[[Link]]"', '"yes"', '"a: b"', '"12:30"', '"2026-01-02"', '1', 'true']
    >>> scalar("2026-01-02", key="created")
    '2026-01-02'
    """
    if key in DATE_KEYS and isinstance(value, str) and _DATE.fullmatch(value):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise InvalidInput("number", "only finite numbers can be saved")
        return number_text(value)
    if isinstance(value, str):
        return _text(one_line(value), flow)
    raise InvalidInput("value", "only texts, numbers, checkboxes and lists of them can be saved")


def lines(key: str, value: Value, newline: str) -> str:
    """Return the whole lines of a new key."""
    if isinstance(value, list) and value:
        return f"{scalar(key)}:{newline}{items(value, '  ', newline)}"
    text = "[]" if isinstance(value, list) else scalar(value, key=key)
    return f"{scalar(key)}: {text}{newline}"


def items(values: Sequence[Value], indent: str, newline: str) -> str:
    """Return the lines of a block list."""
    return "".join(f"{indent}- {scalar(value)}{newline}" for value in values)


def _text(text: str, flow: bool) -> str:
    if not _needs_quotes(text) and not (flow and _FLOW.search(text)):
        return text
    if '"' in text and "'" not in text and not _INVISIBLE.search(text):
        return f"'{text}'"
    quoted = json.dumps(text, ensure_ascii=False)
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _needs_quotes(text: str) -> bool:
    if text == "" or text != text.strip() or text[0] in _INDICATORS or text[-1] == ":":
        return True
    if ": " in text or " #" in text or _INVISIBLE.search(text):
        return True
    return not isinstance(resolve(text), str) or _OTHER_READERS.fullmatch(text) is not None
