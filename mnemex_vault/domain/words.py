"""How word lists are written down."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is separated by white space.

    >>> sorted(word_set("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())
