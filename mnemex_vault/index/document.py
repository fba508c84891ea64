"""What the text index takes in: a note as fields, and the weights that make one list of terms of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import add, or_
from typing import TypeVar

from mnemex_vault.index.analysis import STEM, Analyzer, Word, encodable, spoken_in
from mnemex_vault.index.bm25 import PASSAGE, most_in_a_passage, stretch
from mnemex_vault.language.dates import day_words, days_named, mentioned
from mnemex_vault.language.folding import fold
from mnemex_vault.language.tags import tag_key

GAP = "\x1f"
# marks the notes that are in a language; no word begins with it
LANGUAGE = "@"
_Value = TypeVar("_Value", int, float)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\?(?!\w)|？)?")


@dataclass(frozen=True, slots=True)
class Document:
    """The searchable text of one note; `created` is aware, `etag` names the version of the text.

    `description` are the properties that say what it is, `properties` the texts of all others that are not ours.
    """

    path: str
    etag: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    headings: tuple[str, ...]
    body: str
    source: str | None
    created: datetime | None
    project: str | None
    description: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How often a word in each field counts as compared to one in the body."""

    title: float = 1.0
    aliases: float = 1.0
    tags: float = 1.5
    entities: float = 2.0
    headings: float = 0.5
    body: float = 1.0
    source: float = 0.5
    project: float = 1.0
    description: float = 1.0
    properties: float = 0.3
    created: float = 1.5
    dates: float = 1.0


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A document as the index holds it: the frequency of each term in all fields, weighted by field.

    What stands in the body counts as in the passage that has most of it. `places` tells in which stretches of the
    body (see `passages`) each of its terms stands, `length` how many words the body has, `asking` which share of it
    consists of questions. `sequence` holds the main forms in order, each between two spaces, with a gap between fields
    that no phrase can cross. `tags` are folded, with all that they are nested in.
    """

    path: str
    etag: str
    terms: dict[str, float]
    places: dict[str, int]
    length: int
    asking: float
    sequence: str
    tags: frozenset[str]


def weighted(document: Document, analyzer: Analyzer, weights: FieldWeights) -> WeightedText:
    """Return the terms of a document with their weighted frequencies."""
    around: defaultdict[Word, float] = defaultdict(float)
    body: list[Word] = []
    sequence: list[str] = []
    for name, text in _fields(document, analyzer):
        words = list(analyzer.words(text))
        sequence += [word.main for word in words]
        sequence.append(GAP)
        if name == "body":
            body = words
        else:
            for word in words:
                around[word] += getattr(weights, name)
    languages = spoken_in(dict.fromkeys((*around, *body)))
    found_under = analyzer.terms(languages)
    places, counts = _placed(body, found_under)
    terms: defaultdict[str, float] = defaultdict(float)
    for word, weight in around.items():
        for term in found_under[word]:
            terms[term] += weight
    for term, count in counts.items():
        terms[term] += weights.body * (count if len(body) <= PASSAGE else most_in_a_passage(places[term]))
    _gather(terms, add)
    for name, term in _dates(document):
        terms[term] += getattr(weights, name)
    terms.update((LANGUAGE + code, 1.0) for code in languages.sure)
    return WeightedText(
        path=document.path,
        etag=document.etag,
        terms=dict(terms),
        places=places,
        length=len(body),
        asking=share_of_questions(document.body),
        sequence=f" {' '.join(sequence)} ",
        tags=frozenset(nested_tags(document.tags)),
    )


def _placed(body: Sequence[Word], found_under: Mapping[Word, Iterable[str]]) -> tuple[dict[str, int], dict[str, int]]:
    """Return in which stretches of a body each of its terms stands, and how often it occurs."""
    words: dict[Word, tuple[int, int]] = {}
    size = stretch(len(body))
    for index, word in enumerate(body):
        places, count = words.get(word, (0, 0))
        words[word] = (places | 1 << index // size, count + 1)
    placed: defaultdict[str, int] = defaultdict(int)
    counts: defaultdict[str, int] = defaultdict(int)
    for word, (places, count) in words.items():
        for term in found_under[word]:
            placed[term] |= places
            counts[term] += count
    _gather(placed, or_)
    return placed, counts


def _gather(terms: dict[str, _Value], join: Callable[[_Value, _Value], _Value]) -> None:
    """Let a stem stand for the words that are their own stems as well, which are indexed as themselves only."""
    for term in terms:
        if term.startswith(STEM) and (bare := terms.get(term[len(STEM) :])) is not None:
            terms[term] = join(terms[term], bare)


def share_of_questions(text: str) -> float:
    """Return which part of a text consists of questions, from 0 to 1.

    >>> share_of_questions("Fine. And you?")
    0.64
    >>> share_of_questions("see https://example.com/?q=1")
    0.0
    """
    if "?" not in text and "？" not in text:
        return 0.0
    sentences = (match.group() for match in _SENTENCE.finditer(text))
    asked = sum(len(sentence) for sentence in sentences if sentence.endswith(("?", "？")))
    return round(asked / len(text), 2)


def nested_tags(tags: Iterable[str]) -> Iterator[str]:
    """Yield folded tags and all that they are nested in.

    >>> list(nested_tags(["#Work/Plans"]))
    ['work', 'work/plans']
    """
    for tag in tags:
        pieces = encodable(fold(tag_key(tag))).split("/")
        yield from ("/".join(pieces[:count]) for count in range(1, len(pieces) + 1))


def fields_of(document: Document, analyzer: Analyzer) -> dict[str, tuple[str, ...]]:
    """Return the names of the fields in which each term of a document occurs."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    fields = [(name, list(analyzer.words(text))) for name, text in _fields(document, analyzer)]
    languages = spoken_in(word for _, words in fields for word in words)
    found_under = analyzer.terms(languages)
    for name, words in fields:
        for word in words:
            for term in found_under[word]:
                found[term][name] = None
    for name, term in _dates(document):
        found[term][name] = None
    return {term: tuple(names) for term, names in found.items()}


def _fields(document: Document, analyzer: Analyzer) -> Iterator[tuple[str, str]]:
    if not _begins(analyzer, document.body, document.title):
        yield "title", document.title
    aliases = (alias for alias in document.aliases if not _begins(analyzer, document.body, alias))
    yield from (("aliases", alias) for alias in aliases)
    yield from (("tags", tag) for tag in document.tags)
    yield from (("entities", entity) for entity in document.entities)
    yield from (("headings", heading) for heading in document.headings)
    yield "body", document.body
    if document.source:
        yield "source", document.source
    if document.project:
        yield "project", document.project
    yield from (("description", text) for text in document.description)
    yield from (("properties", text) for text in document.properties)


def _begins(analyzer: Analyzer, body: str, title: str) -> bool:
    """Tell whether a name only repeats how the body begins: one made from the text says nothing new."""
    beginning: Iterator[Word] = analyzer.words(body[: 2 * len(title) + 100])
    return all(word.main == next(beginning, Word("")).main for word in analyzer.words(title))


def _dates(document: Document) -> Iterator[tuple[str, str]]:
    today = document.created.date() if document.created else None
    if today:
        yield from (("created", term) for term in day_words(today))
    name = document.path.rpartition("/")[2].removesuffix(".md")
    for day in days_named(name):
        yield from (("created", term) for term in day_words(day))
    for text in dict.fromkeys((document.body, document.title, *document.description, *document.properties)):
        yield from (("dates", term) for term in mentioned(text, today))
