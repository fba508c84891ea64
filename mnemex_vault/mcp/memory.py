"""Tools on one memory: save, open, update, forget, and what keeps it alive."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mnemex_vault.answers import memory as answers
from mnemex_vault.answers import saving, use
from mnemex_vault.answers.memory import ForgottenMemory, OpenedNotes, UpdatedMemory, Wanted
from mnemex_vault.answers.saving import SavedMemory
from mnemex_vault.answers.use import ObservedUsage, TouchedMemory
from mnemex_vault.answers.view import Told
from mnemex_vault.errors import InvalidInput, NoteError
from mnemex_vault.language.tags import clean_tag
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, need_confirmation, offered
from mnemex_vault.memories.draft import Draft


class MemoryTools(Toolbox):
    """Save, open, update, forget."""

    @offered(
        "Save a memory",
        "Remember one fact. Good: one sentence that stands alone in a year, with names instead of he or it "
        "and dates instead of tomorrow. Save lasting preferences, decisions, corrections, facts about the "
        "user, their people and projects; not small talk, general knowledge or secrets. An identical one "
        "is reinforced; what it may replace is named.",
    )
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
        kind: take.Kind | None = None,
        valid_from: take.Time | None = None,
        supersedes: take.Supersedes | None = None,
        on_duplicate: take.OnDuplicate = "reinforce",
        used_ids: take.UsedIds | None = None,
        meta: take.Meta | None = None,
        allow_secret: take.AllowSecret = False,
    ) -> Told[SavedMemory]:
        """Save a memory and answer with what became of it."""
        app = self._opening.app()
        draft = Draft(
            content=content,
            title=title,
            tags=tags,
            entities=entities,
            source=source,
            context=_with_meta(context, meta),
            project=project,
            session=session or self._calls.conversation(now=app.memories.now(), zone=app.zone),
            origin=origin,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life_days,
            kind=kind,
            valid_from=valid_from,
            supersedes=supersedes or (),
            on_duplicate=on_duplicate,
            allow_secret=allow_secret,
        )
        saved = app.collection.save(draft, used_ids=(used_ids or ()) if app.settings.auto_reinforce else ())
        self._calls.note(app, project=project, relied=used_ids or ())
        return saving.saved(saved, root=app.root)

    @offered(
        "Open memories",
        "Read memories or notes in full by id, with their relations and the etag for update_memory. "
        "not_shown names what had no room.",
    )
    def open_memories(
        self,
        memory_ids: take.OneOrMoreIds,
        query: take.About | None = None,
        include_relations: take.Switch = True,
        include_scores: take.Switch = True,
        as_of: take.Time | None = None,
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
    ) -> Told[OpenedNotes]:
        """Open notes in full."""
        app = self._opening.complete_app()
        ids = [memory_ids] if isinstance(memory_ids, str) else list(dict.fromkeys(memory_ids))
        wanted = Wanted(
            relations=include_relations,
            scores=include_scores,
            question=query or "",
            page=page,
            page_size=page_size,
        )
        found, not_found = app.collection.open(wanted.page_of(ids), as_of=app.memories.day(as_of))
        return answers.opened(app, found, not_found, wanted, total=len(ids))

    @offered(
        "Update a memory",
        "Change a memory: its text (needs the etag from open_memories), title, tags, strength, or pin"
        " it. If the note was edited meanwhile, nothing is written, and "
        "the difference told.",
        destructive=True,
        idempotent=True,
    )
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
        kind: take.Kind | None = None,
        valid_from: take.Time | None = None,
        source: take.Source | None = None,
        context: take.Context | None = None,
        allow_secret: take.AllowSecret = False,
    ) -> Told[UpdatedMemory]:
        """Change a memory."""
        from mnemex_vault.memories.editing import Revision

        revision = Revision(
            content=content,
            title=title,
            tags=tags,
            entities=entities,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life_days,
            kind=kind,
            valid_from=valid_from,
            source=source,
            context=context,
            origin="ai",
            allow_secret=allow_secret,
        )
        if not revision:
            raise InvalidInput("update_memory", "nothing to change was given")
        return answers.updated(self._opening.complete_app().editing.update(memory_id, revision, etag=etag))

    @offered(
        "Forget a memory",
        "Forget one memory when the user wants it gone. It goes to the archive and can be restored.",
        destructive=True,
        idempotent=True,
    )
    def forget_memory(
        self, memory_id: take.MemoryId, reason: take.Reason = "", to_trash: take.Switch = False
    ) -> Told[ForgottenMemory]:
        """Let a memory go."""
        app = self._opening.complete_app()
        return answers.forgotten(app.lifecycle.forget(memory_id, to_trash=to_trash, reason=reason), to_trash=to_trash)


class UseTools(Toolbox):
    """Touch and observe."""

    @offered(
        "Report used memories",
        "Report which memories your answer relied on; each is strengthened. Only those really used,"
        " not all that was found. context_tags are the topics of the conversation.",
    )
    def observe_memory_usage(
        self, memory_ids: take.MemoryIds, context_tags: take.Tags | None = None, confirm: take.Confirm = False
    ) -> Told[ObservedUsage]:
        """Count one use of each memory."""
        app = self._opening.complete_app()
        ids = list(dict.fromkeys(memory_ids))
        if not app.settings.auto_reinforce:
            return use.not_observed("reinforcement is switched off (setting auto_reinforce)")
        if not ids:
            return use.not_observed("no memory_ids were given")
        need_confirmation(len(ids), confirm=confirm)
        tags = [tag for each in context_tags or () if (tag := clean_tag(each))]
        seen = app.lifecycle.observe(ids, tags)
        used = [each for each, became in seen.items() if not isinstance(became, NoteError)]
        self._calls.note(app, relied=used)
        return use.observed(seen)

    @offered(
        "Strengthen a memory",
        "Strengthen one memory that was just used, so that it fades later.",
    )
    def touch_memory(self, memory_id: take.MemoryId, boost_strength: take.Switch = False) -> Told[TouchedMemory]:
        """Count one use."""
        app = self._opening.complete_app()
        touched = app.lifecycle.touch(memory_id, boost=boost_strength)
        self._calls.note(app, relied=[memory_id])
        return use.touched(touched)


def _with_meta(context: str | None, meta: Mapping[str, object] | None) -> str | None:
    """Keep free metadata where a person can read it: a note has no other place for it."""
    if not meta:
        return context
    try:
        text = json.dumps(meta, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InvalidInput("meta", "holds a number that JSON does not have") from error
    return f"{context} {text}" if context else text
