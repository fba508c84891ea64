"""Why the words of a question fit a note: each term with its fields, and what the notes around it add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mnemex_vault.errors import IndexUnavailable, MnemexError
from mnemex_vault.index.answering import Explains
from mnemex_vault.index.neighbours import CatalogNeighbours
from mnemex_vault.index.query import Query
from mnemex_vault.index.ranking import Hit
from mnemex_vault.index.reasons import Reasons
from mnemex_vault.memories.store import Store


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question, the fields of the note in which it occurs, and its part of the relevance."""

    term: str
    fields: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Why:
    """What the relevance of a hit is the sum of.

    `text` is the best passage of the note and the sum of `terms`; `talk` is what the notes around it in its session
    add, `meaning` comes from a model.
    If the note has its relevance from the outdated note that it replaces, `inherited_from` is that note, and the
    reasons are those of it.
    """

    text: float
    talk: float
    meaning: float = 0.0
    terms: tuple[Term, ...] = ()
    inherited_from: str | None = None


class Explaining:
    """Finds the reasons again of what a search found."""

    def __init__(self, store: Store, neighbours: CatalogNeighbours) -> None:
        self._store = store
        self._neighbours = neighbours

    def found(
        self, index: Explains, query: Query, hits: Sequence[Hit], inherited: Mapping[str, str]
    ) -> Mapping[str, Reasons]:
        """Return by path what was found for each hit, in it or in the note that it inherits from."""
        if not query.asks:
            return {}
        sources = {hit.entry.path: inherited.get(hit.entry.path, hit.entry.path) for hit in hits}
        try:
            told = index.explain(query, sources.values(), neighbours=self._neighbours)
        except IndexUnavailable:
            return {}
        return {path: told[source] for path, source in sources.items() if source in told}

    def reasons(
        self,
        found: Mapping[str, Reasons],
        hits: Sequence[Hit],
        inherited: Mapping[str, str],
        *,
        share: float,
        meant: bool,
    ) -> Mapping[str, Why]:
        """Return the reasons by path.

        `share` turns a raw score by words into a part of the relevance; `meant` tells that meaning makes up the rest.
        """
        explained = {}
        for hit in hits:
            path = hit.entry.path
            if path in found:
                rest = hit.relevance - found[path].total * share if meant else 0.0
                why = self._why(found[path], inherited.get(path, path), share=share)
                explained[path] = replace(why, meaning=max(0.0, rest), inherited_from=inherited.get(path))
        return explained

    def _why(self, reasons: Reasons, source: str, *, share: float) -> Why:
        fields = self._fields(source)
        return Why(
            text=reasons.text * share,
            talk=reasons.talk * share,
            terms=tuple(Term(match.shown, fields.get(match.found, ()), match.score * share) for match in reasons.terms),
        )

    def _fields(self, path: str) -> Mapping[str, tuple[str, ...]]:
        entry = self._store.catalog.get(path)
        try:
            document = self._store.document(entry) if entry else None
        except MnemexError:
            return {}
        return self._store.text.fields(document) if document else {}


def in_words(why: Why) -> str:
    """Return the reasons in one line.

    >>> in_words(Why(0.7, 0.3, terms=(Term("berlin", ("title", "body"), 0.7),)))
    'berlin 0.70 (title, body), talk 0.30'
    """
    terms = [f"{each.term} {each.share:.2f}{_in_fields(each.fields)}" for each in why.terms]
    around = [("talk", why.talk), ("meaning", why.meaning)]
    shares = [f"{name} {share:.2f}" for name, share in around if share >= 0.005]
    return ", ".join([*terms, *shares])


def _in_fields(names: Iterable[str]) -> str:
    joined = ", ".join(names)
    return f" ({joined})" if joined else ""
