"""From what was found in a store to notes of the vault: decided first, then written as one operation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from mnemex_vault.disk.files import READ_LIMIT
from mnemex_vault.disk.paths import joined
from mnemex_vault.domain.memory import Memory, Relation, Tier
from mnemex_vault.errors import InvalidInput, NoteError, NoteExists, UnreadableNote
from mnemex_vault.history.steps import Change, Create, Update
from mnemex_vault.importers.findings import Connection, Findings, Problem, Record, by_name, excerpt, settled, unsaid
from mnemex_vault.index.description import content_key
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.language.folding import name_key
from mnemex_vault.language.titles import title_of
from mnemex_vault.memories.enrichment import kind_in
from mnemex_vault.memories.face import Memories
from mnemex_vault.text import frontmatter, links
from mnemex_vault.text import values as values_of
from mnemex_vault.text.file_names import unique_stem
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.links import Link
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.values import read_date
from mnemex_vault.text.yaml_core import Value

# How much one note can hold: what no reader would take back must not be written.

# far below every limit nothing needs to be tried
_SURELY_CONTENT = READ_LIMIT // 16
_SURELY_LISTS = 4_000


def surely_fits(memory: Memory, properties: Mapping[str, Value]) -> bool:
    """Tell whether a memory, with further properties, is so small that its note can be read in any case."""
    lists = sum(map(len, _properties(memory))) + len(repr(properties))
    return len(memory.content) < _SURELY_CONTENT and lists < _SURELY_LISTS


def can_be_read(path: str, text: str) -> bool:
    """Tell whether a note of this text would be read again."""
    data = text.encode()
    return len(data) <= READ_LIMIT and Note.parse(path, data).kind is not NoteKind.UNREADABLE


def _properties(memory: Memory) -> Iterator[str]:
    """Yield the values of the frontmatter, each with some signs around it."""
    lists = (*memory.tags, *memory.aliases, *memory.entities, *(each.target for each in memory.relations))
    details = (f"{each.target}{each.metadata}" for each in memory.relations if each.metadata or each.strength != 1)
    texts = (memory.title, memory.source, memory.context, memory.project, memory.session)
    yield from (f"  - {value!r}" for value in (*lists, *details, *filter(None, texts)))


# Notes that the predecessors wrote when they promoted a memory, known by their key `stm_id`.

KEY = "stm_id"
_LINE = re.compile(rf"^{KEY}:[ \t]*[\"']?([A-Za-z0-9_-]+)", re.MULTILINE)
_READ = 1 << 16
# bookkeeping that the predecessors wrote, and that the store knows better
_THEIRS = ("last_used", "use_count")


@dataclass(frozen=True, slots=True)
class PromotedNote:
    """A note of the vault and the memory that it was written for."""

    record: Record
    entry: Entry
    unreadable: bool = False


def promoted_notes(memories: Memories, records: Mapping[str, Record]) -> list[PromotedNote]:
    """Return the notes of promoted memories, at most one for each."""
    wanted = {record.id.casefold(): record for record in records.values() if record.tier is Tier.LONG_TERM}
    if not wanted:
        return []
    found: dict[str, PromotedNote] = {}
    for entry, identity, unreadable in _candidates(memories):
        record = wanted.get(identity.casefold())
        if record is not None and (record.id not in found or found[record.id].unreadable):
            found[record.id] = PromotedNote(record, entry, unreadable)
    return list(found.values())


def _candidates(memories: Memories) -> Iterator[tuple[Entry, str, bool]]:
    for entry in sorted(memories.notes, key=lambda entry: entry.path):
        if entry.kind not in (NoteKind.ORDINARY, NoteKind.UNREADABLE):
            continue
        try:
            data = memories.files.read(entry.path)
        except NoteError:
            continue
        if KEY.encode() not in data[:_READ]:
            continue
        note = Note.parse(entry.path, data)
        identity = note.values.get(KEY)
        if isinstance(identity, str):
            yield entry, identity, False
        elif note.unreadable_because and (match := _LINE.search(note.text[:_READ])):
            yield entry, match[1], True


def linked_text(text: str, entry: Entry, memory: Memory, memories: Memories) -> str:
    """Return the promoted note as the note of its memory: its text and the person's keys stay."""
    note, zone = Note.parse(entry.path, text.encode()), memories.zone
    if note.memory_id is not None:
        return text
    tags = (*values_of.property_tags(note.values), *memory.tags)
    memory = replace(memory, title=note.title, aliases=(), tier=entry.tier, tags=tuple(dict.fromkeys(tags)), content="")
    wanted = frontmatter.read(memories.files.composed(memory, stem=note.stem, fades=False))
    return edit(text, {key: value for key, value in wanted.items() if _may_set(key, note.values, memory, zone)})


