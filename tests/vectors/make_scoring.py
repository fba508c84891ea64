"""Reference values of the scoring functions, in 50-digit arithmetic, from the published formulas alone.

Run `python make_scoring.py > scoring.json`; needs mpmath. Ages are in seconds since the last use.
Imports nothing of the package, so that both test suites are checked against an independent source.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from mpmath import exp, mp, mpf, power

mp.dps = 50
DAY = mpf(86400)
Curve = dict[str, str]


def retention(curve: Curve, age: Any) -> Any:
    seconds = max(mpf(0), mpf(age))
    if curve["model"] == "power_law":
        alpha, half_life = mpf(curve["alpha"]), mpf(curve["half_life_days"]) * DAY
        scale = half_life / (power(2, 1 / alpha) - 1)
        return power(1 + seconds / scale, -alpha)
    if curve["model"] == "exponential":
        return power(2, -seconds / (mpf(curve["half_life_days"]) * DAY))
    weight = mpf(curve["weight_fast"])
    fast, slow = exp(-mpf(curve["lambda_fast"]) * seconds), exp(-mpf(curve["lambda_slow"]) * seconds)
    return weight * fast + (1 - weight) * slow


def score(curve: Curve, beta: str, uses: int, strength: str, age: Any) -> Any:
    return power(max(1, uses), mpf(beta)) * retention(curve, age) * mpf(strength)


def age_at(curve: Curve, beta: str, uses: int, strength: str, level: str) -> Any:
    """Age at which the score first equals the level, by bisection; None if it starts at or below it."""
    if score(curve, beta, uses, strength, 0) <= mpf(level):
        return None
    low, high = mpf(0), DAY
    while score(curve, beta, uses, strength, high) > mpf(level):
        high *= 2
    for _ in range(160):
        middle = (low + high) / 2
        if score(curve, beta, uses, strength, middle) > mpf(level):
            low = middle
        else:
            high = middle
    return high


def priority(value: str) -> Any:
    low, high, at = mpf("0.15"), mpf("0.35"), mpf(value)
    if not low <= at <= high:
        return mpf(0)
    return max(mpf(0), 1 - ((at - (low + high) / 2) / ((high - low) / 2)) ** 2)


def digits(value: Any) -> str:
    return str(mp.nstr(value, 17))


CURVES = [
    {"model": "power_law", "alpha": "1.1", "half_life_days": "3"},
    {"model": "power_law", "alpha": "1.1", "half_life_days": "14"},
    {"model": "power_law", "alpha": "0.5", "half_life_days": "3"},
    {"model": "exponential", "half_life_days": "3"},
    {"model": "exponential", "half_life_days": "0.5"},
    {"model": "two_component", "lambda_fast": "1.603e-5", "lambda_slow": "1.147e-6", "weight_fast": "0.7"},
]
AGES = [-3600, 0, 1, 3600, 43200, 86400, 172800, 259200, 604800, 1209600, 2592000, 31536000]
USES = [(1, "1"), (0, "1"), (2, "1"), (5, "1"), (5, "1.1"), (10, "1.3"), (50, "2"), (1, "0.5"), (3, "0")]
LEVELS = ["0.05", "0.15", "0.65"]
SCORES = ["0.10", "0.15", "0.16634", "0.20", "0.25", "0.30", "0.33366", "0.35", "0.36", "1.0"]


def score_rows() -> list[dict[str, object]]:
    return [
        {
            "curve": curve,
            "beta": beta,
            "use_count": uses,
            "strength": strength,
            "age_seconds": age,
            "retention": digits(retention(curve, age)),
            "score": digits(score(curve, beta, uses, strength, age)),
        }
        for curve in CURVES
        for beta in ("0.6", "0.3")
        for uses, strength in USES
        for age in AGES
    ]


def level_rows() -> list[dict[str, object]]:
    rows = []
    for curve in CURVES:
        for uses, strength in USES:
            for level in LEVELS:
                age = age_at(curve, "0.6", uses, strength, level)
                row = {"curve": curve, "beta": "0.6", "use_count": uses, "strength": strength, "level": level}
                rows.append(row | {"seconds": None if age is None else digits(age)})
    return rows


if __name__ == "__main__":
    review = [{"score": value, "priority": digits(priority(value))} for value in SCORES]
    vectors = {"score": score_rows(), "age_at_level": level_rows(), "review_priority": review}
    sys.stdout.write(json.dumps(vectors, indent=1) + "\n")
