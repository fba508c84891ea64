"""Words one slip away: for questions that ask for it with a tilde."""

from __future__ import annotations

from string import ascii_lowercase

# shorter words have too many neighbours that mean something else
SHORTEST = 4


def variants(word: str) -> list[str]:
    """Return the words that differ by one missing, additional, wrong or swapped letter; the first letter stays.

    >>> [word for word in ("bear", "beer", "ber", "beare", "bera", "dear") if word in variants("bear")]
    ['beer', 'ber', 'beare', 'bera']
    """
    if len(word) < SHORTEST:
        return []
    pieces = [(word[:place], word[place:]) for place in range(1, len(word) + 1)]
    missing = [left + right[1:] for left, right in pieces if right]
    swapped = [left + right[1] + right[0] + right[2:] for left, right in pieces if len(right) > 1]
    wrong = [left + letter + right[1:] for left, right in pieces if right for letter in ascii_lowercase]
    additional = [left + letter + right for left, right in pieces for letter in ascii_lowercase]
    return sorted({*missing, *swapped, *wrong, *additional} - {word})
