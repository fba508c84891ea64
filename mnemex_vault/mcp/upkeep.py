"""Tools that look after memories: promote, archive what has faded, undo; what fades next, how things stand, restore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemex_vault.answers import memory, status
from mnemex_vault.answers import upkeep as answers
from mnemex_vault.answers.memory import RestoredMemory
from mnemex_vault.answers.status import VaultStatus
from mnemex_vault.answers.upkeep import Promoted, ReviewQueue, TidiedUp, Undone
from mnemex_vault.answers.view import Told
from mnemex_vault.errors import InvalidInput
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, need_confirmation, offered

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.lifecycle import Candidate, Outcome


class UpkeepTools(Toolbox):
    """Promote, gc, undo."""

    @offered(
        "Make memories permanent",
        "Make memories permanent (moves their notes to the long-term folder). Only when the user asks to keep"
        " something for good or to tidy up: one memory_id, or auto_detect for all that qualify. dry_run shows"
        " the plan.",
    )
    def promote_memory(
        self,
        memory_id: take.MemoryId | None = None,
        auto_detect: take.Switch = False,
        dry_run: take.Switch = False,
        target: take.Target = "obsidian",  # noqa: ARG002  # the only target there is; clients of old send it
        force: take.Switch = False,
        folder: take.Folder | None = None,
        confirm: take.Confirm = False,
    ) -> Told[Promoted]:
        """Move memories to the long-term folder, or show the plan."""
        app = self._opening.complete_app()
        candidates = _candidates(app, memory_id, auto_detect=auto_detect, force=force, folder=folder or None)
        if memory_id is not None and not candidates:
            return answers.not_promoted(app.memories, memory_id, dry_run=dry_run)
        if not dry_run:
            need_confirmation(len(candidates), confirm=confirm)
        plans = answers.plan(app.memories, candidates)
        done = _promoted(app, [] if dry_run else candidates, alone=memory_id is not None)
        return answers.promoted(plans, done, found=len(candidates), dry_run=dry_run)

    @offered(
        "Archive faded memories",
        "Archive faded memories. Only when the user asks to tidy up. Shows the plan unless dry_run is false; "
        "pinned and linked memories stay.",
        destructive=True,
    )
    def gc(
        self,
        dry_run: take.Switch = True,
        archive_instead: take.Switch = True,
        limit: take.Limit | None = None,
        confirm: take.Confirm = False,
    ) -> Told[TidiedUp]:
        """Let faded memories go, or show the plan."""
        from mnemex_vault.memories.forgetting import ForgettingResult

        app = self._opening.complete_app()
        plan = app.forgetting.plan(limit=limit)
        result = ForgettingResult()
        if not dry_run:
            need_confirmation(len(plan.candidates), confirm=confirm)
            result = app.forgetting.run(plan, to_trash=not archive_instead)
        return answers.tidied(plan, result, dry_run=dry_run, to_trash=not archive_instead)

    @offered(
        "Undo a change",
        "Take back a change: the last one made in this session, or the given operation_id.",
        destructive=True,
    )
    def undo(self, operation_id: take.OperationId | None = None) -> Told[Undone]:
        """Take back a change of this session."""
        app = self._opening.complete_app()
        return answers.undone(app.history.take_back(operation_id, own_only=True), app.memories)


def _promoted(app: App, candidates: Sequence[Candidate], *, alone: bool) -> Outcome:
    """Promote; what cannot be done for the only one that is asked for is an error, for one of many a finding."""
    from mnemex_vault.memories.lifecycle import Outcome

    return Outcome(moved=app.lifecycle.promote(candidates)) if alone else app.lifecycle.promote_each(candidates)


def _candidates(
    app: App, memory_id: str | None, *, auto_detect: bool, force: bool, folder: str | None
) -> list[Candidate]:
    """Return the one memory that is asked for, if it qualifies, or all that do."""
    now = app.memories.now()
    if memory_id is not None:
        one = app.lifecycle.promotion_candidate(memory_id, now=now, force=force, folder=folder)
        return [] if one is None else [one]
    if not auto_detect:
        raise InvalidInput("memory_id", "give one, or auto_detect=true for all that qualify")
    return app.lifecycle.promotion_candidates(now=now, folder=folder)


_DEFAULT_SIZE = 20


class ReviewTools(Toolbox):
    """Queue, status, restore."""

    @offered(
        "What fades next",
        "List the memories that fade soonest, so that the user can decide: keep (touch_memory), make "
        "permanent (promote_memory with force), or let go (forget_memory).",
        idempotent=True,
        core=False,
    )
    def review_queue(self, days: take.Days | None = None, limit: take.PageSize = _DEFAULT_SIZE) -> Told[ReviewQueue]:
        """List what fades next."""
        app = self._opening.complete_app()
        needs = app.review.needs(days=days)
        shown = replace(needs, fading=needs.fading[:limit])
        return answers.queue(app, shown, total=len(needs.fading))

    @offered(
        "Restore",
        "Bring an archived memory back to where it came from.",
        core=False,
    )
    def restore_memory(self, memory_id: take.MemoryId) -> Told[RestoredMemory]:
        """Bring a memory back from the archive."""
        return memory.restored(self._opening.complete_app().lifecycle.restore(memory_id))

    @offered(
        "How the vault stands",
        "Read how the vault stands: counts, what fades soon, waiting work, problems.",
        idempotent=True,
        core=False,
    )
    def vault_status(self) -> Told[VaultStatus]:
        """Tell how the vault stands, also while its index is being made."""
        return status.status(self._opening.app(), lacking=self._opening.lacking())
