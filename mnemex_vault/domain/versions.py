"""How one statement stands to another: a version of the same fact, the same again, a detail of it, or another fact.

Words alone do not tell a version from a neighbour: where the two differ does, and in what. A difference of subject
(whose birthday, which server) makes two facts; a difference of value makes two versions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from mnemex_vault.language.slots import Statement, Word

Weights = Mapping[str, Mapping[str, float]]
_BIAS = "bias"


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
    before, after = _content(old), _content(new)
    common = {word.stem for word in before} & {word.stem for word in after}
    if not common:
        return None
    lost = [word for word in before if word.stem not in common]
    gained = [word for word in after if word.stem not in common]
    blocks = _differences(old.words, new.words)
    found = {
        "kept": len(common) / (len({word.stem for word in before}) or 1),
        "held": len(common) / (len({word.stem for word in after}) or 1),
        "common": min(1.0, len(common) / 4),
        "lost": min(1.0, len(lost) / 4),
        "gained": min(1.0, len(gained) / 4),
        "nothing lost": float(not lost),
        "nothing gained": float(not gained),
        "blocks": min(1.0, len(blocks) / 4),
        "one block": float(len(blocks) == 1),
        "only inserted": float(all(not was for was, _, _, _ in blocks)),
        "subject kept": float(before[0].stem == after[0].stem),
        "subject in": float(before[0].stem in common),
        "new subject in": float(after[0].stem in common),
        "first person": float(old.first_person and new.first_person),
        "persons differ": float(old.first_person != new.first_person),
        "last differs": float(before[-1].stem != after[-1].stem),
        "last lost": float(before[-1].stem not in common),
        "same order": float(_in_order(before, common) == _in_order(after, common)),
    }
    if blocks:
        found["first difference"] = blocks[0][2]
        found["last difference"] = blocks[-1][2]
        found["value only"] = float(blocks[0][2] >= 0.5)
        found["first and last"] = float(len(blocks) > 1 and blocks[0][2] < 0.35 and blocks[-1][2] > 0.5)
        found["swapped one for one"] = float(len(blocks) == 1 and blocks[0][3])
        found["swapped in two places"] = float(len([1 for block in blocks if block[3]]) >= 2)
    for name, attribute in (("names", "name"), ("numbers", "number")):
        here, there = ({word.stem for word in words if getattr(word, attribute)} for words in (before, after))
        found[f"{name} in common"] = float(bool(here & there))
        found[f"{name} on both sides"] = float(bool(here - there) and bool(there - here))
        found[f"{name} gained"] = float(bool(there - here) and not here - there)
        found[f"{name} lost"] = float(bool(here - there) and not there - here)
        lost_first = bool(lost) and bool(getattr(lost[0], attribute)) and lost[0] is before[0]
        found[f"{name} at the head"] = float(lost_first)
    for cue in ("changed", "past", "several", "negated"):
        found[f"{cue} gained"] = float(new.marked(cue) and not old.marked(cue))
        found[f"{cue} lost"] = float(old.marked(cue) and not new.marked(cue))
    found["several in both"] = float(any("several" in w.marks and w.stem in _stems(new.words) for w in old.words))
    return found


def _in_order(words: Iterable[Word], stems: set[str]) -> list[str]:
    return [word.stem for word in words if word.stem in stems]


def _stems(words: Iterable[Word]) -> set[str]:
    return {word.stem for word in words}


def _content(statement: Statement) -> list[Word]:
    """Return the words that mean something by themselves; all of them if there is none."""
    found = [word for word in statement.words if not word.function]
    return found or list(statement.words)


def _differences(old: Sequence[Word], new: Sequence[Word]) -> list[tuple[int, int, float, bool]]:
    """Return where the words differ: how many were there, how many are, how far on it is, and if it is an exchange."""
    matcher = SequenceMatcher(None, [word.stem for word in old], [word.stem for word in new], autojunk=False)
    return [
        (old_end - old_start, new_end - new_start, old_start / len(old), tag == "replace")
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]
