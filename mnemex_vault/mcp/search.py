"""Tools that find: memories alone, or memories and ordinary notes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemex_vault.answers import search as answers
from mnemex_vault.answers.search import Asked, FoundMemories, FoundNotes
from mnemex_vault.answers.view import Told, name_of
from mnemex_vault.domain.memory import Tier
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, offered

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.recall import Page, Request


class SearchTools(Toolbox):
    """Searching. What is found is not reinforced; what `used_ids` names is."""

    def _begun(self, used_ids: Sequence[str] | None, project: str | None) -> tuple[App, tuple[str, ...]]:
        """Return the use cases for a search that goes on with the conversation, and remarks on what it may miss."""
        app = self._opening.complete_app()
        unknown = _count_uses(app, used_ids)
        relied = [each for each in used_ids or () if each not in unknown]
        if relied:
            self._calls.note(app, project=project, relied=relied)
        remarks = (f"used_ids not found: {', '.join(map(name_of, unknown))}",) if unknown else ()
        return app, (*remarks, *self._opening.lacking())

    @offered(
        "Search memories",
        "Search the user's memories; use this first. Without arguments: a brief of what matters now. Plain "
        'words or a question; also "phrases", -word, tag:, path:, tier:, project:. Gives previews; '
        "open_memories gives the whole.",
    )
    def search_memory(
        self,
        query: take.Query | None = None,
        tags: take.Tags | None = None,
        status: take.Status | None = None,
        limit: take.Results | None = None,
        after: take.Time | None = None,
        before: take.Time | None = None,
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
        as_of: take.Time | None = None,
        used_ids: take.UsedIds | None = None,
    ) -> Told[FoundMemories]:
        """Search memories, or give the brief when nothing is asked."""
        app, notes = self._begun(used_ids, project)
        chosen = (query, tags, status, limit, after, before, window_days, min_score is not None, page, page_size, as_of)
        if not any(chosen):
            self._calls.note(app, project=project, briefed=True)
            return answers.brief(app, project=project, notes=notes)
        then = app.memories.day(as_of)
        size = limit or answers.DEFAULT_SIZE
        asked = Asked(
            limit=size,
            page=page,
            page_size=page_size,
            preview_length=preview_length,
            explain=explain,
            as_of=then,
            notes=notes,
        )
        request = replace(
            _request(asked, query, tags, status, after, before, window_days, min_score, project, include_superseded),
            review=include_review_candidates,
        )
        found = self._found(app, request)
        return answers.memories(app, found, asked, others=app.recall.ordinary_matches(request, found))

    @offered(
        "Search memories and notes",
        "Search memories and the user's ordinary notes together; use it when search_memory finds too little "
        "or the question is about their notes. Notes have ids like note:<path>.",
    )
    def search_unified(
        self,
        query: take.Query | None = None,
        tags: take.Tags | None = None,
        status: take.Status | None = None,
        limit: take.Results = answers.DEFAULT_SIZE,
        stm_weight: take.Weight | None = None,
        ltm_weight: take.Weight | None = None,
        after: take.Time | None = None,
        before: take.Time | None = None,
        window_days: take.WindowDays | None = None,
        min_score: take.MinScore | None = None,
        project: take.Project | None = None,
        include_superseded: take.Switch = False,
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
        preview_length: take.PreviewLength | None = None,
        explain: take.Switch = False,
        used_ids: take.UsedIds | None = None,
    ) -> Told[FoundNotes]:
        """Search memories and ordinary notes in one ranking."""
        app, notes = self._begun(used_ids, project)
        asked = Asked(
            limit=limit, page=page, page_size=page_size, preview_length=preview_length, explain=explain, notes=notes
        )
        request = replace(
            _request(asked, query, tags, status, after, before, window_days, min_score, project, include_superseded),
            ordinary=True,
            short_term_weight=stm_weight,
            long_term_weight=ltm_weight,
        )
        return answers.notes(app, self._found(app, request), asked)

    def _found(self, app: App, request: Request) -> Page:
        found = app.recall.search(request)
        self._calls.note(app, project=request.project, asked=True, fitted=bool(found.answers))
        return found


def _request(
    asked: Asked,
    query: str | None,
    tags: Sequence[str] | None,
    status: str | Sequence[str] | None,
    after: str | None,
    before: str | None,
    window_days: int | None,
    min_score: float | None,
    project: str | None,
    superseded: bool,
) -> Request:
    """Return what both tools ask for in the same way."""
    from mnemex_vault.memories.recall import Request

    return Request(
        query=query or "",
        tags=tags or (),
        tiers=_tiers_of(status),
        size=asked.size,
        offset=asked.offset,
        after=after,
        before=before,
        window_days=window_days,
        min_score=min_score,
        superseded=superseded,
        project=project,
        explain=asked.explain,
        as_of=asked.as_of,
    )


def _count_uses(app: App, ids: Sequence[str] | None) -> list[str]:
    """Strengthen the memories that an earlier answer relied on; return those that are unknown."""
    if not ids or not app.settings.auto_reinforce or app.settings.read_only:
        return []
    return app.collection.use(ids, now=app.memories.now())


_TIERS = {tier.status: tier for tier in Tier}


def _tiers_of(status: str | Sequence[str] | None) -> frozenset[Tier]:
    """Return the tiers of the inherited words; none means all that is not archived.

    >>> sorted(_tiers_of(["active", "archived"]))
    [<Tier.ARCHIVED: 'archived'>, <Tier.SHORT_TERM: 'short-term'>]
    """
    from mnemex_vault.memories.recall import LIVE

    words = [status] if isinstance(status, str) else list(status or ())
    return frozenset(_TIERS[word] for word in words) or LIVE
