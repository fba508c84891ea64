"""How word lists are written down."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is separated by white space.

    >>> sorted(words("red green"))
    ['green', 'red']
    """
    return frozenset(text.split())
