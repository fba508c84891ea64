"""What reading the graph answers: names and scores first, bounded as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemex_vault.app import App
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp.budget import fitting, size_of, some, title_of, within
from mnemex_vault.mcp.facts import age_days, epoch, origin_of
from mnemex_vault.mcp.views_graph import GraphEdge, GraphNode, GraphStatistics
from mnemex_vault.memories.graph import Graph
from mnemex_vault.memories.recalled import Recalled

# the share of notes in what an answer may say; relations have the rest
_NODES = 0.7
_MOST_EDGES = 100
_BEGINNING = 80
_NAMED = 30
_LABELS = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of each note is shown, and how many characters the answer may take."""

    scores: bool
    whole: bool
    room: int


def node_views(app: App, nodes: Sequence[Entry], shown: Shown) -> list[GraphNode]:
    """Return the notes that there is room for; whole texts as long as there is more of it."""
    bare = [GraphNode.model_validate(_facts(app, entry, scores=shown.scores)) for entry in nodes]
    room = int(shown.room * _NODES)
    spare = room - sum(size_of(each) + _BEGINNING + 1 for each in bare)
    views = []
    for entry, each in zip(nodes, bare, strict=True):
        content = _content(app, entry)
        longest = max(_BEGINNING, spare + _BEGINNING) if shown.whole else _BEGINNING
        text = within(content, longest)
        spare -= max(0, len(text) - _BEGINNING)
        views.append(each.model_copy(update={"content": text}))
    return fitting(views, room)


def _content(app: App, entry: Entry) -> str:
    try:
        return app.store.note(entry).content
    except MnemexError:
        return ""


def _facts(app: App, entry: Entry, *, scores: bool) -> dict[str, object]:
    facts: dict[str, object] = {
        "id": entry.item_id,
        "title": title_of(entry.title),
        "origin": origin_of(entry),
        "tier": entry.tier.value,
        "status": entry.tier.status,
        "path": entry.path,
        "content": "",
        "entities": some(entry.entities, _LABELS),
        "tags": some(entry.tags, _LABELS),
        **dict.fromkeys(("created_at", "last_used", "use_count", "strength")),
    }
    if not entry.is_memory:
        return facts
    usage, now = app.store.usage(entry), app.store.clock()
    facts |= {
        "created_at": epoch(usage.created),
        "last_used": epoch(usage.last_used),
        "use_count": usage.use_count,
        "strength": round(usage.strength, 4),
    }
    if scores:
        facts |= {"score": round(app.store.score(entry, now=now), 4), "age_days": age_days(usage, now=now)}
    return facts


def edge_views(graph: Graph, room: int) -> list[GraphEdge]:
    """Return the first relations of a page that there is room for, at most a hundred and twice as many as notes."""
    most = max(_MOST_EDGES, 2 * len(graph.nodes))
    views = [
        GraphEdge.model_validate(
            {
                "id": edge.id,
                "from": edge.source.item_id,
                "to": edge.target.item_id,
                "type": edge.type,
                "strength": round(edge.strength, 4),
                "created_at": None,
            }
        )
        for edge in graph.edges[:most]
    ]
    return fitting(views, int(room * (1 - _NODES)))


def statistics(app: App, entries: Sequence[Entry], graph: Graph, status: str) -> GraphStatistics:
    """Return the figures of all memories that were asked about."""
    now, usage_of = app.store.clock(), app.store.usages()
    memories = [entry for entry in entries if entry.is_memory]
    return GraphStatistics(
        total_memories=graph.total,
        total_relations=graph.total_edges,
        avg_score=round(_mean([app.store.score(entry, now=now) for entry in memories]), 4),
        avg_use_count=round(_mean([usage_of(entry).use_count for entry in memories]), 2),
        status_filter=status,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def message(graph: Graph, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> str:
    """Say how much of the graph this is."""
    said = f"{len(nodes)} of {counted(graph.total, 'note')}, {len(edges)} of {counted(graph.total_edges, 'relation')}"
    if len(nodes) < len(graph.nodes):
        return f"{said}; there was no room for more, ask for a smaller page_size."
    return f"{said}; the others are on further pages." if len(nodes) < graph.total else f"{said}."


def graph_notes(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Iterator[Recalled]:
    """Give the notes as a model reads them at a glance, each with the relations that go out from it."""
    ways: dict[str, list[str]] = {}
    for edge in edges[:_NAMED]:
        ways.setdefault(edge.source, []).append(f"{edge.type} [{edge.to}]")
    for node in nodes[:_NAMED]:
        facts = [node.tier, *([] if node.score is None else [f"score {node.score:.2f}"]), *ways.get(node.id, ())]
        yield Recalled(name=node.id, origin=node.origin, title=node.title, facts=facts)
