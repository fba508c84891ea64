"""A memory as frontmatter: the whole of a new note, or only what a change touches."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, tzinfo
from itertools import groupby

from mnemex_vault.domain.memory import Memory, Relation, Tier, Usage
from mnemex_vault.notes import frontmatter
from mnemex_vault.notes.active_content import as_written
from mnemex_vault.notes.body import with_newline
from mnemex_vault.notes.dates import write_time
from mnemex_vault.notes.keys import ID_KEY, RELATION_KEYS
from mnemex_vault.notes.names import file_stem
from mnemex_vault.notes.values import link_name, texts
from mnemex_vault.notes.yaml_scalars import Value

ID_LETTERS = "abcdefghjkmnpqrstvwxyz"
ID_CHARACTERS = "0123456789" + ID_LETTERS
_ID_LENGTH = 10
# more digits would only show the noise of binary fractions
_DIGITS = 6

_NAMES: dict[str, Callable[[str], str]] = {
    "tags": lambda text: text.lstrip("#"),
    "entities": lambda text: link_name(text) or text,
    **{key.value: lambda text: link_name(text) or text for key in RELATION_KEYS},
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
    return {key: _as_spelled(key, value, values.get(key)) for key, value in changed.items() if key != ID_KEY}


def _written(memory: Memory, linked: Collection[str], *, neutralise: bool) -> Memory:
    """Return the memory with its texts as they are to stand in the note."""

    def one(text: str) -> str:
        return as_written(text, memory.origin, neutralise=neutralise)

    return replace(
        memory,
        title=one(memory.title),
        content=one(memory.content),
        aliases=tuple(map(one, memory.aliases)),
        entities=tuple(name if name in linked else one(name) for name in memory.entities),
        project=memory.project and one(memory.project),
        source=memory.source and one(memory.source),
        context=memory.context and one(memory.context),
        session=memory.session and one(memory.session),
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
    present: dict[str, Value] = {
        "tags": [*dict.fromkeys(tag.lstrip("#") for tag in memory.tags)],
        "aliases": [*dict.fromkeys(aliases)],
        "entities": [*dict.fromkeys(f"[[{name}]]" if name in linked else name for name in memory.entities)],
        "project": memory.project,
        **_relation_values(memory.relations),
        "source": memory.source,
        "context": memory.context,
        "origin": memory.origin,
        **_usage_values(memory.usage, memory.tier, zone, fades_on, date_keys),
        "session": memory.session,
        ID_KEY: memory.id,
    }
    return {key: value for key, value in present.items() if value not in (None, "", [])}


def _usage_values(
    usage: Usage, tier: Tier, zone: tzinfo, fades_on: date | None, date_keys: Collection[str]
) -> dict[str, Value]:
    short_term = tier is Tier.SHORT_TERM

    def written(key: str, moment: datetime | None) -> Value:
        return None if moment is None else write_time(moment, zone, date_only=key in date_keys)

    reviewed = usage.review_count > 0
    return {
        "pinned": usage.pinned if short_term or usage.pinned else None,
        "half_life_days": usage.half_life_days,
        "fades_on": fades_on.isoformat() if fades_on and short_term and not usage.pinned else None,
        "created": written("created", usage.created),
        "last_used": written("last_used", usage.last_used),
        "use_count": usage.use_count,
        "days_used": usage.days_used if usage.days_used > 1 else None,
        "strength": round(usage.strength, _DIGITS),
        "review_count": usage.review_count if reviewed else None,
        "last_review": written("last_review", usage.last_review) if reviewed else None,
        "cross_domain_count": usage.cross_domain_count if reviewed else None,
        "promoted": written("promoted", usage.promoted),
    }


def _relation_values(relations: Sequence[Relation]) -> dict[str, Value]:
    place = {key: position for position, key in enumerate(RELATION_KEYS)}
    ordered = sorted(relations, key=lambda relation: place[relation.type])
    values: dict[str, Value] = {
        key.value: [*dict.fromkeys(f"[[{relation.target}]]" for relation in group)]
        for key, group in groupby(ordered, key=lambda relation: relation.type)
    }
    values["relation_details"] = [_detail(item) for item in ordered if item.strength != 1 or item.metadata]
    return values


def _detail(relation: Relation) -> str:
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
