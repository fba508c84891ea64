"""What a sentence asks of a memory, learned from labelled messages, and what forbids keeping it whatever else it says.

A linear model over what a sentence says: its words in ones, twos and threes, pieces of words, its frames (how function
words stand around the others), the meanings of its words and the groups of alike words that they are in (which all
languages share), set phrases, and its shape. Its weights are made by `tests/bench/train_intent.py`.
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
from operator import mul
from typing import TypeVar

from mnemex_vault.language.folding import fold
from mnemex_vault.language.meanings import SCALE, SIZE, Meanings
from mnemex_vault.language.phrases import LANGUAGES, Phrasebook, Reading, words_and_pauses
from mnemex_vault.language.tongues import spoken_in, tongues

# What forbids keeping a sentence, whatever else speaks for it, and how far around it that reaches.

REACH = 3
REFUSED_AT = 0.5
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
    """Tell whether a set phrase in a sentence refuses that it is kept, or says it in confidence.

    >>> asks_not_to_keep("Just between you and me: Tom is leaving."), asks_not_to_keep("Tom is leaving.")
    (True, False)
    """
    return Phrasebook.load().says("refusal", sentence)


def vetoes(sentences: Sequence[str], seen: Sequence[Features], secret: Iterable[bool]) -> list[Veto | None]:
    """Return what forbids keeping each sentence of one message, given what the model sees of it.

    `secret` tells which hold a key or password. What is handed over to be worked on, and a story, goes on to the end of
    the message.
    """
    found: list[Veto | None] = []
    going_on: Veto | None = None
    for sentence, features, holds_secret in zip(sentences, seen, secret, strict=True):
        going_on = going_on or (Veto.FICTION if "fiction" in features.marks else None)
        if holds_secret:
            found.append(Veto.SECRET)
        elif is_refused(features):
            found.append(Veto.REFUSED)
        else:
            going_on = going_on or (Veto.PASTED if _hands_over(sentence) else None)
            found.append(going_on or (Veto.PASTED if _LINE_OF_LOG.match(sentence) else None))
    return found


def is_refused(features: Features) -> bool:
    """Tell whether a set phrase refuses that a sentence is kept, or what was learned, unless it rather asks for it."""
    if "refusal" in features.marks:
        return True
    refused = Judge.load().confidence(Intent.REFUSE, features)
    return refused >= REFUSED_AT and refused >= Judge.load().confidence(Intent.ASK, features)


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


def _hands_over(sentence: str) -> bool:
    colon = _COLON.search(sentence)
    if colon is None or colon.start() > _LONGEST_HEAD:
        return False
    return Phrasebook.load().says("handover", sentence[: colon.start()])


# What a sentence asks of a memory, learned from labelled messages: to keep it or not, to look up, to confirm.

Name = TypeVar("Name", bound=str)

BITS = 18
MAGIC = b"mnemex-intent-2\n"
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
_LEAST_TOLD, _LEAST_TOLD_ELSEWHERE = 4, 2
_ASKS = re.compile(r"[?？؟]")
_ENDS_ASKING = re.compile(r"[?？؟][\s\"'”’)*_]*$")
_CODE = re.compile(r"[{}();=<>]|::|->|\b\w+\.\w+\(|`")
_QUOTES = re.compile(r"[\"“”«»「」]")
_PERSONS = frozenset({"SPEAKER", "HEARER", "ASKING", "OTHERS"})
# what words are for, as all languages have it
_ROLES = _PERSONS | {
    "NOT", "KEEP", "SAVE", "MEMORY", "FORGET", "ERASE", "SECRET", "TELL", "NOBODY", "SAID", "THIS", "MINE", "REQUEST",
}  # fmt: skip
_WEIGHT_OF_ROLES = 2.0
_OPENING = 3
_FRAMES = (2, 3, 4)


class Intent(StrEnum):
    """What may be asked of a memory; to ask is to say that something is to be kept, to refuse that it is not."""

    SAVE = "save"
    RECALL = "recall"
    CONFIRM = "confirm"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Features:
    """A sentence as the model sees it: places of hashed pieces in four blocks, and named marks with their strength.

    `told` leads from each place to the words that it stands for, for reasons.
    """

    words: Mapping[int, str]
    pieces: frozenset[int]
    frames: frozenset[int]
    groups: frozenset[int]
    meanings: Sequence[float]
    marks: Mapping[str, float]


def features_of(sentence: str, lists: Collection[str] = ()) -> Features:
    """Return the features of a sentence; `lists` are the names of word lists of which it has a phrase."""
    words = words_and_pauses(sentence[: 4 * _LONGEST])[:_MOST_WORDS]
    reading = Phrasebook.load().read(words)
    known = [piece for word in words for piece in _known(word)]
    lists = [f"list {each}" for each in lists]
    marks = dict.fromkeys([*lists, *reading.purposes, *_shape(sentence, words), *_persons(reading)], 1.0)
    marks |= _roles(reading)
    joined = f" {' '.join(words)} "[:_LONGEST]
    pieces = (joined[at : at + size] for size in _PIECES for at in range(len(joined) - size + 1))
    return Features(
        words={_place(f"w {said}"): said for said in _spans(words)},
        pieces=frozenset(_place(f"c{piece}") for piece in pieces),
        frames=frozenset(_place(f"f {frame}") for frame in _frames(words)),
        groups=frozenset(_place(f"g {group}") for group in _groups(known)),
        meanings=_meanings([row for _, row in known if row is not None]),
        marks=marks,
    )


def is_known(text: str) -> bool:
    """Tell whether the text is in one of the languages that were learned, by how many of its words are known.

    >>> is_known("Mein Hund heißt Rex."), is_known("Köpeğimin adı Pamuk, çok seviyorum."), is_known("狗")
    (True, False, True)
    """
    sure = spoken_in(text[:_LONGEST]).sure
    if sure:
        return not LANGUAGES.isdisjoint(sure)
    words = [fold(word) for word in _LETTERS.findall(text[:_LONGEST])]
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


def _frames(words: Sequence[str]) -> Iterator[str]:
    """Yield how function words stand around the others, of whichever language they are."""
    function_words = tongues().of_word
    plain = ["<"]
    for word in words:
        kept = word if word == "," or word in function_words else "#" if word.isdigit() else "_"
        if kept != "_" or plain[-1] != "_":
            plain.append(kept)
    plain.append(">")
    for size in _FRAMES:
        yield from (" ".join(plain[at : at + size]) for at in range(len(plain) - size + 1))


def _place(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace")) & _MASK


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


def _persons(reading: Reading) -> Iterator[str]:
    """Yield who is spoken of and whether it is asked, as the language says it that knows most of the words."""
    best: tuple[int, list[frozenset[str]]] = (0, [])
    for language in reading.by_language:
        read = [classes & _PERSONS for classes in language]
        best = max(best, (sum(map(bool, read)), read), key=lambda found: found[0])
    said = frozenset().union(*best[1])
    first = next(filter(None, best[1][:_OPENING]), frozenset())
    yield "persons " + " ".join(sorted(said))
    yield "first " + " ".join(sorted(first))
    yield from (f"person {name}" for name in said)


def _roles(reading: Reading) -> dict[str, float]:
    """Return what the words are for, alone and one before another, as the language says it that knows most of them."""
    languages = ([roles for each in language if (roles := each & _ROLES)] for language in reading.by_language)
    said: list[frozenset[str]] = max(languages, key=len, default=[])
    found = {f"role {one}" for roles in said for one in roles}
    for at, roles in enumerate(said):
        found |= {f"role {one} {two}" for near in said[at + 1 : at + _OPENING] for one in roles for two in near}
    return dict.fromkeys(found, _WEIGHT_OF_ROLES / math.sqrt(len(found) or 1))


def _meanings(rows: Sequence[int]) -> list[float]:
    """Return the mean and the greatest of each number of the vectors of known words."""
    if not rows:
        return [0.0] * (2 * SIZE)
    table = Meanings.load()
    columns = list(zip(*map(table.at, rows), strict=True))
    scale = _WEIGHT_OF_MEANINGS / SCALE
    return [sum(column) / len(rows) * scale for column in columns] + [max(column) * scale for column in columns]


def _groups(known: Iterable[tuple[str, int | None]]) -> Iterator[str]:
    """Yield the groups of alike words that the words are in, alone and in pairs; an unknown word is its own group."""
    table = Meanings.load()
    groups = [word if row is None else str(table.group(row)) for word, row in known]
    yield from groups
    yield from map(" ".join, pairwise(["<", *groups, ">"]))


def _known(word: str) -> Iterator[tuple[str, int | None]]:
    """Yield a word, of writing without spaces its longest known pieces, with the place in the table of meanings."""
    table = Meanings.load()
    if not _LETTER_BY_LETTER.search(word):
        yield word, table.row(word)
        return
    at = 0
    while at < len(word):
        pieces = (word[at : at + size] for size in range(min(_LONGEST_WORD, len(word) - at), 0, -1))
        found = ((piece, table.row(piece)) for piece in pieces)
        piece, row = next(((piece, row) for piece, row in found if row is not None), (word[at], None))
        yield piece, row
        at += len(piece)


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
        meant: float = sum(map(mul, self.meanings, features.meanings))
        return (
            self.bias
            + self.step * self._mean(features.words)
            + self.step * self._mean(features.pieces)
            + self.step * self._mean(features.frames)
            + self.step * self._mean(features.groups)
            + meant
            + sum(self.marks.get(mark, 0.0) * strength for mark, strength in features.marks.items())
        )

    def _mean(self, places: Collection[int]) -> float:
        return sum(map(self.hashed.__getitem__, places)) / math.sqrt(len(places) or 1)

    def telling(self, features: Features) -> list[str]:
        """Return the words that speak most for it, those that mean something by themselves first."""
        weighed = sorted(((self.hashed[place], said) for place, said in features.words.items()), reverse=True)
        plain = (_as_said(said) for weight, said in weighed if weight > 0)
        empty = tongues().of_word.keys()
        told: list[str] = []
        for said in sorted(plain, key=lambda said: empty >= set(said.split())):
            enough = len(said) >= (_LEAST_TOLD if said.isascii() else _LEAST_TOLD_ELSEWHERE)
            if enough and said not in empty and not any(said in each or each in said for each in told):
                told.append(said)
        return told


def _as_said(span: str) -> str:
    words = span.strip("<>, ")
    return words.replace(" ", "") if _LETTER_BY_LETTER.search(words) else words


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
    """Return a file of weights: a line that says what it is, a line of JSON, the hashed weights of all, compressed."""
    facts = {
        str(name): {
            "bias": each.bias,
            "step": each.step,
            "meanings": list(each.meanings),
            "marks": dict(each.marks),
        }
        for name, each in weights.items()
    }
    hashed = b"".join(bytes(each.hashed) for each in weights.values())
    return MAGIC + json.dumps(facts).encode() + b"\n" + zlib.compress(hashed, 9)


def unpacked(data: bytes) -> dict[str, Weights]:
    """Read a file of weights, by the name of what each tells."""
    start = data.index(b"\n", len(MAGIC)) + 1
    facts = json.loads(data[len(MAGIC) : start])
    hashed = zlib.decompress(memoryview(data)[start:])
    size = len(hashed) // len(facts)
    found = {}
    for at, (name, fact) in enumerate(facts.items()):
        # where fewer places were learned, several are one
        part = memoryview(hashed[at * size : (at + 1) * size] * ((1 << BITS) // size)).cast("b")
        found[name] = Weights(fact["bias"], fact["step"], part, fact["meanings"], fact["marks"])
    return found
