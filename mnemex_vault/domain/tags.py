"""Tags as Obsidian allows them: letters and digits of any script, `_`, `-` and `/`, not digits alone."""

from __future__ import annotations

import re

_ILLEGAL = re.compile(r"[^\w/\-]+")
_RUNS = re.compile(r"([/_-])[/_-]*")


def clean_tag(text: str) -> str | None:
    """Return the text as a legal tag without `#`, or None if nothing is left of it.

    >>> clean_tag("#Backend Dev"), clean_tag("café"), clean_tag("2024"), clean_tag("a // b"), clean_tag("C++")
    ('Backend-Dev', 'café', None, 'a/b', 'C')
    """
    joined = _ILLEGAL.sub("-", text.strip().lstrip("#"))
    parts = [part.strip("-_") for part in joined.split("/")]
    tag = "/".join(_RUNS.sub(r"\1", part) for part in parts if part)
    return tag if any(character.isalpha() or not character.isalnum() for character in tag.strip("/_-")) else None
