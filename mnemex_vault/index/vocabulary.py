"""The words of the notes, kept so that words nearly right and words within words are found without a list of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from mnemex_vault.language.meanings import Meanings, sketch_of

# shorter words have too many neighbours that mean something else
_ONE_SLIP = 4
_TWO_SLIPS = 8
_LENGTHS = range(2, 41)
# of 64 signs so many differ at most between words that mean nearly the same
_SIGNS_APART = 25


class Vocabulary:
    """Words of letters only, those of one length in one text, in which nothing is slower than to look for a piece."""

    def __init__(self, words: Iterable[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for word in words:
            if len(word) in _LENGTHS and word.isalpha():
                by_length.setdefault(len(word), []).append(word)
        self._texts = {size: "".join(sorted(set(same))) for size, same in by_length.items()}

    def near(self, word: str) -> dict[str, int]:
        """Return the words one slip away, or two for a long word, with their distances; a swap is one slip.

        >>> Vocabulary(["penicillin", "pencil", "dentist"]).near("dentits")
        {'dentist': 1}
        """
        slips = 0 if len(word) < _ONE_SLIP else 1 if len(word) < _TWO_SLIPS else 2
        letters = set(word)
        found = {}
        for other in self._alike(word, slips) if slips else ():
            if other != word and other not in found and len(letters.symmetric_difference(other)) <= 2 * slips:
                steps = distance(word, other, slips)
                if steps <= slips:
                    found[other] = steps
        return found

    def __len__(self) -> int:
        return sum(len(text) // size for size, text in self._texts.items())

    def __iter__(self) -> Iterator[str]:
        for size, text in self._texts.items():
            yield from (text[start : start + size] for start in range(0, len(text), size))

    def akin(self, word: str, least: float) -> Iterator[tuple[str, float]]:
        """Yield the words whose meaning is at least that near, with the cosine.

        >>> [word for word, _ in Vocabulary(["doctor", "guitar"]).akin("physician", 0.5)]
        ['doctor']
        """
        wanted = self._meanings.vector(word)
        if wanted is None:
            return
        signs = sketch_of(wanted)
        for other, sketch in self._signs:
            if (signs ^ sketch).bit_count() <= _SIGNS_APART and other != word:
                cosine = self._meanings.similarity(word, other)
                if cosine >= least:
                    yield other, cosine

    @cached_property
    def _meanings(self) -> Meanings:
        return Meanings.load()

    @cached_property
    def _signs(self) -> list[tuple[str, int]]:
        vectors = ((word, self._meanings.vector(word)) for word in self)
        return [(word, sketch_of(vector)) for word, vector in vectors if vector is not None]

    def holding(self, part: str) -> Iterator[tuple[str, int]]:
        """Yield the words longer than a piece that hold it, with its places."""
        for size in self._texts:
            if size > len(part):
                yield from self._with(part, size, range(size - len(part) + 1))

    def _alike(self, word: str, slips: int) -> Iterator[str]:
        """Yield words that may be near: of one more piece than there are slips one is whole, unless two are swapped."""
        size, count = len(word), slips + 1
        bounds = [size * index // count for index in range(count + 1)]
        for length in range(max(_ONE_SLIP, size - slips), size + slips + 1):
            for start, end in pairwise(bounds):
                low = start - slips if start else 0
                # the last piece is counted from the end
                shift = length - size if end == size else 0
                places = range(start + shift, start + shift + 1) if end == size else range(low, start + slips + 1)
                yield from (other for other, _ in self._with(word[start:end], length, places if start else range(1)))
        for index in range(size - 1):
            swapped = word[:index] + word[index + 1] + word[index] + word[index + 2 :]
            yield from (other for other, _ in self._with(swapped, size, range(1)))

    def _with(self, piece: str, size: int, places: range) -> Iterator[tuple[str, int]]:
        """Yield the words of a length that hold a piece at one of these places."""
        text = self._texts.get(size, "")
        position = text.find(piece)
        while position >= 0:
            place = position % size
            if place in places and place + len(piece) <= size:
                yield text[position - place : position - place + size], place
            position = text.find(piece, position + 1)


def distance(one: str, other: str, most: int) -> int:
    """Return the number of letters missing, additional, wrong or swapped between two words; `most + 1` if it is more.

    >>> distance("recieve", "receive", 2), distance("kitten", "sitting", 2)
    (1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        earlier, before, row = before, row, [index]
        for place, facing in enumerate(other, 1):
            steps = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != facing))
            if place > 1 and index > 1 and letter == other[place - 2] and one[index - 2] == facing:
                steps = min(steps, earlier[place - 2] + 1)
            row.append(steps)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
