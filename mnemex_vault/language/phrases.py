"""What people say in set ways, as patterns over classes of words: one data file a language, no list of sentences.

A file of `data/` names classes of words in capitals and, by purpose, patterns of elements:

* `keep|SAVE|merk*`: one of these words, a word of that class, or a word that begins so; `?` after it: or nothing
* `-you|me`: what comes next is none of these
* `..3`: up to three words of the same clause, none of the class BREAK; `~3`: the same across commas
* `^`, `$`: the clause begins or ends here, but for words of the classes LEAD or TAIL
* `@`: nobody tells it of themselves: before it, words of the class AUX apart, stands none of the class SELF
* `!`: the same for the last four words of the clause, back to one of the class LEAD
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mnemex_vault.language.folding import fold

LANGUAGES = frozenset({"en", "de", "es", "fr", "it", "pt", "nl", "sv", "pl", "ru", "zh", "ja", "ko", "ar"})
_COMMA = ","
_TOKEN = re.compile(r"[^\W_]+|[,;:.!?()\[\]…–—،؛؟、。，；：！？（）「」『』~～\n]|(?<=\s)-(?=\s)")
_SHORT_NOT = re.compile(r"(?<=\w)n['’`´]t\b")
_NO_CAPITALS = re.compile(r"[^A-Z]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SPACED = re.compile(r"[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")

Classes = frozenset[str]
_NONE: Classes = frozenset()
_KINDS = {"^": "start", "$": "end", "@": "untold", "!": "nobody"}
_LOOK_BACK = 4


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a pattern: `kind` is "word", "gap", "across", "other", "start", "end", "untold" or "nobody"."""

    kind: str
    classes: Classes = _NONE
    most: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """Elements in their order, and the classes of those that must be there."""

    elements: tuple[Element, ...]
    needed: tuple[Classes, ...]

    @classmethod
    def of(cls, line: str) -> Pattern:
        """Compile a line of a data file."""
        elements = tuple(map(_element, line.split()))
        needed = [each.classes for each in elements if each.kind == "word" and not each.optional]
        return cls(elements, tuple(needed))

    def may_occur(self, present: Classes) -> bool:
        """Tell whether all that it needs is present somewhere."""
        return all(map(present.intersection, self.needed))

    def occurs(self, read: Sequence[Classes]) -> bool:
        """Tell whether it occurs in words of which the classes are given."""
        return any(_matches(self.elements, read, at) for at in range(len(read)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The classes and patterns of one language; `unspaced` tells that no spaces stand between its words."""

    language: str
    unspaced: bool
    exact: Mapping[str, Classes]
    prefixes: Mapping[str, Classes]
    longest: int
    patterns: Mapping[str, tuple[tuple[str, Pattern], ...]]

    @classmethod
    def of(cls, language: str, given: Mapping[str, Any]) -> Book:
        """Compile what a data file says."""
        patterns = [(purpose, Pattern.of(line)) for purpose, lines in given["phrases"].items() for line in lines]
        words = {name: text.split() for name, text in given["words"].items()}
        elements = (element for _, pattern in patterns for element in pattern.elements)
        literal = _NONE.union(*(element.classes for element in elements)) - set(words)
        words |= {word: [word] for word in literal}
        exact, prefixes = _by_word(words)
        return cls(
            language=language,
            unspaced=given.get("unspaced", False),
            exact=exact,
            prefixes=prefixes,
            longest=max(map(len, exact)),
            patterns=_by_class(patterns, words),
        )

    def purposes(self, read: Sequence[Classes]) -> set[str]:
        """Return the purposes of the patterns that occur in words of which the classes are given."""
        present = _NONE.union(*read)
        found: set[str] = set()
        for each in present:
            for purpose, pattern in self.patterns.get(each, ()):
                if purpose not in found and pattern.may_occur(present) and pattern.occurs(read):
                    found.add(purpose)
        return found

    def classes(self, words: Sequence[str]) -> list[Classes]:
        """Return the classes of each word, of writing without spaces those of each piece that is known."""
        return list(map(self._classes, self._cut(words) if self.unspaced else words))

    def _classes(self, word: str) -> Classes:
        found = self.exact.get(word, _NONE)
        if self.prefixes and word[:2] in self.prefixes:
            for end in range(2, len(word) + 1):
                found |= self.prefixes.get(word[:end], _NONE)
        return found

    def _cut(self, words: Sequence[str]) -> Iterator[str]:
        """Cut at the longest word known, letter by letter where none is."""
        for piece in re.split(r"(,)", "".join(words)):
            at = 0
            while at < len(piece):
                spaced = _SPACED.match(piece, at)
                sizes = range(min(self.longest, len(piece) - at), 1, -1)
                size = next((size for size in sizes if piece[at : at + size] in self.exact), 1)
                end = spaced.end() if spaced else at + size
                yield piece[at:end]
                at = end


@dataclass(frozen=True, slots=True)
class Reading:
    """What words and pauses say: the purposes that they serve, and the classes of each by language."""

    purposes: Classes
    by_language: Sequence[Sequence[Classes]]


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """The books of all languages."""

    books: tuple[Book, ...]

    @classmethod
    def load(cls) -> Phrasebook:
        """Return the books of the package, read once."""
        return _loaded()

    def says(self, purpose: str, sentence: str) -> bool:
        """Tell whether a sentence says something of that purpose in any of the languages.

        >>> book = Phrasebook.load()
        >>> book.says("refusal", "Don't save this."), book.says("refusal", "Don't forget this.")
        (True, False)
        """
        return purpose in self.read(words_and_pauses(sentence)).purposes

    def read(self, words: Sequence[str]) -> Reading:
        """Return what words and pauses say in any of the languages."""
        said = any(map(str.isalnum, words))
        unspaced = any(map(_UNSPACED.search, words))
        books = [book for book in self.books if said and (unspaced or not book.unspaced)]
        classes = [book.classes(words) for book in books]
        found = (book.purposes(read) for book, read in zip(books, classes, strict=True))
        return Reading(frozenset[str]().union(*found), classes)


@cache
def _loaded() -> Phrasebook:
    return Phrasebook(tuple(Book.of(language, _read(language)) for language in sorted(LANGUAGES)))


def _read(language: str) -> Mapping[str, Any]:
    path = files("mnemex_vault.language") / "data" / f"phrases_{language}.toml"
    # names of classes keep their capitals
    return tomllib.loads(_NO_CAPITALS.sub(lambda match: fold(match[0]), path.read_text("utf-8")))


def words_and_pauses(text: str) -> list[str]:
    """Return the words without case, accents and short forms of "not", a comma for each mark that parts clauses.

    >>> words_and_pauses("Don’t save THIS: ça c'est à moi")
    ['do', 'not', 'save', 'this', ',', 'ca', 'c', 'est', 'a', 'moi']
    """
    found = _TOKEN.findall(fold(_SHORT_NOT.sub(" not", text)))
    return [word if word[0].isalnum() else _COMMA for word in found]


def _element(text: str) -> Element:
    if text in _KINDS:
        return Element(_KINDS[text])
    if text.startswith(("..", "~")):
        return Element("gap" if text[0] == "." else "across", most=int(text.lstrip(".~")))
    if text[0] == "-":
        return Element("other", frozenset(text[1:].split("|")))
    return Element("word", frozenset(text.removesuffix("?").split("|")), optional=text.endswith("?"))


def _by_word(words: Mapping[str, Sequence[str]]) -> tuple[dict[str, Classes], dict[str, Classes]]:
    exact: dict[str, Classes] = {_COMMA: frozenset({_COMMA})}
    prefixes: dict[str, Classes] = {}
    for name, spelled in words.items():
        for word in spelled:
            if word.endswith("*"):
                # the first two letters tell whether it is worth while to look for more
                prefixes.setdefault(word[:2], _NONE)
            found = prefixes if word.endswith("*") else exact
            found[word.rstrip("*")] = found.get(word.rstrip("*"), _NONE) | {name}
    return exact, prefixes


def _by_class(
    patterns: Iterable[tuple[str, Pattern]], words: Mapping[str, Sequence[str]]
) -> dict[str, tuple[tuple[str, Pattern], ...]]:
    """Sort patterns by the classes of that element which the fewest words can be."""
    sizes = {name: len(spelled) for name, spelled in words.items()}
    found: dict[str, tuple[tuple[str, Pattern], ...]] = {}
    for purpose, pattern in patterns:
        for name in min(pattern.needed, key=lambda classes: sum(sizes.get(each, 1) for each in classes)):
            found[name] = (*found.get(name, ()), (purpose, pattern))
    return found


def _matches(elements: Sequence[Element], read: Sequence[Classes], at: int) -> bool:
    if not elements:
        return True
    element, rest = elements[0], elements[1:]
    if element.kind == "word":
        here = at < len(read) and not element.classes.isdisjoint(read[at]) and _matches(rest, read, at + 1)
        return here or (element.optional and _matches(rest, read, at))
    if element.kind in ("gap", "across"):
        return any(_matches(rest, read, end) for end in _ends(element, read, at))
    if element.kind == "other":
        return (at == len(read) or element.classes.isdisjoint(read[at])) and _matches(rest, read, at)
    return _stands(element.kind, read, at) and _matches(rest, read, at)


def _ends(element: Element, read: Sequence[Classes], at: int) -> Iterator[int]:
    """Where a gap that begins here may end."""
    left = element.most
    yield at
    while at < len(read) and left and "BREAK" not in read[at] and (element.kind == "across" or _COMMA not in read[at]):
        left -= _COMMA not in read[at]
        at += 1
        yield at


def _stands(kind: str, read: Sequence[Classes], at: int) -> bool:
    if kind == "end":
        while at < len(read) and "TAIL" in read[at]:
            at += 1
        return at == len(read) or _COMMA in read[at]
    if kind == "nobody":
        return not any("SELF" in each for each in _clause_before(read, at))
    passed = "LEAD" if kind == "start" else "AUX"
    while at and passed in read[at - 1]:
        at -= 1
    return at == 0 or (_COMMA in read[at - 1] if kind == "start" else "SELF" not in read[at - 1])


def _clause_before(read: Sequence[Classes], at: int) -> Iterator[Classes]:
    for each in reversed(read[max(0, at - _LOOK_BACK) : at]):
        if _COMMA in each or "LEAD" in each:
            return
        yield each
