"""When two names are one."""

from __future__ import annotations

import unicodedata


def name_key(name: str) -> str:
    r"""Return what two names share if file systems or Obsidian may take them for one: normal form, case folded.

    >>> name_key("E\u0301tude") == name_key("étude")
    True
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())
