"""The part of a text that answers a question, where there is no room for the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_MARK = "..."
# so many times the room is looked through around the place where the passage should be
_AROUND = 3
# a word is told by its beginning: what follows may be another ending
_ENDING = 2
_SHORTEST = 4


def shorten(text: str, limit: int) -> str:
    """Return the beginning of a text; 0 keeps it whole.

    >>> shorten("one two three", 8)
    'one two...'
    """
    return text if not limit or len(text) <= limit else text[:limit].rstrip() + _MARK


def excerpt(text: str, limit: int, begins: float, words: Iterable[str]) -> str:
    """Return the part of a text that has most of these words; `begins` is where about in it, from 0 to 1.

    >>> excerpt("All is quiet here. " * 9 + "The zebra eats hay. " + "Nothing more. " * 9, 40, 0.5, ["zebra", "hay"])
    '...The zebra eats hay. Nothing more. Nothin...'
    """
    if not limit or len(text) <= limit:
        return text
    middle = int(begins * len(text))
    low, high = max(0, middle - limit), min(len(text), middle + _AROUND * limit)
    spots = sorted(_spots(text[low:high].lower(), low, list(words)))
    start = _best_start(spots, limit) if spots else middle
    start = _at_a_word(text, max(0, start - limit // 4))
    if start < limit // 4:
        return shorten(text, limit)
    piece = text[start : start + limit].strip()
    return _MARK + piece + (_MARK if start + limit < len(text) else "")


def _spots(part: str, offset: int, words: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where the words stand in a part of the text, each with its number."""
    for number, word in enumerate(words):
        beginning = word if len(word) <= _SHORTEST else word[: max(_SHORTEST, len(word) - _ENDING)]
        place = part.find(beginning)
        while beginning and place >= 0:
            # scripts without spaces have no beginnings of words
            if not (word.isascii() and place and part[place - 1].isalnum()):
                yield place + offset, number
            place = part.find(beginning, place + 1)


def _best_start(spots: list[tuple[int, int]], limit: int) -> int:
    """Return the first of the spots from which most of the words stand within three quarters of the room."""
    best, start, last = 0, spots[0][0], 0
    counts: dict[int, int] = {}
    for place, number in spots:
        counts[number] = counts.get(number, 0) + 1
        while spots[last][0] < place - limit * 3 // 4:
            gone = spots[last][1]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            last += 1
        if len(counts) > best:
            best, start = len(counts), spots[last][0]
    return start


def _at_a_word(text: str, start: int) -> int:
    """Return where the next word begins, if one begins soon."""
    space = text.find(" ", start, start + 30)
    return start if start == 0 or space < 0 else space + 1
