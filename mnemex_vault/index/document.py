"""What the text index takes in: a note as fields, and the weights that make one list of terms of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from mnemex_vault.index.analysis import Analyzer, Word, encodable, fold
from mnemex_vault.index.dates import day_words, mentioned

GAP = "\x1f"
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
    terms: defaultdict[str, float] = defaultdict(float)
    length = 0.0
    sequence: list[str] = []
    for text, weight in _fields(document, analyzer, weights):
        for word in analyzer.words(text):
            terms[word.main] += weight
            for other in word.others:
                terms[other] += weight
            length += weight
            sequence.append(word.main)
        sequence.append(GAP)
    for term, weight in _dates(document, weights):
        terms[term] += weight
    return WeightedText(
        path=document.path,
        etag=document.etag,
        terms=dict(terms),
        length=length,
        asking=share_of_questions(document.body),
        sequence=f" {' '.join(sequence)} ",
        tags=frozenset(nested_tags(document.tags)),
    )


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
        pieces = encodable(fold(tag.strip().lstrip("#"))).split("/")
        yield from ("/".join(pieces[:count]) for count in range(1, len(pieces) + 1))


def _fields(document: Document, analyzer: Analyzer, weights: FieldWeights) -> Iterator[tuple[str, float]]:
    if not _begins(analyzer, document.body, document.title):
        yield document.title, weights.title
    yield from ((alias, weights.aliases) for alias in document.aliases)
    yield from ((tag, weights.tags) for tag in document.tags)
    yield from ((entity, weights.entities) for entity in document.entities)
    yield from ((heading, weights.headings) for heading in document.headings)
    yield document.body, weights.body
    if document.source:
        yield document.source, weights.source
    if document.project:
        yield document.project, weights.project


def _begins(analyzer: Analyzer, body: str, title: str) -> bool:
    """Tell whether a title only repeats how the body begins: a name made from the text says nothing new."""
    beginning: Iterator[Word] = analyzer.words(body[: 2 * len(title) + 100])
    return all(word.main == next(beginning, Word("")).main for word in analyzer.words(title))


def _dates(document: Document, weights: FieldWeights) -> Iterator[tuple[str, float]]:
    today = document.created.date() if document.created else None
    if today:
        yield from ((term, weights.created) for term in day_words(today))
    yield from ((term, weights.dates) for term in mentioned(document.body, today))
