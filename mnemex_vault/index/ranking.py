"""One ranking: text relevance times a bounded decay factor, the weight of the tier and a little for the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.entry import Entry
from mnemex_vault.notes.note import NoteKind

# what decay can take from the rank of a short-term memory at most: an exact match stays in reach
DECAY_SHARE = 0.3
PROJECT_BONUS = 0.1


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
    window_days: float | None = None
    min_score: float | None = None
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much tiers count, and the project of the conversation."""

    short_term: float = 1.0
    long_term: float = 1.0
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result; `rank` is what is sorted by, `score` the unbounded decay score (None for an ordinary note)."""

    entry: Entry
    relevance: float
    rank: float
    score: float | None
    decay_factor: float
    tier_weight: float
    project_bonus: float
    review: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """All hits, best first, and how many matches were left out for which reason."""

    hits: list[Hit]
    hidden: Mapping[Hidden, int]


UsageOf = Callable[[Entry], Usage]


def rank(
    relevances: Mapping[str, float],
    catalog: Catalog,
    policy: Policy,
    *,
    wanted: Wanted,
    weights: Weights,
    usage_of: UsageOf,
    now: datetime,
) -> Ranked:
    """Return the wanted notes among these candidates (path -> raw relevance), best first; ties by path."""
    top = max(relevances.values(), default=0.0) or 1.0
    superseded = catalog.superseded()
    hidden: Counter[Hidden] = Counter()
    hits = []
    for path, raw in relevances.items():
        entry = catalog.get(path)
        if entry is None or not entry.searchable or not catalog.is_primary(entry):
            continue
        reason = _reason_to_hide(entry, wanted, superseded)
        if reason is not None:
            hidden[reason] += 1
            continue
        hit = _hit(entry, raw / top, policy, weights, usage_of=usage_of, now=now)
        if _in_time(hit, wanted, usage_of, now):
            hits.append(hit)
        else:
            hidden[Hidden.FILTERED] += 1
    hits.sort(key=lambda hit: (-hit.rank, hit.entry.path))
    return Ranked(hits, hidden)


def _reason_to_hide(entry: Entry, wanted: Wanted, superseded: Mapping[str, str]) -> Hidden | None:
    if not entry.is_memory:
        visible = wanted.ordinary and entry.kind in (NoteKind.ORDINARY, NoteKind.UNREADABLE)
        return None if visible and _has_tag(entry, wanted.tags) else Hidden.FILTERED
    if entry.tier not in wanted.tiers:
        return Hidden.ARCHIVED if entry.tier is Tier.ARCHIVED else Hidden.FILTERED
    if not _has_tag(entry, wanted.tags):
        return Hidden.FILTERED
    if entry.path in superseded and not wanted.superseded:
        return Hidden.SUPERSEDED
    return None


def _has_tag(entry: Entry, tags: frozenset[str]) -> bool:
    """Tell whether a note has one of the tags, or a tag below one of them."""
    if not tags:
        return True
    own = [tag.casefold() for tag in entry.tags]
    return any(tag == wanted or tag.startswith(wanted + "/") for tag in own for wanted in tags)


def _in_time(hit: Hit, wanted: Wanted, usage_of: UsageOf, now: datetime) -> bool:
    if wanted.min_score is not None and hit.score is not None and hit.score < wanted.min_score:
        return False
    if wanted.window_days is None or not hit.entry.is_memory:
        return True
    return now - usage_of(hit.entry).last_used <= timedelta(days=wanted.window_days)


def _hit(entry: Entry, relevance: float, policy: Policy, weights: Weights, *, usage_of: UsageOf, now: datetime) -> Hit:
    score = scoring.score(usage_of(entry), policy, now=now) if entry.is_memory else None
    decays = score is not None and entry.tier is Tier.SHORT_TERM
    factor = decay_factor(score, policy) if decays and score is not None else 1.0
    weight = weights.short_term if entry.tier is Tier.SHORT_TERM else weights.long_term
    bonus = 1 + PROJECT_BONUS if weights.project and entry.project == weights.project else 1.0
    return Hit(
        entry=entry,
        relevance=relevance,
        rank=relevance * factor * weight * bonus,
        score=score,
        decay_factor=factor,
        tier_weight=weight,
        project_bonus=bonus,
    )


def decay_factor(score: float, policy: Policy) -> float:
    """Return what a decay score leaves of a rank, between `1 - DECAY_SHARE` and 1."""
    return 1 - DECAY_SHARE * (1 - scoring.bounded(score, policy))


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
