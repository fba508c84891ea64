"""What a merged memory is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mnemex_vault.domain.memory import MAX_STRENGTH, Memory, Relation, Tier, Usage
from mnemex_vault.domain.merged_text import merged_text
from mnemex_vault.domain.similarity import normalised
from mnemex_vault.domain.titles import title_of

_BOOST_PER_MEMBER = 0.1
_MOST_BOOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the caller decides about a merged memory; without content every distinct sentence is kept once."""

    content: str | None = None
    title: str | None = None


def merged(memories: Sequence[Memory], *, new_id: str, cohesion: float, choices: Choices | None = None) -> Memory:
    """Return the memory that stands for all of them, oldest first; raises ValueError on fewer than two."""
    if len(memories) < 2:
        raise ValueError("a merge needs at least two memories")
    chosen = choices or Choices()
    parts = sorted(memories, key=lambda memory: (memory.usage.created, memory.id))
    content = merged_text(part.content for part in parts) if chosen.content is None else chosen.content
    return Memory(
        id=new_id,
        title=chosen.title or title_of(content),
        content=content,
        usage=merged_usage([part.usage for part in parts], cohesion=cohesion),
        tier=Tier.LONG_TERM if any(part.tier is Tier.LONG_TERM for part in parts) else Tier.SHORT_TERM,
        tags=_union(part.tags for part in parts),
        aliases=_union(part.aliases for part in parts),
        entities=_union(part.entities for part in parts),
        relations=merged_relations(parts),
        project=_only({part.project for part in parts}),
        source=_joined(part.source for part in parts),
        context=_joined(part.context for part in parts),
        origin=_origin({part.origin for part in parts}),
    )


def merged_usage(usages: Sequence[Usage], *, cohesion: float | None = None) -> Usage:
    """Return the uses of several memories, or of one on several devices, as those of one.

    The save of each counts only once; with a cohesion the whole is stronger than its strongest part.
    """
    return Usage(
        created=min(usage.created for usage in usages),
        last_used=max(usage.last_used for usage in usages),
        use_count=1 + sum(usage.use_count - 1 for usage in usages),
        days_used=max(usage.days_used for usage in usages),
        strength=_strength(usages, cohesion),
        pinned=any(usage.pinned for usage in usages),
        half_life_days=max((usage.half_life_days for usage in usages if usage.half_life_days), default=None),
        promoted=max((usage.promoted for usage in usages if usage.promoted), default=None),
        review_count=sum(usage.review_count for usage in usages),
        last_review=max((usage.last_review for usage in usages if usage.last_review), default=None),
        cross_domain_count=sum(usage.cross_domain_count for usage in usages),
    )


def merged_relations(memories: Sequence[Memory]) -> tuple[Relation, ...]:
    """Return all outgoing relations once, the strongest of equal ones, without those among the memories themselves."""
    own = {normalised(name) for memory in memories for name in (memory.title, *memory.aliases)}
    kept: dict[tuple[str, str], Relation] = {}
    for memory in memories:
        for relation in memory.relations:
            key = (relation.type, normalised(relation.target))
            known = kept.get(key)
            if key[1] not in own and (known is None or relation.strength > known.strength):
                kept[key] = relation
    return tuple(kept.values())


def _strength(usages: Sequence[Usage], cohesion: float | None) -> float:
    strongest = max(usage.strength for usage in usages)
    if cohesion is None:
        return strongest
    return min(MAX_STRENGTH, strongest + min(cohesion * len(usages) * _BOOST_PER_MEMBER, _MOST_BOOST))


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Every value once, in the spelling that came first."""
    kept: dict[str, str] = {}
    for values in lists:
        for value in values:
            kept.setdefault(normalised(value), value)
    return tuple(kept.values())


def _joined(values: Iterable[str | None]) -> str | None:
    return "; ".join(dict.fromkeys(value for value in values if value)) or None


def _only(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def _origin(origins: set[str | None]) -> str | None:
    """The least trusted of them: what came from the web stays web, what an assistant wrote stays its."""
    return next((origin for origin in ("web", "import", "ai") if origin in origins), _only(origins))
