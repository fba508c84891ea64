"""Change what a memory says and how it is kept; adopt a note that a person wrote."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from mnemex_vault.domain.memory import MAX_CONTENT, Memory, Usage
from mnemex_vault.domain.trust import waits
from mnemex_vault.errors import InvalidInput, NoteChanged, NotPossible
from mnemex_vault.history.journal import Operation
from mnemex_vault.history.steps import Change, Update
from mnemex_vault.index.entry import Entry, stem_of
from mnemex_vault.language.secrets import refuse_secrets
from mnemex_vault.language.tags import clean_name
from mnemex_vault.language.titles import title_of
from mnemex_vault.memories import draft
from mnemex_vault.memories.moving import free_path, left_links, plan_move
from mnemex_vault.memories.saving import midnight
from mnemex_vault.memories.store import WAITS, Store, found_again
from mnemex_vault.text.fields import memory_changes, render, replace_body
from mnemex_vault.text.file_names import unique_stem
from mnemex_vault.text.frontmatter import edit, read
from mnemex_vault.text.inert_text import as_written
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.values import write_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What to change; None leaves a value as it is. Raises InvalidInput for what cannot be kept.

    A `project` of "" lets it belong to none. `origin` says who wrote the content if it was not the person.
    """

    content: str | None = None
    title: str | None = None
    tags: Sequence[str] | None = None
    entities: Sequence[str] | None = None
    strength: float | None = None
    pinned: bool | None = None
    half_life_days: float | None = None
    kind: str | None = None
    valid_from: str | None = None
    source: str | None = None
    context: str | None = None
    project: str | None = None
    origin: str | None = None
    allow_secret: bool = False

    def __post_init__(self) -> None:
        if self.content is not None and not self.content.strip():
            raise InvalidInput("content", "is empty; to let a memory go, forget it")
        texts = {
            "content": MAX_CONTENT,
            "title": draft.MAX_TITLE,
            "source": draft.MAX_SOURCE,
            "context": draft.MAX_CONTEXT,
            "project": draft.MAX_LABEL,
        }
        for name, limit in texts.items():
            draft.check_text(name, getattr(self, name) or "", limit)
        draft.check_labels("tags", self.tags or (), draft.MAX_TAGS)
        draft.check_labels("entities", self.entities or (), draft.MAX_ENTITIES)
        if self.strength is not None:
            draft.check_strength(self.strength)
        draft.check_half_life(self.half_life_days)
        draft.check_kind(self.kind)
        if self.title is not None and not self.title.strip():
            raise InvalidInput("title", "is empty")

    def __bool__(self) -> bool:
        fields = self.__dataclass_fields__.keys() - {"origin", "allow_secret"}
        return any(getattr(self, name) is not None for name in fields)

    def texts(self) -> Iterable[tuple[str, str | None]]:
        """Return all that will stand in the note, by field."""
        yield from ((name, getattr(self, name)) for name in ("content", "title", "source", "context", "project"))
        yield from (("tags", tag) for tag in self.tags or ())
        yield from (("entities", name) for name in self.entities or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """The memory after a change; `operation_id` is None if nothing was different.

    `left_links` are notes whose links still have the old name, since they could not be rewritten.
    """

    memory: Memory
    path: str
    etag: str
    fades_on: date | None
    operation_id: str | None
    left_links: tuple[Entry, ...] = ()


class Editing:
    """Updating, pinning, adopting."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @found_again
    def update(self, memory_id: str, revision: Revision, *, etag: str | None = None) -> Updated:
        """Change a memory by compare-and-swap.

        A new content needs the etag of the version it is based on; where the title was found in the old one and none
        is given, it is found in the new one. Raises NoteChanged with the difference when the note is another version
        by now, InvalidInput when the etag is missing, SecretFound for a key or password.
        """
        store, now = self._store, self._store.clock()
        if store.rules.detect_secrets and not revision.allow_secret:
            refuse_secrets(revision.texts())
        entry = store.memory_entry(memory_id)
        if revision.content is not None and not etag:
            raise InvalidInput("etag", "is needed to replace the content; opening the memory gives it")
        if etag is not None and etag != self._current_etag(entry):
            raise NoteChanged(entry.path, expected=etag, actual=entry.etag, difference=self._difference(entry, etag))
        revision = self._with_title(entry, revision)
        destination = entry.path
        if revision.title is not None:
            stem = unique_stem(revision.title, store.taken_names(besides=entry))
            destination = free_path(store, entry, entry.folder, stem=stem)
        change = self._change(entry, revision, stem=stem_of(destination))
        steps: list[Change] = [Update(entry.path, change, expected_etag=etag), *plan_move(store, entry, destination)]
        left = left_links(store, [(entry, destination)])
        operation = store.commit("update", steps, summary=revision.title or entry.title, now=now)
        after = store.memory_entry(memory_id)
        usage = store.usage(after)
        return Updated(
            memory=replace(store.memory(after), usage=usage),
            path=after.path,
            etag=after.etag,
            fades_on=store.fades_on(usage, tier=after.tier),
            operation_id=operation.id if operation.steps else None,
            left_links=left,
        )

    def _with_title(self, entry: Entry, revision: Revision) -> Revision:
        """Let a title that was found in the old text be found in the new one; a title that somebody chose stays."""
        if revision.content is None or revision.title is not None:
            return revision
        if entry.title != title_of(self._store.note(entry).content):
            return revision
        return replace(revision, title=title_of(revision.content))

    def _current_etag(self, entry: Entry) -> str:
        """Return the version on disk, which the index may not have seen yet."""
        return self._store.note(entry).etag

    def _difference(self, entry: Entry, etag: str) -> str:
        """Show what changed since the caller's version; without it, the whole present text."""
        present = self._store.note(entry).text
        image = self._store.journal.image(etag)
        before = image.decode() if image else ""
        lines = difflib.unified_diff(
            before.splitlines(), present.splitlines(), "your version" if before else "unknown", "now", lineterm=""
        )
        return "\n".join(lines)

    def _change(self, entry: Entry, revision: Revision, *, stem: str) -> Callable[[str], str]:
        store = self._store
        neutralise = store.rules.neutralise

        def change(text: str) -> str:
            note = Note.parse(entry.path, text.encode())
            old = store.memory_in(note, tier=entry.tier)
            new = self._revised(old, revision, now=store.clock())
            text = edit(
                text,
                memory_changes(
                    old,
                    new,
                    zone=store.rules.zone,
                    fades_on=store.fades_on(new.usage, tier=entry.tier),
                    values=note.values,
                    stem=stem,
                    linked=store.linked(new.entities),
                    neutralise=neutralise,
                ),
            )
            if revision.content is None:
                return text
            return replace_body(text, as_written(revision.content, new.origin, neutralise=neutralise))

        return change

    def _revised(self, old: Memory, revision: Revision, *, now: datetime) -> Memory:
        usage = replace(
            old.usage,
            strength=old.usage.strength if revision.strength is None else revision.strength,
            pinned=old.usage.pinned if revision.pinned is None else revision.pinned,
            half_life_days=revision.half_life_days or old.usage.half_life_days,
            kind=old.usage.kind if revision.kind is None else draft.as_kind(revision.kind),
        )
        waiting = waits(old.origin, old.approved, self._store.rules.approve)
        if waiting and revision.pinned and revision.origin is not None:
            raise NotPossible("pinned", f"is not for a memory that {WAITS}")
        if waiting and revision.content is not None and revision.origin is not None:
            # so that whoever is seen to change its words is a person
            raise NotPossible("content", f"of a memory that {WAITS}; save what is known as a new one that replaces it")
        tags = (
            old.tags if revision.tags is None else draft.clean_tags(revision.tags, prefix=self._store.rules.tag_prefix)
        )
        return replace(
            old,
            usage=usage,
            tags=tags,
            entities=old.entities if revision.entities is None else draft.clean_labels(revision.entities),
            source=old.source if revision.source is None else revision.source,
            context=old.context if revision.context is None else revision.context,
            project=old.project if revision.project is None else clean_name(revision.project) or None,
            origin=old.origin if revision.content is None else old.origin or revision.origin,
            # an edit of a person is the yes
            approved=now if waiting and revision.origin is None else old.approved,
            valid_from=old.valid_from if revision.valid_from is None else self._since(revision.valid_from, now),
            title=old.title if revision.title is None else " ".join(revision.title.split()),
        )

    def _since(self, text: str, now: datetime) -> datetime:
        zone = self._store.rules.zone
        return midnight(draft.days_of("valid_from", text, today=now.astimezone(zone).date())[0], zone)

    def pin(self, memory_id: str, *, pinned: bool = True) -> Updated:
        """Protect a memory from fading, or let it fade again."""
        return self.update(memory_id, Revision(pinned=pinned))

    @found_again
    def approve(self, ids: Iterable[str]) -> Operation | None:
        """Note a person's yes to memories that wait for it, as one operation; None if none of them does."""
        store, now = self._store, self._store.clock()
        entries = [store.memory_entry(memory_id) for memory_id in dict.fromkeys(ids)]
        waiting = [entry for entry in entries if waits(entry.origin, entry.approved, store.rules.approve)]
        if not waiting:
            return None
        written = write_time(now, store.rules.zone)
        steps = [Update(entry.path, lambda text: edit(text, {"approved": written})) for entry in waiting]
        summary = waiting[0].title if len(waiting) == 1 else f"{len(waiting)} memories"
        return store.commit("approve", steps, summary=summary, now=now)

    def adopt(self, path: str) -> Updated:
        """Make an ordinary note a memory, keeping all that the person wrote.

        Raises InvalidInput if it is one already or must not be touched.
        """
        store, now = self._store, self._store.clock()
        entry = store.entry("note:" + path)
        if entry.is_memory or entry.kind is not NoteKind.ORDINARY:
            raise NotPossible("path", f"{path} cannot be made a memory ({entry.kind})")
        memory_id = store.new_id()
        memory = Memory(id=memory_id, title=entry.stem, content="", usage=Usage(created=now, last_used=now))
        fades_on = store.fades_on(memory.usage, tier=entry.tier)

        def change(text: str) -> str:
            note = Note.parse(path, text.encode())
            whole = replace(memory, tier=entry.tier)
            values = read(render(whole, zone=store.rules.zone, fades_on=fades_on, stem=entry.stem))
            return edit(text, {key: value for key, value in values.items() if key not in note.values})

        operation = store.commit("adopt", [Update(path, change)], summary=entry.title, now=now)
        after = store.memory_entry(memory_id)
        return Updated(
            memory=store.memory(after), path=after.path, etag=after.etag, fades_on=fades_on, operation_id=operation.id
        )
