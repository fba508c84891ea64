"""From text to search terms: the same steps for notes and for questions, so that both meet.

A text is a sequence of words. A word has a main form, which counts for length and phrases, and further forms under
which it can be found as well: a compound such as `text_index.py` is the words `text`, `index`, `py` and besides
findable as `textindex` and `text_index.py`. Scripts without spaces between words are indexed by characters and by
pairs of characters. What a word is inflected from depends on the language, which a whole text tells better than a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mnemex_vault.language.folding import fold, seen
from mnemex_vault.language.stems import Stems
from mnemex_vault.language.tongues import Spoken, script_of, spoken, tongues, unspaced_function_words

# Han, kana, Hangul, and the scripts of mainland South-East Asia
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
_PICTURES = "\u231a-\u23ff\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_TONES = "\U0001f3fb-\U0001f3ff"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_PICTURE = rf"[{_PICTURES}][\ufe0e\ufe0f]?[{_TONES}]?[\U000e0020-\U000e007f]*"
_PAIR = re.compile(f"[{_UNSPACED}]{{2}}")
_LETTERS = rf"[^\W_{_UNSPACED}]"
_WORD = rf"{_LETTERS}+(?:[{_MARKS}]+{_LETTERS}*)*"

_PLAIN = (
    rf"(?P<picture>{_FLAG}|[0-9#*]\ufe0f?\u20e3|{_PICTURE}(?:\u200d{_PICTURE})*)"
    rf"|(?P<compound>{_WORD}(?:(?:[-./\\:@'’‐‑&]|_+){_WORD})*(?:\+\+|\#(?!\w))?)"
    rf"|(?P<unspaced>[{_UNSPACED}]+)"
)
_GROUPS = r"\+?\(?\d+(?:[ ()/.-]{1,2}\(?\d+){1,6}"
_CHUNK = re.compile(rf"(?P<phone>(?<![\w.])(?:{_GROUPS}|\+\d{{7,15}}|0\d{{8,14}})(?![-./:@]?\w))|{_PLAIN}")
_PART = re.compile(_PLAIN)
_DATE = re.compile(r"\d{1,4}([-./ ])\d{1,2}\1\d{1,4}")
_LOOKS = re.compile(rf"[\ufe0e\ufe0f{_TONES}]")
# what only joins words, between words in other characters than its own in Japanese
_KANA_PARTICLES = frozenset("のをはがにへでとも")
# as many digits as a number in the world-wide plan has
_PHONE_DIGITS = range(7, 16)
# what is dialled in the same town or country is a number's end
_DIALLED = 7
_LEVELS = (re.compile(r"[/\\:@&]"), re.compile(r"\."))
_JOINTS = re.compile(r"[-_‐‑]+")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[a-z0-9]*", re.IGNORECASE)
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_NUMBERED = re.compile(r"([A-Za-z]{2,})(\d+)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CLITICS = frozenset({"s", "re", "ve", "ll", "d", "m"})
# no word begins with it
STEM = "="
_MEMO_SIZE = 100_000
_LONGEST = 100
_VERSION_PARTS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """One word of a text: its main form, what else it is found under, and whether a question means it.

    Questions do not mean single letters of a compound, or a character that a pair covers. `written` is the word in
    lower case where folding took something away, `tongues` are the languages in which it is a function word. `capital`
    tells that it begins with one, `telling` that its further forms are meant. Words are told apart by identity: an
    analyzer gives the same one again.
    """

    main: str
    others: tuple[str, ...] = ()
    stop: bool = False
    written: str = ""
    tongues: tuple[str, ...] = ()
    capital: bool = False
    telling: bool = True


@dataclass(frozen=True, slots=True)
class AskedWord:
    """One word that a question asks for: folded, as it is written, and whether it looks like a name.

    `joined` is what it makes with the word beside it, if they are written as one.
    """

    term: str
    written: str
    name: bool = False
    joined: tuple[str, ...] = ()


def encodable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, which no file of the index can hold."""
    return text.encode("utf-8", "replace").decode()


