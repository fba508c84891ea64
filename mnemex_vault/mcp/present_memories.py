"""What saving, opening, updating and forgetting answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import NoteAway
from mnemex_vault.mcp.budget import AROUND, MOST, USUAL, name_of, size_of, some, title_of, within
from mnemex_vault.mcp.facts import (
    age_days,
    day,
    epoch,
    epoch_or_none,
    left_words,
    obsidian_url,
    origin_of,
    pagination,
    relations,
)
from mnemex_vault.mcp.views_memories import (
    ForgottenMemory,
    OpenedNote,
    OpenedNotes,
    Relations,
    SavedMemory,
    SimilarMemory,
    UpdatedMemory,
)
from mnemex_vault.mcp.views_review import RestoredMemory
from mnemex_vault.memories.collection import Opened, Saved
from mnemex_vault.memories.editing import Updated
from mnemex_vault.memories.lifecycle import Moved
from mnemex_vault.memories.recalled import Recalled, quoted

DEFAULT_PAGE_SIZE = 10
# what one note may say beside its text
_LABELS = 10_000
_RELATIONS = 50
_LONGEST_FACT = 2_000
_IDS = 2_000


def saved_view(saved: Saved, *, root: Path) -> SavedMemory:
    """Return what became of a draft."""
    memory = saved.memory
    return SavedMemory(
        success=True,
        memory_id=memory.id,
        title=memory.title,
        origin=origin_of(memory),
        path=saved.path,
        fades_on=day(saved.fades_on),
        obsidian_url=obsidian_url(root, saved.path),
        reinforced=saved.reinforced,
        similar=[
            SimilarMemory(id=each.id, title=title_of(each.title), origin=each.origin, first_line=each.first_line)
            for each in saved.similar
        ],
        hints=list(saved.hints),
        message=_saved_message(saved),
        has_embedding=False,
        enrichment_applied=saved.enriched,
        auto_entities=saved.found_entities,
        calculated_strength=memory.usage.strength,
        operation_id=saved.operation_id,
    )


def _saved_message(saved: Saved) -> str:
    memory_id = saved.memory.id
    fading = f"it fades on {saved.fades_on} unless it is used" if saved.fades_on else "it does not fade"
    if saved.reinforced:
        return f"Already remembered [{memory_id}]; counted as a use, {fading}."
    lines = [f"Remembered [{memory_id}]; {fading}."]
    if saved.similar:
        lines.append("Similar memories exist. If this one replaces one of them, say so: create_relation, supersedes.")
    if saved.hints:
        lines.append(f"Hard to understand in a year: {'; '.join(saved.hints)}.")
    return "\n".join(lines)


def saved_notes(view: SavedMemory) -> Iterator[Recalled]:
    """Give the memory, and those that say nearly the same."""
    yield changed_note(view)
    for each in view.similar:
        yield Recalled(mark="Similar: ", name=each.id, origin=each.origin, text=each.first_line)


def changed_note(view: SavedMemory | UpdatedMemory | ForgottenMemory | RestoredMemory) -> Recalled:
    """Return what a memory is called now, and where it lies."""
    return Recalled(name=view.memory_id, origin=view.origin, title=view.title, facts=[f"at {quoted(view.path)}"])


def opened_view(
    app: App, ids: Sequence[str], *, relations: bool, scores: bool, page: int | None, page_size: int | None
) -> OpenedNotes:
    """Return the wanted page of notes: the first always whole, others as far as there is room."""
    paged = page is not None or page_size is not None
    number, size = page or 1, page_size or DEFAULT_PAGE_SIZE
    wanted = ids[(number - 1) * size : number * size] if paged else ids
    opened, not_found = app.collection.open(wanted)
    notes = _fitting(_opened_note(app, each, with_relations=relations, scores=scores) for each in opened)
    away = [each for each in not_found if isinstance(app.collection.refusal(each), NoteAway)]
    unknown = some([name_of(each) for each in not_found if each not in away], _IDS)
    not_here = some([name_of(each) for each in away], _IDS)
    later = some([each.entry.item_id for each in opened[len(notes) :]], _IDS)
    view = OpenedNotes(success=True, count=len(notes), memories=notes, not_found=unknown, not_shown=later)
    more: dict[str, object] = {"not_here": not_here} if not_here else {}
    if unnamed := len(not_found) + len(opened) - len(notes) - len(unknown) - len(not_here) - len(later):
        more["unnamed"] = unnamed
    if paged:
        more["pagination"] = pagination(page=number, page_size=size, total=len(ids))
    return view.model_copy(update=more)


def _fitting(notes: Iterable[OpenedNote]) -> list[OpenedNote]:
    """Return the first note whole, the next ones as far as there is room."""
    shown: list[OpenedNote] = []
    room = USUAL - AROUND - _IDS
    for note in notes:
        room -= size_of(note)
        if shown and room < 0:
            break
        shown.append(_with_less(note) if not shown else note)
    return shown


def _with_less(note: OpenedNote) -> OpenedNote:
    """Cut a text that no answer could hold.

    Without an etag nobody can put what is left of a text in place of the whole.
    """
    content = within(note.content, MOST - AROUND - _IDS - size_of(note.model_copy(update={"content": ""})))
    if content == note.content:
        return note
    more = f"\n\n({counted(len(note.content), 'character')} in all; the note itself has the rest)"
    return note.model_copy(update={"content": content[: -len(more)] + more, "etag": ""})


def _opened_note(app: App, opened: Opened, *, with_relations: bool, scores: bool) -> OpenedNote:
    entry, usage, memory = opened.entry, opened.usage, opened.memory
    extra: dict[str, float | Relations | None] = {}
    if scores:
        extra["score"] = None if opened.score is None else round(opened.score, 4)
        extra["age_days"] = None if usage is None else age_days(usage, now=app.store.clock())
    if with_relations:
        extra["relations"] = _some_of(relations(app.relations, entry))
    return OpenedNote.model_validate(
        {
            "id": entry.item_id,
            "title": entry.title,
            "tier": entry.tier.value,
            "status": entry.tier.status,
            "path": entry.path,
            "content": opened.note.content,
            "etag": opened.note.etag,
            "entities": some(entry.entities, _LABELS),
            "tags": some(entry.tags, _LABELS),
            "origin": origin_of(entry),
            **_text_facts(memory),
            **_use_facts(usage),
            "promoted_to": entry.path if usage is not None and usage.promoted is not None else None,
            "fades_on": None if usage is None else day(app.store.fades_on(usage, tier=entry.tier)),
            **extra,
        }
    )


def _some_of(all_of_them: Relations) -> Relations:
    outgoing, incoming = all_of_them.outgoing, all_of_them.incoming
    more = max(0, len(outgoing) - _RELATIONS) + max(0, len(incoming) - _RELATIONS)
    if not more:
        return all_of_them
    return Relations(outgoing=outgoing[:_RELATIONS], incoming=incoming[:_RELATIONS], more=more)


def _text_facts(memory: Memory | None) -> dict[str, str | None]:
    names = ("project", "source", "context", "session")
    texts = {name: None if memory is None else getattr(memory, name) for name in names}
    return {name: text and within(text, _LONGEST_FACT) for name, text in texts.items()}


def _use_facts(usage: Usage | None) -> dict[str, int | float | bool | None]:
    if usage is None:
        names = ("created_at", "last_used", "use_count", "strength", "promoted_at")
        return {**dict.fromkeys(names), "pinned": False}
    return {
        "created_at": epoch(usage.created),
        "last_used": epoch(usage.last_used),
        "use_count": usage.use_count,
        "strength": usage.strength,
        "promoted_at": epoch_or_none(usage.promoted),
        "pinned": usage.pinned,
    }


def updated_view(updated: Updated) -> UpdatedMemory:
    """Return a memory after a change."""
    memory = updated.memory
    done = "Changed" if updated.operation_id else "Nothing was different in"
    return UpdatedMemory(
        success=True,
        memory_id=memory.id,
        title=memory.title,
        origin=origin_of(memory),
        path=updated.path,
        etag=updated.etag,
        fades_on=day(updated.fades_on),
        strength=memory.usage.strength,
        pinned=memory.usage.pinned,
        operation_id=updated.operation_id,
        message=f"{done} [{memory.id}]; etag {updated.etag}.{left_words(updated.left_links)}",
    )


def forgotten_view(moved: Moved, *, to_trash: bool) -> ForgottenMemory:
    """Return where a forgotten memory went."""
    way = "moved to the trash" if to_trash else "archived, from where it can be restored"
    return ForgottenMemory(
        success=True,
        memory_id=moved.memory_id,
        title=moved.title,
        origin=moved.origin,
        tier=moved.tier.value,
        path=moved.path,
        operation_id=moved.operation_id,
        message=f"Forgot [{moved.memory_id}]: {way}. undo takes this back.{left_words(moved.left_links)}",
    )
