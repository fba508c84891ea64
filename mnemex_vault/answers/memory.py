"""What saving, opening, updating, forgetting and restoring a memory answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from mnemex_vault.answers import view as views
from mnemex_vault.errors import NoteAway
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled, quoted

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.domain.memory import Memory, Usage
    from mnemex_vault.memories.editing import Updated
    from mnemex_vault.memories.face import Entry
    from mnemex_vault.memories.graph import Relations as Web
    from mnemex_vault.memories.lifecycle import Moved
    from mnemex_vault.memories.saving import Opened, Then

DEFAULT_SIZE = 10
# what one note may say beside its text
_LABELS = 10_000
# of a longer text the part that answers is told, if there is a question
_PART = 6_000
_RELATIONS = 50
_LONGEST_FACT = 2_000
_IDS = 2_000
_TAGS = 1_000


@dataclass(frozen=True, kw_only=True)
class RelationTo(views.View):
    """A relation to another note."""

    to: str
    type: str
    strength: float


@dataclass(frozen=True, kw_only=True)
class RelationFrom(views.View):
    """A relation from another note."""

    from_: str
    type: str
    strength: float


@dataclass(frozen=True, kw_only=True)
class Relations(views.View):
    """Both directions; `more` counts those that are left out, which read_graph gives."""

    outgoing: list[RelationTo]
    incoming: list[RelationFrom]
    more: int = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class OpenedNote(views.View):
    """One note in full.

    If it was asked how it was on a day, `text_of` says whether the content is that of `then` (without an etag, since it
    is no version to go on from) or of `now`, or that it was saved `later`.
    """

    id: str
    title: str
    tier: str
    path: str
    content: str
    etag: str
    entities: list[str]
    tags: list[str]
    origin: str
    project: str | None
    source: str | None
    context: str | None
    session: str | None
    created_at: int | None
    last_used: int | None
    use_count: int | None
    strength: float | None
    status: str
    pinned: bool
    kind: str | None = views.ABSENT
    promoted_at: int | None
    promoted_to: str | None
    fades_on: str | None
    score: float | None = views.ABSENT
    age_days: float | None = views.ABSENT
    text_of: str = views.ABSENT
    valid_from: str = views.ABSENT
    relations: Relations | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class OpenedNotes(views.Answer):
    """Answer of open_memories; `unnamed` counts the ids that are not even named, for lack of room."""

    success: bool
    count: int
    memories: list[OpenedNote]
    not_found: list[str]
    not_here: list[str] | None = views.ABSENT
    not_shown: list[str]
    unnamed: int = views.ABSENT
    pagination: views.Pagination | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class UpdatedMemory(views.Answer):
    """Answer of update_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    path: str
    etag: str
    fades_on: str | None
    strength: float
    pinned: bool
    kind: str | None = views.ABSENT
    operation_id: str | None
    message: str


