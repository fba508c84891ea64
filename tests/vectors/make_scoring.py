"""Reference values of the scoring functions, in 50-digit arithmetic, from the published formulas alone.

Run `python make_scoring.py > scoring.json`; needs mpmath. Ages are in seconds since the last use.
Imports nothing of the package, so that both test suites are checked against an independent source.
"""

from __future__ import annotations

import json
import random
import sys
from itertools import pairwise
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


REST_DAYS = 3
SECONDS = 86400


def idle_days(spans: list[list[int]]) -> set[int]:
    """Days that do not count: after three without a use until the next one, as far as no memory says otherwise."""
    used = sorted({day for first, last, _ in spans for day in (first, last)})
    found: set[int] = set()
    for earlier, later in pairwise(used):
        idle = list(range(earlier + 1, later))[REST_DAYS:]
        for first, last, days in spans:
            if first <= earlier and last >= later:
                unused = max(0, last - first + 1 - days)
                idle = idle[max(0, len(idle) - unused) :]
        found.update(idle)
    return found | set(range(used[-1] + 1 + REST_DAYS, used[-1] + 2000))


def passed(idle: set[int], begin: int, end: int) -> int:
    days = range(begin // SECONDS, end // SECONDS + 1)
    return sum(max(0, min(end, (day + 1) * SECONDS) - max(begin, day * SECONDS)) for day in days if day not in idle)


def clock_rows() -> list[dict[str, object]]:
    chance = random.Random(1)
    rows: list[dict[str, object]] = []
    while len(rows) < 80:
        start = chance.choice([-400, 0, 20_400])
        spans = []
        for _ in range(chance.randrange(1, 7)):
            first = start + chance.randrange(120)
            last = first + chance.choice([0, 0, chance.randrange(90)])
            spans.append([first, last, chance.choice([1, 2, max(1, last - first + 1 - chance.randrange(20))])])
        now = (start + chance.randrange(40, 300)) * SECONDS + chance.randrange(SECONDS)
        last_used = chance.choice(spans)[1] * SECONDS + chance.randrange(SECONDS)
        if last_used > now:
            continue
        idle = idle_days(spans)
        so_far = passed(idle, last_used, now)
        # what lies ahead counts in full
        wanted = chance.choice([86_400 * 5, 86_400 * 49, 3_600])
        if wanted >= so_far:
            stretched = now - last_used + wanted - so_far
        else:
            stretched = min(
                s for s in boundaries(idle, last_used, now, wanted) if passed(idle, last_used, last_used + s) == wanted
            )
        row = {"spans": spans, "now": now, "last_used": last_used, "idle_seconds": so_far}
        rows.append(row | {"counted_seconds": wanted, "calendar_seconds": stretched})
    return rows


def boundaries(idle: set[int], begin: int, now: int, wanted: int) -> list[int]:
    """Moments after the beginning at which so much can have passed: so many idle days later."""
    found, moment = [wanted], begin + wanted
    for day in sorted(day for day in idle if begin // SECONDS <= day <= now // SECONDS):
        if day * SECONDS < moment:
            moment += (day + 1) * SECONDS - max(begin, day * SECONDS)
        found.append(moment - begin)
    return found


if __name__ == "__main__":
    review = [{"score": value, "priority": digits(priority(value))} for value in SCORES]
    vectors = {"score": score_rows(), "age_at_level": level_rows(), "review_priority": review, "clock": clock_rows()}
    sys.stdout.write(json.dumps(vectors, indent=1) + "\n")
