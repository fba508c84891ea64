"""Tools that tidy up: promote, archive what has faded, take a change back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from mcp.types import CallToolResult

from mnemex_vault.errors import InvalidInput
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.confirmation import need_confirmation
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_upkeep import Promoted, TidiedUp, Undone

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.lifecycle import Candidate, Outcome


class UpkeepTools:
    """Promote, gc, undo."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(answer=self.promote_memory, description=texts.PROMOTE_MEMORY, title="Make memories permanent"),
            Spec(answer=self.gc, description=texts.GC, title="Archive faded memories", destructive=True),
            Spec(answer=self.undo, description=texts.UNDO, title="Undo a change", destructive=True),
        ]

    def promote_memory(
        self,
        memory_id: take.MemoryId | None = None,
        auto_detect: take.Switch = False,
        dry_run: take.Switch = False,
        target: take.Target = "obsidian",  # noqa: ARG002  # the only target there is; clients of old send it
        force: take.Switch = False,
        folder: take.Folder | None = None,
        confirm: take.Confirm = False,
    ) -> Annotated[CallToolResult, Promoted]:
        """Move memories to the long-term folder, or show the plan."""
        from mnemex_vault.mcp.facts import left_notes
        from mnemex_vault.mcp.present_upkeep import left_in, not_promoted, plan_views, promoted_notes, promoted_view

        app = self._opening.complete_app()
        candidates = _candidates(app, memory_id, auto_detect=auto_detect, force=force, folder=folder or None)
        if memory_id is not None and not candidates:
            view = not_promoted(app.store, memory_id, dry_run=dry_run)
            return answer(view, view.message)
        if not dry_run:
            need_confirmation(len(candidates), confirm=confirm)
        plans = plan_views(app.store, candidates)
        done = _promoted(app, [] if dry_run else candidates, alone=memory_id is not None)
        view = promoted_view(plans, done, found=len(candidates), dry_run=dry_run)
        return answer(view, view.message, [*promoted_notes(view), *left_notes(left_in(done.moved))])

    def gc(
        self,
        dry_run: take.Switch = True,
        archive_instead: take.Switch = True,
        limit: take.Limit | None = None,
        confirm: take.Confirm = False,
    ) -> Annotated[CallToolResult, TidiedUp]:
        """Let faded memories go, or show the plan."""
        from mnemex_vault.mcp.present_upkeep import tidied_notes, tidied_view
        from mnemex_vault.memories.forgetting import ForgettingResult

        forgetting = self._opening.complete_app().forgetting
        plan = forgetting.plan(limit=limit)
        result = ForgettingResult()
        if not dry_run:
            need_confirmation(len(plan.candidates), confirm=confirm)
            result = forgetting.run(plan, to_trash=not archive_instead)
        view = tidied_view(plan, result, dry_run=dry_run, to_trash=not archive_instead)
        return answer(view, view.message, tidied_notes(view))

    def undo(self, operation_id: take.OperationId | None = None) -> Annotated[CallToolResult, Undone]:
        """Take back a change of this session."""
        from mnemex_vault.mcp.present_upkeep import undone_notes, undone_view

        app = self._opening.complete_app()
        operation = app.history.undo(operation_id, own_only=True)
        view = undone_view(operation, undid=operation.undoes or "")
        return answer(view, view.message, undone_notes(view, operation, app.store))


def _promoted(app: App, candidates: Sequence[Candidate], *, alone: bool) -> Outcome:
    """Promote; what cannot be done for the only one that is asked for is an error, for one of many a finding."""
    from mnemex_vault.memories.lifecycle import Outcome

    return Outcome(moved=app.lifecycle.promote(candidates)) if alone else app.lifecycle.promote_each(candidates)


def _candidates(
    app: App, memory_id: str | None, *, auto_detect: bool, force: bool, folder: str | None
) -> list[Candidate]:
    """Return the one memory that is asked for, if it qualifies, or all that do."""
    now = app.store.clock()
    if memory_id is not None:
        one = app.lifecycle.promotion_candidate(memory_id, now=now, force=force, folder=folder)
        return [] if one is None else [one]
    if not auto_detect:
        raise InvalidInput("memory_id", "give one, or auto_detect=true for all that qualify")
    return app.lifecycle.promotion_candidates(now=now, folder=folder)
