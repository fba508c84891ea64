"""How one statement stands to another: a version of the same fact, the same again, a detail of it, or another fact.

Words alone do not tell a version from a neighbour: where the two differ does, and in what. A difference of subject
(whose birthday, which server) makes two facts; a difference of value makes two versions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from mnemex_vault.language.slots import Statement, Word

Weights = Mapping[str, Mapping[str, float]]
_BIAS = "bias"
_CUES = ("changed", "past", "several", "negated")


class Standing(StrEnum):
    """What the newer of two statements is to the older one."""

    VERSION = "version"
    SAME = "same"
    DETAIL = "detail"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Compared:
    """How likely each relation is."""

    chances: Mapping[Standing, float]

    @property
    def standing(self) -> Standing:
        """Return the likeliest relation."""
        return max(self.chances, key=self.chances.__getitem__)


def compare(old: Statement, new: Statement, weights: Weights) -> Compared | None:
    """Return how a newer statement stands to an older one; None if they have no word in common that means something."""
    found = features(old, new)
    if found is None:
        return None
    told = [(name, value) for name, value in found.items() if value]
    scores = {
        kind: weights[kind][_BIAS] + sum(weights[kind].get(name, 0.0) * value for name, value in told)
        for kind in Standing
    }
    top = max(scores.values())
    parts = {kind: math.exp(score - top) for kind, score in scores.items()}
    whole = sum(parts.values())
    return Compared({kind: part / whole for kind, part in parts.items()})


def features(old: Statement, new: Statement) -> dict[str, float] | None:
    """Return what the two have in common and where they differ, as numbers from 0 to about 1."""
    common = old.told & new.told
    if not common:
        return None
    before, after = old.telling, new.telling
    lost = sum(word.stem not in common for word in before)
    gained = sum(word.stem not in common for word in after)
    found = {
        "kept": len(common) / len(old.told),
        "held": len(common) / len(new.told),
        "common": min(1.0, len(common) / 4),
        "lost": min(1.0, lost / 4),
        "gained": min(1.0, gained / 4),
        "nothing lost": float(not lost),
        "nothing gained": float(not gained),
        "subject kept": float(before[0].stem == after[0].stem),
        "subject in": float(before[0].stem in common),
        "new subject in": float(after[0].stem in common),
        "first person": float(old.first_person and new.first_person),
        "persons differ": float(old.first_person != new.first_person),
        "last differs": float(before[-1].stem != after[-1].stem),
        "last lost": float(before[-1].stem not in common),
        "same order": float(_in_order(before, common) == _in_order(after, common)),
        "several in both": float(not old.several.isdisjoint(new.sequence)),
    }
    found |= _where_they_differ(_differences(old.sequence, new.sequence))
    for name, here, there in (("names", old.names, new.names), ("numbers", old.numbers, new.numbers)):
        found[f"{name} in common"] = float(bool(here & there))
        found[f"{name} on both sides"] = float(bool(here - there) and bool(there - here))
        found[f"{name} gained"] = float(bool(there - here) and not here - there)
        found[f"{name} lost"] = float(bool(here - there) and not there - here)
    found["names at the head"] = float(before[0].name and before[0].stem not in common)
    found["numbers at the head"] = float(before[0].number and before[0].stem not in common)
    for cue in _CUES:
        found[f"{cue} gained"] = float(new.marked(cue) and not old.marked(cue))
        found[f"{cue} lost"] = float(old.marked(cue) and not new.marked(cue))
    return found


def _where_they_differ(blocks: Sequence[tuple[bool, float, bool]]) -> dict[str, float]:
    """Return features of where words differ, given if any was there, how far on, and if it is an exchange."""
    found = {
        "blocks": min(1.0, len(blocks) / 4),
        "one block": float(len(blocks) == 1),
        "only inserted": float(not any(was for was, _, _ in blocks)),
    }
    if blocks:
        first, last = blocks[0][1], blocks[-1][1]
        found["first difference"] = first
        found["last difference"] = last
        found["value only"] = float(first >= 0.5)
        found["first and last"] = float(len(blocks) > 1 and first < 0.35 and last > 0.5)
        found["swapped one for one"] = float(len(blocks) == 1 and blocks[0][2])
        found["swapped in two places"] = float(sum(exchanged for _, _, exchanged in blocks) >= 2)
    return found


def _in_order(words: Iterable[Word], stems: Set[str]) -> list[str]:
    return [word.stem for word in words if word.stem in stems]


def _differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[bool, float, bool]]:
    """Return where the words differ: if any was there, how far on it is, and if it is an exchange."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        (old_end > old_start, old_start / len(old), tag == "replace")
        for tag, old_start, old_end, _, _ in matcher.get_opcodes()
        if tag != "equal"
    ]


def told_apart(old: Statement, new: Statement, asked: Set[str]) -> bool:
    """Tell whether a question names one of two: beside the same word the older has what is asked, the newer another.

    "How much does the north pump need?" is no question about the south pump, whatever both have in common.
    """
    shared = old.told & new.told
    own = (asked & old.told) - new.told
    named = {place for word, place in _beside(old, asked) if word in own}
    return any(word not in old.told and place in named and place[0] in shared for word, place in _beside(new, asked))


def _beside(statement: Statement, asked: Set[str]) -> Iterator[tuple[str, tuple[str, tuple[str, ...], bool]]]:
    """Yield each telling word with its neighbours: which one, the little words between, and on which side it is."""
    before: str | None = None
    between: list[str] = []
    for word in statement.words:
        if word.number or ("changed" in word.marks and word.stem not in asked):
            continue
        if word.function:
            between.append(word.plain)
            continue
        if before is not None:
            yield before, (word.stem, tuple(between), True)
            yield word.stem, (before, tuple(between), False)
        before, between = word.stem, []
