"""Text that comes from the input instead of the command line."""

from __future__ import annotations

import io
from typing import TextIO

from mnemex_vault.domain.memory import MAX_CONTENT
from mnemex_vault.errors import InvalidInput

FROM_INPUT = "-"
# of what is too long anyway only so much is read that the answer can say so; four bytes hold any character
_READ_LIMIT = 8 * MAX_CONTENT


def text_from(given: str | None, stdin: TextIO) -> str:
    """Return the text of an argument, or what the input holds if it is `-` or absent.

    Raises InvalidInput for bytes that are no UTF-8, and when there is neither an argument nor an input.
    """
    if given is not None and given != FROM_INPUT:
        return given
    if given is None and stdin.isatty():
        raise InvalidInput("text", "is missing; give it in quotes, or pipe it in")
    return _read(stdin).removesuffix("\n")


def _read(stdin: TextIO) -> str:
    if not isinstance(stdin, io.TextIOWrapper):
        return stdin.read(_READ_LIMIT)
    data: bytes = stdin.buffer.read(_READ_LIMIT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"is not UTF-8 (byte {error.start})") from None
