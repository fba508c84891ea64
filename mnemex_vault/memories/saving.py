"""Save memories and open them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, tzinfo

from mnemex_vault import errors
from mnemex_vault.disk.paths import joined
from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier, Usage
from mnemex_vault.domain.similarity import SIMILAR_THRESHOLD, most_similar
from mnemex_vault.domain.trust import waits
from mnemex_vault.history.journal import Operation
from mnemex_vault.history.steps import Create
from mnemex_vault.index.description import content_key
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.language.folding import name_key
from mnemex_vault.language.hints import hints
from mnemex_vault.language.secrets import refuse_secrets
from mnemex_vault.language.sentences import cut_to
from mnemex_vault.language.slots import stated_day
from mnemex_vault.language.tags import clean_name
from mnemex_vault.language.titles import title_of
from mnemex_vault.memories import uses
from mnemex_vault.memories.draft import Draft, clean_labels, clean_tags, days_of
from mnemex_vault.memories.enrichment import Enrichment, kind_of_draft, strength_of, takes_kind
from mnemex_vault.memories.history import text_on
from mnemex_vault.memories.recalled import origin_of
from mnemex_vault.memories.store import Store, found_again
from mnemex_vault.memories.versions import Known, Versions, latest, near
from mnemex_vault.text.file_names import file_stem, unique_stem
from mnemex_vault.text.frontmatter import compose
from mnemex_vault.text.note import Note
from mnemex_vault.text.yaml_core import Value

# Nearly equal memories, named when a new one is saved so that the caller can supersede instead of repeat.

_MOST = 3
_CANDIDATES = 6
_FIRST_LINE = 120
# the index holds stems, and those of title and tags as well: a little less of likeness there may be enough of it here
_LIKE_ENOUGH_TO_READ = 0.7 * SIMILAR_THRESHOLD


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory that says nearly the same."""

    id: str
    title: str
    first_line: str
    origin: str


def similar_to(store: Store, content: str, near: Mapping[str, float]) -> tuple[Similar, ...]:
    """Return up to three of the memories that are `near` whose words are nearly those of the text."""
    candidates = [path for path, likeness in near.items() if likeness >= _LIKE_ENOUGH_TO_READ][:_CANDIDATES]
    entries = {path: entry for path in candidates if (entry := store.catalog.get(path))}
    texts = dict(_texts(store, entries.values()))
    found = most_similar(content, texts, threshold=SIMILAR_THRESHOLD, limit=_MOST)
    return tuple(_similar(entries[path], texts[path]) for path, _ in found)


