"""What a text means beside what it says: models of this computer, vectors by the hash of the text, and the blend."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from mnemex_vault.domain.similarity import Pair
from mnemex_vault.errors import ModelUnavailable

# Models that turn a text into a vector, from a folder of this computer; nothing is ever downloaded.
#
# Two kinds are known by their files, beside a `tokenizer.json` each: `*.onnx` is a sentence transformer, of which the
# mean over the tokens is taken; `model.safetensors` is a static model as model2vec writes it, one vector a token.
# The libraries belong to the extra `semantic` and are imported when a model is opened.

_MOST_TOKENS = 256
_BATCH = 16


class Model(Protocol):
    """Gives vectors of length 1; `name` tells one model from another."""

    name: str

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return a matrix of 32 bit floats, one row for each text."""


def open_model(folder: Path) -> Model:
    """Return the model in a folder; raises ModelUnavailable."""
    tokenizer = folder / "tokenizer.json"
    graphs = sorted(folder.glob("*.onnx")) or sorted(folder.glob("onnx/*.onnx"))
    static = folder / "model.safetensors"
    if not tokenizer.is_file() or not (graphs or static.is_file()):
        raise ModelUnavailable(folder, "needs tokenizer.json, and a .onnx file or model.safetensors")
    try:
        return _Transformer(graphs[0], tokenizer) if graphs else _Static(static, tokenizer)
    except ImportError as error:
        raise ModelUnavailable(folder, f"needs mnemex-vault[semantic]: {error}") from error
    except Exception as error:  # the libraries raise what they like for a broken file
        raise ModelUnavailable(folder, f"cannot be read: {error}") from error


class _Transformer:
    def __init__(self, graph: Path, tokenizer: Path) -> None:
        import numpy
        import onnxruntime

        self.name = _name(graph)
        self._numpy: Any = numpy
        self._tokenizer = _tokenizer(tokenizer)
        self._tokenizer.enable_padding()
        self._session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}

    def vectors(self, texts: Sequence[str]) -> Any:
        batches = [self._batch(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return self._numpy.concatenate(batches)

    def _batch(self, texts: Sequence[str]) -> Any:
        numpy = self._numpy
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = numpy.array([each.attention_mask for each in encoded], dtype="int64")
        given = {
            "input_ids": numpy.array([each.ids for each in encoded], dtype="int64"),
            "attention_mask": mask,
            "token_type_ids": numpy.zeros_like(mask),
        }
        found = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0]
        if found.ndim == 3:
            found = (found * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return _of_length_one(numpy, found)


class _Static:
    def __init__(self, file: Path, tokenizer: Path) -> None:
        import numpy

        self.name = _name(file)
        self._numpy: Any = numpy
        self._tokenizer = _tokenizer(tokenizer)
        tensors = _tensors(numpy, file)
        self._table = tensors["embeddings"].astype("float32")
        self._weights, self._mapping = tensors.get("weights"), tensors.get("mapping")

    def vectors(self, texts: Sequence[str]) -> Any:
        numpy = self._numpy
        rows = [
            self._mean(encoded.ids) for encoded in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ]
        return _of_length_one(numpy, numpy.array(rows, dtype="float32").reshape(len(rows), -1))

    def _mean(self, ids: Sequence[int]) -> Any:
        if not ids:
            return self._numpy.zeros(self._table.shape[1], dtype="float32")
        tokens = self._numpy.array(ids)
        found = self._table[tokens if self._mapping is None else self._mapping[tokens]]
        if self._weights is not None:
            found = found * self._weights[tokens][:, None]
        return found.mean(axis=0)


def _name(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:16]


def _tokenizer(file: Path) -> Any:
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(file))
    tokenizer.enable_truncation(_MOST_TOKENS)
    # the file may ask for padding to a fixed length, which would count as words
    tokenizer.no_padding()
    return tokenizer


def _tensors(numpy: Any, file: Path) -> dict[str, Any]:
    """Return the arrays of a safetensors file: the length of the header, the header as JSON, the data."""
    data = file.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    kinds = {"F32": "<f4", "F16": "<f2", "F64": "<f8", "I64": "<i8", "I32": "<i4"}
    found = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            first, last = about["data_offsets"]
            values = numpy.frombuffer(data[start + first : start + last], dtype=kinds[about["dtype"]])
            found[name] = values.reshape(about["shape"])
    return found


def _of_length_one(numpy: Any, rows: Any) -> Any:
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / numpy.maximum(lengths, 1e-9)).astype("float32")


# What a text means, beside what it says: vectors kept by the hash of the text, and the blend of both scores.

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
