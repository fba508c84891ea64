"""What relating memories and reading their graph answer: names and scores first, bounded as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mnemex_vault.answers import view as views
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry
    from mnemex_vault.memories.graph import Edge, Graph

# the share of notes in what an answer may say; relations have the rest
_NODES = 0.7
_MOST_EDGES = 100
_BEGINNING = 80
_NAMED = 30
_LABELS = 100


@dataclass(frozen=True, kw_only=True)
class GraphNode(views.View):
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
    score: float | None = views.ABSENT
    age_days: float | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class GraphEdge(views.View):
    """A relation, or a wikilink in a text (type `link`).

    A note does not tell when a relation was made, so that `created_at` is null.
    """

    id: str
    from_: str
    to: str
    type: str
    strength: float
    created_at: int | None


@dataclass(frozen=True, kw_only=True)
class GraphStatistics(views.View):
    """Figures of all that was asked about, not only of this page."""

    total_memories: int
    total_relations: int
    avg_score: float
    avg_use_count: float
    status_filter: str


@dataclass(frozen=True, kw_only=True)
class ReadGraph(views.Answer):
    """Answer of read_graph."""

    success: bool
    memories: list[GraphNode]
    relations: list[GraphEdge]
    stats: GraphStatistics
    message: str
    pagination: views.Pagination | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class Related(views.Answer):
    """Answer of create_relation."""

    success: bool
    relation_id: str
    from_: str
    to: str
    type: str
    strength: float
    message: str
    existing_relation_id: str | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class Unrelated(views.Answer):
    """Answer of delete_relation."""

    success: bool
    relation_id: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How much of each note is shown, and how many characters the answer may take."""

    scores: bool
    whole: bool
    room: int


def read(
    app: App,
    graph: Graph,
    entries: Sequence[Entry],
    status: str,
    shown: Shown,
    *,
    page: views.Pagination = views.ABSENT,
) -> views.Told[ReadGraph]:
    """Tell what there is room for of a part of the graph; `entries` are all notes that were asked about."""
    nodes, edges = _nodes(app, graph.nodes, shown), _edges(graph, shown.room)
    view = ReadGraph(
        success=True,
        memories=nodes,
        relations=edges,
        stats=_statistics(app, entries, graph, status),
        message=_message(graph, nodes, edges),
        pagination=page,
    )
    return views.Told(view, view.message, _notes(nodes, edges))


def _nodes(app: App, nodes: Sequence[Entry], shown: Shown) -> list[GraphNode]:
    """Return the notes that there is room for; whole texts as long as there is more of it."""
    bare = [GraphNode(**_facts(app, entry, scores=shown.scores)) for entry in nodes]
    room = int(shown.room * _NODES)
    spare = room - sum(views.size_of(each) + _BEGINNING + 1 for each in bare)
    told = []
    for entry, each in zip(nodes, bare, strict=True):
        longest = max(_BEGINNING, spare + _BEGINNING) if shown.whole else _BEGINNING
        text = views.within(_content(app, entry), longest)
        spare -= max(0, len(text) - _BEGINNING)
        told.append(replace(each, content=text))
    return views.fitting(told, room)


def _content(app: App, entry: Entry) -> str:
    try:
        return app.memories.note(entry).content
    except MnemexError:
        return ""


def _facts(app: App, entry: Entry, *, scores: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "id": entry.item_id,
        "title": views.title_of(entry.title),
        "origin": views.origin_of(entry),
        "tier": entry.tier.value,
        "status": entry.tier.status,
        "path": entry.path,
        "content": "",
        "entities": views.some(entry.entities, _LABELS),
        "tags": views.some(entry.tags, _LABELS),
        **dict.fromkeys(("created_at", "last_used", "use_count", "strength")),
    }
    if not entry.is_memory:
        return facts
    usage, now = app.memories.usage(entry), app.memories.now()
    facts |= {
        "created_at": views.epoch(usage.created),
        "last_used": views.epoch(usage.last_used),
        "use_count": usage.use_count,
        "strength": round(usage.strength, 4),
    }
    if scores:
        facts |= {"score": round(app.memories.score(entry, now=now), 4), "age_days": views.age_days(usage, now=now)}
    return facts


def _edges(graph: Graph, room: int) -> list[GraphEdge]:
    """Return the first relations of a page that there is room for, at most a hundred and twice as many as notes."""
    edges = [
        GraphEdge(
            id=edge.id,
            from_=edge.source.item_id,
            to=edge.target.item_id,
            type=edge.type,
            strength=round(edge.strength, 4),
            created_at=None,
        )
        for edge in graph.edges[: max(_MOST_EDGES, 2 * len(graph.nodes))]
    ]
    return views.fitting(edges, int(room * (1 - _NODES)))


def _statistics(app: App, entries: Sequence[Entry], graph: Graph, status: str) -> GraphStatistics:
    """Return the figures of all memories that were asked about."""
    now, usage_of = app.memories.now(), app.memories.usages()
    memories = [entry for entry in entries if entry.is_memory]
    return GraphStatistics(
        total_memories=graph.total,
        total_relations=graph.total_edges,
        avg_score=round(_mean([app.memories.score(entry, now=now) for entry in memories]), 4),
        avg_use_count=round(_mean([usage_of(entry).use_count for entry in memories]), 2),
        status_filter=status,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _message(graph: Graph, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> str:
    """Say how much of the graph this is."""
    said = f"{len(nodes)} of {counted(graph.total, 'note')}, {len(edges)} of {counted(graph.total_edges, 'relation')}"
    if len(nodes) < len(graph.nodes):
        return f"{said}; there was no room for more, ask for a smaller page_size."
    return f"{said}; the others are on further pages." if len(nodes) < graph.total else f"{said}."


def _notes(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Iterator[Recalled]:
    """Give the notes as a model reads them at a glance, each with the relations that go out from it."""
    ways: dict[str, list[str]] = {}
    for edge in edges[:_NAMED]:
        ways.setdefault(edge.from_, []).append(f"{edge.type} [{edge.to}]")
    for node in nodes[:_NAMED]:
        scored = [] if node.score in (None, views.ABSENT) else [f"score {node.score:.2f}"]
        facts = [node.tier, *scored, *ways.get(node.id, ())]
        yield Recalled(name=node.id, origin=node.origin, title=node.title, facts=facts)


def related(edge: Edge, *, new: bool) -> views.Told[Related]:
    """Tell of a relation, and whether it was there already."""
    view = Related(
        success=new,
        relation_id=edge.id,
        from_=edge.source.item_id,
        to=edge.target.item_id,
        type=edge.type,
        strength=edge.strength,
        message=f"{_sentence(edge)}{'' if new else ' (it was so already; nothing was changed)'}.",
        existing_relation_id=views.ABSENT if new else edge.id,
    )
    return views.Told(view, view.message, _ends(edge))


def unrelated(edge: Edge) -> views.Told[Unrelated]:
    """Tell of a relation that is no more."""
    message = f"No longer: {_sentence(edge)}. undo takes this back."
    return views.Told(Unrelated(success=True, relation_id=edge.id, message=message), message, _ends(edge))


def _sentence(edge: Edge) -> str:
    """Say it with the ids; of a note, which has its path as one, only that it is meant."""
    return f"{_named(edge.source)} {edge.type} {_named(edge.target)}"


def _named(entry: Entry) -> str:
    return f"[{entry.item_id}]" if entry.is_memory else "the note"


def _ends(edge: Edge) -> Iterator[Recalled]:
    for each in (edge.source, edge.target):
        yield Recalled(name=each.item_id, origin=views.origin_of(each), title=views.title_of(each.title))
