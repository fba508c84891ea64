"""When segments are merged: often enough that they stay few, and never so many notes that a commit takes long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from whoosh.reading import SegmentReader

_SMALLEST = 64
_GROWTH = 4
_TIER_LIMIT = 4
MOST_NOTES = 2_000
# a segment with fewer living notes than this is worth writing anew
_ALIVE = 0.5


def merge_in_moderation(writer: Any, segments: Sequence[Any]) -> list[Any]:
    """Whoosh's hook: add the segments to merge to the writer and return the others; empty ones go without a merge."""
    segments = [segment for segment in segments if _living(segment)]
    chosen = to_merge([(_living(segment), segment.doc_count_all()) for segment in segments])
    for index in sorted(chosen):
        reader = SegmentReader(writer.storage, writer.schema, segments[index])
        writer.add_reader(reader)
        reader.close()
    return [segment for index, segment in enumerate(segments) if index not in chosen]


def to_merge(sizes: Sequence[tuple[int, int]]) -> set[int]:
    """Return which segments to merge, given how many notes of each are alive and how many there are in all.

    >>> sorted(to_merge([(2000, 2000), (3, 3), (1, 1), (1, 1), (900, 2000), (1, 1)]))
    [1, 2, 3, 4, 5]
    >>> to_merge([(2000, 2000), (3, 3), (1, 1)])
    set()
    """
    tiers: defaultdict[int, list[int]] = defaultdict(list)
    for index, (living, _) in enumerate(sizes):
        if living < MOST_NOTES:
            tiers[_tier(living)].append(index)
    chosen: list[int] = []
    for tier in sorted(tiers):
        if len(tiers[tier]) + bool(chosen) >= _TIER_LIMIT:
            chosen += tiers[tier]
    chosen += [index for index, (living, total) in enumerate(sizes) if living < _ALIVE * total and index not in chosen]
    return _within_limit(chosen, sizes)


def _within_limit(chosen: Sequence[int], sizes: Sequence[tuple[int, int]]) -> set[int]:
    """Keep what one commit may rewrite, smallest first."""
    kept: set[int] = set()
    total = 0
    for index in sorted(chosen, key=lambda index: sizes[index][0]):
        total += sizes[index][0]
        if total > MOST_NOTES:
            break
        kept.add(index)
    return kept


def _tier(living: int) -> int:
    tier = 0
    while living >= _SMALLEST * _GROWTH**tier:
        tier += 1
    return tier


def _living(segment: Any) -> int:
    return int(segment.doc_count_all() - segment.deleted_count())