class Analyzer:
    """Splits texts into words; remembers the words it has seen, since vocabularies are small.

    One thread at a time: the stemmer has a state.
    """

    def __init__(self) -> None:
        self._memo: dict[str, tuple[Word, ...]] = {}
        self._terms: dict[str, _Terms] = {}
        self.stems = Stems()

    def words(self, text: str) -> Iterator[Word]:
        """Yield the words of a text in order."""
        text = seen(text)
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

    def terms(self, languages: Spoken) -> Mapping[Word, tuple[str, ...]]:
        """Return a table of the terms under which each word of a text in these languages is found.

        >>> analyzer = Analyzer()
        >>> words = list(analyzer.words("Er hat zwei Häuser"))
        >>> analyzer.terms(spoken_in(words))[words[-1]]
        ('hauser', '=haus')
        """
        return self._terms.setdefault(languages.key, _Terms(self.stems, languages))

    def query_words(self, text: str) -> list[AskedWord]:
        """Return the distinct words a question asks for; function words only if there is nothing else.

        >>> [word.term for word in Analyzer().query_words("What did the children buy in Zürich?")]
        ['children', 'buy', 'zurich']
        >>> [word.term for word in Analyzer().query_words("The Who")]
        ['the', 'who']
        """
        words = list(self.words(text))
        languages = spoken_in(words)
        asked = [form for word in words for form in _asked_forms(word, languages)]
        joined = _joined(words)
        nouns = any(tongues().by_code[code].capitals for code in languages.best)
        asked = [replace(form, name=form.name and not nouns, joined=joined.get(form.term, ())) for form in asked]
        return list({form.term: form for form in asked or map(_asked, words)}.values())

    def asked_parts(self, text: str) -> list[AskedWord]:
        """Return all words of a text, function words as well."""
        return [_asked(word) for word in self.words(text)]

    def query_terms(self, text: str) -> list[str]:
        """Return the terms of the words a question asks for."""
        return [word.term for word in self.query_words(text)]

    def _analysed(self, chunk: str, kind: str | None) -> tuple[Word, ...]:
        if kind == "unspaced":
            return tuple(_characters(fold(chunk)))
        if kind == "picture":
            return (_picture(chunk),)
        if kind == "phone":
            return self._number(chunk)
        if chunk.isalpha() and (chunk.islower() or chunk.istitle() or not chunk.isascii()):
            return (self._plain(chunk),)
        return tuple(self._compound(chunk))

    def _number(self, chunk: str) -> tuple[Word, ...]:
        """Return groups of digits as what they are; those of a telephone number are one number as well."""
        words = [word for match in _PART.finditer(chunk) for word in self._analysed(match.group(), match.lastgroup)]
        digits = "".join(filter(str.isdecimal, fold(chunk)))
        if len(digits) in _PHONE_DIGITS and not _VERSION.fullmatch(chunk) and not _DATE.fullmatch(chunk):
            others = dict.fromkeys((*words[0].others, digits, digits[-_DIALLED:]))
            others.pop(words[0].main, None)
            words[0] = replace(words[0], others=tuple(others))
        return tuple(words)

    def _plain(self, text: str) -> Word:
        folded = fold(text)
        lowered = "" if text.isascii() else text.lower()
        written = "" if lowered == folded else lowered
        return Word(folded, (), False, written, tongues().of_word.get(folded, ()), text[:1].isupper())

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
            wholes.append(re.sub("['’]", "", fold("".join(parts))))
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
                yield self._plain(head + "t")
                return
        for part in parts:
            yield self._single(part)

    def _single(self, text: str) -> Word:
        """Return a word without separators; humps and a number at the end are further forms."""
        word = self._plain(text)
        parts = _humps(text)
        if len(parts) < 2 or not any(len(part) > 1 and part.isalpha() for part in parts):
            return word
        others = dict.fromkeys(fold(part) for part in parts if len(part) > 1 or part.isdigit())
        others.pop(word.main, None)
        return replace(word, others=tuple(others))


class _Terms(dict[Word, tuple[str, ...]]):
    """The terms of the words of texts in the same languages, worked out when they are asked for."""

    def __init__(self, stems: Stems, languages: Spoken) -> None:
        self._stems = stems
        self._languages = languages

    def __missing__(self, word: Word) -> tuple[str, ...]:
        if len(self) >= _MEMO_SIZE:
            self.clear()
        self[word] = found = tuple(dict.fromkeys(self._found_under(word)))
        return found

    def _found_under(self, word: Word) -> Iterator[str]:
        for form in (word.main, *word.others):
            yield form
            codes = set(self._languages.of(form)).difference(word.tongues)
            if codes:
                written = word.written if form == word.main and word.written else form
                yield from (STEM + stem for stem in self._stems.of(written, sorted(codes)) if stem != form)


