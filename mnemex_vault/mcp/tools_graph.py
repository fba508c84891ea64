"""The tool that reads the web of memories."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.budget import AROUND, MOST, USUAL
from mnemex_vault.mcp.facts import pagination
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.present_graph import Shown, edge_views, graph_notes, message, node_views, statistics
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_graph import ReadGraph
from mnemex_vault.memories.graph import Graph

_DEFAULT_SIZE = 30
_MOST = 500
_LIVE = (Tier.SHORT_TERM, Tier.LONG_TERM)
_TIERS = {"all": tuple(Tier)} | {tier.status: (tier,) for tier in Tier}


class GraphTools:
    """Read the graph."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.read_graph,
                description=texts_full.READ_GRAPH,
                title="Read the graph of memories",
                idempotent=True,
                core=False,
            )
        ]

    def read_graph(
        self,
        status: take.GraphStatus | None = None,
        include_scores: take.Switch = True,
        limit: take.Limit | None = None,
        page: take.PageNumber | None = None,
        page_size: take.PageSize | None = None,
        memory_id: take.MemoryId | None = None,
        depth: take.Depth = 1,
        include_content: take.Switch = False,
    ) -> Annotated[CallToolResult, ReadGraph]:
        """Read a page of the graph, or the neighbourhood of one memory."""
        app = self._opening.complete_app()
        paged = page is not None or page_size is not None
        size = (page_size or _DEFAULT_SIZE) if paged else min(limit or _DEFAULT_SIZE, _MOST)
        tiers = _LIVE if status is None else _TIERS[status]
        if memory_id is None:
            offset = ((page or 1) - 1) * size if paged else 0
            graph = app.relations.graph(tiers, offset=offset, limit=size)
            counted = [entry for entry in app.store.catalog.memories(*tiers) if app.store.may_read(entry)]
        else:
            graph = app.relations.neighbourhood(memory_id, depth=depth, limit=size)
            counted = list(graph.nodes)
        room = (USUAL if size <= _DEFAULT_SIZE else MOST) - AROUND
        view = _view(app, graph, counted, status or "live", Shown(include_scores, include_content, room))
        if paged and memory_id is None:
            view = view.model_copy(update={"pagination": pagination(page=page or 1, page_size=size, total=graph.total)})
        return answer(view, view.message, graph_notes(view.memories, view.relations))


def _view(app: App, graph: Graph, counted: list[Entry], status: str, shown: Shown) -> ReadGraph:
    nodes, edges = node_views(app, graph.nodes, shown), edge_views(graph, shown.room)
    return ReadGraph(
        success=True,
        memories=nodes,
        relations=edges,
        stats=statistics(app, counted, graph, status),
        message=message(graph, nodes, edges),
    )
