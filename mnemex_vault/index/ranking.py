"""One ranking: text relevance times the weight of the tier, and a little by the project."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from heapq import heappush, heappushpop, nsmallest

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.folding import fold
from mnemex_vault.language.tags import label_key, tag_key

# what the project of the conversation adds to a rank, and another project takes away
PROJECT_SHARE = 0.1
_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


class Hidden(StrEnum):
    """Why a note that matches the words is not among the hits."""

    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which notes may be hits; applied to all candidates before the page is cut."""

    tiers: frozenset[Tier] = frozenset({Tier.SHORT_TERM, Tier.LONG_TERM})
    ordinary: bool = False
    tags: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    excluded_projects: frozenset[str] = frozenset()
    window_days: float | None = None
    min_score: float | None = None
    superseded: bool = False
    since: date | None = None
    until: date | None = None

    @property
    def narrows(self) -> bool:
        """Tell whether notes must be looked at one by one."""
        chosen = self.tags or self.projects or self.excluded_projects or self.since or self.until
        return bool(chosen) or self.window_days is not None or self.min_score is not None

    def made_on(self, day: date | None) -> bool:
        """Tell whether notes made on this day are wanted; None is a day that nobody knows."""
        if day is None:
            return not (self.since or self.until)
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def of_project(self, project: str | None) -> bool:
        """Tell whether notes of this project are wanted."""
        name = fold(label_key(project or ""))
        return (not self.projects or name in self.projects) and name not in self.excluded_projects


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much tiers count, and the project of the conversation."""

    short_term: float = 1.0
    long_term: float = 1.0
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result; `rank` is what is sorted by, `score` the unbounded decay score (None for an ordinary note).

    How far a memory has faded counts between equal ranks only.
    """

    entry: Entry
    relevance: float
    rank: float
    score: float | None
    tier_weight: float
    project_bonus: float
    review: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best hits, best first, the number of all matches, and how many were left out for which reason.

    `hits` holds at least as many as were wanted, if there are so many.
    """

    hits: list[Hit]
    total: int
    hidden: Mapping[Hidden, int]


class Reason(StrEnum):
    """What kept a note from the page whose words fit well enough for it."""

    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    FILTERED = "filtered"
    TIER = "tier"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """A note that words alone would have brought onto the page; `by` is the path of what supersedes it."""

    entry: Entry
    reason: Reason
    relevance: float
    by: str | None = None


UsageOf = Callable[[Entry], Usage]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All that decides the order of matches besides their relevance."""

    catalog: Catalog
    policy: Policy
    wanted: Wanted
    weights: Weights
    usage_of: UsageOf
    now: datetime
    zone: tzinfo
    superseded: Mapping[str, str]

    def accepts(self, path: str) -> bool:
        """Tell whether a note may be a hit, or is one but for its tier and for what replaces it."""
        entry = self.catalog.get(path)
        if entry is None or not (entry.is_memory or self.wanted.ordinary):
            return False
        return not self.wanted.narrows or self._passes(path)

    def rank(self, relevances: Mapping[str, float], *, most: int) -> Ranked:
        """Return the best of these matches (path -> raw relevance), at least `most` of them; ties by path.

        Filters apply to all matches. Weights are worked out only for matches that can still get among the wanted ones.
        """
        top = max(relevances.values(), default=0.0) or 1.0
        accepted, hidden = self._accepted(relevances)
        accepted.sort(key=relevances.__getitem__, reverse=True)
        ceiling = max(self.weights.short_term, self.weights.long_term) * (1 + PROJECT_SHARE)
        hits: list[Hit] = []
        best: list[float] = []
        for path in accepted:
            relevance = relevances[path] / top
            if len(best) >= most and relevance * ceiling < best[0]:
                break
            hit = self._hit(path, relevance)
            if hit is None:
                continue
            hits.append(hit)
            if len(best) < most:
                heappush(best, hit.rank)
            else:
                heappushpop(best, hit.rank)
        # of equals the livelier one comes first, which is all that tells them apart where nothing was asked
        hits.sort(key=lambda hit: (-hit.rank, -(hit.score or 0.0), -_made_at(hit.entry), hit.entry.path))
        return Ranked(hits, len(accepted), hidden)

    def held_back(self, relevances: Mapping[str, float], hits: Iterable[Hit], *, most: int) -> list[HeldBack]:
        """Return the notes that would be among the first `most` if relevance alone decided, and what kept them away.

        `hits` are all that `rank` returned for these relevances. Notes of a kind that is not wanted do not count.
        """
        ranked = list(hits)
        shown = {hit.entry.path for hit in ranked[:most]}
        by_path = {hit.entry.path: hit for hit in ranked}
        top = max(relevances.values(), default=0.0) or 1.0
        candidates = relevances.keys() & self.catalog.candidates(Tier, ordinary=self.wanted.ordinary)
        best = nsmallest(most, candidates, key=lambda path: (-relevances[path], path))
        return [
            HeldBack(entry=self.catalog.as_shown(entry), reason=reason, relevance=relevances[path] / top, by=by)
            for path in best
            if path not in shown and (entry := self.catalog.get(path))
            for reason, by in [self._reason(entry, by_path.get(path))]
        ]

    def _reason(self, entry: Entry, hit: Hit | None) -> tuple[Reason, str | None]:
        if hit is not None:
            return Reason.TIER, None
        by = None if self.wanted.superseded else self.superseded.get(entry.path)
        if by is not None:
            return Reason.SUPERSEDED, by
        archived = entry.tier is Tier.ARCHIVED and Tier.ARCHIVED not in self.wanted.tiers
        return (Reason.ARCHIVED if archived else Reason.FILTERED), None

    def _accepted(self, relevances: Mapping[str, float]) -> tuple[list[str], Mapping[Hidden, int]]:
        """Return the matches that the filters leave, in their order, and count the others by reason."""
        catalog, wanted = self.catalog, self.wanted
        matches = relevances.keys()
        allowed = matches & catalog.candidates(wanted.tiers, ordinary=wanted.ordinary)
        hidden: Counter[Hidden] = Counter()
        if Tier.ARCHIVED not in wanted.tiers:
            hidden[Hidden.ARCHIVED] = len(matches & catalog.candidates([Tier.ARCHIVED]))
        if not wanted.superseded:
            superseded = allowed & self.superseded.keys()
            hidden[Hidden.SUPERSEDED] = len(superseded)
            allowed -= superseded
        paths = [path for path in relevances if path in allowed]
        if wanted.narrows:
            kept = [path for path in paths if self._passes(path)]
            hidden[Hidden.FILTERED] = len(paths) - len(kept)
            paths = kept
        return paths, +hidden

    def _passes(self, path: str) -> bool:
        entry = self.catalog.get(path)
        if entry is None or not (has_tag(entry, self.wanted.tags) and self.wanted.of_project(entry.project)):
            return False
        if not self.wanted.made_on(made_on(entry, self.zone)):
            return False
        if not entry.is_memory:
            return True
        usage, wanted = self.usage_of(entry), self.wanted
        if wanted.min_score is not None and scoring.score(usage, self.policy, now=self.now) < wanted.min_score:
            return False
        return wanted.window_days is None or self.now - usage.last_used <= timedelta(days=wanted.window_days)

    def _hit(self, path: str, relevance: float) -> Hit | None:
        known = self.catalog.get(path)
        if known is None:
            return None
        entry = self.catalog.as_shown(known)
        score = scoring.score(self.usage_of(entry), self.policy, now=self.now) if entry.is_memory else None
        weight = self.weights.short_term if entry.tier is Tier.SHORT_TERM else self.weights.long_term
        project = self.weights.project
        bonus = project_factor(entry.project, project)
        return Hit(
            entry=entry,
            relevance=relevance,
            rank=relevance * weight * bonus,
            score=score,
            tier_weight=weight,
            project_bonus=bonus,
        )


