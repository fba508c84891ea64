"""The .env format: NAME=value lines, `export`, quotes and comments; no substitution."""

from __future__ import annotations

import re

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SINGLE = re.compile(r"'([^']*)'")
_ESCAPES = {r"\n": "\n", r"\"": '"', r"\\": "\\"}


def parse_dotenv(text: str) -> dict[str, str]:
    r"""Return the variables; lines of any other form are skipped, the last of a name wins.

    >>> parse_dotenv('export A=1 # one\nB="x # y"\n# C=2\nD=\n')
    {'A': '1', 'B': 'x # y', 'D': ''}
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            found[match[1]] = _value(match[2])
    return found


def _value(raw: str) -> str:
    if match := _DOUBLE.match(raw):
        return re.sub(r"\\.", lambda escape: _ESCAPES.get(escape[0], escape[0]), match[1])
    if match := _SINGLE.match(raw):
        return match[1]
    return re.split(r"(?:^|\s)#", raw, maxsplit=1)[0].strip()
