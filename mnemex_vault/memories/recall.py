"""Finding memories: one query language, one ranking, pages that are never shorter than they could be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.tags import tag_key
from mnemex_vault.errors import IndexUnavailable, InvalidInput, MnemexError
from mnemex_vault.index import query as queries
from mnemex_vault.index.analysis import STEM
from mnemex_vault.index.answering import Explains
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.fit import Fit, Fitting
from mnemex_vault.index.neighbours import CatalogNeighbours
from mnemex_vault.index.ranking import HeldBack, Hidden, Hit, Ranking, UsageOf, Wanted, Weights, blend
from mnemex_vault.index.reasons import Reasons
from mnemex_vault.index.semantic import share_of_words
from mnemex_vault.index.succession import with_successors
from mnemex_vault.memories.excerpts import excerpt
from mnemex_vault.memories.explaining import Explaining, Why
from mnemex_vault.memories.meaning import Meaning
from mnemex_vault.memories.scan import scan
from mnemex_vault.memories.store import Store

MAX_PAGE = 100
LIVE = frozenset({Tier.SHORT_TERM, Tier.LONG_TERM})
_ARCHIVED = frozenset({Tier.ARCHIVED})
# beside so many of the best hits it is told what else was said
_BESIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A search; raises InvalidInput for values out of range.

    `size` hits from `offset` on are wanted. `ordinary` adds notes that are no memories. `explain` asks for the reasons
    of each hit, and for what was held back.
    """

    query: str = ""
    tags: Sequence[str] = ()
    tiers: frozenset[Tier] = LIVE
    ordinary: bool = False
    size: int = 10
    offset: int = 0
    window_days: float | None = None
    min_score: float | None = None
    review: bool = True
    superseded: bool = False
    project: str | None = None
    explain: bool = False
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
    `held_back` what would be on the page if words alone decided.
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
        self._neighbours = CatalogNeighbours(store.catalog)
        self._explaining = Explaining(store, self._neighbours)

    def search(self, request: Request) -> Page:
        """Return the wanted page of all matches."""
        store, now = self._store, self._store.clock()
        query = queries.parse(request.query, now=now.astimezone(store.rules.zone))
        wanted, weights = self._wanted(request, query), self._weights(request)
        ranking = Ranking(
            catalog=store.catalog,
            policy=store.rules.policy,
            wanted=wanted,
            weights=weights,
            usage_of=store.usages(),
            now=now,
            zone=store.rules.zone,
        )
        words, index, degraded = self._relevances(query, ranking.accepts)
        blended = self._blended(request, query, words)
        relevances, inherited = with_successors(
            self._findable(blended, named=bool(query.paths)),
            store.catalog.superseded(),
            matching_only=bool(query.filters or query.phrases),
        )
        ranked = ranking.rank(relevances, most=request.offset + request.size)
        page = ranked.hits[request.offset : request.offset + request.size]
        if request.review and request.query and request.offset == 0:
            due = self._due(ranked.hits, ranking.usage_of, now=now)
            page = blend(page, due, size=len(page), ratio=store.rules.review_blend_ratio)
        told = self._explaining.found(index, query, page, inherited)
        archived: list[Hit] = []
        if request.offset == 0 and wanted.tiers == LIVE and not any(map(_answers, told.values())):
            best = replace(ranking, wanted=replace(wanted, tiers=_ARCHIVED, ordinary=False)).rank(relevances, most=1)
            about = self._explaining.found(index, query, best.hits[:1], inherited)
            archived = [hit for hit in best.hits[:1] if any(map(_answers, about.values()))]
            page, told = [*page, *archived], {**told, **about}
        found = Page(
            hits=page,
            total=ranked.total,
            hidden=ranked.hidden,
            degraded=degraded,
            found=told,
            from_archive=len(archived),
        )
        found = replace(found, beside=self._beside(page[:_BESIDE], relevances, wanted))
        if not request.explain:
            return found
        held_back = ranking.held_back(relevances, ranked.hits, most=request.offset + request.size)
        share = (1.0 if blended is words else share_of_words(words)) / (max(relevances.values(), default=0.0) or 1.0)
        reasons = self._explaining.reasons(told, page, inherited, share=share, meant=blended is not words)
        return replace(found, held_back=held_back, reasons=reasons)

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

    def _wanted(self, request: Request, query: queries.Query) -> Wanted:
        named = frozenset(tier for tier in Tier if tier.value in query.tiers or tier.status in query.tiers)
        tiers = named if query.tiers else request.tiers
        tags = map(tag_key, request.tags)
        return Wanted(
            tiers=tiers,
            ordinary=request.ordinary,
            tags=frozenset(tag for tag in tags if tag),
            projects=frozenset(query.projects),
            excluded_projects=frozenset(query.excluded_projects),
            window_days=request.window_days,
            min_score=request.min_score,
            superseded=request.superseded,
            since=query.since,
            until=query.until,
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

    def _due(self, hits: Sequence[Hit], usage_of: UsageOf, *, now: datetime) -> list[Hit]:
        """Return the matches that are due for review, the most urgent first, marked as such."""
        policy = self._store.rules.policy
        due = [
            (scoring.review_priority(hit.score or 0.0, policy), hit)
            for hit in hits
            if hit.entry.is_memory and scoring.review_due(usage_of(hit.entry), policy, now=now, tier=hit.entry.tier)
        ]
        due.sort(key=lambda pair: (-pair[0], pair[1].entry.path))
        return [replace(hit, review=True) for _, hit in due]

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
            words = [match.found.removeprefix(STEM) for match in told.terms] if told else ()
            previews.append(Preview(hit=hit, text=excerpt(text, limit, told.begins if told else 0.0, words)))
        return previews

    def pages(self, total: int, size: int) -> int:
        """Return how many pages there are."""
        return math.ceil(total / size)

    def entries(self, *tiers: Tier) -> list[Entry]:
        """Return all memories of the tiers that may be read."""
        return [entry for entry in self._store.catalog.memories(*tiers) if self._store.may_read(entry)]


def _answers(found: Reasons) -> bool:
    return found.fit.fitting is not Fitting.WEAK
