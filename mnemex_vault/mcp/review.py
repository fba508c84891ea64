"""Tools that look after the vault: what fades next, how things stand, bringing back what was archived."""

from __future__ import annotations

from mnemex_vault.answers import memory, review, status
from mnemex_vault.answers.memory import RestoredMemory
from mnemex_vault.answers.review import ReviewQueue
from mnemex_vault.answers.status import VaultStatus
from mnemex_vault.answers.view import Told
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, offered

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
        items = app.review.queue(days=days)
        return review.queue(app, items[:limit], total=len(items))

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
