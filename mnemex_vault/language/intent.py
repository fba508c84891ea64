"""What a sentence asks of a memory, learned from labelled messages, and what forbids keeping it whatever else it says.

A linear model over what a sentence says: its words in ones, twos and threes, pieces of words, the meanings of its words
(which all languages share), set phrases, and its shape. The weights are made by `tests/bench/train_intent.py`.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TypeVar

from mnemex_vault.language.folding import fold
from mnemex_vault.language.meanings import SCALE, SIZE, Meanings
from mnemex_vault.language.phrases import LANGUAGES, Phrasebook, words_and_pauses
from mnemex_vault.language.tongues import spoken

# What forbids keeping a sentence, whatever else speaks for it, and how far around it that reaches.

REACH = 3
# what stands before a colon is short if it says what to do with the rest
_LONGEST_HEAD = 120
_COLON = re.compile(r"[:：]\s*(?!//)")
_LINE_OF_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|Traceback \(most|"
    r"at [\w.$]+\(|File \"[^\"]+\", line \d+|[-+]{3} [ab]/|@@ -\d|\$ \w|>>> |#!/|<\?xml|"
    r"(?:SELECT|INSERT|UPDATE|DELETE) .+;$|"
    r"(?:import|from|def|class|const|let|var|function|public|private|return)\s[^.?!]*[;:{(]\s*$)"
)


class Veto(StrEnum):
    """Why a sentence is not kept, in words of people."""

    REFUSED = "asked not to be kept"
    PASTED = "quoted or pasted"
    FICTION = "made up"
    SECRET = "holds a key or password"


def asks_not_to_keep(sentence: str) -> bool:
    """Tell whether a sentence refuses to be kept, or is said in confidence.

    >>> asks_not_to_keep("Just between you and me: Tom is leaving."), asks_not_to_keep("Tom is leaving.")
    (True, False)
    """
    return Phrasebook.load().says("refusal", sentence)


def vetoes(sentences: Sequence[str], secret: Iterable[bool]) -> list[Veto | None]:
    """Return what forbids keeping each sentence of one message; `secret` tells which hold a key or password.

    What is handed over to be worked on, and a story, goes on to the end of the message.
    """
    book = Phrasebook.load()
    found: list[Veto | None] = []
    going_on: Veto | None = None
    for sentence, holds_secret in zip(sentences, secret, strict=True):
        going_on = going_on or (Veto.FICTION if book.says("fiction", sentence) else None)
        if holds_secret:
            found.append(Veto.SECRET)
        elif book.says("refusal", sentence):
            found.append(Veto.REFUSED)
        else:
            handed_over = _hands_over(sentence, book)
            going_on = going_on or (Veto.PASTED if handed_over else None)
            found.append(going_on or (Veto.PASTED if _LINE_OF_LOG.match(sentence) else None))
    return found


def touched(found: Sequence[Veto | None], reach: int = REACH) -> list[Veto | None]:
    """Return the vetoes with those that reach further spread over so many sentences before and after.

    >>> touched([None, Veto.REFUSED, None, None, None, None], reach=2)[3:]
    [<Veto.REFUSED: 'asked not to be kept'>, None, None]
    """
    spread = list(found)
    for at, veto in enumerate(found):
        if veto is not None and veto is not Veto.PASTED:
            for near in range(max(0, at - reach), min(len(found), at + reach + 1)):
                # a refusal is said first, whatever else there may be
                spread[near] = Veto.REFUSED if Veto.REFUSED in (veto, spread[near]) else spread[near] or veto
    return spread


def _hands_over(sentence: str, book: Phrasebook) -> bool:
    colon = _COLON.search(sentence)
    return colon is not None and colon.start() <= _LONGEST_HEAD and book.says("handover", sentence[: colon.start()])


# What a sentence asks of a memory, learned from labelled messages: to keep it, to look something up, to confirm.

Name = TypeVar("Name", bound=str)

BITS = 16
MAGIC = b"mnemex-intent-1\n"
_MASK = (1 << BITS) - 1
# what a sentence wants is said in so many letters and words
_LONGEST = 400
_MOST_WORDS = 80
_PIECES = (2, 3, 4, 5)
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTERS = re.compile(r"[^\W\d_]+")
_LETTER_BY_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_UNSPACED_PART = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff]+")
_LONGEST_WORD = 4
_KNOWN_SHARE = 0.5
_WEIGHT_OF_MEANINGS = 3.0
_LEAST_TOLD = 4
_ASKS = re.compile(r"[?？؟]")
_ENDS_ASKING = re.compile(r"[?？؟][\s\"'”’)*_]*$")
_CODE = re.compile(r"[{}();=<>]|::|->|\b\w+\.\w+\(|`")
_QUOTES = re.compile(r"[\"“”«»「」]")
_PERSONS = frozenset({"SPEAKER", "HEARER", "ASKING", "OTHERS"})
_OPENING = 3
PHRASES = ("request", "handover", "fiction")


class Intent(StrEnum):
    """What may be asked of a memory."""

    SAVE = "save"
    RECALL = "recall"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Features:
    """A sentence as the model sees it: places of hashed pieces in two blocks, and named marks with their strength.

    `told` leads from each place to the words that it stands for, for reasons.
    """

    words: Mapping[int, str]
    pieces: frozenset[int]
    meanings: Sequence[float]
    marks: Mapping[str, float]


def features_of(sentence: str, lists: Collection[str] = ()) -> Features:
    """Return the features of a sentence; `lists` are the names of word lists of which it has a phrase."""
    words = words_and_pauses(sentence[: 4 * _LONGEST])[:_MOST_WORDS]
    lists = [f"list {each}" for each in lists]
    marks = dict.fromkeys([*lists, *_phrases(sentence), *_shape(sentence, words), *_persons(words)], 1.0)
    joined = f" {' '.join(words)} "[:_LONGEST]
    pieces = (joined[at : at + size] for size in _PIECES for at in range(len(joined) - size + 1))
    return Features(
        words={_place(f"w {said}"): said for said in _spans(words)},
        pieces=frozenset(_place(f"c{piece}") for piece in pieces),
        meanings=_meanings(words),
        marks=marks,
    )


def is_known(text: str) -> bool:
    """Tell whether the text is in one of the languages that were learned, by how many of its words are known.

    >>> is_known("Mein Hund heißt Rex."), is_known("Köpeğimin adı Pamuk, çok seviyorum."), is_known("狗")
    (True, False, True)
    """
    written = _LETTERS.findall(text[:_LONGEST].lower())
    words = [fold(word) for word in written]
    sure = spoken(zip(words, written, strict=True)).sure
    if sure:
        return not LANGUAGES.isdisjoint(sure)
    table = Meanings.load()
    known = sum(_EASTERN.search(word) is not None or word in table for word in words)
    return known > _KNOWN_SHARE * len(words) or not words


def asks(sentence: str) -> bool:
    """Tell whether a sentence ends as a question does."""
    return _ENDS_ASKING.search(sentence) is not None


def _spans(words: Sequence[str]) -> Iterator[str]:
    """Yield words, pairs and triples; writing without spaces letter by letter."""
    parts = [part for word in words for part in _UNSPACED_PART.findall(word)]
    ended = ["<", *parts, ">"]
    yield from parts
    yield from map(" ".join, pairwise(ended))
    yield from map(" ".join, zip(ended, ended[1:], ended[2:], strict=False))


def _place(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace")) & _MASK


def _phrases(sentence: str) -> Iterator[str]:
    book = Phrasebook.load()
    return (purpose for purpose in PHRASES if book.says(purpose, sentence))


def _shape(sentence: str, words: Sequence[str]) -> Iterator[str]:
    said = sum(word != "," for word in words)
    yield f"length {min(5, said.bit_length())}"
    tests = {
        "asks": _ASKS.search(sentence),
        "ends asking": asks(sentence),
        "code": _CODE.search(sentence),
        "quotes": _QUOTES.search(sentence),
        "exclaims": "!" in sentence or "！" in sentence,
        "number": any(map(str.isdigit, sentence)),
        "colon": ":" in sentence or "：" in sentence,
        "unspaced": _LETTER_BY_LETTER.search(sentence),
    }
    yield from (name for name, found in tests.items() if found)


def _persons(words: Sequence[str]) -> Iterator[str]:
    """Yield who is spoken of and whether it is asked, as the language says it that knows most of the words."""
    best: tuple[int, list[frozenset[str]]] = (0, [])
    for book in Phrasebook.load().of(words):
        read = [classes & _PERSONS for classes in book.classes(words)]
        best = max(best, (sum(map(bool, read)), read), key=lambda found: found[0])
    said = frozenset().union(*best[1])
    first = next(filter(None, best[1][:_OPENING]), frozenset())
    yield "persons " + " ".join(sorted(said))
    yield "first " + " ".join(sorted(first))
    yield from (f"person {name}" for name in said)


def _meanings(words: Sequence[str]) -> list[float]:
    """Return the mean and the greatest of each number of the words' vectors."""
    table = Meanings.load()
    found = [vector for word in words for vector in _vectors(word, table)]
    if not found:
        return [0.0] * (2 * SIZE)
    columns = list(zip(*found, strict=True))
    scale = _WEIGHT_OF_MEANINGS / SCALE
    return [sum(column) / len(found) * scale for column in columns] + [max(column) * scale for column in columns]


