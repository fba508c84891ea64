"""From text to search terms: the same steps for notes and for questions, so that both meet.

A text is a sequence of words. A word has a main form, which counts for length and phrases, and further forms under
which it can be found as well: a compound such as `text_index.py` is the words `text`, `index`, `py` and besides
findable as `textindex` and `text_index.py`. Scripts without spaces between words are indexed by characters and by
pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import snowballstemmer

from mnemex_vault.index.words import STOP_WORDS, WORD_FORMS

# Han, kana, Hangul, and the scripts of mainland South-East Asia
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
_PICTURES = "\u2600-\u27bf\U0001f300-\U0001faff"
_LETTERS = rf"[^\W_{_UNSPACED}]"
_WORD = rf"{_LETTERS}+(?:[{_MARKS}]+{_LETTERS}*)*"

_CHUNK = re.compile(
    rf"(?P<compound>{_WORD}(?:(?:[-./\\:@'’‐‑&]|_+){_WORD})*(?:\+\+|\#(?!\w))?)|(?P<unspaced>[{_UNSPACED}]+)|(?P<picture>[{_PICTURES}])"
)
_LEVELS = (re.compile(r"[/\\:@&]"), re.compile(r"\."))
_JOINTS = re.compile(r"[-_‐‑]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[a-z0-9]*", re.IGNORECASE)
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_NUMBERED = re.compile(r"([A-Za-z]{2,})(\d+)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_CLITICS = frozenset({"s", "re", "ve", "ll", "d", "m"})
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ħ": "h"}
)
_MEMO_SIZE = 100_000
_LONGEST = 100
_VERSION_PARTS = 5


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: its main form, what else it is found under, and whether a question means it.

    Questions do not mean function words, single letters of a compound, or a character that a pair covers.
    """

    main: str
    others: tuple[str, ...] = ()
    stop: bool = False


def fold(text: str) -> str:
    """Return the text without case, accents and compatibility forms.

    >>> fold("Ｃafé Ångström STRASSE straße")
    'cafe angstrom strasse strasse'
    """
    if text.isascii():
        return text.lower()
    # compatibility forms such as mathematical letters get their case only by being decomposed
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    decomposed = decomposed.translate(_UNDECOMPOSED)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


