"""Why a note is found: what its words add to its score, and what the talk around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mnemex_vault.index.analysis import STEM
from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.expansion import Kind
from mnemex_vault.index.fit import NO_FIT, Fit, Rarity, fit
from mnemex_vault.index.passages import stretch
from mnemex_vault.index.query import Query
from mnemex_vault.index.relevance import TermHits
from mnemex_vault.index.surroundings import Weighed


@dataclass(frozen=True, slots=True)
class TermMatch:
    """How a word of a question contributes: its idf, and what it adds to the score of the best passage.

    `found` is the term of the index that stands for it in the note, `kind` how that is related to the word.
    """

    term: str
    found: str
    kind: Kind
    idf: float
    score: float

    @property
    def shown(self) -> str:
        """Return the word, and what stands for it if that is another one.

        >>> TermMatch("dentits", "dentist", Kind.TYPO, 1.0, 1.0).shown
        'dentits as dentist'
        """
        return self.term if self.kind in (Kind.EXACT, Kind.FORM) else f"{self.term} as {self.found.removeprefix(STEM)}"


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a raw score is the sum of: `text`, of which `terms` tells each part, and what the talk around it adds.

    Both are what the session of the note leaves them. `begins` is where in the text the best passage begins, from 0 to
    1, and `fit` how well the note fits the question.
    """

    terms: tuple[TermMatch, ...] = ()
    text: float = 0.0
    talk: float = 0.0
    begins: float = 0.0
    fit: Fit = NO_FIT

    @property
    def total(self) -> float:
        """Return the raw score."""
        return self.text + self.talk


def reasons(collection: Collection, query: Query, hits: Sequence[TermHits], number: int, weighed: Weighed) -> Reasons:
    """Return the parts of the score of a note, those that give most first."""
    matches = [_match(collection, hits[index], number, score) for index, score in weighed.terms.items() if score]
    matches.sort(key=lambda match: (-match.score, match.term))
    rarity = Rarity({hit.term: hit.idf for hit in hits}, unknown=idf(collection.count, 0))
    names = {word.term for word in query.words if word.name}
    # another form of a name may be another name
    found = {m.term: m.kind.same and not (m.kind is Kind.FORM and m.term in names) for m in matches}
    told = fit(query.words, found, rarity, weighed.total)
    words = int(collection.length(number))
    begins = weighed.start * stretch(words) / words if weighed.start else 0.0
    return Reasons(tuple(matches), weighed.text, weighed.talk, begins, told)


def _match(collection: Collection, hit: TermHits, number: int, score: float) -> TermMatch:
    best = max(hit.word.alternatives, key=lambda each: each.weight * collection.weight(each.term, number))
    return TermMatch(hit.term, best.term, best.kind, hit.idf, score)
