"""The bytes of a note: the text in them, also where a program broke it, and the version by which they are compared."""

from __future__ import annotations

import codecs
import re
from hashlib import sha256

# The text in the bytes of a file, also where a program broke it or wrote another encoding than UTF-8.

_NO_TEXT = "it is no text in UTF-8"
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FOREIGN = re.compile("[\udc80-\udcff]")
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\udc80-\udcff]")
# from so many strange characters among ten on, a file is no text but a picture or the like
_MOST_STRANGE = 0.3


def legible(data: bytes) -> tuple[str, str]:
    r"""Return the text, and what is wrong with it, "" if nothing is; without any text in it, only what is wrong.

    Bytes that are no UTF-8 are read as most programs for Western languages wrote them.

    >>> legible("café".encode()), legible("café".encode("latin-1"))
    (('café', ''), ('café', 'not all of it is UTF-8'))
    >>> legible(b"a\0b")[1], legible("tea".encode("utf-16")), legible(bytes(range(128, 160)))[0]
    ('it holds zero bytes', ('tea', 'it is UTF-16 and not UTF-8'), '')
    """
    if data.startswith(_MARKS):
        try:
            return data.decode("utf-16"), "it is UTF-16 and not UTF-8"
        except UnicodeDecodeError:
            return "", _NO_TEXT
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _mended(data.decode("utf-8", "surrogateescape"))
    return text, "it holds zero bytes" if "\0" in text else ""


def _mended(text: str) -> tuple[str, str]:
    if len(_STRANGE.findall(text)) > _MOST_STRANGE * len(text):
        return "", _NO_TEXT
    return _FOREIGN.sub(_western, text), "not all of it is UTF-8"


def _western(match: re.Match[str]) -> str:
    return bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace")


# The version of a text: what compare-and-swap compares.


def etag(data: bytes) -> str:
    """Return 32 hexadecimal characters of SHA-256.

    >>> etag(b"")
    'e3b0c44298fc1c149afbf4c8996fb924'
    """
    return sha256(data).hexdigest()[:32]