def project_factor(project: str | None, talked_about: str | None) -> float:
    """Return what the project of a note does to its rank in a conversation: what belongs to none stands in between.

    >>> project_factor("shop", "Shop"), project_factor(None, "shop"), project_factor("blog", "shop")
    (1.1, 1.0, 0.9)
    """
    if not (project and talked_about):
        return 1.0
    return 1 + PROJECT_SHARE if label_key(project) == label_key(talked_about) else 1 - PROJECT_SHARE


def _made_at(entry: Entry) -> float:
    return entry.usage.created.timestamp() if entry.usage else 0.0


def made_on(entry: Entry, zone: tzinfo) -> date | None:
    """Return the day on which a memory was made, or which the name of an ordinary note names."""
    if entry.usage is not None and entry.is_memory:
        return entry.usage.created.astimezone(zone).date()
    named = _DAY.search(entry.stem)
    try:
        return date.fromisoformat(named.group()) if named else None
    except ValueError:
        return None


def has_tag(entry: Entry, tags: Collection[str]) -> bool:
    """Tell whether a note has one of the tags, or a tag below one of them; as keys, and any note if there are none."""
    if not tags:
        return True
    own = [tag_key(tag) for tag in entry.tags]
    return any(tag == wanted or tag.startswith(wanted + "/") for tag in own for wanted in tags)


def blend(primary: list[Hit], due: Iterable[Hit], *, size: int, ratio: float) -> list[Hit]:
    """Mix memories due for review into a page: after every two hits one of them, at most `ratio` of the places.

    The page is never shorter than without them and holds no note twice.
    """
    chosen = [hit for hit in due if hit.entry.path not in {other.entry.path for other in primary[:2]}]
    chosen = chosen[: int(size * ratio)]
    taken = {hit.entry.path for hit in chosen}
    rest = [hit for hit in primary if hit.entry.path not in taken]
    page: list[Hit] = []
    while len(page) < size and (rest or chosen):
        wants_review = chosen and (len(page) % 3 == 2 or not rest)
        page.append(chosen.pop(0) if wants_review else rest.pop(0))
    return page