def _texts(store: Store, entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        with suppress(errors.MnemexError):
            yield entry.path, store.content(entry)


def _similar(entry: Entry, text: str) -> Similar:
    first_line = cut_to(text.strip().partition("\n")[0], _FIRST_LINE)
    return Similar(entry.memory_id or "", entry.title, first_line, origin_of(entry.origin))


_NAME_TRIES = 50
_OPENED_IN_FULL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a draft; `reinforced` tells that the memory existed already and was used instead.

    `known` are memories that it may replace, repeat or refine, `replaced` those that it replaces. `enriched` tells
    that tags, entities or strength were found in the text, `found_entities` how many names.
    """

    memory: Memory
    path: str
    fades_on: date | None
    operation_id: str | None
    reinforced: bool
    similar: tuple[Similar, ...]
    hints: tuple[str, ...]
    known: tuple[Known, ...] = ()
    replaced: tuple[Entry, ...] = ()
    enriched: bool = False
    found_entities: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """One note in full; memory, usage and score are None for an ordinary note, `then` if no day was asked about."""

    entry: Entry
    note: Note
    memory: Memory | None
    usage: Usage | None
    score: float | None
    then: Then | None = None


@dataclass(frozen=True, slots=True)
class Then:
    """What a note was at the end of a day: its text if that is known, `saved` if it was there by then."""

    day: date
    saved: bool
    text: str | None


class Collection:
    """Saving and opening."""

    def __init__(self, store: Store, enrichment: Enrichment) -> None:
        self._store = store
        self._enrichment = enrichment
        self._versions = Versions(store)

    def _present_instead_of(self, twin: Entry | None) -> Entry | None:
        """Return the present memory of a fact whose old wording is said again, None if it never was replaced."""
        catalog = self._store.catalog
        superseded = catalog.superseded()
        if twin is None or twin.path not in superseded:
            return None
        return catalog.get(latest(twin.path, superseded))

    def save(self, draft: Draft, *, used_ids: Iterable[str] = ()) -> Saved:
        """Remember a text as a new note, durable when this returns.

        An equal live memory is reinforced instead, unless the new one is to supersede another.

        Raises SecretFound for a text with a key or password in it, InvalidInput for `on_duplicate="refuse"` and an
        existing equal text, NoteNotFound for an unknown id in `supersedes`.
        """
        store, now = self._store, self._store.clock()
        if store.rules.detect_secrets and not draft.allow_secret:
            refuse_secrets(draft.texts())
        twin = next(iter(store.catalog.same_content(content_key(draft.content))), None)
        superseded = [store.memory_entry(memory_id) for memory_id in draft.supersedes]
        superseded = [entry for entry in superseded if entry != twin]
        back = self._present_instead_of(twin)
        if back is not None and draft.on_duplicate == "reinforce" and not superseded:
            # what was replaced is said again: it is the present once more
            superseded = [back]
        if twin is not None and draft.on_duplicate == "refuse":
            raise errors.NotPossible("content", f"is already remembered as {twin.title!r} ({twin.memory_id})")
        self.use(used_ids, now=now)
        if twin is not None and draft.on_duplicate == "reinforce" and not superseded:
            try:
                return self._reinforce(twin, now=now)
            except errors.NoteNotFound:
                # taken away by someone since the last look: the text is new again
                store.follow([twin.path], now=now)
        since = since_of(store, draft, now=now)
        unknown: Mapping[str, float] = {}
        alike, why_not = store.from_index(lambda: near(store, draft.content), otherwise=unknown)
        known = self._versions.known(draft.content, alike, since=since)
        known = tuple(each for each in known if each.entry not in superseded and each.entry != twin)
        if store.rules.supersede == "auto" and not draft.supersedes:
            superseded += self._versions.clearly_replaced(draft.content, known)
            known = tuple(each for each in known if each.entry not in superseded)
        enriched = self._enrichment.enrich(draft)
        memory = self._memory(enriched.draft, superseded, since, now=now)
        similar = similar_to(store, draft.content, alike)
        unsaid = (f"similar memories could not be looked for ({why_not})",) if why_not else ()
        fades_on = store.fades_on(memory.usage, tier=memory.tier)
        path, operation_id = self._create(memory, now=now)
        return Saved(
            memory=memory,
            path=path,
            fades_on=fades_on,
            operation_id=operation_id,
            reinforced=False,
            similar=similar,
            hints=(*hints(draft.content), *unsaid),
            known=known,
            replaced=tuple(superseded),
            enriched=enriched.applied,
            found_entities=enriched.entities,
        )

    def _reinforce(self, entry: Entry, *, now: datetime) -> Saved:
        uses.record(self._store, entry, "touch", now=now)
        uses.write_pending(self._store, now=now)
        entry = self._store.memory_entry(entry.memory_id or "")
        usage = self._store.usage(entry)
        return Saved(
            memory=replace(self._store.memory(entry), usage=usage),
            path=entry.path,
            fades_on=self._store.fades_on(usage, tier=entry.tier),
            operation_id=None,
            reinforced=True,
            similar=(),
            hints=(),
        )

    def _memory(self, draft: Draft, superseded: Sequence[Entry], since: datetime | None, *, now: datetime) -> Memory:
        store = self._store
        usage = Usage(
            created=now,
            last_used=now,
            strength=strength_of(draft),
            # what waits for a yes is not pinned by who brings it
            pinned=draft.pinned and not waits(draft.origin, None, store.rules.approve),
            half_life_days=draft.half_life_days,
            kind=kind_of_draft(draft),
        )
        for entry in superseded:
            usage = usage.after(store.usage(entry), kind_too=draft.kind is None and takes_kind(draft.origin))
        return Memory(
            id=self._free_id(),
            title=(draft.title or "").strip() or title_of(draft.content),
            content=draft.content,
            usage=usage,
            tags=self._tags(draft.tags or ()),
            entities=tuple(self._name_of(label) for label in clean_labels(draft.entities or ())),
            relations=tuple(Relation(RelationType.SUPERSEDES, store.link_name(entry)) for entry in superseded),
            project=clean_name(draft.project or "") or None,
            source=draft.source or None,
            context=draft.context or None,
            origin=None if draft.origin == "user" else draft.origin,
            session=draft.session or None,
            valid_from=since,
        )

    def _tags(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Tags of the vault in its own spelling; new ones below the prefix of the settings."""
        prefix, known = self._store.rules.tag_prefix, self._enrichment.tags
        spelled = (known.spelled(tag) or clean_tags([tag], prefix=prefix)[0] for tag in clean_tags(tags))
        return tuple(dict.fromkeys(spelled))

    def _free_id(self) -> str:
        while (memory_id := self._store.new_id()) and self._store.catalog.by_id(memory_id):
            continue
        return memory_id

    def _name_of(self, label: str) -> str:
        """Return the name of the note that an entity means, by name or alias; without one the label itself."""
        found = [entry for entry in self._store.entity_notes(label) if self._store.may_read(entry)]
        return found[0].stem if len(found) == 1 else label

    def _create(self, memory: Memory, *, now: datetime) -> tuple[str, str]:
        """Write the note under a name that is unique in the vault, and name it in the journal."""
        store = self._store
        folder = store.folder_of(memory.tier, now=now)
        tried: set[str] = set()
        taken = store.taken_names()
        for _ in range(_NAME_TRIES):
            stem = unique_stem(memory.title, lambda key: key in tried or taken(key))
            path = joined(folder, f"{stem}.md")
            created = Create(path, store.composed(memory, stem=stem))
            try:
                operation = store.commit("save", [created], summary=memory.title, now=now)
            except errors.NoteExists:
                # another program made a note of this name since the last look
                tried.add(name_key(stem_of(path)))
                continue
            return path, operation.id
        raise errors.NoteExists(path)

    def similar_to(self, text: str) -> tuple[Similar, ...]:
        """Return up to three live memories that say nearly the same, the most similar first.

        Raises IndexUnavailable.
        """
        return similar_to(self._store, text, near(self._store, text))

    def write_note(
        self, title: str, text: str, *, folder: str, tags: Iterable[str], allow_secret: bool
    ) -> tuple[str, Operation]:
        """Write an ordinary note; return its path and the operation."""
        store = self._store
        if not title:
            raise errors.InvalidInput("title", "is empty")
        if store.rules.detect_secrets and not allow_secret:
            refuse_secrets([("text", text)])
        stem, cleaned = file_stem(title), list(clean_tags(tags))
        aliases = [] if stem == title else [title]
        lists = {"tags": cleaned, "aliases": aliases}
        properties: dict[str, Value] = {key: [*values] for key, values in lists.items() if values}
        path, body = joined(folder.strip("/"), f"{stem}.md"), text + "\n"
        composed = compose(properties, body) if properties else body
        return path, store.commit("note", [Create(path, composed)], summary=title, now=store.clock())

    def open(self, ids: Sequence[str], *, as_of: date | None = None) -> tuple[list[Opened], list[str]]:
        """Open notes by id or `note:<path>`; return them and the ids that are unknown or cannot be read.

        Opening up to three memories in full counts as a use of each, at most once a day; to ask how they were on
        another day does not.
        """
        opened, missing = [], []
        self._store.look_for(ids)
        for memory_id in dict.fromkeys(ids):
            try:
                opened.append(self._open_one(memory_id))
            except (errors.NoteNotFound, errors.UnreadableNote, errors.PathOutsideVault):
                missing.append(memory_id)
        if as_of is not None:
            return [replace(each, then=self._then(each, as_of)) for each in opened], missing
        if len(opened) <= _OPENED_IN_FULL:
            self._count_opening(opened)
        return opened, missing

    def _then(self, opened: Opened, day: date) -> Then:
        created = opened.usage.created.astimezone(self._store.rules.zone).date() if opened.usage else None
        saved = created is None or created <= day
        return Then(day, saved=saved, text=text_on(self._store, opened.entry, day) if saved else None)

    def refusal(self, memory_id: str) -> errors.NoteError:
        """Return why an id cannot be opened."""
        try:
            self._open_one(memory_id)
        except errors.NoteError as error:
            return error
        return errors.NoteNotFound(memory_id=memory_id)

    @found_again
    def _open_one(self, memory_id: str) -> Opened:
        store = self._store
        entry = store.entry(memory_id, looked=True)
        note = store.note(entry)
        entry = store.catalog.as_shown(entry)
        if not entry.is_memory:
            return Opened(entry=entry, note=note, memory=None, usage=None, score=None)
        memory = store.memory_in(note, tier=entry.tier)
        usage = store.with_uses(memory.usage, store.pending.of(memory.id))
        score = store.score(entry, now=store.clock())
        return Opened(entry=entry, note=note, memory=memory, usage=usage, score=score)

    def _count_opening(self, opened: Iterable[Opened]) -> None:
        store = self._store
        if store.rules.read_only or not (store.rules.use_on_open and store.rules.auto_reinforce):
            return
        now = store.clock()
        zone = store.rules.zone
        for each in opened:
            live = each.usage is not None and each.entry.tier is not Tier.ARCHIVED
            if live and each.usage and each.usage.last_used.astimezone(zone).date() < now.astimezone(zone).date():
                uses.record(store, each.entry, "open", now=now)
        uses.write_pending(store, now=now)

    def use(self, ids: Iterable[str], *, now: datetime) -> list[str]:
        """Count one use of each memory that earlier answers relied on; return the ids that are unknown."""
        unknown = []
        wanted = list(dict.fromkeys(ids))
        self._store.look_for(wanted)
        for memory_id in wanted:
            try:
                uses.record(self._store, self._store.memory_entry(memory_id, looked=True), "touch", now=now)
            except errors.MnemexError:
                unknown.append(memory_id)
        uses.write_pending(self._store, now=now)
        return unknown


def since_of(store: Store, draft: Draft, *, now: datetime) -> datetime | None:
    """Return since when a text says that it is so, as its caller or the text tells; raises InvalidInput."""
    today = now.astimezone(store.rules.zone).date()
    if draft.valid_from is not None:
        return midnight(days_of("valid_from", draft.valid_from, today=today)[0], store.rules.zone)
    day = stated_day(draft.content, today)
    return midnight(day, store.rules.zone) if day else None


def midnight(day: date, zone: tzinfo) -> datetime:
    """Return when a day begins."""
    return datetime.combine(day, time(), zone)
