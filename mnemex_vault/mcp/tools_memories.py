"""Tools on what a memory says: save, open, update, forget."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.errors import InvalidInput
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.answers import answer, opened_notes, opened_said
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_memories import ForgottenMemory, OpenedNotes, SavedMemory, UpdatedMemory
from mnemex_vault.memories.draft import Draft


class MemoryTools:
    """Save, open, update, forget."""

    def __init__(self, opening: Opening, calls: Calls) -> None:
        self._opening = opening
        self._calls = calls

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(answer=self.save_memory, description=texts.SAVE_MEMORY, title="Save a memory"),
            Spec(answer=self.open_memories, description=texts.OPEN_MEMORIES, title="Open memories"),
            Spec(
                answer=self.update_memory,
                description=texts.UPDATE_MEMORY,
                title="Update a memory",
                destructive=True,
                idempotent=True,
            ),
            Spec(
                answer=self.forget_memory,
                description=texts.FORGET_MEMORY,
                title="Forget a memory",
                destructive=True,
                idempotent=True,
            ),
        ]

    def save_memory(
        self,
        content: take.Content,
        title: take.Title | None = None,
        tags: take.Tags | None = None,
        entities: take.Entities | None = None,
        source: take.Source | None = None,
        context: take.Context | None = None,
        project: take.Project | None = None,
        session: take.Session | None = None,
        origin: take.Origin = "ai",
        strength: take.Strength | None = None,
        pinned: take.Switch = False,
        half_life_days: take.HalfLife | None = None,
        supersedes: take.Supersedes | None = None,
        on_duplicate: take.OnDuplicate = "reinforce",
        used_ids: take.UsedIds | None = None,
        meta: take.Meta | None = None,
        allow_secret: take.AllowSecret = False,
    ) -> Annotated[CallToolResult, SavedMemory]:
        """Save a memory and answer with what became of it."""
        from mnemex_vault.mcp.present_memories import saved_notes, saved_view

        app = self._opening.app()
        draft = Draft(
            content=content,
            title=title,
            tags=tags,
            entities=entities,
            source=source,
            context=_with_meta(context, meta),
            project=project,
            session=session or self._calls.conversation(now=app.store.clock(), zone=app.zone),
            origin=origin,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life_days,
            supersedes=supersedes or (),
            on_duplicate=on_duplicate,
            allow_secret=allow_secret,
        )
        used = used_ids if app.settings.auto_reinforce else None
        view = saved_view(app.collection.save(draft, used_ids=used or ()), root=app.root)
        return answer(view, view.message, saved_notes(view))

    def open_memories(
        self,
        memory_ids: take.OneOrMoreIds,
        include_relations: take.Switch = True,
        include_scores: take.Switch = True,
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
    ) -> Annotated[CallToolResult, OpenedNotes]:
        """Open notes in full."""
        from mnemex_vault.mcp.present_memories import opened_view

        app = self._opening.complete_app()
        ids = [memory_ids] if isinstance(memory_ids, str) else list(dict.fromkeys(memory_ids))
        view = opened_view(app, ids, relations=include_relations, scores=include_scores, page=page, page_size=page_size)
        return answer(view, opened_said(view), opened_notes(view))

    def update_memory(
        self,
        memory_id: take.MemoryId,
        etag: take.Etag | None = None,
        content: take.Content | None = None,
        title: take.Title | None = None,
        tags: take.Tags | None = None,
        entities: take.Entities | None = None,
        strength: take.Strength | None = None,
        pinned: take.Switch | None = None,
        half_life_days: take.HalfLife | None = None,
        source: take.Source | None = None,
        context: take.Context | None = None,
        allow_secret: take.AllowSecret = False,
    ) -> Annotated[CallToolResult, UpdatedMemory]:
        """Change a memory."""
        from mnemex_vault.mcp.facts import left_notes
        from mnemex_vault.mcp.present_memories import changed_note, updated_view
        from mnemex_vault.memories.editing import Revision

        revision = Revision(
            content=content,
            title=title,
            tags=tags,
            entities=entities,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life_days,
            source=source,
            context=context,
            origin="ai",
            allow_secret=allow_secret,
        )
        if not revision:
            raise InvalidInput("update_memory", "nothing to change was given")
        updated = self._opening.complete_app().editing.update(memory_id, revision, etag=etag)
        view = updated_view(updated)
        return answer(view, view.message, [changed_note(view), *left_notes(updated.left_links)])

    def forget_memory(
        self, memory_id: take.MemoryId, reason: take.Reason = "", to_trash: take.Switch = False
    ) -> Annotated[CallToolResult, ForgottenMemory]:
        """Let a memory go."""
        from mnemex_vault.mcp.facts import left_notes
        from mnemex_vault.mcp.present_memories import changed_note, forgotten_view

        app = self._opening.complete_app()
        moved = app.lifecycle.forget(memory_id, to_trash=to_trash, reason=reason)
        view = forgotten_view(moved, to_trash=to_trash)
        return answer(view, view.message, [changed_note(view), *left_notes(moved.left_links)])


def _with_meta(context: str | None, meta: Mapping[str, object] | None) -> str | None:
    """Keep free metadata where a person can read it: a note has no other place for it."""
    if not meta:
        return context
    try:
        text = json.dumps(meta, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InvalidInput("meta", "holds a number that JSON does not have") from error
    return f"{context} {text}" if context else text
