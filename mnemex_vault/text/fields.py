"""A memory as the fields and the body of its note: read from any spelling, written as a whole or where it changes."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from enum import StrEnum
from itertools import groupby
from typing import Any

import msgspec

from mnemex_vault.domain.memory import NO_KIND, Kind, Memory, Relation, RelationType, Tier, Usage
from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.text import frontmatter, keys
from mnemex_vault.text.file_names import file_stem
from mnemex_vault.text.inert_text import as_written
from mnemex_vault.text.values import as_checkbox, as_number, link_name, memory_id, read_time, targets, texts, write_time
from mnemex_vault.text.yaml_core import Value

# The text of a memory in the body of its note: given back exactly, up to one final newline.
#
# In a note with CRLF line ends a text without CR is written with CRLF and read back with LF. A text that holds a CR is
# written as it is; that such a body does not end like one with CRLF throughout tells the two apart.

_LONE = re.compile(r"\r(?!\n)|(?<!\r)\n")
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


def content_of(text: str) -> str:
    """Return the text that a note holds."""
    block = frontmatter.split(text)
    newline = block.newline if block else frontmatter.newline_of(text)
    body = text[block.body_start :] if block else text.removeprefix(frontmatter.BOM)
    return _decoded(body, newline)


def with_newline(content: str, newline: str = "\n") -> str:
    """Return the body for a text, one newline behind it; raises InvalidInput for NUL and lone surrogates."""
    if _FORBIDDEN.search(content):
        raise InvalidInput("content", "NUL and lone surrogates cannot be saved")
    if newline == "\n":
        return content + "\n"
    if "\r" not in content:
        return content.replace("\n", newline) + newline
    return content + (newline if content.endswith("\r") else "\n")


def replace_body(text: str, content: str) -> str:
    """Return the note with another text, its frontmatter byte for byte and its line ends kept.

    Raises UnreadableNote if the frontmatter is never closed, InvalidInput for a text that cannot be the body.
    """
    block = frontmatter.split(text)
    if block is None:
        return _without_frontmatter(text, content)
    head = text[: block.body_start]
    if not head.endswith("\n"):
        head += block.newline
    return head + with_newline(content, block.newline)


def _without_frontmatter(text: str, content: str) -> str:
    if frontmatter.is_unclosed(text):
        raise UnreadableNote("", "the frontmatter is opened and never closed")
    bom = frontmatter.BOM if text.startswith(frontmatter.BOM) else ""
    result = bom + with_newline(content, frontmatter.newline_of(text))
    if frontmatter.split(result) or frontmatter.is_unclosed(result):
        raise InvalidInput("content", "the text would be taken for frontmatter")
    return result


def _decoded(body: str, newline: str) -> str:
    if newline == "\n":
        return body.removesuffix("\n")
    if body.endswith("\n") and not body.endswith("\r\n"):
        return body[:-1]
    content = body.removesuffix("\r\n")
    return content if _LONE.search(content) else content.replace("\r\n", "\n")


# Frontmatter values as the parts of a memory: odd spellings are understood, absurd values replaced and listed.

_SHOWN = 40


@dataclass(slots=True)
class Facts:
    """Reads the values of one note; `problems` collects what could not be used."""

    values: Mapping[str, Value]
    zone: tzinfo
    problems: list[str] = field(default_factory=list)

    def usage(self, undated: datetime | None) -> Usage | None:
        """Return the usage, None if neither date can be read and `undated` gives none."""
        found = {row.attribute: self._of_usage(row) for row in keys.USAGE_FIELDS}
        known = found["created"] or found["last_used"] or undated
        if known is None:
            return None
        return Usage(**{**found, "created": found["created"] or known, "last_used": found["last_used"] or known})

    def _of_usage(self, row: keys.Field) -> Any:
        match row.holds:
            case keys.Type.TIME:
                return self.time(row.key, required=row.key in ("created", "last_used"))
            case keys.Type.WORD:
                return self.kind()
            case keys.Type.CHECKBOX:
                return self._checkbox(row.key)
            case _:
                return self._number(row)

    def kind(self) -> Kind | None:
        """Return the kind, None if there is none or it is called otherwise."""
        said = (self.text("kind") or "").casefold()
        if said in ("", NO_KIND):
            return None
        try:
            return Kind(said)
        except ValueError:
            self._problem("kind", f"none of {', '.join(Kind)}")
            return None

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
        given = [relation_type for relation_type in keys.RELATION_KEYS if relation_type in self.values]
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

    def _number(self, row: keys.Field) -> float | None:
        value = self.values.get(row.key)
        if value is None:
            return row.default
        number = as_number(value)
        if (
            number is None
            or not row.least <= number <= row.most
            or (row.holds is keys.Type.COUNT and number != int(number))
        ):
            self._problem(row.key, "no number that can be used here")
            return row.default
        return int(number) if row.holds is keys.Type.COUNT else number

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
    if keys.ID_KEY not in values or memory_id(values[keys.ID_KEY]):
        return None
    return f"{keys.ID_KEY} is no id: {values[keys.ID_KEY]!r:.{_SHOWN}}"


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


# A memory as frontmatter: the whole of a new note, or only what a change touches.

ID_LETTERS = "abcdefghjkmnpqrstvwxyz"
ID_CHARACTERS = "0123456789" + ID_LETTERS
_ID_LENGTH = 10

_NAMES: dict[str, Callable[[str], str]] = {
    "tags": lambda text: text.lstrip("#"),
    "entities": lambda text: link_name(text) or text,
    **{key.value: lambda text: link_name(text) or text for key in keys.RELATION_KEYS},
}


def new_memory_id(choose: Callable[[str], str]) -> str:
    """Return a letter and nine characters of Crockford base32; `choose` takes one of a text, as random.choice does."""
    return choose(ID_LETTERS) + "".join(choose(ID_CHARACTERS) for _ in range(_ID_LENGTH - 1))


def render(
    memory: Memory,
    *,
    zone: tzinfo,
    fades_on: date | None,
    stem: str | None = None,
    linked: Collection[str] = (),
    date_keys: Collection[str] = (),
    neutralise: bool = True,
) -> str:
    """Return a new note.

    `stem` is its file name without `.md` (default: made of the title), `linked` the entities that are names of notes,
    `date_keys` the keys that this vault writes as a date without a time. With `neutralise` the text of a stranger is
    made inert.
    """
    written = _written(memory, linked, neutralise=neutralise)
    present = _all_values(written, zone, fades_on, stem or file_stem(memory.title), linked, date_keys)
    return frontmatter.compose(present, with_newline(written.content))


def usage_changes(
    usage: Usage,
    *,
    tier: Tier,
    zone: tzinfo,
    fades_on: date | None,
    old: Usage | None = None,
    values: Mapping[str, Value] | None = None,
    date_keys: Collection[str] = (),
) -> dict[str, Value]:
    """Return the frontmatter changes after a use, promotion or review; None for a key that is to go.

    With `old`, the usage as it was read, only what differs from it, so that a person's odd spelling of an unchanged
    value stays; with `values`, the frontmatter as it was read, a missing `pinned` is added. `created` never changes.
    """
    after = _usage_values(usage, tier, zone, fades_on, date_keys)
    del after["created"]
    if old is None:
        return after
    before = _usage_values(old, tier, zone, None, date_keys)
    changes = {key: value for key, value in after.items() if before[key] != value}
    changes["fades_on"] = after["fades_on"]
    if old.pinned != usage.pinned:
        changes["pinned"] = usage.pinned
    elif tier is Tier.SHORT_TERM and values is not None and "pinned" not in values:
        # a note that comes back from long-term may lack it
        changes["pinned"] = usage.pinned
    return changes


def memory_changes(
    old: Memory,
    new: Memory,
    *,
    zone: tzinfo,
    fades_on: date | None,
    values: Mapping[str, Value],
    stem: str | None = None,
    linked: Collection[str] = (),
    date_keys: Collection[str] = (),
    neutralise: bool = True,
) -> dict[str, Value]:
    """Return the frontmatter changes that turn `old` into `new`; None for a key that is to go.

    `values` is the frontmatter as it was read: items of lists that stay keep their spelling. `stem` is the file name
    without `.md`.
    """
    name = stem or file_stem(new.title)
    written_old, written_new = (_written(memory, linked, neutralise=neutralise) for memory in (old, new))
    before = _all_values(written_old, zone, None, name, linked, date_keys)
    after = _all_values(written_new, zone, fades_on, name, linked, date_keys)
    changed = {key: after.get(key) for key in {**before, **after} if before.get(key) != after.get(key)}
    changed["fades_on"] = after.get("fades_on")
    return {key: _as_spelled(key, value, values.get(key)) for key, value in changed.items() if key != keys.ID_KEY}


def _written(memory: Memory, linked: Collection[str], *, neutralise: bool) -> Memory:
    """Return the memory with its texts as they are to stand in the note."""

    def one(text: str) -> str:
        return as_written(text, memory.origin, neutralise=neutralise)

    texts_of_it = {row.attribute: getattr(memory, row.attribute) for row in keys.TEXT_FIELDS}
    changes: dict[str, Any] = {name: text and one(text) for name, text in texts_of_it.items()}
    return replace(
        memory,
        title=one(memory.title),
        content=one(memory.content),
        aliases=tuple(map(one, memory.aliases)),
        entities=tuple(name if name in linked else one(name) for name in memory.entities),
        **changes,
    )


def _all_values(
    memory: Memory,
    zone: tzinfo,
    fades_on: date | None,
    stem: str,
    linked: Collection[str],
    date_keys: Collection[str],
) -> dict[str, Value]:
    """Return the keys that are present, with their values."""
    named = unicodedata.normalize("NFC", stem) == unicodedata.normalize("NFC", memory.title)
    aliases = memory.aliases if named else (memory.title, *memory.aliases)
    lists: dict[str, Value] = {
        "tags": [*dict.fromkeys(tag.lstrip("#") for tag in memory.tags)],
        "aliases": [*dict.fromkeys(aliases)],
        "entities": [*dict.fromkeys(f"[[{name}]]" if name in linked else name for name in memory.entities)],
        **_relation_values(memory.relations),
    }
    words = {row.key: getattr(memory, row.attribute) for row in (*keys.TEXT_FIELDS, *keys.WORD_FIELDS)}
    times = {row.key: as_value(row, getattr(memory, row.attribute), zone, date_keys) for row in keys.TIME_FIELDS}
    present = lists | words | times | _usage_values(memory.usage, memory.tier, zone, fades_on, date_keys)
    return {key: present[key] for key in keys.KEY_ORDER if present.get(key) not in (None, "", [])}


def _usage_values(
    usage: Usage, tier: Tier, zone: tzinfo, fades_on: date | None, date_keys: Collection[str]
) -> dict[str, Value]:
    """Return the keys of a usage with their values, None for those that are not there."""
    fades = fades_on if tier is Tier.SHORT_TERM and not usage.lasting else None
    values: dict[str, Value] = {"fades_on": fades.isoformat() if fades else None}
    for row in keys.USAGE_FIELDS:
        value = getattr(usage, row.attribute)
        there = row.written(usage, tier) if row.written else value != row.default
        values[row.key] = as_value(row, value, zone, date_keys) if there else None
    return values


def as_value(row: keys.Field, value: Any, zone: tzinfo, date_keys: Collection[str] = ()) -> Value:
    """Return a fact as frontmatter has it."""
    if isinstance(value, datetime):
        return write_time(value, zone, date_only=row.key in date_keys)
    if isinstance(value, StrEnum):
        return value.value
    found: Value = value if row.digits is None else round(value, row.digits)
    return found


def _relation_values(relations: Sequence[Relation]) -> dict[str, Value]:
    place = {key: position for position, key in enumerate(keys.RELATION_KEYS)}
    ordered = sorted(relations, key=lambda relation: place[relation.type])
    values: dict[str, Value] = {
        key.value: [*dict.fromkeys(f"[[{relation.target}]]" for relation in group)]
        for key, group in groupby(ordered, key=lambda relation: relation.type)
    }
    values["relation_details"] = [_relation_detail(item) for item in ordered if item.strength != 1 or item.metadata]
    return values


def _relation_detail(relation: Relation) -> str:
    # a link, so that it follows when the other note is renamed
    target = f"[[{relation.target}]]"
    data: dict[str, object] = {"type": relation.type.value, "target": target, "strength": relation.strength}
    if relation.metadata:
        data["metadata"] = dict(relation.metadata)
    # Templater runs what stands between these signs wherever it stands
    return json.dumps(data, ensure_ascii=False, default=str).replace("<%", r"<\u0025")


def _as_spelled(key: str, value: Value, existing: Value) -> Value:
    """Keep the spelling of items that the note has already: `#tag`, `[[Name|shown]]`, a number."""
    if not isinstance(value, list) or not isinstance(existing, list):
        return value
    name = _NAMES.get(key, str)
    spelled: dict[str, Value] = {}
    for item in existing:
        for text in texts(item):
            spelled.setdefault(name(text), item)
    return [spelled.get(name(item), item) if isinstance(item, str) else item for item in value]
