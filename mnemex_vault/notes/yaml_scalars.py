"""What plain scalars mean in YAML 1.2 core, as Obsidian reads them: only numbers, true, false and null are no text."""

from __future__ import annotations

import math
import re

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