@dataclass(frozen=True, kw_only=True)
class ForgottenMemory(views.Answer):
    """Answer of forget_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    tier: str
    path: str
    operation_id: str
    message: str


@dataclass(frozen=True, kw_only=True)
class RestoredMemory(views.Answer):
    """Answer of restore_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    tier: str
    path: str
    operation_id: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which of some notes are to be opened, and what is told of each beside its text.

    Of a long note only the part that answers a `question` is told.
    """

    relations: bool = True
    scores: bool = True
    question: str = ""
    page: int | None = None
    page_size: int | None = None
    bounds: views.Bounds = views.FOR_A_MODEL

    @property
    def paged(self) -> bool:
        """Tell whether a page was asked for."""
        return self.page is not None or self.page_size is not None

    def page_of(self, ids: Sequence[str]) -> Sequence[str]:
        """Return the ids of the page."""
        number, size = self.page or 1, self.page_size or DEFAULT_SIZE
        return ids[(number - 1) * size : number * size] if self.paged else ids


def opened(
    app: App, found: Sequence[Opened], not_found: Sequence[str], wanted: Wanted, *, total: int
) -> views.Told[OpenedNotes]:
    """Tell the wanted page of `total` notes: the first always whole, others as far as there is room."""
    whole = ((each.entry, _opened_note(app, each, wanted)) for each in found)
    notes = _fitting((_answering(app, note, entry, wanted.question) for entry, note in whole), wanted.bounds)
    away = [each for each in not_found if isinstance(app.collection.refusal(each), NoteAway)]
    unknown = views.some([views.name_of(each) for each in not_found if each not in away], _IDS)
    not_here = views.some([views.name_of(each) for each in away], _IDS)
    later = views.some([each.entry.item_id for each in found[len(notes) :]], _IDS)
    unnamed = len(not_found) + len(found) - len(notes) - len(unknown) - len(not_here) - len(later)
    view = OpenedNotes(
        success=True,
        count=len(notes),
        memories=notes,
        not_found=unknown,
        not_here=not_here or views.ABSENT,
        not_shown=later,
        unnamed=unnamed or views.ABSENT,
        pagination=views.pagination(page=wanted.page or 1, page_size=wanted.page_size or DEFAULT_SIZE, total=total)
        if wanted.paged
        else views.ABSENT,
    )
    return views.Told(view, _said(view), map(_recalled, view.memories))


def _fitting(notes: Iterable[OpenedNote], bounds: views.Bounds) -> list[OpenedNote]:
    """Return the first note whole, the next ones as far as there is room."""
    if bounds.everything:
        return list(notes)
    shown: list[OpenedNote] = []
    room = views.USUAL - views.AROUND - _IDS
    for note in notes:
        room -= views.size_of(note)
        if shown and room < 0:
            break
        shown.append(_with_less(note) if not shown else note)
    return shown


def _with_less(note: OpenedNote) -> OpenedNote:
    """Cut a text that no answer could hold.

    Without an etag nobody can put what is left of a text in place of the whole.
    """
    content = views.within(note.content, views.MOST - views.AROUND - _IDS - views.size_of(replace(note, content="")))
    if content == note.content:
        return note
    more = f"\n\n({counted(len(note.content), 'character')} in all; the note itself has the rest)"
    return replace(note, content=content[: -len(more)] + more, etag="")


def _answering(app: App, note: OpenedNote, entry: Entry, question: str) -> OpenedNote:
    """Keep of a long text the part that answers a question; without an etag, as of every part."""
    if not question or len(note.content) <= _PART:
        return note
    part = app.recall.part(entry, note.content, question, length=_PART)
    more = f"\n\n({counted(len(note.content), 'character')} in all; open it without `query` for the whole)"
    return replace(note, content=part + more, etag="")


def _opened_note(app: App, opened: Opened, wanted: Wanted) -> OpenedNote:
    entry, usage, bounds, then = opened.entry, opened.usage, wanted.bounds, opened.then
    old = then.text if then else None
    return OpenedNote(
        id=entry.item_id,
        title=entry.title,
        tier=entry.tier.value,
        status=entry.tier.status,
        path=entry.path,
        content=opened.note.content if old is None else old,
        etag=opened.note.etag if old is None else "",
        text_of=_text_of(then) if then else views.ABSENT,
        valid_from=entry.valid_from.astimezone(app.zone).date().isoformat() if entry.valid_from else views.ABSENT,
        entities=views.some(entry.entities, bounds.at_most(_LABELS)),
        tags=views.some(entry.tags, bounds.at_most(_LABELS)),
        origin=views.origin_of(entry),
        **_text_facts(opened.memory, bounds),
        **_use_facts(usage),
        promoted_to=entry.path if usage is not None and usage.promoted is not None else None,
        fades_on=None if usage is None else views.day(app.memories.fades_on(usage, tier=entry.tier)),
        **(_score_facts(app, opened) if wanted.scores else {}),
        relations=_relations(app.relations, entry, bounds) if wanted.relations else views.ABSENT,
    )


def _text_of(then: Then) -> str:
    if not then.saved:
        return "later"
    return "now" if then.text is None else "then"


def _text_facts(memory: Memory | None, bounds: views.Bounds) -> dict[str, Any]:
    names = ("project", "source", "context", "session")
    texts = {name: None if memory is None else getattr(memory, name) for name in names}
    return {name: text and views.within(text, bounds.at_most(_LONGEST_FACT)) for name, text in texts.items()}


def _use_facts(usage: Usage | None) -> dict[str, Any]:
    if usage is None:
        names = ("created_at", "last_used", "use_count", "strength", "promoted_at")
        return {**dict.fromkeys(names), "pinned": False}
    return {
        "created_at": views.epoch(usage.created),
        "last_used": views.epoch(usage.last_used),
        "use_count": usage.use_count,
        "strength": usage.strength,
        "promoted_at": views.epoch_or_none(usage.promoted),
        "pinned": usage.pinned,
        **({"kind": usage.kind.value} if usage.kind else {}),
    }


def _score_facts(app: App, opened: Opened) -> dict[str, Any]:
    usage = opened.usage
    return {
        "score": None if opened.score is None else round(opened.score, 4),
        "age_days": None if usage is None else views.age_days(usage, now=app.memories.now()),
    }


def _relations(web: Web, entry: Entry, bounds: views.Bounds) -> Relations:
    """Return the typed relations of a note in both directions."""
    outgoing = [
        RelationTo(to=edge.target.item_id, type=edge.type, strength=edge.strength) for edge in web.outgoing(entry)
    ]
    incoming = [
        RelationFrom(from_=edge.source.item_id, type=edge.type, strength=edge.strength) for edge in web.incoming(entry)
    ]
    shown = Relations(outgoing=bounds.first(outgoing, _RELATIONS), incoming=bounds.first(incoming, _RELATIONS))
    more = len(outgoing) - len(shown.outgoing) + len(incoming) - len(shown.incoming)
    return replace(shown, more=more) if more else shown


def _said(view: OpenedNotes) -> str:
    """Return what is to be said of the ids that are not shown."""
    parts = [f"Unknown: {', '.join(view.not_found)}"] if view.not_found else []
    if view.not_here:
        parts.append(f"Not on this device yet, the sync service has to fetch it: {', '.join(view.not_here)}")
    parts += [f"Not shown for lack of room, open separately: {', '.join(view.not_shown)}"] if view.not_shown else []
    if view.unnamed:
        more = "1 more of these ids is" if view.unnamed == 1 else f"{view.unnamed} more of these ids are"
        parts.append(f"{more} not named for lack of room.")
    return "\n".join(parts)


_TEXTS = {"then": "text of that day", "now": "text as of now", "later": "saved later, text as of now"}


def _recalled(note: OpenedNote) -> Recalled:
    facts = [note.tier, *([note.kind] if note.kind else [])]
    facts.append(_TEXTS[note.text_of] if note.text_of else f"etag {note.etag}" if note.etag else "cut, so no etag")
    if note.tags:
        facts.append(" ".join(f"#{tag}" for tag in views.some(note.tags, _TAGS)))
    if note.fades_on:
        facts.append(f"fades {note.fades_on}")
    if note.relations and note.relations.more:
        facts.append(f"{counted(note.relations.more, 'more relation')} in read_graph")
    return Recalled(name=note.id, origin=note.origin, title=note.title, facts=facts, text=note.content)


class _Changed(Protocol):
    """What is told of a memory that was written."""

    @property
    def memory_id(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def path(self) -> str: ...


def changed_note(view: _Changed) -> Recalled:
    """Return what a memory is called now, and where it lies."""
    return Recalled(name=view.memory_id, origin=view.origin, title=view.title, facts=[f"at {quoted(view.path)}"])


def _changed_notes(view: _Changed, left: Sequence[Entry]) -> Iterator[Recalled]:
    yield changed_note(view)
    yield from views.left_notes(left)


def updated(found: Updated) -> views.Told[UpdatedMemory]:
    """Tell of a memory after a change."""
    memory = found.memory
    done = "Changed" if found.operation_id else "Nothing was different in"
    view = UpdatedMemory(
        success=True,
        memory_id=memory.id,
        title=memory.title,
        origin=views.origin_of(memory),
        path=found.path,
        etag=found.etag,
        fades_on=views.day(found.fades_on),
        strength=memory.usage.strength,
        pinned=memory.usage.pinned,
        kind=memory.usage.kind.value if memory.usage.kind else views.ABSENT,
        operation_id=found.operation_id,
        message=f"{done} [{memory.id}]; etag {found.etag}.{views.left_words(found.left_links)}",
    )
    return views.Told(view, view.message, _changed_notes(view, found.left_links))


def forgotten(moved: Moved, *, to_trash: bool) -> views.Told[ForgottenMemory]:
    """Tell where a forgotten memory went."""
    way = "moved to the trash" if to_trash else "archived, from where it can be restored"
    message = f"Forgot [{moved.memory_id}]: {way}. undo takes this back.{views.left_words(moved.left_links)}"
    view = ForgottenMemory(**_move_facts(moved), message=message)
    return views.Told(view, message, _changed_notes(view, moved.left_links))


def restored(moved: Moved) -> views.Told[RestoredMemory]:
    """Tell where a memory is back."""
    back = f"[{moved.memory_id}] is back, and counts as used now. undo takes this back."
    view = RestoredMemory(**_move_facts(moved), message=back + views.left_words(moved.left_links))
    return views.Told(view, view.message, _changed_notes(view, moved.left_links))


def _move_facts(moved: Moved) -> dict[str, Any]:
    return {
        "success": True,
        "memory_id": moved.memory_id,
        "title": moved.title,
        "origin": moved.origin,
        "tier": moved.tier.value,
        "path": moved.path,
        "operation_id": moved.operation_id,
    }
