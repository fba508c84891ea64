"""Groups of memories that may belong together: single linkage on similarity, or a shared tag or entity.

Everything here depends on the set of members alone, never on the order in which they come.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, pairwise

from mnemex_vault.domain.similarity import DUPLICATE_THRESHOLD, Pair, group_pairs, jaccard, token_groups, tokens

LINK_THRESHOLD = 0.83
MERGE_COHESION = 0.9
REVIEW_COHESION = 0.75
MIN_SIZE = 2
MAX_SIZE = 12

Similarity = Callable[[str, str], float]


class Strategy(StrEnum):
    """What makes memories belong together."""

    SIMILARITY = "similarity"
    DUPLICATES = "duplicates"
    TAG = "tag"
    ENTITY = "entity"


class Action(StrEnum):
    """What to do with a cluster."""

    MERGE = "auto-merge"
    REVIEW = "llm-review"
    SEPARATE = "keep-separate"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Ids in ascending order; `cohesion` is their mean pairwise similarity, `label` a shared tag or entity."""

    id: str
    members: tuple[str, ...]
    cohesion: float
    label: str = ""

    @property
    def action(self) -> Action:
        """What the cohesion suggests."""
        if self.cohesion >= MERGE_COHESION:
            return Action.MERGE
        return Action.REVIEW if self.cohesion >= REVIEW_COHESION else Action.SEPARATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How alike two members must be to be linked, and how many make a cluster."""

    threshold: float = LINK_THRESHOLD
    min_size: int = MIN_SIZE
    max_size: int = MAX_SIZE

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError("threshold lies between 0 and 1")
        if not 2 <= self.min_size <= self.max_size:
            raise ValueError("a cluster has at least two members, and max_size is not below min_size")


DEFAULT_LIMITS = Limits()
DUPLICATE_LIMITS = Limits(threshold=DUPLICATE_THRESHOLD)


def cluster_id(members: Iterable[str]) -> str:
    """Return the id of a set of members, the same whenever they are the same.

    >>> cluster_id(["b", "a"]) == cluster_id(["a", "b"]) != cluster_id(["ab"])
    True
    """
    return hashlib.sha256("\n".join(sorted(members)).encode()).hexdigest()[:16]


def by_similarity(texts: Mapping[str, str], limits: Limits = DEFAULT_LIMITS) -> list[Cluster]:
    """Return clusters of similar texts, most coherent first."""
    groups = token_groups(texts)
    members = list(groups.values())
    chains = _Chains(members)
    chains.link(group_pairs(list(groups), limits.threshold))
    sets = {identity: group for group, identities in groups.items() for identity in identities}
    return _clusters(chains.components(), limits, lambda one, other: jaccard(sets[one], sets[other]))


def by_pairs(
    members: Iterable[str], pairs: Iterable[Pair], similarity: Similarity, limits: Limits = DEFAULT_LIMITS
) -> list[Cluster]:
    """Return clusters of members linked by the pairs at or above the threshold, by whatever measure."""
    ordered = sorted(set(members))
    at = {identity: position for position, identity in enumerate(ordered)}
    chains = _Chains([[identity] for identity in ordered])
    chains.link(
        (at[pair.first], at[pair.second], pair.similarity) for pair in pairs if pair.similarity >= limits.threshold
    )
    return _clusters(chains.components(), limits, similarity)


def by_label(
    labels: Mapping[str, Iterable[str]], texts: Mapping[str, str], limits: Limits = DEFAULT_LIMITS
) -> list[Cluster]:
    """Return the memories that share a tag or an entity; a memory with several is in several clusters."""
    holders: dict[str, set[str]] = defaultdict(set)
    for identity in labels:
        for label in labels[identity]:
            holders[label].add(identity)
    sets = {identity: tokens(text) for identity, text in texts.items()}
    found: dict[str, Cluster] = {}
    for label in sorted(holders):
        for cluster in _clusters([sorted(holders[label])], limits, lambda one, other: jaccard(sets[one], sets[other])):
            known = found.get(cluster.id)
            found[cluster.id] = replace(cluster, label=f"{known.label}, {label}" if known else label)
    return _most_coherent_first(found.values())


class _Chains:
    """Disjoint sets, each a chain in which neighbours are those that were most alike when they were joined."""

    def __init__(self, groups: list[list[str]]) -> None:
        self._groups = groups
        self._parent = list(range(len(groups)))
        self._chain = [[position] for position in range(len(groups))]

    def link(self, pairs: Iterable[tuple[int, int, float]]) -> None:
        ranked = sorted((-similarity, *self._named(one, other)) for one, other, similarity in pairs)
        for _, _, _, one, other in ranked:
            self._join(self._root(one), self._root(other))

    def components(self) -> list[list[str]]:
        """Every component as a chain of ids."""
        roots = [position for position, parent in enumerate(self._parent) if position == parent]
        return [[identity for at in self._chain[root] for identity in self._groups[at]] for root in roots]

    def _named(self, one: int, other: int) -> tuple[str, str, int, int]:
        first, second = sorted((one, other), key=lambda at: self._groups[at][0])
        return self._groups[first][0], self._groups[second][0], first, second

    def _root(self, at: int) -> int:
        while self._parent[at] != at:
            self._parent[at] = self._parent[self._parent[at]]
            at = self._parent[at]
        return at

    def _join(self, one: int, other: int) -> None:
        if one == other:
            return
        # the shorter chain moves, so that no member moves more often than the logarithm of their number
        keep, moved = (one, other) if len(self._chain[one]) >= len(self._chain[other]) else (other, one)
        self._parent[moved] = keep
        self._chain[keep].extend(self._chain[moved])
        self._chain[moved] = []


def _clusters(components: Iterable[list[str]], limits: Limits, similarity: Similarity) -> list[Cluster]:
    found = []
    for chain in components:
        for part in _split(chain, limits.max_size):
            if len(part) >= limits.min_size:
                members = tuple(sorted(part))
                found.append(Cluster(cluster_id(members), members, _cohesion(members, similarity)))
    return _most_coherent_first(found)


def _split(chain: list[str], size: int) -> list[list[str]]:
    """Cut an oversize chain into as few, nearly equal parts as fit."""
    count = -(-len(chain) // size)
    share, extra = divmod(len(chain), count)
    cuts = [at * share + min(at, extra) for at in range(count + 1)]
    return [chain[start:end] for start, end in pairwise(cuts)]


def _cohesion(members: tuple[str, ...], similarity: Similarity) -> float:
    measured = [similarity(one, other) for one, other in combinations(members, 2)]
    return min(1.0, max(0.0, sum(measured) / len(measured)))


def _most_coherent_first(clusters: Iterable[Cluster]) -> list[Cluster]:
    return sorted(clusters, key=lambda cluster: (-cluster.cohesion, -len(cluster.members), cluster.members))
