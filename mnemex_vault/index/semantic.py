"""What a text means, beside what it says: vectors kept by the hash of the text, and the blend of both scores."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import Any

from mnemex_vault.domain.similarity import Pair
from mnemex_vault.index.embedding import Model

# the share of the meaning in the blend: the more of it, the more often a weak model misleads
SHARE = 0.3
# a note without any of the words comes in only if it means nearly the same
NEAR = 0.45
_NEAREST = 50
# so many texts are compared with all others at once
_BLOCK = 512


class Vectors:
    """The vectors of one model, in a file beside the index that may be deleted at any time."""

    def __init__(self, folder: Path, model: Model) -> None:
        import numpy

        self.model = model
        self._numpy: Any = numpy
        self._file = folder / f"vectors-{model.name}.db"
        self._lock = threading.Lock()
        self._held: dict[str, Any] | None = None

    def lacking(self, keys: Iterable[str]) -> list[str]:
        """Return the keys for which there is no vector."""
        with self._lock:
            held = self._all()
        return [key for key in dict.fromkeys(keys) if key not in held]

    def add(self, texts: Mapping[str, str]) -> None:
        """Make and keep the vectors of these texts (key -> text)."""
        rows = self.model.vectors(list(texts.values()))
        with self._lock:
            held = self._all()
            with closing(self._open()) as base, base:
                values = [(key, row.astype("<f4").tobytes()) for key, row in zip(texts, rows, strict=True)]
                base.executemany("insert or replace into vectors values (?, ?)", values)
            held.update(zip(texts, rows, strict=True))

    def keep_only(self, keys: Iterable[str]) -> None:
        """Erase the vectors of all other texts."""
        with self._lock:
            held = self._all()
            gone = held.keys() - set(keys)
            if gone:
                with closing(self._open()) as base, base:
                    base.executemany("delete from vectors where key = ?", [(key,) for key in gone])
                for key in gone:
                    del held[key]

    def nearness(self, keys: Mapping[str, str]) -> Nearness | None:
        """Return how near these texts (name -> key) are to each other, None unless each has a vector."""
        with self._lock:
            held = self._all()
            rows = {name: held[key] for name, key in keys.items() if key in held}
        return Nearness(rows, self._numpy) if rows and len(rows) == len(keys) else None

    def cosines(self, question: str, keys: Sequence[str]) -> dict[str, float]:
        """Return how near the question is to each of the texts that have a vector, from -1 to 1."""
        [asked] = self.model.vectors([question])
        with self._lock:
            held = self._all()
            known = [key for key in keys if key in held]
            if not known:
                return {}
            values = self._numpy.stack([held[key] for key in known]) @ asked
        return dict(zip(known, map(float, values), strict=True))

    def _all(self) -> dict[str, Any]:
        if self._held is None:
            try:
                rows = self._rows()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._file.unlink()
                rows = self._rows()
            self._held = {key: self._numpy.frombuffer(data, dtype="<f4") for key, data in rows}
        return self._held

    def _rows(self) -> list[tuple[str, bytes]]:
        with closing(self._open()) as base:
            return base.execute("select key, vector from vectors").fetchall()

    def _open(self) -> sqlite3.Connection:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        base = sqlite3.connect(self._file)
        base.execute("pragma secure_delete = on")
        base.execute("create table if not exists vectors (key text primary key, vector blob)")
        return base


class Nearness:
    """The cosines between the texts of a collection, by name."""

    def __init__(self, rows: Mapping[str, Any], numpy: Any) -> None:
        self._numpy = numpy
        self._rows = rows
        self._names = sorted(rows)

    def pairs(self, threshold: float) -> Iterator[Pair]:
        """Yield all pairs that are at least that near; memory stays bounded however many texts there are."""
        names, numpy = self._names, self._numpy
        matrix = numpy.stack([self._rows[name] for name in names])
        for start in range(0, len(names), _BLOCK):
            values = matrix[start : start + _BLOCK] @ matrix[start:].T
            for one, other in zip(*numpy.nonzero(values >= threshold), strict=True):
                if one < other:
                    yield Pair(names[start + one], names[start + other], float(values[one, other]))

    def between(self, one: str, other: str) -> float:
        """Return the cosine of two texts."""
        return float(self._rows[one] @ self._rows[other])


def prune(folder: Path, keys: Iterable[str]) -> None:
    """Erase the vectors of all other texts from the files of all models."""
    kept = set(keys)
    for file in folder.glob("vectors-*.db"):
        try:
            _prune(file, kept)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            # what cannot be looked through cannot be kept either
            file.unlink()


def _prune(file: Path, kept: Set[str]) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("pragma secure_delete = on")
        gone = [row for row in base.execute("select key from vectors") if row[0] not in kept]
        base.executemany("delete from vectors where key = ?", gone)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Tell a file that is no database any more from one that is locked, or a disk that refuses."""
    return type(error) is sqlite3.DatabaseError


def share_of_words(words: Mapping[str, float]) -> float:
    """Return what one point of a score by words is worth in the blend."""
    return (1 - SHARE) / (max(words.values(), default=0.0) or 1.0)


def blended(words: Mapping[str, float], meaning: Mapping[str, float]) -> dict[str, float]:
    """Return words and meaning as one score, each put between 0 and 1 first; both are path -> value.

    >>> blended({"a": 2.0, "b": 1.0}, {"a": 0.2, "b": 0.2, "c": 0.6})
    {'a': 0.7, 'b': 0.35, 'c': 0.3}
    """
    near = sorted((path for path, value in meaning.items() if value >= NEAR), key=lambda path: (-meaning[path], path))
    paths = list(dict.fromkeys([*words, *near[:_NEAREST]]))
    low, high = min(meaning.values(), default=0.0), max(meaning.values(), default=0.0)
    worth, width = share_of_words(words), (high - low) or 1.0
    return {path: worth * words.get(path, 0.0) + SHARE * (meaning.get(path, low) - low) / width for path in paths}
