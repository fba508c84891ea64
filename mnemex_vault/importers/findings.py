"""What an importer found in a store, in our own terms, before anything is written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.notes.names import name_key
from mnemex_vault.notes.values import ID_PATTERN
from mnemex_vault.notes.yaml_scalars import Value

_ID_LENGTH = 31
_UNSPEAKABLE = re.compile("[\x00\ud800-\udfff]")
_GAPS = re.compile(r"[\s-]+")
OTHER_TYPE = "relation"
_TYPES = {kind.value: kind for kind in RelationType}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be taken over as it stands; `place` names file and line."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One memory of another program.

    `name` is that of its file, if it had one. `names` are those by which links in other texts of the store mean it, the
    best first and "" for one that it lacks. `properties` is further frontmatter to keep.
    """

    id: str
    content: str
    tier: Tier
    usage: Usage
    title: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    project: str | None = None
    source: str | None = None
    context: str | None = None
    origin: str | None = "import"
    session: str | None = None
    name: str | None = None
    names: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A relation between two memories, by their ids."""

    source_id: str
    target_id: str
    type: RelationType
    strength: float = 1.0
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that a store holds.

    `damaged` could not be read and is left out, `remarks` tell what was read otherwise than it stands.
    """

    records: tuple[Record, ...] = ()
    connections: tuple[Connection, ...] = ()
    damaged: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()


def joined(found: Iterable[Findings]) -> Findings:
    """Return several stores as one; of a memory or relation that is in more than one the last counts."""
    found = list(found)
    records = {record.id: record for each in found for record in each.records}
    connections = {(each.source_id, each.type, each.target_id): each for store in found for each in store.connections}
    return Findings(
        records=tuple(records.values()),
        connections=tuple(connections.values()),
        damaged=tuple(problem for each in found for problem in each.damaged),
        remarks=tuple(problem for each in found for problem in each.remarks),
    )


def by_name(records: Iterable[Record]) -> dict[str, str]:
    """Return the id of the memory that a name means, by its `name_key`: a better name goes before, then the first."""
    ranked = ((rank, name, record.id) for record in records for rank, name in enumerate(record.names) if name)
    found: dict[str, str] = {}
    for _, name, record_id in sorted(ranked, key=lambda item: item[0]):
        found.setdefault(name_key(name), record_id)
    return found


def usable_id(identity: str, *, store: str) -> str:
    """Return an id as it is if a note can bear it, else one that is derived from it and the kind of store.

    >>> usable_id("7c1e52d0-3f0b", store="x"), usable_id("Ada Lovelace", store="x")
    ('7c1e52d0-3f0b', 'mc210103d4b5c9ba71d2fa7ef1564353')
    """
    return identity if ID_PATTERN.fullmatch(identity) else derived_id(identity, store=store)


def derived_id(identity: str, *, store: str) -> str:
    """Return an id that is always the same for the same thing of the same kind of store."""
    text = f"{store}\n{identity}".encode("utf-8", "surrogatepass")
    return "m" + hashlib.sha256(text).hexdigest()[:_ID_LENGTH]


def relation_type(name: str) -> tuple[RelationType, dict[str, object]]:
    """Return the type that a name means; a name that is none of ours is kept as metadata of `related`.

    >>> relation_type("Has decision")
    (<RelationType.HAS_DECISION: 'has_decision'>, {})
    >>> relation_type("works at")
    (<RelationType.RELATED: 'related'>, {'relation': 'works at'})
    """
    key = _GAPS.sub("_", name.strip().casefold())
    if key in _TYPES:
        return _TYPES[key], {}
    return RelationType.RELATED, {OTHER_TYPE: name.strip()} if name.strip() else {}


def speakable(text: str) -> str:
    r"""Return the text with what no file can hold shown as a gap.

    >>> speakable("a\x00b")
    'a\ufffdb'
    """
    return _UNSPEAKABLE.sub("\ufffd", text)
