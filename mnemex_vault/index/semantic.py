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
    """The vectors of one model, in a file beside the index that may be deleted at any time.

    `version` is another one after each change.
    """

    def __init__(self, folder: Path, model: Model) -> None:
        import numpy

        self.model = model
        self._numpy: Any = numpy
        self._file = folder / f"vectors-{model.name}.db"
        self._lock = threading.Lock()
        self._held: dict[str, Any] | None = None
        self.version = 0

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
            self.version += 1

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
                self.version += 1

    def gathered(self, keys: Mapping[str, str]) -> Gathered:
        """Return the vectors of these texts (name -> key) in one table, without those that have none."""
        with self._lock:
            held = self._all()
            names = sorted(name for name, key in keys.items() if key in held)
            size = (len(names), -1) if names else (0, 0)
            matrix = self._numpy.array([held[keys[name]] for name in names], dtype="float32").reshape(size)
            # one copy is enough
            held.update((keys[name], matrix[place]) for place, name in enumerate(names))
        return Gathered(names, matrix, self._numpy)

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


class Gathered:
    """The vectors of a collection of texts, by name."""

    def __init__(self, names: Sequence[str], matrix: Any, numpy: Any) -> None:
        self._names = names
        self._matrix = matrix
        self._numpy = numpy
        self._places = {name: place for place, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self._names)

    def cosines(self, asked: Any, names: Iterable[str]) -> dict[str, float]:
        """Return how near a vector is to these texts, to the nearest of all and to the farthest, from -1 to 1."""
        if not self._names:
            return {}
        numpy = self._numpy
        values = self._matrix @ asked
        count = min(_NEAREST, len(values))
        cut = max(NEAR, float(numpy.partition(values, -count)[-count]))
        places = [place for name in names if (place := self._places.get(name)) is not None]
        places += [*numpy.flatnonzero(values >= cut).tolist(), int(values.argmin()), int(values.argmax())]
        found = values[places].tolist()
        return {self._names[place]: value for place, value in zip(places, found, strict=True)}

    def pairs(self, threshold: float) -> Iterator[Pair]:
        """Yield all pairs that are at least that near; memory stays bounded however many texts there are."""
        names, numpy = self._names, self._numpy
        for start in range(0, len(names), _BLOCK):
            values = self._matrix[start : start + _BLOCK] @ self._matrix[start:].T
            for one, other in zip(*numpy.nonzero(values >= threshold), strict=True):
                if one < other:
                    yield Pair(names[start + one], names[start + other], float(values[one, other]))

    def between(self, one: str, other: str) -> float:
        """Return the cosine of two texts."""
        return float(self._matrix[self._places[one]] @ self._matrix[self._places[other]])


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
