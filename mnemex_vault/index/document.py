"""What the text index takes in: a note as fields, and the weights that make one list of terms of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from mnemex_vault.domain.tags import tag_key
from mnemex_vault.index.analysis import STEM, Analyzer, Word, encodable, spoken_in
from mnemex_vault.index.dates import day_words, mentioned
from mnemex_vault.language.folding import fold

GAP = "\x1f"
# marks the notes that are in a language; no word begins with it
LANGUAGE = "@"
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\?(?!\w)|？)?")


@dataclass(frozen=True, slots=True)
class Document:
    """The searchable text of one note; `created` is aware, `etag` names the version of the text."""

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
    created: float = 1.5
    dates: float = 1.0


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A document as the index holds it: the frequency of each term in all fields, weighted by field.

    `length` is the weighted number of words, `asking` the share of the body that consists of questions. `sequence`
    holds the main forms in order, each between two spaces, with a gap between fields that no phrase can cross. `tags`
    are folded, with all that they are nested in.
    """

    path: str
    etag: str
    terms: dict[str, float]
    length: float
    asking: float
    sequence: str
    tags: frozenset[str]


def weighted(document: Document, analyzer: Analyzer, weights: FieldWeights) -> WeightedText:
    """Return the terms of a document with their weighted frequencies."""
    counts: defaultdict[Word, float] = defaultdict(float)
    sequence: list[str] = []
    for name, text in _fields(document, analyzer):
        weight: float = getattr(weights, name)
        for word in analyzer.words(text):
            counts[word] += weight
            sequence.append(word.main)
        sequence.append(GAP)
    languages = spoken_in(counts)
    terms: defaultdict[str, float] = defaultdict(float)
    found_under = analyzer.terms(languages)
    for word, weight in counts.items():
        for term in found_under[word]:
            terms[term] += weight
    _gather(terms)
    for name, term in _dates(document):
        terms[term] += getattr(weights, name)
    terms.update((LANGUAGE + code, 1.0) for code in languages.sure)
    return WeightedText(
        path=document.path,
        etag=document.etag,
        terms=dict(terms),
        length=sum(counts.values()),
        asking=share_of_questions(document.body),
        sequence=f" {' '.join(sequence)} ",
        tags=frozenset(nested_tags(document.tags)),
    )


def _gather(terms: dict[str, float]) -> None:
    """Let a stem stand for the words that are their own stems as well, which are indexed as themselves only."""
    for term in terms:
        if term.startswith(STEM):
            terms[term] += terms.get(term[len(STEM) :], 0.0)


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
    yield from (("aliases", alias) for alias in document.aliases)
    yield from (("tags", tag) for tag in document.tags)
    yield from (("entities", entity) for entity in document.entities)
    yield from (("headings", heading) for heading in document.headings)
    yield "body", document.body
    if document.source:
        yield "source", document.source
    if document.project:
        yield "project", document.project


def _begins(analyzer: Analyzer, body: str, title: str) -> bool:
    """Tell whether a title only repeats how the body begins: a name made from the text says nothing new."""
    beginning: Iterator[Word] = analyzer.words(body[: 2 * len(title) + 100])
    return all(word.main == next(beginning, Word("")).main for word in analyzer.words(title))


def _dates(document: Document) -> Iterator[tuple[str, str]]:
    today = document.created.date() if document.created else None
    if today:
        yield from (("created", term) for term in day_words(today))
    yield from (("dates", term) for term in mentioned(document.body, today))
