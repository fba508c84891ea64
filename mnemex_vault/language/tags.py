"""Tags and names as they are saved, and as they are compared: whoever asks writes them as whoever saved did."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

# what Obsidian takes for the end of a tag, as the inside of a character class
NEVER_IN_TAGS = r"\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@\^`{|}~\[\]\\\s"
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:/[A-Za-z0-9_-]+)*")
_INVISIBLE = r"(?V1)[[\p{Cc}\p{Cf}]--[\s\u200b-\u200d\U000e0020-\U000e007f]]"
# emoji and some scripts need joiners; at the edge of a word they join nothing
_JOINED = rf"[^{NEVER_IN_TAGS}/_\-]"
_LOOSE_JOINER = rf"(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"
# the sign that begins a tag, and not an emoji
_SIGN = r"^#+(?!\p{M})"
_GAP = rf"[-_]*(?:(?![\u200c\u200d])[{NEVER_IN_TAGS}]\p{{M}}*[-_]*)+"


@cache
def _compiled(pattern: str) -> Any:
    # imported by the first tag that is not plain: a server shows its tools without it
    import regex

    return regex.compile(pattern)


def clean_tag(text: str) -> str | None:
    """Return the text as a tag that Obsidian accepts, without `#` and in NFC; None if nothing is left of it.

    Letters, marks and emoji of every script stay, and so does every tag that is one already. Digits alone are none.

    >>> clean_tag("#Backend Dev"), clean_tag("café"), clean_tag("2024"), clean_tag("a // b"), clean_tag("C++")
    ('Backend-Dev', 'café', None, 'a/b', 'C')
    >>> clean_tag("हिन्दी"), clean_tag("العَرَبِيَّة"), clean_tag("tag🎉"), clean_tag("node.js"), clean_tag("R&D")
    ('हिन्दी', 'العَرَبِيَّة', 'tag🎉', 'node-js', 'R-D')
    """
    if _PLAIN.fullmatch(text):
        return text
    legible = unicodedata.normalize("NFC", _compiled(_INVISIBLE).sub("", text))
    legible = _compiled(_SIGN).sub("", legible.strip())
    parts = (
        _compiled(_GAP).sub(" ", part).strip().replace(" ", "-")
        for part in _compiled(_LOOSE_JOINER).sub("", legible).split("/")
    )
    tag = "/".join(filter(None, parts))
    return tag if tag.strip("/_-") and not tag.isdecimal() else None


def tag_key(text: str) -> str:
    """Return what all spellings of a tag share, saved, asked for or found in a note; case does not count.

    >>> tag_key("Machine Learning") == tag_key("#machine-learning"), tag_key("2024")
    (True, '2024')
    """
    return (clean_tag(text) or text.strip().strip("#/")).casefold()


def clean_name(text: str) -> str:
    """Return a name on one line, in NFC: of a project, or of what a text is about."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def label_key(text: str) -> str:
    """Return what all spellings of such a name share; case does not count."""
    return clean_name(text).casefold()
