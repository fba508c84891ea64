"""Calls made at random from what the server lists: legal, slightly wrong, and absurd arguments."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mcp.types import Tool

ODD_TEXTS = [
    "", " ", "\n", "\x00", "\ud800", "\u2028", "\ufeff", "\x1b[31m", "\u202e", "💥" * 50, "a" * 5_000, "---\nx: y\n---",
    "[[", "[[x|y]]", "#tag", "<% x %>", "![](http://e.org)", "{}", "[]", "null", "NaN", "../../x", "note:x", "note:",
    '"', "'", "\\", "%s%n", "é", "e\u0301", "日本語のメモ", "password: hunter2", "tag:", 'path:"', "-", "*", "AND OR NOT",
    "2026-11-29", "((((", "`" * 100,
]  # fmt: skip
ODD_VALUES: list[Callable[[random.Random], object]] = [
    lambda chance: None,
    lambda chance: chance.choice([True, False]),
    lambda chance: chance.choice([0, -1, 1, 2, 10, 10**6, -(10**30), 10**400]),
    lambda chance: chance.choice([0.0, -0.5, 0.5, 1.5, 1e308, 1e-320]),
    lambda chance: chance.choice(ODD_TEXTS),
    lambda chance: [],
    lambda chance: {},
    lambda chance: [chance.choice(ODD_TEXTS)] * chance.choice([1, 2, 60]),
    lambda chance: {chance.choice(ODD_TEXTS): [chance.choice(ODD_TEXTS), None, {"x": 1.5}]},
    lambda chance: nested(chance.choice([3, 60])),
]


def nested(depth: int) -> object:
    value: object = "deep"
    for _ in range(depth):
        value = [value]
    return value


class Generator:
    """Makes up calls; ids that exist are mixed in so that deeper code is reached."""

    def __init__(self, tools: Sequence[Tool], seed: int) -> None:
        self._tools = tools
        self._chance = random.Random(seed)
        self.ids: list[str] = ["unknown"]

    def calls(self, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
        for _ in range(count):
            tool = self._chance.choice(self._tools)
            yield tool.name, self._arguments(tool.input_schema)

    def _arguments(self, schema: dict[str, Any]) -> dict[str, Any]:
        chance, required = self._chance, schema.get("required", ())
        given = {
            name: self._value(name, each) if chance.random() < 0.9 else chance.choice(ODD_VALUES)(chance)
            for name, each in schema["properties"].items()
            if chance.random() < (0.95 if name in required else 0.3)
        }
        if chance.random() < 0.02:
            given[chance.choice(["surplus", "", "__class__", "self"])] = 1
        return given

    def _value(self, name: str, schema: dict[str, Any]) -> Any:
        chance = self._chance
        if "anyOf" in schema:
            return self._value(name, chance.choice(schema["anyOf"]))
        if "enum" in schema or "const" in schema:
            return chance.choice(schema.get("enum") or [schema["const"]])
        match schema.get("type"):
            case "string":
                return self._text(name, schema)
            case "boolean":
                return chance.random() < 0.5
            case "integer" | "number" as kind:
                low, high = schema.get("minimum", 0), min(schema.get("maximum", 50), 50)
                number = chance.uniform(low, max(low, high))
                return round(number) if kind == "integer" else number
            case "array":
                return [self._value(name, schema.get("items", {})) for _ in range(chance.choice([0, 1, 1, 2, 5]))]
            case "object":
                return {chance.choice(ODD_TEXTS): chance.choice(ODD_VALUES)(chance)}
        return chance.choice(ODD_VALUES)(chance)

    def _text(self, name: str, schema: dict[str, Any]) -> str:
        chance = self._chance
        if name.endswith(("_id", "_ids", "supersedes")) and chance.random() < 0.8:
            return chance.choice(self.ids[-40:])
        words = ["barbecue", "Friday", "Zoë", "tea", "the", "green", "I", "prefer", "decided", chance.choice(ODD_TEXTS)]
        return " ".join(chance.choices(words, k=chance.choice([1, 3, 8])))[: schema.get("maxLength", 10_000)]
