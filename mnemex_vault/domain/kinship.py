"""Whether two memories are about the same: what they name and how they are tagged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mnemex_vault.domain.similarity import jaccard

_ENOUGH = 0.3


@dataclass(frozen=True, slots=True)
class Kinship:
    """Shared entities; strength and confidence in 0..1."""

    entities: frozenset[str]
    strength: float
    confidence: float

    @property
    def is_relation(self) -> bool:
        """Tell whether that is enough for a relation."""
        return bool(self.entities) and self.confidence >= _ENOUGH


def kinship(
    entities: Iterable[str], other_entities: Iterable[str], tags: Iterable[str], other_tags: Iterable[str]
) -> Kinship:
    """Return what two memories share: entities count for 0.7 of the strength, tags for 0.3.

    >>> found = kinship(["Anna", "TypeScript"], ["anna", "typescript"], ["a"], ["a"])
    >>> found.strength, round(found.confidence, 2), found.is_relation
    (1.0, 0.6, True)
    >>> kinship(["Anna", "Ben"], ["Anna"], [], []).is_relation
    False
    """
    own, theirs = _folded(entities), _folded(other_entities)
    labels, other_labels = _folded(tags), _folded(other_tags)
    shared = own & theirs
    strength = 0.7 * jaccard(own, theirs) + 0.3 * jaccard(labels, other_labels)
    confidence = 0.6 * min(1.0, len(shared) / 3) + 0.4 * min(1.0, len(labels & other_labels) / 2)
    return Kinship(shared, strength, confidence)


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names)
