"""Learn what makes two statements versions of one fact; run `python -m tests.bench.train_versions`.

Needs the extra `train`. The weights in the package are made anew from the labelled pairs, and judged on those that are
held out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from mnemex_vault.domain.versions import Standing, compare, features
from mnemex_vault.language.slots import statement_of

PAIRS = Path(__file__).parents[1] / "vectors" / "truth"
WEIGHTS = Path(__file__).parents[2] / "mnemex_vault" / "language" / "data" / "versions.json"
_STRENGTH = 1.0
_LABELS = {"version": Standing.VERSION, "both": Standing.OTHER, "same": Standing.SAME, "detail": Standing.DETAIL}


@dataclass(frozen=True, slots=True)
class Pair:
    """An older and a newer statement, and what the newer is to the older."""

    label: Standing
    old: str
    new: str


def pairs(part: str) -> list[Pair]:
    """Return the labelled pairs of a part, "train" or "heldout"."""
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


def learned() -> dict[str, dict[str, float]]:
    given = pairs("train")
    rows = [
        (pair.label, found)
        for pair in [
            *given,
            *(Pair(p.label, p.new, p.old) for p in given if p.label is Standing.OTHER),
            *neighbours(given),
        ]
        if (found := features_of(pair)) is not None
    ]
    names = sorted({name for _, found in rows for name in found})
    table = np.array([[found.get(name, 0.0) for name in names] for _, found in rows])
    labels = [label.value for label, _ in rows]
    model = LogisticRegression(C=_STRENGTH, max_iter=2000, class_weight="balanced")
    model.fit(table, labels)
    return {
        str(kind): {"bias": round(float(bias), 3)}
        | {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}
        for kind, bias, weights in zip(model.classes_, model.intercept_, model.coef_, strict=True)
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


if __name__ == "__main__":
    main()
