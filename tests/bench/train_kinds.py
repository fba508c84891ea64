"""Learn the weights of the kinds from the labelled sentences; run `python -m tests.bench.train_kinds`.

Needs the extra `train`. The weights in the package are made anew and judged on the sentences that are held out: of those
that are of a kind, how many are found to be of some kind and of their own, and of the ordinary ones, how many are not.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from mnemex_vault.language.intent import Intent, Weights, features_of, packed, unpacked
from mnemex_vault.language.kinds import ORDINARY, best_of
from tests.bench.activation import messages
from tests.bench.train_intent import SEED, matrix, names_of_marks, rounded

SENTENCES = Path(__file__).parents[1] / "vectors" / "kinds"
WEIGHTS = Path(__file__).parents[2] / "mnemex_vault" / "language" / "data" / "kinds.bin"
KINDS = ("rule", "preference", "identity", "safety", ORDINARY)
_STRENGTH = 2.0
# so many sentences are made of parts, each of which counts for less than one that somebody wrote
_MADE = {"rule": 800, "preference": 250, "identity": 300, "safety": 700, ORDINARY: 2400}
_MADE_WEIGHT = 0.5
_SAID_WEIGHT = 0.5
_FOREIGN_WEIGHT = 2.0
_ENGLISH_WEIGHT = 1.5
# of all weight the part of those that are of a kind
_SHARE = 0.4
# to keep what might fade costs less than to lose what always holds
_SHIFT = {ORDINARY: -0.3}
_PART = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled sentence and what it counts."""

    language: str
    kind: str
    text: str
    weight: float = 1.0


def sentences(part: str) -> list[Sentence]:
    """Return the labelled sentences of a part, "train" or "heldout"."""
    found = []
    for path in sorted(SENTENCES.glob(f"*_{part}.txt")):
        language, kind = path.name[:2], ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("["):
                kind = line.strip("[]")
            else:
                weight = _ENGLISH_WEIGHT if language == "en" else _FOREIGN_WEIGHT
                found.append(Sentence(language, kind, line, weight))
    return found


def ordinary_messages() -> Iterator[Sentence]:
    """Yield what was said and is not worth keeping, which is no standing fact either."""
    for each in messages("train"):
        if Intent.SAVE in each.known and each.intents.isdisjoint((Intent.SAVE, Intent.REFUSE)):
            yield Sentence(each.language, ORDINARY, each.text, _SAID_WEIGHT)


def made_sentences() -> Iterator[Sentence]:
    """Yield English sentences put together from parts, always the same ones."""
    chosen = random.Random(SEED)
    grammar = tomllib.loads((SENTENCES / "frames_en.toml").read_text("utf-8"))
    for kind, parts in grammar.items():
        frames = parts["frames"]
        made = {_filled(frames[turn % len(frames)], parts, chosen) for turn in range(_MADE[kind])}
        yield from (Sentence("en", kind, text, _MADE_WEIGHT) for text in sorted(made))


def _filled(frame: str, parts: Mapping[str, Sequence[str]], chosen: random.Random) -> str:
    def part(match: re.Match[str]) -> str:
        name = match[1]
        words = chosen.choice(parts[name if name in parts else name.lower()])
        return words if name in parts else words[0].upper() + words[1:]

    return _PART.sub(part, frame)


def learned() -> dict[str, Weights]:
    """Return the weights of all kinds."""
    found = [*sentences("train"), *made_sentences(), *ordinary_messages()]
    features = [features_of(each.text) for each in found]
    marks = names_of_marks(features)
    table = matrix(features, marks)
    made = {}
    for kind in KINDS:
        wanted = np.array([each.kind == kind for each in found])
        balance = np.where(wanted, _SHARE / wanted.mean(), (1 - _SHARE) / (1 - wanted.mean()))
        weights = np.array([each.weight for each in found]) * balance
        model = LogisticRegression(C=_STRENGTH, solver="liblinear", intercept_scaling=3.0, tol=1e-3, random_state=SEED)
        made[kind] = rounded(model.fit(table, wanted, sample_weight=weights), marks, _SHIFT.get(kind, 0.0))
    return unpacked(packed(made))


def report(weights: Mapping[str, Weights]) -> None:
    rows = [(each, best_of(weights, features_of(each.text))) for each in sentences("heldout")]
    for name, english in (("English", True), ("thirteen others", False)):
        judged = [(each.kind, told) for each, told in rows if (each.language == "en") is english]
        for kind in KINDS:
            of_kind = [told for label, told in judged if label == kind]
            exact = sum(told == (None if kind == ORDINARY else kind) for told in of_kind)
            some = sum(told is not None for told in of_kind)
            print(f"{name}: {kind}: {len(of_kind)} sentences, {some} of some kind, {exact} right")


def main() -> None:
    weights = learned()
    WEIGHTS.write_bytes(packed(weights))
    print(f"{WEIGHTS.stat().st_size / 1e3:.0f} kB")
    report(weights)


if __name__ == "__main__":
    main()
