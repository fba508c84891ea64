"""The languages that are told apart, and which of them a text may be in: by its function words, letters and scripts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from mnemex_vault.language.folding import fold

# a language with no more than this share of the evidence for the best one is taken for a chance likeness,
# unless there is little evidence at all
_RIVAL = 0.5
_LITTLE = 2.0
_NAME = "words_"
_LETTERS = re.compile(r"[^\W\d_]+")
_LETTER = 0.5
_SURE = 1.0
_FOREIGN = ("en",)
# what a language without spaces says its script is: words of these are not told apart by their first letter
UNSPACED = frozenset({"han", "kana", "hangul"})
_SCRIPTS = (
    ("latin", 0x41, 0x24F),
    ("greek", 0x370, 0x3FF),
    ("cyrillic", 0x400, 0x52F),
    ("hebrew", 0x590, 0x5FF),
    ("arabic", 0x600, 0x77F),
    ("devanagari", 0x900, 0x97F),
    ("latin", 0x1E00, 0x1EFF),
)


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language; `families` lead from a folded form to the word it is a form of, `endings` are rewritten first.

    `spellings` are pieces of words that may be written like another, `compounds` tells that it writes them as one word,
    `capitals` that its nouns begin with one.
    """

    code: str
    stemmer: str
    script: str
    letters: str
    function_words: frozenset[str]
    endings: tuple[tuple[str, str], ...]
    families: Mapping[str, str]
    spellings: tuple[tuple[str, str], ...]
    months: Mapping[str, int]
    compounds: bool
    capitals: bool


@dataclass(frozen=True, slots=True)
class Tongues:
    """All languages, which of them use a word as a function word or a letter as their own, and the months of all."""

    by_code: Mapping[str, Tongue]
    by_script: Mapping[str, tuple[str, ...]]
    of_word: Mapping[str, tuple[str, ...]]
    of_letter: Mapping[str, tuple[str, ...]]
    months: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Spoken:
    """The languages that a text may be in, by script.

    `sure` are those that it gives evidence of, `best` those that it gives most evidence of, if any.
    """

    by_script: Mapping[str, tuple[str, ...]]
    sure: tuple[str, ...] = ()
    best: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """Return what tells it from others with other languages."""
        return repr(self.by_script)

    def of(self, word: str) -> tuple[str, ...]:
        """Return the languages that a word of the text may be in."""
        return self.by_script.get(script_of(word), ())


@cache
def tongues() -> Tongues:
    """Return what is known of all languages; read once."""
    found = [_read(file.name[len(_NAME) : -4], file.read_text("utf-8")) for file in _files()]
    of_word: dict[str, list[str]] = {}
    of_letter: dict[str, list[str]] = {}
    by_script: dict[str, list[str]] = {}
    months = {name: number for tongue in found for name, number in tongue.months.items()}
    for tongue in found:
        by_script.setdefault(tongue.script, []).append(tongue.code)
        for word in tongue.function_words:
            of_word.setdefault(word, []).append(tongue.code)
        for letter in tongue.letters:
            of_letter.setdefault(letter, []).append(tongue.code)
    return Tongues(
        {tongue.code: tongue for tongue in found}, _frozen(by_script), _frozen(of_word), _frozen(of_letter), months
    )


@cache
def unspaced_function_words() -> re.Pattern[str]:
    """Return what finds function words of languages that write no spaces, the longest at each place."""
    words = (
        word for tongue in tongues().by_code.values() if tongue.script in UNSPACED for word in tongue.function_words
    )
    return re.compile("|".join(sorted(words, key=lambda word: (-len(word), word))))


def script_of(word: str) -> str:
    """Return the script of a word by its first letter, "" for one whose words are not told apart by spaces or forms."""
    first = ord(word[0]) if word else 0
    return next((name for name, low, high in _SCRIPTS if low <= first <= high and word[0].isalpha()), "")


