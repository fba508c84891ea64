"""Text from notes made safe for a terminal: no control character in it can move the cursor or reorder what is read."""

from __future__ import annotations

import re

REPLACEMENT = "�"
# C0 but for tab and line feed, DEL, C1, and the marks and overrides of writing direction
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"[\t\n\u2028\u2029]")


def safe(text: str) -> str:
    r"""Return the text without characters that act on a terminal.

    >>> safe("a\x1b[31mb\u202ec\td\n")
    'a�[31mb�c\td\n'
    """
    return _CONTROLS.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    r"""Return the text on a single line.

    >>> one_line("a\nb\tc")
    'a b c'
    """
    return safe(_BREAKS.sub(" ", text))
