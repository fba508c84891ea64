"""What sort of standing fact a text tells: a rule, a preference, who somebody is, or what is costly to miss.

Learned from labelled sentences like `intent`, over the same features. There is a weighing for each kind and one for
ordinary facts and talk; a text is what weighs most. The weights are made by `tests/bench/train_kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mnemex_vault.language.intent import Features, Weights, features_of, unpacked

ORDINARY = "none"
# who states a standing fact does so in a few sentences; what is longer is a document about something
_LONGEST = 600


def kind_of(text: str) -> str | None:
    """Return `rule`, `preference`, `identity` or `safety`, None for an ordinary fact.

    >>> kind_of("I am allergic to penicillin."), kind_of("The printer was repaired last week.")
    ('safety', None)
    """
    said = " ".join(text.split())
    return None if len(said) > _LONGEST else best_of(_weights(), features_of(said))


def best_of(weights: Mapping[str, Weights], features: Features) -> str | None:
    """Return the kind that weighs most, None if what is ordinary does."""
    scores = {kind: each.score(features) for kind, each in weights.items()}
    best = max(scores, key=scores.__getitem__)
    return None if best == ORDINARY else best


@cache
def _weights() -> dict[str, Weights]:
    return unpacked((files("mnemex_vault.language") / "data" / "kinds.bin").read_bytes())
