"""Values as the YAML text that we write: one line a value, quoted where YAML or Obsidian needs it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

from mnemex_vault.errors import InvalidInput
from mnemex_vault.notes.keys import DATE_KEYS
from mnemex_vault.notes.yaml_scalars import Value, number_text, resolve

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
