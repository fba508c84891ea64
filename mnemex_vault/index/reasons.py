"""Why a note is found: what its words add to its score, and what the notes around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import Kind
from mnemex_vault.index.relevance import TermHits
from mnemex_vault.index.surroundings import ContextWeights, Neighbours, in_context


@dataclass(frozen=True, slots=True)
class TermMatch:
    """How a word of a question contributes: its weighted frequency in the note, its idf, what it adds to the score.

    `found` is the term of the index that stands for it in the note, `kind` how that is related to the word.
    """

    term: str
    found: str
    kind: Kind
    weight: float
    idf: float
    score: float


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a raw score is the sum of: `text`, of which `terms` tells each part, and three shares of other notes."""

    terms: tuple[TermMatch, ...] = ()
    text: float = 0.0
    session: float = 0.0
    passage: float = 0.0
    links: float = 0.0

    @property
    def total(self) -> float:
        """Return the raw score."""
        return self.text + self.session + self.passage + self.links


def reasons(
    collection: Collection,
    hits: list[TermHits],
    found: dict[int, float],
    numbers: Iterable[int],
    surroundings: tuple[Neighbours, ContextWeights] | None,
) -> dict[int, Reasons]:
    """Return the parts of the scores of these notes, given the scores of their own texts."""
    stages = [found, *(_stages(collection, hits, found, *surroundings) if surroundings and found else ())]
    return {number: _reasons(collection, hits, number, stages) for number in numbers}


def _stages(
    collection: Collection,
    hits: list[TermHits],
    found: dict[int, float],
    neighbours: Neighbours,
    context: ContextWeights,
) -> Iterator[Mapping[int, float]]:
    """Yield the scores with the words said before, with the passage as well, with links as well, and with all."""
    before = replace(context, passage=0.0, links=0.0, session=0.0)
    passage = replace(before, passage=context.passage)
    links = replace(passage, links=context.links)
    for weights in (before, passage, links, context):
        yield in_context(collection, hits, found, neighbours, weights)


def _reasons(
    collection: Collection, hits: list[TermHits], number: int, stages: Sequence[Mapping[int, float]]
) -> Reasons:
    values = [stage.get(number, 0.0) for stage in stages]
    terms = tuple(sorted(_terms(collection, hits, number), key=lambda match: (-match.score, match.term)))
    if len(values) == 1:
        return Reasons(terms, text=values[0])
    text, before, passage, links, everything = values
    return Reasons(
        terms,
        text=text,
        session=before - text + everything - links,
        passage=passage - before,
        links=links - passage,
    )


def _terms(collection: Collection, hits: Iterable[TermHits], number: int) -> Iterator[TermMatch]:
    for hit in hits:
        here = hit.in_note(number)
        if here is None:
            continue
        weight, gain = here
        best = max(hit.word.alternatives, key=lambda each: each.weight * collection.weight(each.term, number))
        yield TermMatch(hit.term, best.term, best.kind, weight, hit.idf, hit.idf * gain)
