"""Text from notes made safe for a terminal: no control character in it can move the cursor or reorder what is read."""

from __future__ import annotations

import re

REPLACEMENT = "�"
# stands for a space between words that stay on one line; a character that no text may hold
_KEPT_SPACE = "\ufdd0"
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


def kept(text: str) -> str:
    """Return a text that is meant to be copied (a command, a path, a line of JSON), not to be broken at its spaces."""
    return text.replace(" ", _KEPT_SPACE)


def released(text: str) -> str:
    """Return the text as it is written at last.

    >>> released("Do it: " + kept("mnemex forget --apply"))
    'Do it: mnemex forget --apply'
    """
    return text.replace(_KEPT_SPACE, " ")


def whole(text: str) -> str:
    """Return a text on a single line that is not broken where a terminal ends."""
    return kept(one_line(text))


def take_back(operation_id: str, said: str = "Take it back") -> str:
    """Return with which command a change is undone."""
    return f"{said}: {kept(f'mnemex undo {operation_id}')}"
