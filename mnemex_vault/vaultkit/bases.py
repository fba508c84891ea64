"""Views of the memories for Obsidian's core plugin Bases, which need no plugin of ours."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence

import yaml

from mnemex_vault.domain.decay import Exponential
from mnemex_vault.domain.memory import Kind
from mnemex_vault.domain.scoring import Policy
from mnemex_vault.settings import Layout

# The exponential score as formulas of Obsidian's Bases, which know neither powers nor logarithms.
#
# 2^-x is 2^-floor(x) from a table times a Taylor series for the fraction; u^beta is scale^beta times (u/scale)^beta,
# the scale a power of two from a table and the rest, between 1 and 2, a binomial series around 1.5. Each is off by
# less than 1e-6 of its value, for up to 8,000 uses. Few references to other formulas, since they may be computed at
# each mention.

# what neither fades nor needs its half-life
_LASTING = " || ".join(["pinned == true", *(f'kind == "{kind}"' for kind in Kind)])
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
        "retention": f"if({_LASTING}, 1, formula.halved * {_series('formula.halving_part', _halving_series())})",
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


_STAMP = re.compile(r"# Made by Mnemex \(([0-9a-f]{16})\)[^\n]*\n")
_STAMP_LINE = "# Made by Mnemex ({}). Once you change this file it is yours and stays as it is.\n"
_LATELY_DAYS = 30
# below the column: how many there are, and where they stand together
_SUMMARIES = {"file.name": "Filled", "formula.days_left": "Min", "formula.score": "Average"}

Node = Mapping[str, object]
Condition = str | Mapping[str, list[str]]


def views(layout: Layout, policy: Policy) -> dict[str, str]:
    """Return the text of each view by its path."""
    score = score_formulas(policy, policy.curve) if isinstance(policy.curve, Exponential) else {}
    bases = {
        "Memories": _memories(layout, score),
        "Fading first": _fading_first(layout, score),
        "Long-term": _long_term(layout),
        "Written by AI lately": _written_lately(layout, score),
    }
    prefix = f"{layout.root}/" if layout.root else ""
    return {f"{prefix}{name}.base": _stamped(base) for name, base in bases.items()}


def is_unchanged(text: str) -> bool:
    """Tell whether a view is as some version of this program wrote it, whatever the line endings."""
    text = text.replace("\r\n", "\n")
    match = _STAMP.match(text)
    return match is not None and match[1] == _checksum(text[match.end() :])


class _Dumper(yaml.SafeDumper):
    """Writes lists that occur twice out twice: Bases know no YAML aliases."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def _stamped(base: Node) -> str:
    body = yaml.dump(dict(base), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)
    return _STAMP_LINE.format(_checksum(body)) + body


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


def _memories(layout: Layout, score: Mapping[str, str]) -> Node:
    columns = _columns(score, "tags", "fades_on", "last_used", "use_count")
    everything = _table("All", columns, sort=("last_used", "DESC"))
    by_time_left = _table("By time left", _columns(score, "formula.days_left", "tags"), sort=("fades_on", "ASC"))
    by_time_left["filters"] = {"and": [_in(layout, layout.short_term)]}
    by_time_left["groupBy"] = {"property": "formula.fades", "direction": "ASC"}
    pinned = _table("Pinned", _columns(score, "tags", "last_used", "use_count"), sort=("last_used", "DESC"))
    pinned["filters"] = {"and": ["pinned == true"]}
    return _base([_outside(layout, layout.archive)], score, [everything, by_time_left, pinned])


def _fading_first(layout: Layout, score: Mapping[str, str]) -> Node:
    columns = _columns(score, "fades_on", "formula.days_left", "use_count", "pinned", "tags")
    everything = _table("Fading first", columns, sort=("fades_on", "ASC"))
    week = _table("This week", columns, sort=("fades_on", "ASC"))
    week["filters"] = {"and": ["formula.days_left <= 7"]}
    fading: list[Condition] = [_in(layout, layout.short_term), 'file.hasProperty("fades_on")', "pinned != true"]
    return _base(fading, score, [everything, week])


def _long_term(layout: Layout) -> Node:
    columns = _columns({}, "tags", "promoted", "last_used", "use_count", "origin")
    everything = _table("Long-term", columns, sort=("last_used", "DESC"))
    lately = _table("Lately promoted", columns, sort=("promoted", "DESC"))
    lately["filters"] = {"and": ['file.hasProperty("promoted")']}
    lately["limit"] = 50
    return _base([_outside(layout, layout.short_term, layout.archive)], {}, [everything, lately])


def _written_lately(layout: Layout, score: Mapping[str, str]) -> Node:
    columns = _columns(score, "created", "origin", "source", "session", "tags")
    lately = _table("Written by AI lately", columns, sort=("created", "DESC"))
    written: list[Condition] = [
        _outside(layout, layout.archive),
        'origin == "ai" || origin == "web"',
        'file.hasProperty("created")',
        f"number(now()) - number(date(created)) < {_LATELY_DAYS * 86_400_000}",
    ]
    return _base(written, score, [lately])


def _base(filters: list[Condition], score: Mapping[str, str], tables: list[dict[str, object]]) -> Node:
    formulas = {
        "days_left": 'if(file.hasProperty("fades_on"),'
        " max(0, ((number(date(fades_on)) - number(today())) / 86400000).round()))",
        "fades": 'if(pinned == true, "5 Pinned", if(!file.hasProperty("fades_on"), "4 Never",'
        ' if(formula.days_left <= 7, "1 This week", if(formula.days_left <= 31, "2 This month", "3 Later"))))',
        **score,
    }
    names = {"formula.days_left": "Days left", "formula.fades": "Fades", "note.fades_on": "Fades on"}
    names |= {"note.last_used": "Last used", "note.use_count": "Uses", "note.origin": "Written by"}
    if score:
        names["formula.score"] = "Score"
    return {
        "filters": {"and": ['file.hasProperty("memory_id")', *filters]},
        "formulas": formulas,
        "properties": {name: {"displayName": shown} for name, shown in names.items()},
        "views": tables,
    }


def _table(name: str, columns: list[str], *, sort: tuple[str, str]) -> dict[str, object]:
    property_name, direction = sort
    order = [{"property": property_name, "direction": direction}, {"property": "file.name", "direction": "ASC"}]
    shown = {column: name for column, name in _SUMMARIES.items() if column in columns}
    return {"type": "table", "name": name, "order": columns, "sort": order, "summaries": shown}


def _columns(score: Mapping[str, str], *names: str) -> list[str]:
    return ["file.name", *names, *(["formula.score"] if score else [])]


def _in(layout: Layout, folder: str) -> Condition:
    return {"or": _lies_in(layout, folder)}


def _outside(layout: Layout, *folders: str) -> Condition:
    return {"not": [line for folder in folders for line in _lies_in(layout, folder)]}


def _lies_in(layout: Layout, folder: str) -> list[str]:
    """Return the conditions of which one holds for a note in a folder.

    The folder by its name, wherever the view is shown; and as it lies beside the view, so that both can be moved
    together. By its place alone it would not be found: embedded in a note, or in a side bar, `this` is another file.
    """
    lines = [f"file.inFolder({_quoted(folder)})"]
    if layout.root and folder.startswith(f"{layout.root}/"):
        lines.append(f"file.inFolder(this.file.folder + {_quoted(folder.removeprefix(layout.root))})")
    return lines


def _quoted(text: str) -> str:
    """Return the text in the quotes that it does not hold."""
    mark = "'" if '"' in text else '"'
    return f"{mark}{text}{mark}"
