"""Tools that strengthen: touch one memory, report the use of several."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.domain.tags import clean_tag
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.confirmation import need_confirmation
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_uses import ObservedUsage, TouchedMemory


class UseTools:
    """Touch and observe."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.observe_memory_usage, description=texts.OBSERVE_MEMORY_USAGE, title="Report used memories"
            ),
            Spec(answer=self.touch_memory, description=texts.TOUCH_MEMORY, title="Strengthen a memory"),
        ]

    def touch_memory(
        self, memory_id: take.MemoryId, boost_strength: take.Switch = False
    ) -> Annotated[CallToolResult, TouchedMemory]:
        """Count one use."""
        from mnemex_vault.mcp.present_uses import touched_note, touched_view

        view = touched_view(self._opening.complete_app().lifecycle.touch(memory_id, boost=boost_strength))
        return answer(view, view.message, [touched_note(view)])

    def observe_memory_usage(
        self, memory_ids: take.MemoryIds, context_tags: take.Tags | None = None, confirm: take.Confirm = False
    ) -> Annotated[CallToolResult, ObservedUsage]:
        """Count one use of each memory."""
        from mnemex_vault.mcp.present_uses import not_observed, observed_text, observed_view

        app = self._opening.complete_app()
        ids = list(dict.fromkeys(memory_ids))
        if not app.settings.auto_reinforce:
            view = not_observed("reinforcement is switched off (setting auto_reinforce)")
        elif not ids:
            view = not_observed("no memory_ids were given")
        else:
            need_confirmation(len(ids), confirm=confirm)
            tags = [tag for each in context_tags or () if (tag := clean_tag(each))]
            view = observed_view(app.lifecycle.observe(ids, tags))
        return answer(view, observed_text(view))
