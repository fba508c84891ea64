"""Words in lists, and things counted in words: what prose is made of, verbs and function words first."""

from __future__ import annotations

import re
from importlib.resources import files

# How word lists are written down, and how things are counted in words.


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is separated by white space.

    >>> sorted(word_set("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "memory", "memories"), counted(1200, "note")
    ('1 memory', '1,200 notes')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


# The words that English prose is made of.

_SECTION = re.compile(r"^\[([^\]]+)\]$", re.M)


def _read() -> dict[str, list[str]]:
    """Return the lines of the lists of the package, by name."""
    text = (files("mnemex_vault.language") / "data" / "prose_en.txt").read_text("utf-8")
    _, *sections = _SECTION.split(text)
    lines = ([line for line in body.splitlines() if line and line[0] != "#"] for body in sections[1::2])
    return dict(zip(sections[::2], lines, strict=True))


_LISTS = _read()
VERBS = word_set(" ".join(_LISTS["verbs"]))
PASTS = word_set(" ".join(_LISTS["pasts"]))
PARTICIPLES = word_set(" ".join(_LISTS["participles"]))
MODALS = word_set(" ".join(_LISTS["modals"]))
ADVERBS = word_set(" ".join(_LISTS["adverbs"]))
EMPTY = word_set(" ".join(_LISTS["empty"]))
DANGLING = word_set(" ".join(_LISTS["dangling"]))
GENERIC_HEADINGS = word_set(" ".join(_LISTS["generic headings"]))
LOWER_CASE_NAMES = word_set(" ".join(_LISTS["lower case names"]))
# short forms, and the words that they stand for
WRITTEN_OUT = {short: tuple(words) for short, *words in map(str.split, _LISTS["written out"])}
