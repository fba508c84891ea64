"""What a memory is: a text with a tier, bookkeeping of its use, and relations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum

MAX_STRENGTH = 2.0
MAX_CONTENT = 50_000


class Tier(StrEnum):
    """The folder a memory lies in decides its tier."""

    SHORT_TERM = "short-term"
    LONG_TERM = "long-term"
    ARCHIVED = "archived"

    @property
    def status(self) -> str:
        """The predecessors' word for the tier."""
        return {Tier.SHORT_TERM: "active", Tier.LONG_TERM: "promoted", Tier.ARCHIVED: "archived"}[self]


class RelationType(StrEnum):
    """Typed relations between memories."""

    RELATED = "related"
    CAUSES = "causes"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    HAS_DECISION = "has_decision"
    CONSOLIDATED_FROM = "consolidated_from"
    SUPERSEDES = "supersedes"
    SPLIT_FROM = "split_from"
    BOTH_TRUE = "both_true"


# what a person writes who wants no kind to be found
NO_KIND = "none"


class Kind(StrEnum):
    """What a standing memory tells; it does not fade by disuse, since nobody repeats what is kept to."""

    RULE = "rule"
    PREFERENCE = "preference"
    IDENTITY = "identity"
    SAFETY = "safety"


@dataclass(frozen=True, slots=True)
class Relation:
    """An outgoing relation; `target` is the name of a note as a wikilink has it, without brackets."""

    type: RelationType
    target: str
    strength: float = 1.0
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The facts a score is derived from.

    Times are aware, and kept in UTC, since arithmetic in a zone ignores its changes of hour. `use_count` counts the
    save as the first use, `days_used` the days with a use.
    Raises ValueError on naive times, counts below 1 and a strength outside 0..2.
    """

    created: datetime
    last_used: datetime
    use_count: int = 1
    days_used: int = 1
    strength: float = 1.0
    pinned: bool = False
    half_life_days: float | None = None
    promoted: datetime | None = None
    review_count: int = 0
    last_review: datetime | None = None
    cross_domain_count: int = 0
    kind: Kind | None = None

    def __post_init__(self) -> None:
        for name in ("created", "last_used", "promoted", "last_review"):
            moment = getattr(self, name)
            if moment is None or moment.tzinfo is UTC:
                continue
            if moment.tzinfo is None:
                raise ValueError("times must carry a zone")
            object.__setattr__(self, name, moment.astimezone(UTC))
        if self.use_count < 1 or self.days_used < 1:
            raise ValueError("use_count and days_used start at 1")
        if not 0 <= self.strength <= MAX_STRENGTH:
            raise ValueError("strength lies between 0 and 2")
        if self.half_life_days is not None and not 0 < self.half_life_days < math.inf:
            raise ValueError("half_life_days is positive and finite")

    @property
    def lasting(self) -> bool:
        """Tell whether it does not decay: a person pinned it, or it is of a kind that nobody uses and all need."""
        return self.pinned or self.kind is not None

    def after(self, old: Usage, *, kind_too: bool = True) -> Usage:
        """Return what a memory has that replaces another: its uses as well, and its kind if it has none of its own."""
        return replace(
            self,
            use_count=self.use_count + old.use_count - 1,
            days_used=max(self.days_used, old.days_used),
            kind=self.kind or (old.kind if kind_too else None),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory; where its note lies and what its score is are not part of it."""

    id: str
    title: str
    content: str
    usage: Usage
    tier: Tier = Tier.SHORT_TERM
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    project: str | None = None
    source: str | None = None
    context: str | None = None
    origin: str | None = None
    session: str | None = None
    valid_from: datetime | None = None
    approved: datetime | None = None
