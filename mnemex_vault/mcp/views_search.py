"""Structured answers of the searches."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, Pagination, View


class MatchedTerm(View):
    """A term of the question in a note: the fields that have it, and its part of the relevance."""

    term: str
    fields: list[str]
    share: float


class Explanation(View):
    """What a rank is made of.

    It is the product of the first four. The relevance is the sum of `text`, what the best passage has (the sum of the
    terms), and `talk`, what the notes around it in its session add. A note that replaces an outdated one may have its
    relevance from that one, `inherited_from`, whose reasons are told then.
    """

    relevance: float
    decay_factor: float
    tier_weight: float
    project_bonus: float
    text: float | None = None
    talk: float | None = None
    meaning: float | None = None
    terms: list[MatchedTerm] | None = None
    inherited_from: str | None = None


class HeldBackNote(View):
    """A note that would be among the results if words alone decided.

    The `reason` is `archived`, `superseded`, `filtered`, `decay` or `tier`.
    """

    id: str
    title: str
    origin: str
    reason: str
    relevance: float
    superseded_by: str | None = None


class FoundNote(View):
    """One result of a search; times are epoch seconds, days are ISO dates.

    The brief names its `section`; `fit` is `fits`, `partly` or `weak`.
    """

    id: str
    title: str
    tier: str
    content: str
    score: float | None
    tags: list[str]
    origin: str
    fades_on: str | None
    similarity: float | None
    use_count: int | None
    last_used: int | None
    age_days: float | None
    review_priority: float | None
    status: str | None = None
    path: str | None = None
    relevance: float | None = None
    rank: float | None = None
    fit: str = ""
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    section: str | None = None
    review: bool = False
    explanation: Explanation | None = None


class FoundAnywhere(FoundNote):
    """One result of a unified search; `score` is what is sorted by, as it is in `rank`."""

    source: str
    memory_id: str | None
    created_at: int | None
    decay_score: float | None


class FoundMemories(Answer):
    """Answer of search_memory."""

    success: bool
    count: int
    results: list[FoundNote]
    hidden: dict[str, int]
    message: str
    beside: list[dict[str, str]] | None = None
    held_back: list[HeldBackNote] | None = None
    pagination: Pagination | None = None


class FoundNotes(Answer):
    """Answer of search_unified."""

    success: bool
    count: int
    results: list[FoundAnywhere]
    hidden: dict[str, int]
    message: str
    beside: list[dict[str, str]] | None = None
    held_back: list[HeldBackNote] | None = None
    pagination: Pagination | None = None