def _may_set(key: str, values: Mapping[str, Value], memory: Memory, zone: tzinfo) -> bool:
    """Tell whether a key is new, or says more exactly what the predecessor wrote."""
    if key not in values or key in _THEIRS:
        return True
    if key == "created":
        return read_date(values[key], zone) == memory.usage.created.astimezone(zone).date()
    return key == "tags"


KIND = "import"
_TRIES = 5
NewTarget = Callable[[Link], str | None]


@dataclass(frozen=True, slots=True)
class Placed:
    """A memory and the note that it becomes or is linked with."""

    record: Record
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What an import would do.

    `created` become new notes, `linked` are promoted memories whose notes the vault has; `known` counts memories and
    `relations` those new relations that are written.
    """

    steps: tuple[Change, ...] = ()
    created: tuple[Placed, ...] = ()
    linked: tuple[Placed, ...] = ()
    known: int = 0
    relations: int = 0
    remarks: tuple[Problem, ...] = ()


class Importer:
    """Brings the memories of another program into the vault.

    `long_term_folder` is the folder of permanent notes if another one than the vault has now is about to be set.
    """

    def __init__(self, memories: Memories, *, long_term_folder: str | None = None) -> None:
        self._memories = memories
        self._long_term_folder = long_term_folder

    def knows(self, record: Record) -> bool:
        """Tell whether the vault has a memory, by its id or by its words."""
        catalog = self._memories.notes
        return catalog.by_id(record.id) is not None or bool(catalog.same_content(content_key(record.content)))

    def plan(self, found: Findings, *, taken: Collection[str] = ()) -> ImportPlan:
        """Decide what is to be done; `taken` are names of files that the index does not know.

        A memory that the vault has, by its id, stays as it is.
        """
        return _Planning(self._memories, found, taken=taken, folders=self._folders()).plan()

    def run(self, found: Findings, *, summary: str, besides: Sequence[Change] = ()) -> tuple[ImportPlan, str | None]:
        """Plan and write everything, together with other changes, as one operation that can be undone.

        Return the plan that was carried out and the id of the operation, None if there was nothing to do. Raises as
        `NoteFiles.change`; nothing is written then.
        """
        taken: set[str] = set()
        for _ in range(_TRIES):
            plan = self.plan(found, taken=taken)
            steps = [*besides, *plan.steps]
            if not steps:
                return plan, None
            try:
                operation = self._memories.files.change(KIND, steps, summary=summary)
            except NoteExists as error:
                # a file that is no note, or was made since the last look
                taken.add(name_key(stem_of(error.path)))
                self._memories.files.look()
                continue
            return plan, operation.id if operation.steps else None
        raise NoteExists(error_path(plan))

    def _folders(self) -> dict[Tier, str]:
        folders = {tier: self._memories.files.folder_of(tier) for tier in Tier}
        return folders | ({Tier.LONG_TERM: self._long_term_folder} if self._long_term_folder else {})


def error_path(plan: ImportPlan) -> str:
    """Return a path of the plan, to name in an error."""
    return plan.created[0].path if plan.created else ""


class _Planning:
    def __init__(
        self, memories: Memories, found: Findings, *, taken: Collection[str], folders: Mapping[Tier, str]
    ) -> None:
        self._memories = memories
        self._files = memories.files
        self._found = settled(found)
        self._read = found
        self._folders = folders
        self._taken = set(taken)
        self._is_taken = memories.files.taken_names()
        self._remarks: list[Problem] = []
        self._known: dict[str, Entry] = {}
        self._linked: dict[str, PromotedNote] = {}
        self._new: dict[str, Placed] = {}

    def plan(self) -> ImportPlan:
        self._remarks += self._found.remarks[len(self._read.remarks) :]
        self._sort()
        relations, number = self._relations()
        new_targets = self._new_targets()
        for record in self._found.records:
            self._compare_text(record, new_targets)
        number -= sum(self._shorten(placed, relations, new_targets) for placed in self._new.values())
        creates = [
            self._create(placed, relations.get(record_id, ()), new_targets) for record_id, placed in self._new.items()
        ]
        # notes of one folder are written together
        creates.sort(key=lambda step: step.path.rpartition("/")[0])
        return ImportPlan(
            steps=(
                *creates,
                *(self._link(note, relations.get(record_id, ())) for record_id, note in self._linked.items()),
                *(
                    self._relate(entry, relations[record_id])
                    for record_id, entry in self._known.items()
                    if relations.get(record_id)
                ),
            ),
            created=tuple(self._new.values()),
            linked=tuple(Placed(note.record, note.entry.path) for note in self._linked.values()),
            known=len(self._known),
            relations=number,
            remarks=tuple(self._remarks),
        )

    def _sort(self) -> None:
        """Tell what is known, what has its note already, and what is new; give the new ones their names."""
        unknown: dict[str, Record] = {}
        for record in self._found.records:
            entry = self._memories.notes.by_id(record.id)
            if entry is not None:
                self._known[record.id] = entry
            else:
                unknown[record.id] = record
        for note in promoted_notes(self._memories, unknown):
            del unknown[note.record.id]
            problem = self._why_not(note)
            if problem:
                self._remarks.append(Problem(note.entry.path, problem))
            else:
                self._linked[note.record.id] = note
        for record in unknown.values():
            placed = self._placed(_with_kind(record))
            if self._fits(placed):
                self._new[record.id] = placed
            else:
                place = record.place or record.id
                self._remarks.append(Problem(place, "is too large for one note, and was left out"))

    def _why_not(self, note: PromotedNote) -> str:
        if note.unreadable:
            return (
                f"is the note of memory {note.record.id}, but its frontmatter cannot be read; repair it and run again"
            )
        if not self._files.may_write(note.entry.path):
            return (
                f"is the note of memory {note.record.id}, but lies where nothing may be written (setting write_paths)"
            )
        return ""

    def _placed(self, record: Record) -> Placed:
        title = record.title or title_of(record.content)
        stem = unique_stem(record.name or title, lambda key: key in self._taken or self._is_taken(key))
        self._taken |= {name_key(stem), name_key(title), *map(name_key, record.aliases)}
        return Placed(replace(record, title=title), joined(self._folders[record.tier], f"{stem}.md"))

    def _relations(self) -> tuple[dict[str, list[Relation]], int]:
        """Return the relations that are to be written, by the memory from which they lead."""
        by_source: defaultdict[str, list[Relation]] = defaultdict(list)
        number = 0
        for each in self._found.connections:
            target = self._target(each.target_id)
            known = self._source_of(each.source_id)
            if target is None or known is None:
                self._remarks.append(Problem(str(each), "one of the two is not there; the relation was left out"))
            elif self._is_old(each):
                self._compare(each)
            else:
                by_source[each.source_id].append(Relation(each.type, target, each.strength, each.metadata))
                number += 1
        return by_source, number

    def _source_of(self, record_id: str) -> Entry | Placed | PromotedNote | None:
        return self._new.get(record_id) or self._linked.get(record_id) or self._in_vault(record_id)

    def _in_vault(self, record_id: str) -> Entry | None:
        """Return a memory of the vault, also one that this store has a relation to and nothing else."""
        entry = self._known.get(record_id) or self._memories.notes.by_id(record_id)
        if entry is not None:
            self._known.setdefault(record_id, entry)
        return entry

    def _target(self, record_id: str) -> str | None:
        """Return the name under which links lead to a memory."""
        if record_id in self._new:
            return stem_of(self._new[record_id].path)
        entry = self._linked[record_id].entry if record_id in self._linked else self._in_vault(record_id)
        return self._files.link_name(entry) if entry is not None else None

    def _is_old(self, each: Connection) -> bool:
        """Tell whether both ends were in the vault before: what relates them is then the person's."""
        return each.source_id in self._known and each.target_id in self._known

    def _compare(self, each: Connection) -> None:
        source, target = self._known[each.source_id], self._known[each.target_id]
        resolve = self._memories.notes.resolve
        if not any(
            relation.type is each.type and resolve(relation.target, source=source.path) == target
            for relation in source.relations
        ):
            self._remarks.append(Problem(str(each), "is not in the vault, which has both memories; left so"))

    def _compare_text(self, record: Record, new_target: NewTarget | None) -> None:
        """Tell what a memory says that its note, which was in the vault before, does not say."""
        promoted = self._linked.get(record.id)
        entry = promoted.entry if promoted else self._known.get(record.id)
        if entry is None or entry.content_key == content_key(record.content):
            return
        try:
            note = self._memories.note(entry)
        except NoteError:
            self._remarks.append(Problem(record.place or record.id, f"is {entry.path}, which cannot be read now"))
            return
        said = replace(record, content=_with_targets(record.content, new_target) if new_target else record.content)
        lost = unsaid(said, note.title, note.content, *map(excerpt, note.values.values()))
        if lost:
            reason = f"is {entry.path}, which stays as it is; it does not say: {excerpt(lost)}"
            self._remarks.append(Problem(record.place or record.id, reason))

    def _new_targets(self) -> NewTarget | None:
        """Return where links in texts are to lead whose notes get another name here, None if all keep theirs."""
        targets = {key: self._target(record_id) for key, record_id in by_name(self._found.records).items()}
        changed = {key: name for key, name in targets.items() if name is not None and name_key(name) != key}

        def new_target(link: Link) -> str | None:
            key = name_key(link.target.removesuffix(".md"))
            return changed.get(key) if link.form == "wiki" and not link.in_frontmatter else None

        return new_target if changed else None

    def _fits(self, placed: Placed, relations: Sequence[Relation] = (), new_target: NewTarget | None = None) -> bool:
        if surely_fits(_memory(placed.record, relations), placed.record.properties):
            return True
        try:
            return can_be_read(placed.path, self._text(placed, relations, new_target))
        except UnreadableNote:
            return False

    def _shorten(self, placed: Placed, relations: dict[str, list[Relation]], new_target: NewTarget | None) -> int:
        """Leave out relations for which the note has no room; return how many."""
        wanted = kept = relations.get(placed.record.id, [])
        while kept and not self._fits(placed, kept, new_target):
            kept = kept[: len(kept) * 3 // 4]
        left_out = len(wanted) - len(kept)
        if left_out:
            relations[placed.record.id] = kept
            reason = f"has {len(wanted):,} relations; the last {left_out:,} have no room in its note, and were left out"
            self._remarks.append(Problem(placed.record.id, reason))
        return left_out

    def _create(self, placed: Placed, relations: Sequence[Relation], new_target: NewTarget | None) -> Create:
        return Create(placed.path, self._text(placed, relations, new_target))

    def _text(self, placed: Placed, relations: Sequence[Relation], new_target: NewTarget | None) -> str:
        memory = _memory(placed.record, relations)
        if new_target is not None and placed.record.names:
            memory = replace(memory, content=_with_targets(memory.content, new_target))
        text = self._files.composed(memory, stem=stem_of(placed.path))
        return edit(text, placed.record.properties) if placed.record.properties else text

    def _link(self, note: PromotedNote, relations: Sequence[Relation]) -> Update:
        memory = _memory(note.record, relations)
        return Update(note.entry.path, lambda text: linked_text(text, note.entry, memory, self._memories))

    def _relate(self, entry: Entry, relations: Sequence[Relation]) -> Update:
        return Update(entry.path, lambda text: self._files.related(text, entry, relations))


def _with_kind(record: Record) -> Record:
    """Give a memory the kind that a save would find, so that what always holds does not fade."""
    if record.is_ours or record.usage.kind is not None:
        return record
    return replace(record, usage=replace(record.usage, kind=kind_in(record.content, record.origin)))


def _memory(record: Record, relations: Iterable[Relation]) -> Memory:
    return Memory(
        id=record.id,
        title=record.title or title_of(record.content),
        content=record.content,
        usage=record.usage,
        tier=record.tier,
        tags=record.tags,
        aliases=record.aliases,
        entities=record.entities,
        relations=tuple(relations),
        project=record.project,
        source=record.source,
        context=record.context,
        origin=record.origin,
        session=record.session,
    )


def _with_targets(content: str, new_target: NewTarget) -> str:
    try:
        return links.rewrite(content, new_target)
    except (UnreadableNote, InvalidInput):
        # it begins like frontmatter and is none
        return content
