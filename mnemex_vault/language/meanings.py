"""What single words mean: a table of 64 numbers a word for fourteen languages, so that *physician* is near *doctor*.

The vectors are those of multilingual-e5-small (MIT), the words one by one, cut to 64 components; they come from
`tests/bench/make_meanings.py`, and `data/SOURCES.md` says from where the words are. The file is memory-mapped and
looked at only where a word is asked for: loading it costs no reading, and a process that never asks has none of it.

A search asks `nearest` for the words of a question that its exact pass did not find, with a function that tells which
words the vault has (under whatever stem), and gives each word found less weight than an exact one. Names, numbers,
identifiers and quoted phrases are not to be asked for: they have no other words. `vector` is what `intent` looks at.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from operator import mul

from mnemex_vault.language.phrases import words_and_pauses

SIZE = 64
MAGIC = b"mnemex-meanings-1\n"
# a unit vector times this is what the table holds, so that most numbers use the range of a byte
SCALE = 240
BLOCK = 32
_HEADER = struct.Struct("<IIII")
# most words come again
_REMEMBERED = 10_000
_MOST_ASIDE = 3
_LEAST_STEM = 5
# of 64; at a cosine of 0.35 it is about 25
_MOST_SIGNS_APART = 24


class Meanings:
    """The table, over the bytes of its file.

    Words are in alphabetical order, in blocks of 32; their vectors are in the same order. Alike words share one of a
    few hundred groups, and each group lists those that are nearest to it. `nearest` looks at 16 groups and finds six of
    ten of all; who has numpy loaded can look at all `vectors`, and name a row by `word`.
    """

    def __init__(self, data: memoryview) -> None:
        count, groups, neighbours, letters = _HEADER.unpack_from(data, len(MAGIC))
        self._count: int = count
        self._neighbours = neighbours
        part = _parts(data, len(MAGIC) + _HEADER.size)
        blocks = -(-count // BLOCK)
        self._sketches = part(count * 8).cast("Q")
        self._starts = part((groups + 1) * 4).cast("I")
        self._members = part(count * 4).cast("I")
        self._offsets = part((blocks + 1) * 4).cast("I")
        self._near = part(groups * neighbours * 2).cast("H")
        self._group = part(count * 2).cast("H")
        self.vectors = part(count * SIZE).cast("b")
        self._letters = part(letters)
        self._firsts = _Firsts(self._letters, self._offsets)
        self.row = lru_cache(maxsize=_REMEMBERED)(self._row)

    @classmethod
    def load(cls) -> Meanings:
        """Return the table of the package, mapped once."""
        return _loaded()

    def __len__(self) -> int:
        return self._count

    def __contains__(self, word: str) -> bool:
        return self.row(word) is not None

    def vector(self, word: str) -> memoryview | None:
        """Return the 64 whole numbers of a word, None for one that is not known."""
        row = self.row(word)
        return None if row is None else self.at(row)

    def group(self, row: int) -> int:
        """Return the number of the group of alike words that the word of a place is in."""
        return self._group[row]

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two words, 0 if one of them is not known.

        >>> table = Meanings.load()
        >>> table.similarity("physician", "doctor") > 0.6, table.similarity("Arzt", "doctor") > 0.6
        (True, True)
        >>> table.similarity("physician", "guitar") < 0.3
        True
        """
        here, there = self.vector(one), self.vector(other)
        return 0.0 if here is None or there is None else _cosine(here, there)

    def nearest(
        self, word: str, known: Callable[[str], bool], *, most: int = 8, least: float = 0.35
    ) -> list[tuple[str, float]]:
        """Return up to `most` other words that are `known`, with their cosine, the nearest first.

        The words are without case and accents; none for a word that the table does not have.

        >>> [near for near, _ in Meanings.load().nearest("physician", {"doctor", "guitar"}.__contains__)]
        ['doctor']
        """
        row = self.row(word)
        found: list[tuple[str, float]] = []
        if row is None:
            return found
        for cosine, near in sorted(self._candidates(row), reverse=True):
            if cosine < least or len(found) == most:
                break
            spelled = self.word(near)
            if near != row and known(spelled):
                found.append((spelled, cosine))
        return found

    def _candidates(self, row: int) -> Iterator[tuple[float, int]]:
        """Yield cosine and row of those words of the nearest groups that have most signs in common with this one."""
        wanted = self.at(row)
        signs = sketch_of(wanted)
        group = self._group[row] * self._neighbours
        for near in self._near[group : group + self._neighbours]:
            start, end = self._starts[near], self._starts[near + 1]
            pairs = zip(self._sketches[start:end], self._members[start:end], strict=True)
            for other in [member for sketch, member in pairs if (signs ^ sketch).bit_count() < _MOST_SIGNS_APART]:
                yield _cosine(wanted, self.at(other)), other

    def at(self, row: int) -> memoryview:
        """Return the 64 whole numbers of the word of a place."""
        return self.vectors[row * SIZE : (row + 1) * SIZE]

    def _row(self, word: str) -> int | None:
        """Return the place of a word, or of what is left of it without an ending of up to three letters."""
        spelled = " ".join(words_and_pauses(word))
        for aside in range(_MOST_ASIDE + 1):
            stem = spelled[: len(spelled) - aside]
            if aside and (len(stem) < _LEAST_STEM or not stem.isalpha()):
                return None
            row = self._find(stem.encode())
            if row is not None:
                return row
        return None

    def _find(self, word: bytes) -> int | None:
        block = bisect_right(self._firsts, word) - 1
        if block < 0 or not word:
            return None
        words = self._block(block)
        return block * BLOCK + words.index(word) if word in words else None

    def _block(self, block: int) -> list[bytes]:
        return bytes(self._letters[self._offsets[block] : self._offsets[block + 1]]).split(b"\n")

    def word(self, row: int) -> str:
        """Return the word of a place."""
        return self._block(row // BLOCK)[row % BLOCK].decode()


class _Firsts(Sequence[bytes]):
    """The first word of each block, as bisecting wants them."""

    def __init__(self, letters: memoryview, offsets: memoryview) -> None:
        self._letters = letters
        self._offsets = offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, at: int) -> bytes:  # type: ignore[override]
        start = self._offsets[at]
        return bytes(self._letters[start : start + 64]).split(b"\n", 1)[0]


def sketch_of(vector: Iterable[int]) -> int:
    """Return the signs of the numbers as bits, the first number the lowest."""
    return sum(1 << at for at, number in enumerate(vector) if number > 0)


def _cosine(one: memoryview, other: memoryview) -> float:
    product: int = sum(map(mul, one, other))
    return product / (SCALE * SCALE)


def _parts(data: memoryview, start: int) -> Callable[[int], memoryview]:
    at = start

    def part(size: int) -> memoryview:
        nonlocal at
        at += size
        return data[at - size : at]

    return part


@cache
def _loaded() -> Meanings:
    with as_file(files("mnemex_vault.language") / "data" / "meanings.bin") as path, path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if bytes(data[: len(MAGIC)]) != MAGIC:
        raise ValueError("the table of meanings is not one")
    return Meanings(data)
