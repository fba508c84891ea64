"""How alike texts are, and whether two memories are about the same: by their words, names and tags.

The pairs are found exactly, by prefix filtering: two sets with a similarity of at least t share one of their
|x| - ceil(t |x|) + 1 rarest tokens (Chaudhuri et al. 2006, Bayardo et al. 2007, Xiao et al. 2008).
"""

from __future__ import annotations

import heapq
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, product

import regex

# How alike texts are: token sets, Jaccard similarity, and all similar pairs of a collection.

DUPLICATE_THRESHOLD = 0.88
# below this, texts share words by chance
SIMILAR_THRESHOLD = 0.5
_ANYTHING_IN_COMMON = 1e-9
_ROUNDING = 1e-9

# scripts that are written without spaces, or whose words are better matched by parts
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_TOKEN = regex.compile(rf"(?P<run>[{_UNSPACED}ー]+)|(?:(?![{_UNSPACED}])[\w'’+#])+")
_APOSTROPHES = "'’"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two members of a collection, in the order of their ids."""

    first: str
    second: str
    similarity: float


def normalised(text: str) -> str:
    r"""Return the text without differences of case, white space and Unicode form.

    >>> normalised("  Ｔｅｓｔ\n One ") == normalised("test one")
    True
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def token_list(text: str) -> list[str]:
    """Return the words in order; Chinese, Japanese, Korean and other unspaced runs as bigrams.

    >>> token_list("Floor 3, C++! 私は猫")
    ['floor', '3', 'c++', '私は', 'は猫']
    """
    found: list[str] = []
    for match in _TOKEN.finditer(normalised(text)):
        run = match["run"]
        if run is None:
            found.append(match[0].strip(_APOSTROPHES))
        else:
            found += [one + other for one, other in pairwise(run)] or [run]
    return [token for token in found if token]


def tokens(text: str) -> frozenset[str]:
    """Return the set of words, see `token_list`."""
    return frozenset(token_list(text))


def jaccard(one: Set[object], other: Set[object]) -> float:
    """Return the part that two sets have in common, 0 if either is empty.

    >>> jaccard({"a", "b", "c"}, {"b", "c", "d"})
    0.5
    """
    if not one or not other:
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def near_duplicates(
    texts: Mapping[str, str], *, threshold: float = DUPLICATE_THRESHOLD, limit: int | None = None
) -> list[Pair]:
    """Return up to `limit` pairs of ids whose texts are at least that similar, best first.

    At a threshold of 0 these are all that share a word.
    """
    return list(islice(_expanded(token_groups(texts), threshold), limit))


def most_similar(
    text: str, others: Mapping[str, str], *, threshold: float = SIMILAR_THRESHOLD, limit: int = 3
) -> list[tuple[str, float]]:
    """Return the ids of up to `limit` texts most like this one with their similarity, best first."""
    own = tokens(text)
    measured = ((identity, jaccard(own, tokens(other))) for identity, other in others.items())
    return heapq.nsmallest(limit, (hit for hit in measured if hit[1] >= threshold), key=lambda hit: (-hit[1], hit[0]))


def token_groups(texts: Mapping[str, str]) -> dict[frozenset[str], list[str]]:
    """Return the ids of texts by their token set, smallest id first; texts without a word are left out."""
    groups: dict[frozenset[str], list[str]] = defaultdict(list)
    for identity in sorted(texts):
        groups[tokens(texts[identity])].append(identity)
    groups.pop(frozenset(), None)
    return dict(groups)


def group_pairs(groups: Sequence[frozenset[str]], threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield the positions of all pairs of different sets with at least that similarity, in no useful order."""
    level = max(threshold, _ANYTHING_IN_COMMON)
    ordered = _rarest_first(groups)
    index: dict[int, list[int]] = defaultdict(list)
    for position in sorted(range(len(groups)), key=lambda at: (len(groups[at]), ordered[at])):
        own = groups[position]
        prefix = ordered[position][: len(own) - _at_least(level, len(own)) + 1]
        for other in _candidates(index, prefix, groups, _at_least(level, len(own))):
            similarity = jaccard(own, groups[other])
            if similarity >= threshold and similarity > 0:
                yield other, position, similarity
        for token in prefix:
            index[token].append(position)


def _expanded(groups: dict[frozenset[str], list[str]], threshold: float) -> Iterator[Pair]:
    if threshold <= 1:
        for identities in sorted(groups.values()):
            yield from (Pair(one, other, 1.0) for one, other in combinations(identities, 2))
    members = list(groups.values())
    ranked = sorted(
        (-similarity, min(members[one], members[other]), max(members[one], members[other]))
        for one, other, similarity in group_pairs(list(groups), threshold)
    )
    for negative, here, there in ranked:
        yield from (Pair(min(both), max(both), -negative) for both in product(here, there))


def _rarest_first(groups: Sequence[frozenset[str]]) -> list[list[int]]:
    frequency = Counter(token for group in groups for token in group)
    rank = {token: at for at, token in enumerate(sorted(frequency, key=lambda token: (frequency[token], token)))}
    return [sorted(rank[token] for token in group) for group in groups]


def _at_least(level: float, size: int) -> int:
    """The smallest size, and the smallest overlap, of a set that can be similar enough to one of this size."""
    return max(1, math.ceil(level * size - _ROUNDING))


def _candidates(
    index: Mapping[int, list[int]], prefix: Sequence[int], groups: Sequence[frozenset[str]], smallest: int
) -> set[int]:
    found: set[int] = set()
    for token in prefix:
        # positions were indexed by rising size: the long enough ones are at the end
        for position in reversed(index.get(token, ())):
            if len(groups[position]) < smallest:
                break
            found.add(position)
    return found


# Whether two memories are about the same: what they name and how they are tagged.

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
