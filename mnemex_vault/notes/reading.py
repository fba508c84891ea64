"""Frontmatter values as the parts of a memory: odd spellings are understood, absurd values replaced and listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

import msgspec

from mnemex_vault.domain.memory import MAX_STRENGTH, Relation, RelationType, Usage
from mnemex_vault.notes.dates import read_time
from mnemex_vault.notes.keys import ID_KEY, RELATION_KEYS
from mnemex_vault.notes.values import as_checkbox, as_number, link_name, memory_id, targets, texts
from mnemex_vault.notes.yaml_scalars import Value

MAX_COUNT = 1_000_000
_HALF_LIFE_DAYS = (0.001, 1_000_000.0)
_SHOWN = 40


@dataclass(slots=True)
class Facts:
    """Reads the values of one note; `problems` collects what could not be used."""

    values: Mapping[str, Value]
    zone: tzinfo
    problems: list[str] = field(default_factory=list)

    def usage(self, undated: datetime | None) -> Usage | None:
        """Return the usage, None if neither date can be read and `undated` gives none."""
        created, last_used = self.time("created", required=True), self.time("last_used", required=True)
        known = created or last_used or undated
        if known is None:
            return None
        return Usage(
            created=created or known,
            last_used=last_used or known,
            use_count=self._count("use_count", 1),
            days_used=self._count("days_used", 1),
            strength=self._number("strength", 1.0, lambda value: 0 <= value <= MAX_STRENGTH),
            pinned=self._checkbox("pinned"),
            half_life_days=self._half_life(),
            promoted=self.time("promoted"),
            review_count=self._count("review_count", 0),
            last_review=self.time("last_review"),
            cross_domain_count=self._count("cross_domain_count", 0),
        )

    def time(self, key: str, *, required: bool = False) -> datetime | None:
        """Return a time, None if it is absent or no sensible one."""
        value = self.values.get(key)
        moment = read_time(value, self.zone)
        if moment is None and (required or value is not None):
            self._problem(key, "no date between the years 1900 and 2200")
        return moment

    def text(self, key: str) -> str | None:
        """Return a text, of a list its items separated by commas, None if there is none."""
        value = self.values.get(key)
        if isinstance(value, dict):
            self._problem(key, "no text")
        return ", ".join(texts(value)) or None

    def relations(self) -> tuple[Relation, ...]:
        """Return the relations of all types, with strength and metadata where they are given."""
        given = [relation_type for relation_type in RELATION_KEYS if relation_type in self.values]
        details = self._details() if given else {}
        found: dict[tuple[RelationType, str], Relation] = {}
        for relation_type in given:
            for target in targets(self.values.get(relation_type)):
                strength, metadata = details.get((relation_type, target), (1.0, {}))
                found.setdefault((relation_type, target), Relation(relation_type, target, strength, metadata))
        return tuple(found.values())

    def _details(self) -> dict[tuple[str, str], tuple[float, dict[str, object]]]:
        details: dict[tuple[str, str], tuple[float, dict[str, object]]] = {}
        for line in texts(self.values.get("relation_details")):
            found = _detail(line)
            if found is None:
                self._problem("relation_details", "not all JSON of a relation")
            else:
                details[found[0]] = found[1]
        return details

    def _count(self, key: str, least: int) -> int:
        return int(self._number(key, least, lambda value: least <= value <= MAX_COUNT and value == int(value)))

    def _half_life(self) -> float | None:
        least, most = _HALF_LIFE_DAYS
        return self._number("half_life_days", 0.0, lambda value: least <= value <= most) or None

    def _number(self, key: str, default: float, allowed: Callable[[float], bool]) -> float:
        value = self.values.get(key)
        if value is None:
            return default
        number = as_number(value)
        if number is None or not allowed(number):
            self._problem(key, "no number that can be used here")
            return default
        return number

    def _checkbox(self, key: str) -> bool:
        value = self.values.get(key)
        said = as_checkbox(value)
        if said is None and value not in (None, ""):
            self._problem(key, "neither true nor false")
        return said is True

    def _problem(self, key: str, what: str) -> None:
        value = self.values.get(key)
        shown = "missing" if value is None else f"{value!r:.{_SHOWN}}"
        self.problems.append(f"{key} is {what}: {shown}")


def id_problem(values: Mapping[str, Value]) -> str | None:
    """Return what is wrong with the id, None if nothing is or there is no key."""
    if ID_KEY not in values or memory_id(values[ID_KEY]):
        return None
    return f"{ID_KEY} is no id: {values[ID_KEY]!r:.{_SHOWN}}"


def _detail(line: str) -> tuple[tuple[str, str], tuple[float, dict[str, object]]] | None:
    try:
        # stricter than Python's own reader: what it gives can be written down again, as JSON and as UTF-8
        data = msgspec.json.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    kind, target, metadata = data.get("type"), data.get("target"), data.get("metadata", {})
    strength = as_number(data.get("strength", 1.0))
    if not isinstance(kind, str) or not isinstance(target, str) or not isinstance(metadata, dict) or strength is None:
        return None
    return (kind, link_name(target) or target), (strength, metadata)