def _vectors(word: str, table: Meanings) -> Iterator[memoryview]:
    if not _LETTER_BY_LETTER.search(word):
        vector = table.vector(word)
        if vector is not None:
            yield vector
        return
    at = 0
    while at < len(word):
        sizes = range(min(_LONGEST_WORD, len(word) - at), 0, -1)
        found = ((size, table.vector(word[at : at + size])) for size in sizes)
        size, vector = next(((size, vector) for size, vector in found if vector is not None), (1, None))
        if vector is not None:
            yield vector
        at += size


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one intent; hashed ones are whole numbers of `step`."""

    bias: float
    step: float
    hashed: memoryview
    meanings: Sequence[float]
    marks: Mapping[str, float]

    def score(self, features: Features) -> float:
        """Return the sum of what speaks for and against it."""
        hashed = self.hashed
        return (
            self.bias
            + self.step * sum(hashed[place] for place in features.words) / math.sqrt(len(features.words) or 1)
            + self.step * sum(hashed[place] for place in features.pieces) / math.sqrt(len(features.pieces) or 1)
            + sum(weight * number for weight, number in zip(self.meanings, features.meanings, strict=True))
            + sum(self.marks.get(mark, 0.0) * strength for mark, strength in features.marks.items())
        )

    def telling(self, features: Features) -> list[str]:
        """Return the words that speak most for it, those that weigh most first."""
        weighed = sorted(((self.hashed[place], said) for place, said in features.words.items()), reverse=True)
        plain = (said.strip("<>, ") for weight, said in weighed if weight > 0)
        return [said for said in plain if len(said) >= _LEAST_TOLD or not said.isascii()]


@dataclass(frozen=True, slots=True)
class Judge:
    """The weights of all intents."""

    weights: Mapping[Intent, Weights]

    @classmethod
    def load(cls) -> Judge:
        """Return the weights of the package, read once."""
        return _loaded()

    def confidence(self, intent: Intent, features: Features) -> float:
        """Return how likely it is, from 0 to 1."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.weights[intent].score(features)))))


@cache
def _loaded() -> Judge:
    found = unpacked((files("mnemex_vault.language") / "data" / "intent.bin").read_bytes())
    return Judge({Intent(name): weights for name, weights in found.items()})


def packed(weights: Mapping[Name, Weights]) -> bytes:
    """Return a file of weights: a line that says what it is, a line of JSON, the hashed weights one after another."""
    facts = {
        str(name): {
            "bias": each.bias,
            "step": each.step,
            "meanings": list(each.meanings),
            "marks": dict(each.marks),
        }
        for name, each in weights.items()
    }
    return MAGIC + json.dumps(facts).encode() + b"\n" + b"".join(bytes(each.hashed) for each in weights.values())


def unpacked(data: bytes) -> dict[str, Weights]:
    """Read a file of weights, by the name of what each tells."""
    start = data.index(b"\n", len(MAGIC)) + 1
    facts = json.loads(data[len(MAGIC) : start])
    hashed = memoryview(data)[start:].cast("b")
    found = {}
    for at, (name, fact) in enumerate(facts.items()):
        part = hashed[at << BITS : (at + 1) << BITS]
        found[name] = Weights(fact["bias"], fact["step"], part, fact["meanings"], fact["marks"])
    return found
