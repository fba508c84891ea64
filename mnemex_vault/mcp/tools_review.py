"""Tools that look after the vault: what fades next, how things stand, bringing back what was archived."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.facts import left_notes
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.present_memories import changed_note
from mnemex_vault.mcp.present_review import problem_notes, queue_view, queued_notes, restored_view, status_view
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_review import RestoredMemory, ReviewQueue, VaultStatus

_DEFAULT_SIZE = 20


class ReviewTools:
    """Queue, status, restore."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.review_queue,
                description=texts_full.REVIEW_QUEUE,
                title="What fades next",
                idempotent=True,
                core=False,
            ),
            Spec(answer=self.restore_memory, description=texts_full.RESTORE_MEMORY, title="Restore", core=False),
            Spec(
                answer=self.vault_status,
                description=texts_full.VAULT_STATUS,
                title="How the vault stands",
                idempotent=True,
                core=False,
            ),
        ]

    def review_queue(
        self, days: take.Days | None = None, limit: take.PageSize = _DEFAULT_SIZE
    ) -> Annotated[CallToolResult, ReviewQueue]:
        """List what fades next."""
        app = self._opening.complete_app()
        items = app.review.queue(days=days)
        view = queue_view(app, items[:limit], total=len(items))
        return answer(view, view.message, queued_notes(view))

    def restore_memory(self, memory_id: take.MemoryId) -> Annotated[CallToolResult, RestoredMemory]:
        """Bring a memory back from the archive."""
        moved = self._opening.complete_app().lifecycle.restore(memory_id)
        view = restored_view(moved)
        return answer(view, view.message, [changed_note(view), *left_notes(moved.left_links)])

    def vault_status(self) -> Annotated[CallToolResult, VaultStatus]:
        """Tell how the vault stands, also while its index is being made."""
        view = status_view(self._opening.app(), lacking=self._opening.lacking())
        return answer(view, view.message, problem_notes(view))
