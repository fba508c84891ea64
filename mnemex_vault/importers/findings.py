"""What an importer found in a store, in our own terms, before anything is written."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.domain.similarity import normalised
from mnemex_vault.language.folding import name_key
from mnemex_vault.language.sentences import cut_to
from mnemex_vault.text.values import ID_PATTERN
from mnemex_vault.text.yaml_core import Value

_ID_LENGTH = 31
_SHOWN = 300
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
    """One memory of another program; `place` is where it stands there.

    `name` is that of its file, if it had one. `names` are those by which links in other texts of the store mean it, the
    best first and "" for one that it lacks. `properties` is further frontmatter to keep. One that `is_ours` says itself
    of what kind it is; for others that is found in the text.
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
    place: str = ""
    is_ours: bool = False

    def texts(self) -> Iterator[str]:
        """Yield what it says in words: title, text, source, context and further properties."""
        yield from (text for text in (self.title, self.content, self.source, self.context) if text)
        yield from (excerpt(value) for value in self.properties.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A relation between two memories, by their ids; `said` names it as its store does."""

    source_id: str
    target_id: str
    type: RelationType
    strength: float = 1.0
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)
    said: str = ""

    def __str__(self) -> str:
        words = self.said or f"relation {self.source_id} {self.type.value} {self.target_id}"
        return f"{words} {excerpt(self.metadata)}" if self.metadata and not self.said else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that a store holds; an id may stand in it more than once.

    `damaged` could not be read and is left out, `remarks` tell what was read otherwise than it stands.
    """

    records: tuple[Record, ...] = ()
    connections: tuple[Connection, ...] = ()
    damaged: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()


def together(found: Iterable[Findings]) -> Findings:
    """Return several stores as one, with all that each holds."""
    found = list(found)
    return Findings(
        records=tuple(record for each in found for record in each.records),
        connections=tuple(connection for each in found for connection in each.connections),
        damaged=tuple(problem for each in found for problem in each.damaged),
        remarks=tuple(problem for each in found for problem in each.remarks),
    )


def settled(found: Findings) -> Findings:
    """Return the findings with every id and every relation once, and nothing lost.

    What says the same is one memory, with the labels of all. What says something else under an id that another has
    becomes a memory of its own, with an id that is the same each time.
    """
    records: dict[str, Record] = {}
    remarks: list[Problem] = []
    for record in found.records:
        known = records.get(record.id)
        if known is not None and not _says_the_same(known, record):
            remarks.append(Problem(record.place or record.id, _clash(known)))
            record = replace(record, id=derived_id(f"{record.id}\n{_told(record)}", store="clash"))
            known = records.get(record.id)
        records[record.id] = record if known is None else _labelled(known, record)
    connections, more = _merged(found.connections)
    return replace(
        found, records=tuple(records.values()), connections=connections, remarks=(*found.remarks, *remarks, *more)
    )


def _clash(known: Record) -> str:
    return f"bears the id of {known.place or known.id} ({known.id}) and says something else; both are memories"


def _told(record: Record) -> str:
    return "\n".join(record.texts())


def _says_the_same(one: Record, other: Record) -> bool:
    return _folded(_told(one)) == _folded(_told(other))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _labelled(known: Record, other: Record) -> Record:
    return replace(
        known,
        tags=tuple(dict.fromkeys((*known.tags, *other.tags))),
        aliases=tuple(dict.fromkeys((*known.aliases, *other.aliases))),
        entities=tuple(dict.fromkeys((*known.entities, *other.entities))),
    )


def unsaid(record: Record, *held: str) -> str:
    """Return the lines of a memory that texts which stand in its place do not hold; "" if they hold all."""
    told = normalised("\n".join(held))
    lines = (line.strip() for text in record.texts() for line in text.splitlines())
    return "; ".join(line for line in lines if normalised(line) not in told)


def outdated(old: Record, new: Record) -> list[Problem]:
    """Return what a version of a memory said that a later one, which counts, no longer says."""
    lost = unsaid(old, *new.texts())
    return [Problem(old.place, f"is an earlier version of {new.place}; it said: {excerpt(lost)}")] if lost else []


def _merged(connections: Iterable[Connection]) -> tuple[tuple[Connection, ...], list[Problem]]:
    """Join relations of one type between the same two memories, with the names and notes of all."""
    groups: defaultdict[tuple[str, RelationType, str], list[Connection]] = defaultdict(list)
    for each in connections:
        groups[each.source_id, each.type, each.target_id].append(each)
    remarks: list[Problem] = []
    merged: list[Connection] = []
    for group in groups.values():
        metadata: dict[str, object] = {}
        for key in dict.fromkeys(key for each in group for key in each.metadata):
            values = list(dict.fromkeys(excerpt(each.metadata[key]) for each in group if key in each.metadata))
            last = next(each.metadata[key] for each in reversed(group) if key in each.metadata)
            metadata[key] = ", ".join(values) if key == OTHER_TYPE else last
            if key != OTHER_TYPE and len(values) > 1:
                remarks.append(Problem(str(group[-1]), f"stands there with several {key}; left out: {values[:-1]}"))
        merged.append(replace(group[-1], metadata=metadata))
    return tuple(merged), remarks


def excerpt(value: object) -> str:
    r"""Return a value as one line of bounded length, to name it in a report.

    >>> excerpt("two\nlines"), excerpt({"a": ["é"]})
    ('two lines', '{"a": ["é"]}')
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    line = " ".join(speakable(text).split())
    return line if len(line) <= _SHOWN else f"{cut_to(line, _SHOWN)} …"


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
