"""Learn what makes two statements versions of one fact; run `python -m tests.bench.train_versions`.

Needs the extra `train`. The weights in the package are made anew from the labelled pairs, and from messages of different
people that share words, none of which is a version of another. They are judged on the pairs that are held out.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from mnemex_vault.domain.versions import Standing, compare, features
from mnemex_vault.language.slots import Statement, statement_of

PAIRS = Path(__file__).parents[1] / "vectors" / "truth"
WEIGHTS = Path(__file__).parents[2] / "mnemex_vault" / "language" / "data" / "versions.json"
MESSAGES = Path(__file__).parents[1] / "vectors" / "messages"
_STRENGTH = 1.0
# what all talk weighs against one kind of pair; pairs of it are drawn a word, of words that not too many messages have
_TALK_WEIGHT = 0.25
_TALK_PAIRS = 2_000
_DRAWN, _COMMON = 100, 200
_LABELS = {"version": Standing.VERSION, "both": Standing.OTHER, "same": Standing.SAME, "detail": Standing.DETAIL}


@dataclass(frozen=True, slots=True)
class Pair:
    """An older and a newer statement, and what the newer is to the older."""

    label: Standing
    old: str
    new: str


def pairs(part: str) -> list[Pair]:
    """Return the labelled pairs of a part: "train", "heldout", or or "fresh", chosen by a hash before anything was learned."""
    found, label = [], Standing.OTHER
    for line in (PAIRS / f"{part}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            label = _LABELS[line.strip("[]")]
        else:
            old, new = line.split(" | ")
            found.append(Pair(label, old, new))
    return found


def neighbours(found: list[Pair]) -> Iterator[Pair]:
    """Yield pairs of statements that follow each other and are about different things."""
    yield from (Pair(Standing.OTHER, one.old, other.new) for one, other in pairwise(found))


def features_of(pair: Pair) -> Mapping[str, float] | None:
    old, new = statement_of(pair.old), statement_of(pair.new)
    return features(old, new) if old and new else None


def talk() -> list[Mapping[str, float]]:
    """Return what pairs of different people's messages have in common that share words, drawn by a fixed seed."""
    chance = random.Random(0)
    found: list[Mapping[str, float]] = []
    for path in sorted(MESSAGES.glob("*_train.txt")):
        told = (statement_of(line.partition(" ")[2]) for line in path.read_text("utf-8").splitlines())
        said = [statement for statement in told if statement]
        shared = (features(said[one], said[other]) for one, other in sorted(_sharing(said, chance)))
        found += [each for each in shared if each]
    return chance.sample(found, _TALK_PAIRS)


def _sharing(said: Sequence[Statement], chance: random.Random) -> set[tuple[int, int]]:
    """Return pairs of places that share two words, or one where one of them has little to say."""
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    for place, statement in enumerate(said):
        for stem in sorted(statement.stems):
            by_stem[stem].append(place)
    found = set()
    for places in by_stem.values():
        for _ in range(min(2 * len(places), _DRAWN) if 2 <= len(places) <= _COMMON else 0):
            one, other = chance.sample(places, 2)
            here, there = said[one].stems, said[other].stems
            if len(here & there) >= (1 if min(len(here), len(there)) <= 4 else 2):
                found.add((one, other))
    return found


def learned() -> dict[str, dict[str, float]]:
    given = pairs("train")
    turned = [Pair(p.label, p.new, p.old) for p in given if p.label is Standing.OTHER]
    told = [(pair.label, features_of(pair)) for pair in [*given, *turned, *neighbours(given)]]
    rows = [(label.value, found) for label, found in told if found is not None]
    counts = Counter(label for label, _ in rows)
    share = len(rows) / len(counts)
    weights = [share / counts[label] for label, _ in rows]
    beside = talk()
    rows += [(Standing.OTHER.value, found) for found in beside]
    weights += [_TALK_WEIGHT * share / len(beside)] * len(beside)
    names = sorted({name for _, found in rows for name in found})
    table = np.array([[found.get(name, 0.0) for name in names] for _, found in rows])
    model = LogisticRegression(C=_STRENGTH, max_iter=2000)
    model.fit(table, [label for label, _ in rows], sample_weight=weights)
    return {
        str(kind): {"bias": round(float(bias), 3)}
        | {name: round(float(weight), 3) for name, weight in zip(names, row, strict=True)}
        for kind, bias, row in zip(model.classes_, model.intercept_, model.coef_, strict=True)
    }


def report(weights: Mapping[str, Mapping[str, float]], part: str) -> None:
    print(part)
    for label in Standing:
        judged = []
        for pair in (pair for pair in pairs(part) if pair.label is label):
            old, new = statement_of(pair.old), statement_of(pair.new)
            found = compare(old, new, weights) if old and new else None
            judged.append(Standing.OTHER if found is None else found.standing)
        if judged:
            print(label, len(judged), {str(kind): judged.count(kind) for kind in Standing if kind in judged})


def main() -> None:
    weights = learned()
    WEIGHTS.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")
    report(weights, "train")
    report(weights, "heldout")
    report(weights, "fresh")


if __name__ == "__main__":
    main()
