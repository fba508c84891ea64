"""What sort of standing fact a text tells: a rule, a preference, who somebody is, or what is costly to miss.

Learned from labelled sentences like `intent`, over the same features. There is a weighing for each kind and one for
ordinary facts; a text is of the kind that weighs most, unless it is ordinary beyond doubt. The weights are made by
`tests/bench/train_kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mnemex_vault.language.intent import Features, Weights, features_of, unpacked

ORDINARY = "none"
# who states a standing fact does so in a few sentences; what is longer is a document about something
_LONGEST = 600
# what is wrongly kept from fading costs a line, what wrongly fades is lost to sight
_BENEFIT_OF_DOUBT = 0.2


def kind_of(text: str) -> str | None:
    """Return `rule`, `preference`, `identity` or `safety`, None for an ordinary fact.

    >>> kind_of("I am allergic to penicillin."), kind_of("The printer was repaired last week.")
    ('safety', None)
    """
    said = " ".join(text.split())
    return None if len(said) > _LONGEST else best_of(_weights(), features_of(said))


def best_of(weights: Mapping[str, Weights], features: Features) -> str | None:
    """Return the kind that weighs most, None if ordinary facts weigh clearly more."""
    scores = {kind: each.score(features) for kind, each in weights.items()}
    ordinary = scores.pop(ORDINARY)
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > ordinary - _BENEFIT_OF_DOUBT else None


@cache
def _weights() -> dict[str, Weights]:
    return unpacked((files("mnemex_vault.language") / "data" / "kinds.bin").read_bytes())
