"""Tools that tidy up: promote, archive what has faded, take a change back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemex_vault.answers import forgetting, history, promotion
from mnemex_vault.answers.forgetting import TidiedUp
from mnemex_vault.answers.history import Undone
from mnemex_vault.answers.promotion import Promoted
from mnemex_vault.answers.view import Told
from mnemex_vault.errors import InvalidInput
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.client_side import need_confirmation
from mnemex_vault.mcp.tool import Toolbox, offered

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
            return promotion.not_promoted(app.memories, memory_id, dry_run=dry_run)
        if not dry_run:
            need_confirmation(len(candidates), confirm=confirm)
        plans = promotion.plan(app.memories, candidates)
        done = _promoted(app, [] if dry_run else candidates, alone=memory_id is not None)
        return promotion.promoted(plans, done, found=len(candidates), dry_run=dry_run)

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
        return forgetting.tidied(plan, result, dry_run=dry_run, to_trash=not archive_instead)

    @offered(
        "Undo a change",
        "Take back a change: the last one made in this session, or the given operation_id.",
        destructive=True,
    )
    def undo(self, operation_id: take.OperationId | None = None) -> Told[Undone]:
        """Take back a change of this session."""
        app = self._opening.complete_app()
        return history.undone(app.history.undo(operation_id, own_only=True), app.memories)


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