def spoken(words: Iterable[tuple[str, str]]) -> Spoken:
    """Return the languages of a text, given its words folded and as written.

    Without any evidence it may be in every language of its script, but foreign words in another script are taken for
    English.

    >>> spoken([("ich", "ich"), ("habe", "habe"), ("hauser", "häuser")]).sure
    ('de',)
    """
    known = tongues()
    evidence, initials = _evidence(known, words)
    scripts: Counter[str] = Counter()
    for initial, count in initials.items():
        if initial.isalpha():
            scripts[script_of(initial)] += count
    main = max(scripts, key=scripts.__getitem__, default="latin")
    by_script = {name: _likely(known.by_script[name], evidence) for name in scripts if name in known.by_script}
    sure = tuple(code for codes in by_script.values() for code in codes if evidence.get(code, 0.0) >= _SURE)
    for name, codes in by_script.items():
        if not codes:
            by_script[name] = known.by_script[name] if name == main or name != "latin" else _FOREIGN
    most = max(evidence.values(), default=0.0)
    return Spoken(by_script, sure, frozenset(code for code, score in evidence.items() if score == most))


def spoken_in(text: str) -> Spoken:
    """Return the languages that a text may be in.

    >>> spoken_in("Ich habe ein Haus.").best
    frozenset({'de'})
    """
    written = _LETTERS.findall(text.lower())
    return spoken((folded, word) for word in written if (folded := fold(word)))


def _evidence(known: Tongues, words: Iterable[tuple[str, str]]) -> tuple[dict[str, float], Counter[str]]:
    """Return what speaks for each language, and how many words begin with each character."""
    evidence: defaultdict[str, float] = defaultdict(float)
    initials: Counter[str] = Counter()
    of_word = known.of_word
    for folded, written in words:
        codes = of_word.get(folded)
        if codes:
            _support(evidence, codes, 1.0)
        elif written and not written.isascii():
            for letter in set(written).intersection(known.of_letter):
                _support(evidence, known.of_letter[letter], _LETTER)
        initials[folded[0]] += 1
    return evidence, initials


def _support(evidence: defaultdict[str, float], codes: tuple[str, ...], weight: float) -> None:
    for code in codes:
        evidence[code] += weight / len(codes)


def _likely(codes: Iterable[str], evidence: Mapping[str, float]) -> tuple[str, ...]:
    scored = {code: evidence.get(code, 0.0) for code in codes}
    best = max(scored.values(), default=0.0)
    least = best * _RIVAL if best > _LITTLE else 0.0
    return tuple(code for code, score in scored.items() if score > least)


def _files() -> list[Traversable]:
    folder = files("mnemex_vault.language") / "data"
    return sorted((file for file in folder.iterdir() if file.name.startswith(_NAME)), key=lambda file: file.name)


def _read(code: str, text: str) -> Tongue:
    head, *rest = text.split("\n[")
    facts = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    sections = dict(section.split("]\n", 1) for section in rest)
    endings = [line.split() for line in sections.get("endings", "").splitlines() if line]
    spellings = [line.split() for line in sections.get("spellings", "").splitlines() if line]
    months = sections.get("months", "").splitlines()
    families = [line.split() for line in sections.get("families", "").splitlines() if line]
    return Tongue(
        code,
        facts.get("stemmer", ""),
        facts["script"],
        facts.get("letters", ""),
        frozenset(_apart(sections["function words"].split())),
        tuple(dict.fromkeys(pair for old, new in endings for pair in ((old, new), (fold(old), fold(new))))),
        {fold(form): family[0] for family in families for form in family[1:]},
        tuple(pair for one, other in spellings for pair in ((one, other), (other, one))),
        {fold(name): number for number, line in enumerate(months, 1) for name in line.split()},
        facts.get("compounds") == "yes",
        facts.get("capitals") == "nouns",
    )


def _apart(words: Iterable[str]) -> Iterable[str]:
    """Yield function words folded; contractions as one word, and by their parts."""
    for word in words:
        yield from {fold(word).replace("'", ""), *fold(word).split("'")} - {""}


def _frozen(table: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in table.items()}
