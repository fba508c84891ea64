"""How word lists are written down, and how things are counted in words."""

from __future__ import annotations


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
