"""What a use does to a memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, tzinfo

from mnemex_vault.domain.memory import MAX_STRENGTH, Usage

BOOST = 0.1
CROSS_DOMAIN_BOOST = 0.05
CROSS_DOMAIN_SIMILARITY = 0.3


def use(usage: Usage, *, now: datetime, zone: tzinfo, boost: bool = False) -> Usage:
    """Return the usage after one use; days are counted in `zone`, and `last_used` is never lowered."""
    new_day = now.astimezone(zone).date() > usage.last_used.astimezone(zone).date()
    return replace(
        usage,
        use_count=usage.use_count + 1,
        days_used=usage.days_used + (1 if new_day else 0),
        last_used=max(now, usage.last_used),
        strength=min(MAX_STRENGTH, usage.strength + BOOST) if boost else usage.strength,
    )


def observe(usage: Usage, *, now: datetime, zone: tzinfo, cross_domain: bool) -> Usage:
    """Return the usage after a use that also counts as a review, in another domain if `cross_domain`."""
    used = use(usage, now=now, zone=zone)
    extra = CROSS_DOMAIN_BOOST if cross_domain else 0.0
    return replace(
        used,
        review_count=used.review_count + 1,
        last_review=max(now, usage.last_review or now),
        cross_domain_count=used.cross_domain_count + (1 if cross_domain else 0),
        strength=min(MAX_STRENGTH, used.strength + extra),
    )


def is_cross_domain(tags: Iterable[str], context_tags: Iterable[str]) -> bool:
    """Tell whether a use happened in another domain: both have tags, and their Jaccard similarity is below 0.3.

    >>> is_cross_domain(["a", "b", "c"], ["c", "d", "e", "f"]), is_cross_domain([], ["a"])
    (True, False)
    """
    own, other = _normalised(tags), _normalised(context_tags)
    if not own or not other:
        return False
    return len(own & other) / len(own | other) < CROSS_DOMAIN_SIMILARITY


def _normalised(tags: Iterable[str]) -> set[str]:
    return {"_".join(tag.strip().lstrip("#").casefold().split()) for tag in tags} - {""}
