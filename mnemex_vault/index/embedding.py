"""Models that turn a text into a vector, from a folder of this computer; nothing is ever downloaded.

Two kinds are known by their files, beside a `tokenizer.json` each: `*.onnx` is a sentence transformer, of which the
mean over the tokens is taken; `model.safetensors` is a static model as model2vec writes it, one vector a token.
The libraries belong to the extra `semantic` and are imported when a model is opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from mnemex_vault.errors import ModelUnavailable

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
