"""Finding memories: one query language, one ranking, pages never shorter than they could be, and why one is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import IndexUnavailable, InvalidInput, MnemexError
from mnemex_vault.index import query as queries
from mnemex_vault.index.analysis import STEM
from mnemex_vault.index.asking import Explains, Fit, Fitting, Reasons, Scanned
from mnemex_vault.index.catalog import CatalogNeighbours
from mnemex_vault.index.document import Document
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.query import Query
from mnemex_vault.index.ranking import HeldBack, Hidden, Hit, Ranking, Wanted, Weights, blend
from mnemex_vault.index.semantic import share_of_words
from mnemex_vault.language.slots import asks_of_the_past, asks_of_the_present
from mnemex_vault.language.tags import tag_key
from mnemex_vault.memories.meaning import Meaning
from mnemex_vault.memories.recalled import excerpt
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.versions import (
    LOOKED_AT,
    Earlier,
    Version,
    Versions,
    history_of,
    known_then,
    superseded_by,
    with_successors,
)

# Searching without an index: the notes themselves are read and scored, slowly but by the same formula.


def scan(store: Store) -> Scanned:
    """Read all notes, to be asked and to explain as the index would."""
    return store.text.scanned(_documents(store))


def _documents(store: Store) -> Iterator[Document]:
    for entry in store.catalog:
        if entry.searchable:
            with suppress(MnemexError):
                document = store.document(entry)
                if document is not None:
                    yield document


# Why the words of a question fit a note: each term with its fields, and what the notes around it add.


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """All that matches a question, before a page is cut from it.

    `share` turns a raw score by words into a part of the relevance; `meant` tells that meaning makes up the rest.
    `inherited` names by path the outdated note that a match has its relevance from.
    """

    query: Query
    ranking: Ranking
    relevances: Mapping[str, float]
    inherited: Mapping[str, str]
    index: Explains
    degraded: str | None
    share: float
    meant: bool


class Explaining:
    """Finds the reasons again of what a search found."""

    def __init__(self, store: Store, neighbours: CatalogNeighbours) -> None:
        self._store = store
        self._neighbours = neighbours

    def found(self, matched: Matched, hits: Sequence[Hit]) -> Mapping[str, Reasons]:
        """Return by path what was found for each hit, in it or in the note that it inherits from."""
        if not matched.query.asks:
            return {}
        sources = {hit.entry.path: matched.inherited.get(hit.entry.path, hit.entry.path) for hit in hits}
        try:
            told = matched.index.explain(matched.query, sources.values(), neighbours=self._neighbours)
        except IndexUnavailable:
            return {}
        return {path: told[source] for path, source in sources.items() if source in told}

    def reasons(self, matched: Matched, found: Mapping[str, Reasons], hits: Sequence[Hit]) -> Mapping[str, Why]:
        """Return by path why the words fit, from what was found for each hit."""
        inherited, share = matched.inherited, matched.share
        explained = {}
        for hit in hits:
            path = hit.entry.path
            if path in found:
                rest = hit.relevance - found[path].total * share if matched.meant else 0.0
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


# Finding memories: one query language, one ranking, pages that are never shorter than they could be.

MAX_PAGE = 100
LIVE = frozenset({Tier.SHORT_TERM, Tier.LONG_TERM})
_ARCHIVED = frozenset({Tier.ARCHIVED})
# those due for review are looked for among so many of the best matches
_REVIEWED = 200
# beside so many of the best hits it is told what else was said
_BESIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A search; raises InvalidInput for values out of range.

    `size` hits from `offset` on are wanted, made since the time that `after` names and before that of `before`.
    `ordinary` adds notes that are no memories. `explain` asks for the reasons of each hit, and for what was held back.
    `as_of` asks what was known at the end of that day.
    """

    query: str = ""
    tags: Sequence[str] = ()
    tiers: frozenset[Tier] = LIVE
    ordinary: bool = False
    size: int = 10
    offset: int = 0
    after: str | None = None
    before: str | None = None
    window_days: float | None = None
    min_score: float | None = None
    review: bool = True
    superseded: bool = False
    project: str | None = None
    explain: bool = False
    as_of: date | None = None
    short_term_weight: float | None = None
    long_term_weight: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MAX_PAGE:
            raise InvalidInput("limit", f"is {self.size}; it lies between 1 and {MAX_PAGE}")
        if self.offset < 0:
            raise InvalidInput("page", "starts at 1")
        if self.window_days is not None and not 0 < self.window_days <= 3_650:
            raise InvalidInput("window_days", "lies between 1 and 3650")
        if self.min_score is not None and not 0 <= self.min_score <= 1_000:
            raise InvalidInput("min_score", "must not be negative")
        for weight in (self.short_term_weight, self.long_term_weight):
            if weight is not None and not 0 <= weight <= 2:
                raise InvalidInput("weight", "lies between 0 and 2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of hits; `total` counts all matches, `hidden` those left out and why.

    `degraded` says so when the index could not answer and the notes themselves were looked through. `found` tells by
    path what each hit has of the question. The last `from_archive` hits are archived, shown since nothing else answers,
    and no part of `total`. `beside` are notes of the same sessions that stand next to the best hits and
    have none of the words; they are no matches. If explained, `reasons` tells by path why the words fit, and
    `held_back` what would be on the page if words alone decided. `versions` tells by path which hits are versions of
    one fact, `history` what a hit replaced, the latest first, `contradictions` what somebody marked as contradicting it
    and nobody has settled.
    """

    hits: Sequence[Hit]
    total: int
    hidden: Mapping[Hidden, int]
    degraded: str | None = None
    found: Mapping[str, Reasons] = field(default_factory=dict)
    from_archive: int = 0
    beside: Sequence[Entry] = ()
    reasons: Mapping[str, Why] = field(default_factory=dict)
    held_back: Sequence[HeldBack] = ()
    versions: Mapping[str, Version] = field(default_factory=dict)
    history: Mapping[str, Sequence[Earlier]] = field(default_factory=dict)
    contradictions: Mapping[str, Sequence[Entry]] = field(default_factory=dict)

    @property
    def answers(self) -> list[Hit]:
        """Return the active hits that are not weak: what may be shown to who has not asked."""
        active = self.hits[: len(self.hits) - self.from_archive]
        return [hit for hit in active if (fit := self.fit(hit)) is None or fit.fitting is not Fitting.WEAK]

    def fit(self, hit: Hit) -> Fit | None:
        """Return how well a hit fits the question, None if that is not known."""
        found = self.found.get(hit.entry.path)
        return found.fit if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A hit with the part of its text that answers."""

    hit: Hit
    text: str


class Recall:
    """Searching. It never writes and never reinforces."""

    def __init__(self, store: Store, meaning: Meaning | None = None) -> None:
        self._store = store
        self._meaning = meaning
        self._versions = Versions(store)
        self._neighbours = CatalogNeighbours(store.catalog)
        self._explaining = Explaining(store, self._neighbours)

    def search(self, request: Request) -> Page:
        """Return the wanted page of all matches."""
        store = self._store
        year = store.clock().astimezone(store.rules.zone).year
        past, present = asks_of_the_past(request.query, year=year), asks_of_the_present(request.query, year=year)
        matched = self._matched(request, past=past)
        ranking, relevances = matched.ranking, matched.relevances
        last = request.offset + request.size
        blends = bool(request.review and request.query and request.offset == 0 and store.rules.review_blend_ratio)
        ranked = ranking.rank(relevances, most=max(last, _REVIEWED if blends else LOOKED_AT))
        hits, versions = self._versions.arranged(ranked.hits, request.query, past=past, present=present)
        page = hits[request.offset : last]
        if blends:
            page = self._with_due(page, ranked.hits, ranking)
        told = self._explaining.found(matched, page)
        archived: Sequence[Hit] = ()
        if request.offset == 0 and ranking.wanted.tiers == LIVE and not any(map(_answers, told.values())):
            best = _best_archived(ranking, relevances)
            about = self._explaining.found(matched, best)
            archived = best if any(map(_answers, about.values())) else ()
            page, told = [*page, *archived], {**told, **about}
        return Page(
            hits=page,
            total=ranked.total,
            hidden=ranked.hidden,
            degraded=matched.degraded,
            found=told,
            from_archive=len(archived),
            versions=versions,
            history=history_of(store, page, ranking.superseded),
            contradictions=self._versions.contradictions([hit.entry for hit in page]),
            beside=self._beside(page[:_BESIDE], relevances, ranking.wanted),
            held_back=ranking.held_back(relevances, ranked.hits, most=last) if request.explain else (),
            reasons=self._explaining.reasons(matched, told, page) if request.explain else {},
        )

    def _matched(self, request: Request, *, past: bool) -> Matched:
        store, now = self._store, self._store.clock()
        there = now.astimezone(store.rules.zone)
        query = queries.parse(request.query, now=there)
        query = queries.made_between(query, after=request.after, before=request.before, now=there)
        superseded = superseded_by(store, request.as_of)
        ranking = self._ranking(request, self._wanted(request, query, past=past), superseded, now=now)
        words, index, degraded = self._relevances(query, ranking.accepts)
        blended = self._blended(request, query, words)
        relevances, inherited = with_successors(
            known_then(store, self._findable(blended, named=bool(query.paths)), request.as_of),
            superseded,
            matching_only=bool(query.filters or query.phrases),
        )
        meant = blended is not words
        return Matched(
            query=query,
            ranking=ranking,
            relevances=relevances,
            inherited=inherited,
            index=index,
            degraded=degraded,
            share=(share_of_words(words) if meant else 1.0) / (max(relevances.values(), default=0.0) or 1.0),
            meant=meant,
        )

    def _ranking(self, request: Request, wanted: Wanted, superseded: Mapping[str, str], *, now: datetime) -> Ranking:
        store = self._store
        return Ranking(
            catalog=store.catalog,
            policy=store.policy,
            wanted=wanted,
            weights=self._weights(request),
            usage_of=store.usages(),
            now=now,
            zone=store.rules.zone,
            superseded=superseded,
        )

    def _beside(self, hits: Sequence[Hit], relevances: Mapping[str, float], wanted: Wanted) -> list[Entry]:
        """Return what stands right before and after the best hits in their sessions and is no match itself."""
        catalog = self._store.catalog
        around = (path for hit in hits for path in self._neighbours.next_to(hit.entry.path))
        entries = (catalog.get(path) for path in dict.fromkeys(around) if path not in relevances)
        return [each for each in entries if each and each.tier in wanted.tiers and self._store.may_find(each)]

    def ordinary_matches(self, request: Request, page: Page) -> int:
        """Return how many ordinary notes match what no memory on the page of a search for memories does."""
        if page.total or request.ordinary:
            return 0
        return self.search(replace(request, ordinary=True, size=1, offset=0, explain=False)).total

    def _blended(self, request: Request, query: queries.Query, words: Mapping[str, float]) -> Mapping[str, float]:
        """Let the meaning count, where no filter or phrase says exactly what is wanted."""
        exact = query.filters or query.phrases or not query.asks
        return words if exact or self._meaning is None else self._meaning.blend(request.query, words)

    def _relevances(
        self, query: queries.Query, eligible: Callable[[str], bool]
    ) -> tuple[Mapping[str, float], Explains, str | None]:
        """Return the raw scores, what gave them, and why that is not the index, if it is not."""
        text, catalog = self._store.text, self._store.catalog
        if not (query.asks or query.filters):
            return {entry.path: 1.0 for entry in catalog if entry.searchable}, text, None
        try:
            return text.relevance(query, neighbours=self._neighbours, eligible=eligible), text, None
        except IndexUnavailable as error:
            reason = f"the index is not ready ({error.reason}); the notes themselves were looked through"
            scanned = scan(self._store)
            return scanned.relevance(query, neighbours=self._neighbours, eligible=eligible), scanned, reason

    def _wanted(self, request: Request, query: queries.Query, *, past: bool) -> Wanted:
        named = frozenset(tier for tier in Tier if tier.value in query.tiers or tier.status in query.tiers)
        tiers = named if query.tiers else request.tiers
        days = [day for day in (query.until, request.as_of) if day is not None]
        if request.as_of is not None and tiers == LIVE:
            # what was archived since was known then
            tiers = LIVE | _ARCHIVED
        tags = map(tag_key, request.tags)
        return Wanted(
            tiers=tiers,
            ordinary=request.ordinary,
            tags=frozenset(tag for tag in tags if tag),
            projects=frozenset(query.projects),
            excluded_projects=frozenset(query.excluded_projects),
            window_days=request.window_days,
            min_score=request.min_score,
            superseded=request.superseded or past,
            since=query.since,
            until=min(days, default=None),
        )

    def _weights(self, request: Request) -> Weights:
        rules = self._store.rules
        short, long = request.short_term_weight, request.long_term_weight
        return Weights(
            short_term=rules.short_term_weight if short is None else short,
            long_term=(rules.long_term_weight if request.ordinary else 1.0) if long is None else long,
            project=request.project,
        )

    def _findable(self, relevances: Mapping[str, float], *, named: bool) -> Mapping[str, float]:
        """Leave out what may not be found; who names a path asks for what lies there, excluded or not."""
        store = self._store
        if store.finds_all:
            return relevances
        may, catalog = store.may_read if named else store.may_find, store.catalog
        return {path: raw for path, raw in relevances.items() if (entry := catalog.get(path)) and may(entry)}

    def _with_due(self, page: list[Hit], hits: Sequence[Hit], ranking: Ranking) -> list[Hit]:
        """Return a page with some of the matches that are due for review, the most urgent first, marked as such."""
        policy, usage_of = ranking.policy, ranking.usage_of
        due = [
            (scoring.review_priority(hit.score or 0.0, policy), hit)
            for hit in hits
            if hit.entry.is_memory
            and scoring.review_due(usage_of(hit.entry), policy, now=ranking.now, tier=hit.entry.tier)
        ]
        due.sort(key=lambda pair: (-pair[0], pair[1].entry.path))
        marked = [replace(hit, review=True) for _, hit in due]
        return blend(page, marked, size=len(page), ratio=self._store.rules.review_blend_ratio)

    def previews(
        self, hits: Iterable[Hit], *, length: int | None = None, found: Mapping[str, Reasons] | None = None
    ) -> list[Preview]:
        """Return the hits with the parts of their texts that answer; a note that is gone by now is left out.

        A length of 0 means the whole text; None the length of the settings. Without `found` it is the beginning.
        """
        limit = self._store.rules.preview_length if length is None else length
        previews = []
        for hit in hits:
            try:
                text = self._store.note(hit.entry).content
            except MnemexError:
                self._store.follow([hit.entry.path], now=self._store.clock())
                continue
            told = (found or {}).get(hit.entry.path)
            previews.append(Preview(hit=hit, text=_answering(text, limit, told)))
        return previews

    def part(self, entry: Entry, text: str, question: str, *, length: int) -> str:
        """Return the part of the text of a note that answers a question; its beginning if none does."""
        there = self._store.clock().astimezone(self._store.rules.zone)
        query = queries.parse(question, now=there)
        told: Reasons | None = None
        with suppress(IndexUnavailable):
            told = self._store.text.explain(query, [entry.path]).get(entry.path)
        return _answering(text, length, told)

    def pages(self, total: int, size: int) -> int:
        """Return how many pages there are."""
        return math.ceil(total / size)

    def entries(self, *tiers: Tier) -> list[Entry]:
        """Return all memories of the tiers that may be read."""
        return [entry for entry in self._store.catalog.memories(*tiers) if self._store.may_read(entry)]


def _answering(text: str, length: int, told: Reasons | None) -> str:
    words = [match.found.removeprefix(STEM) for match in told.terms] if told else ()
    return excerpt(text, length, told.begins if told else 0.0, words)


def _best_archived(ranking: Ranking, relevances: Mapping[str, float]) -> Sequence[Hit]:
    archived = replace(ranking.wanted, tiers=_ARCHIVED, ordinary=False)
    return replace(ranking, wanted=archived).rank(relevances, most=1).hits[:1]


def _answers(found: Reasons) -> bool:
    return found.fit.fitting is not Fitting.WEAK
