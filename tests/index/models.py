"""A static model of a few words, written as model2vec writes one."""

from __future__ import annotations

import json
import struct
from pathlib import Path

# words of one row mean nearly the same
MEANINGS = (("ship", "boat", "vessel"), ("bread", "loaf"), ("river", "stream"), ("the", "a", "is", "at", "we"))


def write_static_model(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    words = {"[UNK]": 0}
    rows = [[0.0] * len(MEANINGS)]
    for place, meaning in enumerate(MEANINGS):
        for word in meaning:
            words[word] = len(words)
            rows.append([1.0 if place == column else 0.0 for column in range(len(MEANINGS))])
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    values = [value for row in rows for value in row]
    data = struct.pack(f"<{len(values)}f", *values)
    about = {"dtype": "F32", "shape": [len(rows), len(MEANINGS)], "data_offsets": [0, len(data)]}
    header = json.dumps({"__metadata__": {}, "embeddings": about}).encode()
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + data)
    return folder
