"""Tools that find: memories alone, or memories and ordinary notes together."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.answers import answer, briefed, found_notes
from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.uses import count_uses
from mnemex_vault.mcp.views_search import FoundMemories, FoundNotes

_DEFAULT_SIZE = 10


class SearchTools:
    """Searching. What is found is not reinforced; what `used_ids` names is."""

    def __init__(self, opening: Opening, calls: Calls) -> None:
        self._opening = opening
        self._calls = calls

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(answer=self.search_memory, description=texts.SEARCH_MEMORY, title="Search memories"),
            Spec(answer=self.search_unified, description=texts.SEARCH_UNIFIED, title="Search memories and notes"),
        ]

    def search_memory(
        self,
        query: take.Query | None = None,
        tags: take.Tags | None = None,
        status: take.Status | None = None,
        limit: take.Results | None = None,
        window_days: take.WindowDays | None = None,
        min_score: take.MinScore | None = None,
        project: take.Project | None = None,
        include_superseded: take.Switch = False,
        include_review_candidates: take.Switch = True,
        use_embeddings: take.Switch = False,  # noqa: ARG002  # meaning is compared by settings, not by call
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
        preview_length: take.PreviewLength | None = None,
        explain: take.Switch = False,
        used_ids: take.UsedIds | None = None,
    ) -> Annotated[CallToolResult, FoundMemories]:
        """Search memories, or give the brief when nothing is asked."""
        from mnemex_vault.mcp.present_brief import brief_view
        from mnemex_vault.mcp.present_search import Asked, memories_view, tiers_of
        from mnemex_vault.memories.recall import Request

        app = self._opening.complete_app()
        self._calls.conversation(now=app.store.clock(), zone=app.zone)
        notes = (*count_uses(app, used_ids), *self._opening.lacking())
        if not any((query, tags, status, limit, window_days, min_score is not None, page, page_size)):
            brief = brief_view(app, project=project, notes=notes)
            return answer(brief, brief.message, briefed(brief))
        asked = Asked(limit or _DEFAULT_SIZE, page, page_size, preview_length, explain, notes)
        request = Request(
            query=query or "",
            tags=tags or (),
            tiers=tiers_of(status),
            size=asked.size,
            offset=asked.offset,
            window_days=window_days,
            min_score=min_score,
            review=include_review_candidates,
            superseded=include_superseded,
            project=project,
            explain=explain,
        )
        found = app.recall.search(request)
        view = memories_view(app, found, asked, others=app.recall.ordinary_matches(request, found))
        return answer(view, view.message, found_notes(view))

    def search_unified(
        self,
        query: take.Query | None = None,
        tags: take.Tags | None = None,
        status: take.Status | None = None,
        limit: take.Results = _DEFAULT_SIZE,
        stm_weight: take.Weight | None = None,
        ltm_weight: take.Weight | None = None,
        window_days: take.WindowDays | None = None,
        min_score: take.MinScore | None = None,
        project: take.Project | None = None,
        include_superseded: take.Switch = False,
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
        preview_length: take.PreviewLength | None = None,
        explain: take.Switch = False,
        used_ids: take.UsedIds | None = None,
    ) -> Annotated[CallToolResult, FoundNotes]:
        """Search memories and ordinary notes in one ranking."""
        from mnemex_vault.mcp.present_search import Asked, notes_view, tiers_of
        from mnemex_vault.memories.recall import Request

        app = self._opening.complete_app()
        self._calls.conversation(now=app.store.clock(), zone=app.zone)
        notes = (*count_uses(app, used_ids), *self._opening.lacking())
        asked = Asked(limit, page, page_size, preview_length, explain, notes)
        request = Request(
            query=query or "",
            tags=tags or (),
            tiers=tiers_of(status),
            ordinary=True,
            size=asked.size,
            offset=asked.offset,
            window_days=window_days,
            min_score=min_score,
            superseded=include_superseded,
            project=project,
            explain=explain,
            short_term_weight=stm_weight,
            long_term_weight=ltm_weight,
        )
        view = notes_view(app, app.recall.search(request), asked)
        return answer(view, view.message, found_notes(view))