def encodable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, which no file of the index can hold."""
    return text.encode("utf-8", "replace").decode()


class Analyzer:
    """Splits texts into words; remembers the words it has seen, since vocabularies are small.

    One thread at a time: the stemmer has a state.
    """

    def __init__(self) -> None:
        self._memo: dict[str, tuple[Word, ...]] = {}
        self._stemmer = snowballstemmer.stemmer("english")

    def words(self, text: str) -> Iterator[Word]:
        """Yield the words of a text in order."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
        if "," in text:
            text = _THOUSANDS.sub("", text)
        memo = self._memo
        for match in _CHUNK.finditer(text):
            chunk = match.group()
            known = memo.get(chunk)
            if known is None:
                known = tuple(_within_limit(self._analysed(chunk, match.lastgroup)))
                if len(memo) >= _MEMO_SIZE:
                    memo.clear()
                if len(chunk) <= _LONGEST:
                    memo[chunk] = known
            yield from known

    def query_terms(self, text: str) -> list[str]:
        """Return the distinct terms a question asks for; function words only if there is nothing else.

        >>> Analyzer().query_terms("What did the children buy in Zürich?")
        ['child', 'buy', 'zurich']
        >>> Analyzer().query_terms("The Who")
        ['the', 'who']
        """
        words = list(self.words(text))
        asked = [form for word in words for form in (word.others if word.stop else (word.main, *word.others))]
        return list(dict.fromkeys(asked or [word.main for word in words]))

    def _analysed(self, chunk: str, kind: str | None) -> tuple[Word, ...]:
        if kind == "unspaced":
            return tuple(_characters(fold(chunk)))
        if kind == "picture":
            return (Word(chunk),)
        if chunk.isalpha() and (chunk.islower() or chunk.istitle() or not chunk.isascii()):
            return (self._plain(chunk),)
        return tuple(self._compound(chunk))

    def _plain(self, text: str) -> Word:
        folded = fold(text)
        return Word(self._stem(folded), stop=folded in STOP_WORDS)

    def _stem(self, folded: str) -> str:
        """Join inflected forms: irregular and everyday ones by table, others by the Snowball algorithm."""
        folded = WORD_FORMS.get(folded, folded)
        if not folded.isascii() or not folded.isalpha():
            return folded
        return str(self._stemmer.stemWord(folded))

    def _compound(self, chunk: str) -> Iterator[Word]:
        """Yield the parts of a compound; the whole and its larger parts are further forms of the first."""
        if _VERSION.fullmatch(chunk):
            yield _version(fold(chunk))
            return
        wholes: list[str] = []
        words: list[Word] = []
        self._split(chunk, 0, wholes, words)
        if not words:
            return
        if len(words) > 1:
            words = [replace(word, stop=word.stop or len(word.main) == 1) for word in words]
        others = dict.fromkeys((*words[0].others, *wholes))
        others.pop(words[0].main, None)
        yield replace(words[0], others=tuple(others))
        yield from words[1:]

    def _split(self, text: str, level: int, wholes: list[str], words: list[Word]) -> None:
        if level == len(_LEVELS):
            self._split_joints(text, wholes, words)
            return
        if text.endswith(("+", "#")):
            wholes.append(fold(text))
            text = text.rstrip("+#")
        parts = _LEVELS[level].split(text)
        if len(parts) > 1:
            wholes.append(fold(text))
        for part in parts:
            if level == 0 and _VERSION.fullmatch(part):
                words.append(_version(fold(part)))
            else:
                self._split(part, level + 1, wholes, words)

    def _split_joints(self, text: str, wholes: list[str], words: list[Word]) -> None:
        parts = [part for part in _JOINTS.split(text) if part]
        if len(parts) > 1:
            wholes.append(self._stem(re.sub("['’]", "", fold("".join(parts)))))
        for part in parts:
            words.extend(self._apostrophes(part))

    def _apostrophes(self, text: str) -> Iterator[Word]:
        parts = re.split("['’]", text)
        if len(parts) == 2:
            head, tail = parts[0], fold(parts[1])
            if tail in _CLITICS:
                yield self._single(head)
                return
            if tail == "t":
                folded = fold(head) + "t"
                yield Word(folded, stop=folded in STOP_WORDS)
                return
        for part in parts:
            yield self._single(part)

    def _single(self, text: str) -> Word:
        """Return a word without separators; humps and a number at the end are further forms."""
        word = self._plain(text)
        parts = _humps(text)
        if len(parts) < 2 or not any(len(part) > 1 and part.isalpha() for part in parts):
            return word
        others = dict.fromkeys(self._stem(fold(part)) for part in parts if len(part) > 1 or part.isdigit())
        others.pop(word.main, None)
        return Word(word.main, tuple(others), stop=word.stop)


def _within_limit(words: Iterable[Word]) -> Iterator[Word]:
    """Cut words that no one wrote, such as encoded data."""
    for word in words:
        if len(word.main) > _LONGEST or any(len(other) > _LONGEST for other in word.others):
            others = tuple(other for other in word.others if len(other) <= _LONGEST)
            word = replace(word, main=word.main[:_LONGEST], others=others)
        yield word


def _characters(run: str) -> Iterator[Word]:
    for index, character in enumerate(run):
        pair = run[index : index + 2]
        yield Word(character, (pair,) if len(pair) == 2 else (), stop=len(run) > 1)


def _humps(text: str) -> tuple[str, ...]:
    """Return the parts of a word in camel case, or of a word with a number at its end.

    >>> _humps("getHTTPResponse"), _humps("python3"), _humps("plain")
    (('get', 'HTTP', 'Response'), ('python', '3'), ())
    """
    if not text.isascii():
        return ()
    if numbered := _NUMBERED.fullmatch(text):
        return numbered.groups()
    if text.islower() or text.istitle() or text.isupper():
        return ()
    return tuple(_HUMPS.findall(text))


def _version(folded: str) -> Word:
    """Return a version number, found by itself, without its `v` and by each of its beginnings.

    >>> _version("v2.7.4")
    Word(main='2.7.4', others=('v2.7.4', '2.7', '2'), stop=False)
    """
    bare = folded.removeprefix("v")
    pieces = bare.split(".")[:_VERSION_PARTS]
    beginnings = [".".join(pieces[:count]) for count in range(len(pieces) - 1, 0, -1)]
    return Word(bare, tuple(dict.fromkeys(([folded] if folded != bare else []) + beginnings)))
