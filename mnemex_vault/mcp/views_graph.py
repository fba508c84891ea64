"""Structured answers of reading the graph."""

from __future__ import annotations

from pydantic import Field

from mnemex_vault.mcp.views import Answer, Pagination, View


class GraphNode(View):
    """A memory, or an ordinary note near one; `content` is its beginning unless the whole was asked for."""

    id: str
    title: str
    origin: str
    tier: str
    status: str
    path: str
    content: str
    entities: list[str]
    tags: list[str]
    created_at: int | None
    last_used: int | None
    use_count: int | None
    strength: float | None
    score: float | None = None
    age_days: float | None = None


class GraphEdge(View):
    """A relation, or a wikilink in a text (type `link`); its first end is sent as `from`.

    A note does not tell when a relation was made, so that `created_at` is null.
    """

    id: str
    source: str = Field(alias="from")
    to: str
    type: str
    strength: float
    created_at: int | None


class GraphStatistics(View):
    """Figures of all that was asked about, not only of this page."""

    total_memories: int
    total_relations: int
    avg_score: float
    avg_use_count: float
    status_filter: str


class ReadGraph(Answer):
    """Answer of read_graph."""

    success: bool
    memories: list[GraphNode]
    relations: list[GraphEdge]
    stats: GraphStatistics
    message: str
    pagination: Pagination | None = None
