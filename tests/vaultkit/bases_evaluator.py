"""An independent reading of `.base` files: schema, formulas (a Pratt parser of the subset we use), filters and order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any

import yaml

_TOKEN = re.compile(
    r'\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>"[^"]*"|\'[^\']*\')|(?P<name>[A-Za-z_]\w*)|(?P<sign>\|\||&&|[=!<>]=|[-+*/%!<>().,]))'
)
_BINDING = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}
_PREFIX_BINDING = 7
# those the app has for every column, and for numbers
_SUMMARIES = {"Empty", "Filled", "Unique", "Average", "Max", "Median", "Min", "Range", "Stddev", "Sum"}
Node = tuple[Any, ...]


class BadFormula(Exception):
    """Not of the subset, or not defined."""


def parse(text: str) -> Node:
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if not match:
            raise BadFormula(f"{text!r} at {position}")
        kind = str(match.lastgroup)
        tokens.append((kind, match[kind]))
        position = match.end()
    parser = _Parser([*tokens, ("end", "")])
    node = parser.expression(0)
    parser.expect("")
    return node


@dataclass
class _Parser:
    tokens: list[tuple[str, str]]
    at: int = 0

    def next(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, sign: str) -> None:
        if self.next()[1] != sign:
            raise BadFormula(f"expected {sign!r} before token {self.at}")

    def expression(self, binding: int) -> Node:
        left = self.prefix()
        while True:
            sign = self.tokens[self.at][1]
            if sign == ".":
                left = self.member(left)
            elif _BINDING.get(sign, 0) > binding and self.tokens[self.at][0] == "sign":
                self.next()
                left = ("binary", sign, left, self.expression(_BINDING[sign]))
            else:
                return left

    def prefix(self) -> Node:
        kind, text = self.next()
        if kind == "number":
            return ("value", float(text))
        if kind == "text":
            return ("value", text[1:-1])
        if kind == "name":
            return ("call", text, self.arguments()) if self.tokens[self.at][1] == "(" else ("name", text)
        if text == "(":
            inner = self.expression(0)
            self.expect(")")
            return inner
        if text in ("-", "!"):
            return ("prefix", text, self.expression(_PREFIX_BINDING))
        raise BadFormula(f"unexpected {text!r}")

    def member(self, left: Node) -> Node:
        self.expect(".")
        kind, name = self.next()
        if kind != "name" or left[0] == "value":
            # the app does not read `1.round()`
            raise BadFormula(f"no member {name!r} of {left!r}")
        return ("method", left, name, self.arguments()) if self.tokens[self.at][1] == "(" else ("member", left, name)

    def arguments(self) -> tuple[Node, ...]:
        self.expect("(")
        found: list[Node] = []
        while self.tokens[self.at][1] != ")":
            if found:
                self.expect(",")
            found.append(self.expression(0))
        self.expect(")")
        return tuple(found)


@dataclass
class Row:
    path: str
    properties: Mapping[str, object]
    now: datetime
    formulas: Mapping[str, Node] = field(default_factory=dict)
    this: str = ""
    known: dict[str, object] = field(default_factory=dict)

    def evaluate(self, node: Node) -> Any:
        kind = node[0]
        if kind == "value":
            return node[1]
        if kind == "name":
            return {"true": True, "false": False}.get(node[1], self.properties.get(node[1]))
        return getattr(self, f"_{kind}")(*node[1:])

    def _prefix(self, sign: str, inner: Node) -> Any:
        value = self.evaluate(inner)
        return not _truthy(value) if sign == "!" else -value

    def _member(self, owner: Node, name: str) -> Any:
        if owner == ("name", "formula"):
            if name not in self.known:
                self.known[name] = self.evaluate(self.formulas[name])
            return self.known[name]
        if owner == ("name", "file"):
            return {"name": self.path.rpartition("/")[2], "path": self.path}[name]
        if owner == ("name", "note"):
            return self.properties.get(name)
        if (owner, name) == (("member", ("name", "this"), "file"), "folder"):
            return self.this.rpartition("/")[0]
        raise BadFormula(f"{owner}.{name}")

    def _method(self, owner: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        values = [self.evaluate(argument) for argument in arguments]
        if owner == ("name", "file"):
            if name == "hasProperty":
                return values[0] in self.properties
            assert name == "inFolder", name
            return self.path.startswith(f"{values[0]}/")
        number = self.evaluate(owner)
        if name == "floor":
            return float(math.floor(number))
        assert name == "round", name
        factor = 10.0 ** (values[0] if values else 0)
        return math.floor(number * factor + 0.5) / factor

    def _call(self, name: str, arguments: tuple[Node, ...]) -> Any:
        if name == "if":
            chosen = 1 if _truthy(self.evaluate(arguments[0])) else 2
            return self.evaluate(arguments[chosen]) if chosen < len(arguments) else None
        values = [self.evaluate(argument) for argument in arguments]
        functions: dict[str, Callable[..., object]] = {
            "min": min,
            "max": max,
            "now": lambda: self.now,
            "today": lambda: datetime.combine(self.now, time()),
            "date": _date,
            "number": _number,
        }
        return functions[name](*values)

    def _binary(self, sign: str, left_node: Node, right_node: Node) -> Any:
        left = self.evaluate(left_node)
        if sign in ("&&", "||"):
            return left if _truthy(left) is (sign == "||") else self.evaluate(right_node)
        right = self.evaluate(right_node)
        operations: dict[str, Callable[[Any, Any], object]] = {
            "==": lambda a, b: a == b,
            "!=": lambda a, b: a != b,
            "<": lambda a, b: a < b,
            ">": lambda a, b: a > b,
            "<=": lambda a, b: a <= b,
            ">=": lambda a, b: a >= b,
            "+": lambda a, b: a + b,
            "-": lambda a, b: a - b,
            "*": lambda a, b: a * b,
            "/": lambda a, b: a / b,
            "%": math.fmod,
        }
        return operations[sign](left, right)


def _truthy(value: object) -> bool:
    return bool(value)


def _date(value: object) -> datetime:
    # only text and dates, as the app has them; a missing property is an error there too
    if not isinstance(value, str):
        raise BadFormula(f"date({value!r})")
    return datetime.fromisoformat(value)


def _number(value: object) -> float:
    # subtracting two dates gives a duration in the app, which is no number
    if isinstance(value, datetime):
        return value.timestamp() * 1000
    if isinstance(value, (int, float)):
        return float(value)
    raise BadFormula(f"number({value!r})")


class Base:
    """A `.base` file: raises on an unknown key, an undefined formula or a circle of them."""

    def __init__(self, text: str) -> None:
        assert not re.search(r"[&*]id\d", text), "a YAML alias"
        self.content = yaml.safe_load(text)
        assert set(self.content) <= {"filters", "formulas", "properties", "views"}
        self.formulas = {name: parse(formula) for name, formula in self.content["formulas"].items()}
        self.views = {view["name"]: view for view in self.content["views"]}
        self._check_views()
        for name in self.formulas:
            self._check_formula(name, ())

    def _check_views(self) -> None:
        assert len(self.views) == len(self.content["views"])
        for view in self.content["views"]:
            assert set(view) <= {"type", "name", "order", "sort", "filters", "groupBy", "limit", "summaries"}
            assert view["type"] == "table"
            columns = [*view["order"], *(key["property"] for key in view["sort"])]
            columns += [view["groupBy"]["property"]] if "groupBy" in view else []
            assert set(view["summaries"]) <= set(view["order"])
            assert set(view["summaries"].values()) <= _SUMMARIES
            assert all(key["direction"] in ("ASC", "DESC") for key in view["sort"])
            for column in columns:
                assert not column.startswith("formula.") or column[8:] in self.formulas, column
        for node in self.conditions():
            assert _formulas_in(node) <= set(self.formulas)

    def _check_formula(self, name: str, above: tuple[str, ...]) -> None:
        if name in above or name not in self.formulas:
            raise BadFormula(" -> ".join([*above, name]))
        for other in _formulas_in(self.formulas[name]):
            self._check_formula(other, (*above, name))

    def conditions(self) -> list[Node]:
        filters = [self.content.get("filters"), *(view.get("filters") for view in self.views.values())]
        return [parse(line) for entry in filters if entry for line in _lines(entry)]

    def rows(
        self, view_name: str, notes: Mapping[str, Mapping[str, object]], now: datetime, *, this: str = "Memories/A.base"
    ) -> list[Row]:
        """Return the rows of a view in their order; `now` is naive, as Obsidian reads dates.

        `this` is the base opened in a tab, the note that it is embedded in, or, in a side bar, the active file.
        """
        view = self.views[view_name]
        both = {"and": [self.content["filters"], view.get("filters", {"and": []})]}
        rows = [Row(path, properties, now, self.formulas, this) for path, properties in notes.items()]
        rows = [row for row in rows if _passes(row, both)]
        for key in reversed(view["sort"]):
            rows.sort(
                key=lambda row: _sortable(row.evaluate(parse(key["property"]))), reverse=key["direction"] == "DESC"
            )
        return rows[: view.get("limit")]


def _lines(entry: str | Mapping[str, Any]) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    (parts,) = entry.values()
    return [line for part in parts for line in _lines(part)]


def _passes(row: Row, entry: str | Mapping[str, Any]) -> bool:
    if isinstance(entry, str):
        return _truthy(row.evaluate(parse(entry)))
    ((kind, parts),) = entry.items()
    passed = (_passes(row, part) for part in parts)
    if kind == "and":
        return all(passed)
    assert kind in ("or", "not"), kind
    return any(passed) is (kind == "or")


def _sortable(value: object) -> tuple[bool, Any]:
    return (value is None, "" if value is None else value)


def _formulas_in(node: object) -> set[str]:
    if not isinstance(node, tuple):
        return set()
    if node[:2] == ("member", ("name", "formula")):
        return {node[2]}
    return set().union(*(_formulas_in(part) for part in node))
