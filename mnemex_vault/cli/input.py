"""Text that comes from the input instead of the command line."""

from __future__ import annotations

import io
from typing import BinaryIO, TextIO

from mnemex_vault.domain.memory import MAX_CONTENT
from mnemex_vault.errors import InvalidInput

FROM_INPUT = "-"
# four bytes hold any character
_BYTES = 4
# an input that never ends is not counted to its end
_COUNTED = 256 * 1024 * 1024
_CHUNK = 1024 * 1024
_CONTINUED = bytes(range(0x80, 0xC0))


def text_from(given: str | None, stdin: TextIO, *, limit: int = MAX_CONTENT) -> str:
    """Return the text of an argument, or what the input holds if it is `-` or absent.

    Raises InvalidInput for bytes that are no UTF-8, for an input of so many bytes that it has more characters than the
    limit, and when there is neither an argument nor an input.
    """
    if given is not None and given != FROM_INPUT:
        return given
    if given is None and stdin.isatty():
        raise InvalidInput("text", "is missing; give it in quotes, or pipe it in")
    return _read(stdin, limit).removesuffix("\n")


def _read(stdin: TextIO, limit: int) -> str:
    source = stdin.buffer if isinstance(stdin, io.TextIOWrapper) else io.BytesIO(stdin.read().encode())
    # a mark and a line end beside the text
    data = source.read(_BYTES * (limit + 2))
    if rest := source.read(_CHUNK):
        from mnemex_vault.memories.draft import too_long

        raise too_long("text", _characters(data) + _counted(rest, source), limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"is not UTF-8 (byte {error.start})") from None


def _counted(chunk: bytes, source: BinaryIO) -> int:
    """Return how many characters are still to come, and do not keep them."""
    characters = read = 0
    while chunk and read < _COUNTED:
        characters += _characters(chunk)
        read += len(chunk)
        chunk = source.read(_CHUNK)
    return characters


def _characters(data: bytes) -> int:
    return len(data.translate(None, _CONTINUED))
