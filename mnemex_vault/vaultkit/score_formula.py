"""The exponential score as formulas of Obsidian's Bases, which know neither powers nor logarithms.

2^-x is 2^-floor(x) from a table times a Taylor series for the fraction; u^beta is scale^beta times (u/scale)^beta, the
scale a power of two from a table and the rest, between 1 and 2, a binomial series around 1.5. Each is off by less than
1e-6 of its value, for up to 8,000 uses. Few references to other formulas, since they may be computed at each mention.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mnemex_vault.domain.decay import Exponential
from mnemex_vault.domain.scoring import Policy

_HALVINGS = 32
_DOUBLINGS = 12
_DEGREE = 8
_MIDDLE_PART = 1.5
_MIDDLE_FRACTION = 0.5


def score_formulas(policy: Policy, curve: Exponential) -> Mapping[str, str]:
    """Return formulas by name; `score` is the decay score of a note, rounded to three digits."""
    half_life = f"if(half_life_days, half_life_days, {_number(curve.half_life_days)})"
    return {
        "halvings": f"max(0, (number(now()) - number(date(last_used))) / 86400000) / {half_life}",
        "whole_halvings": "formula.halvings.floor()",
        "halved": _halved(),
        "halving_part": f"formula.halvings - formula.whole_halvings - {_MIDDLE_FRACTION}",
        "retention": f"if(pinned == true, 1, formula.halved * {_series('formula.halving_part', _halving_series())})",
        "uses": 'if(file.hasProperty("use_count"), max(1, use_count), 1)',
        "uses_scale": _doubled(1),
        "uses_scale_power": _doubled(policy.use_exponent),
        "uses_part": f"(formula.uses / formula.uses_scale - {_MIDDLE_PART}) / {_MIDDLE_PART}",
        "uses_power": f"formula.uses_scale_power * {_series('formula.uses_part', _power_series(policy.use_exponent))}",
        "importance": 'if(file.hasProperty("strength"), strength, 1)',
        "score": "(formula.uses_power * formula.importance * formula.retention).round(3)",
    }


def _number(value: float) -> str:
    """Return digits without an exponent, which Bases might not read."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def _halved() -> str:
    """Return 2^-n for the whole halvings n; after the last of the table nothing is left."""
    text = "0"
    for halvings in range(_HALVINGS, -1, -1):
        text = f"if(formula.whole_halvings < {halvings + 1}, {_number(2.0**-halvings)}, {text})"
    return text


def _doubled(exponent: float) -> str:
    """Return scale^exponent for the largest power of two that is not above the uses."""
    text = _number(2.0 ** (_DOUBLINGS * exponent))
    for doublings in range(_DOUBLINGS - 1, -1, -1):
        text = f"if(formula.uses < {2 ** (doublings + 1)}, {_number(2.0 ** (doublings * exponent))}, {text})"
    return text


def _halving_series() -> list[float]:
    """Return the coefficients of 2^-(x + middle) in x."""
    start = 2.0**-_MIDDLE_FRACTION
    return [start * (-math.log(2)) ** term / math.factorial(term) for term in range(_DEGREE + 1)]


def _power_series(exponent: float) -> list[float]:
    """Return the coefficients of (middle * (1 + x))^exponent in x."""
    coefficients = [_MIDDLE_PART**exponent]
    for term in range(1, _DEGREE + 1):
        coefficients.append(coefficients[-1] * (exponent - term + 1) / term)
    return coefficients


def _series(variable: str, coefficients: Sequence[float]) -> str:
    """Return the polynomial by Horner's rule."""
    text = f"({_number(coefficients[-1])})"
    for coefficient in reversed(coefficients[:-1]):
        text = f"(({_number(coefficient)}) + {variable} * {text})"
    return text