def spoken_in(words: Iterable[Word]) -> Spoken:
    """Return the languages that a text of these words may be in."""
    return spoken((word.main, word.written) for word in dict.fromkeys(words))


def _joined(words: Sequence[Word]) -> dict[str, tuple[str, ...]]:
    """Return what words make with the one beside them: people write `backup` as two words as well.

    >>> _joined([Word("back"), Word("up")])
    {'back': ('backup',), 'up': ('backup',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for one, other in pairwise(words):
        whole = one.main + other.main
        if whole.isalpha() and script_of(one.main) and whole not in tongues().of_word:
            found[one.main] = (*found.get(one.main, ()), whole)
            found[other.main] = (*found.get(other.main, ()), whole)
    return found


def _asked_forms(word: Word, languages: Spoken) -> Iterator[AskedWord]:
    if not word.stop and languages.best.isdisjoint(word.tongues):
        yield _asked(word)
    if word.telling:
        yield from (AskedWord(other, other, word.capital) for other in word.others)


def _asked(word: Word) -> AskedWord:
    return AskedWord(word.main, word.written or word.main, word.capital)


def characters_of(term: str) -> tuple[str, ...]:
    """Return the characters of a pair in a script without spaces, none for any other term.

    >>> characters_of("手机"), characters_of("to")
    (('手', '机'), ())
    """
    return tuple(term) if _PAIR.fullmatch(term) else ()


def _within_limit(words: Iterable[Word]) -> Iterator[Word]:
    """Cut words that no one wrote, such as encoded data, and leave out those of marks alone."""
    for word in words:
        if not word.main:
            continue
        if len(word.main) > _LONGEST or any(len(other) > _LONGEST for other in word.others):
            others = tuple(other for other in word.others if len(other) <= _LONGEST)
            word = replace(word, main=word.main[:_LONGEST], others=others)
        yield word


def _picture(sequence: str) -> Word:
    """Return a picture, found also without the tone of its skin."""
    plain = _LOOKS.sub("", sequence) or sequence
    toned = sequence.replace("\ufe0f", "").replace("\ufe0e", "") or sequence
    return Word(toned, (plain,) if plain != toned else ())


def _characters(run: str) -> Iterator[Word]:
    """Yield the characters, each also as a pair with the next; one that stands alone is asked for itself.

    Pairs with a part of a function word tell nothing apart: questions do not mean them.
    """
    empty = {place for match in unspaced_function_words().finditer(run) for place in range(*match.span())}
    meant = [place not in empty and not _is_particle(run, place) for place in range(len(run))]
    for place, character in enumerate(run):
        pair = run[place : place + 2]
        alone = not (place and _goes_with(run[place - 1], character, meant[place - 1])) and not (
            place + 1 < len(run) and _goes_with(run[place + 1], character, meant[place + 1])
        )
        covered = not (alone and meant[place])
        tells = len(pair) == 2 and meant[place] and meant[place + 1]
        yield Word(character, (pair,) if len(pair) == 2 else (), stop=covered, telling=tells)


def _goes_with(neighbour: str, character: str, meant: bool) -> bool:
    """Tell whether two characters are likely parts of one word: of the same kind, and no particle."""
    return meant and _is_hiragana(neighbour) == _is_hiragana(character)


def _is_particle(run: str, place: int) -> bool:
    around = run[max(0, place - 1) : place] + run[place + 1 : place + 2]
    return run[place] in _KANA_PARTICLES and len(around) == 2 and not any(map(_is_hiragana, around))


def _is_hiragana(character: str) -> bool:
    return "\u3041" <= character <= "\u309f"


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
    Word(main='2.7.4', others=('v2.7.4', '2.7', '2'), stop=False, written='', tongues=(), capital=False, telling=True)
    """
    bare = folded.removeprefix("v")
    pieces = bare.split(".")[:_VERSION_PARTS]
    beginnings = [".".join(pieces[:count]) for count in range(len(pieces) - 1, 0, -1)]
    return Word(bare, tuple(dict.fromkeys(([folded] if folded != bare else []) + beginnings)))
