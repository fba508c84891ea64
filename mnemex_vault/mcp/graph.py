"""Tools on how memories belong together: relate, and read the graph."""

from __future__ import annotations

from mnemex_vault.answers import graph as answers
from mnemex_vault.answers.graph import ReadGraph, Related, Shown, Unrelated
from mnemex_vault.answers.view import ABSENT, AROUND, MOST, USUAL, Told, pagination
from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, offered


class RelationTools(Toolbox):
    """Create and delete relations."""

    @offered(
        "Relate two memories",
        "Relate a memory to another memory or note. supersedes: the first is the current fact, the second is "
        "outdated and no longer found.",
        idempotent=True,
    )
    def create_relation(
        self,
        from_memory_id: take.MemoryId,
        to_memory_id: take.MemoryId,
        relation_type: take.RelationWord,
        strength: take.RelationStrength = 1.0,
        metadata: take.Metadata | None = None,
    ) -> Told[Related]:
        """Relate a memory to another note."""
        relations = self._opening.complete_app().relations
        kind = RelationType(relation_type)
        edge, new = relations.create(from_memory_id, to_memory_id, kind, strength=strength, metadata=metadata)
        return answers.related(edge, new=new)

    @offered(
        "Remove a relation",
        "Remove a relation between two memories, as create_relation made it.",
        destructive=True,
        idempotent=True,
        core=False,
    )
    def delete_relation(
        self, from_memory_id: take.MemoryId, to_memory_id: take.MemoryId, relation_type: take.RelationWord
    ) -> Told[Unrelated]:
        """Remove a relation."""
        relations = self._opening.complete_app().relations
        return answers.unrelated(relations.delete(from_memory_id, to_memory_id, RelationType(relation_type)))


_DEFAULT_SIZE = 30
_MOST = 500
_LIVE = (Tier.SHORT_TERM, Tier.LONG_TERM)
_TIERS = {"all": tuple(Tier)} | {tier.status: (tier,) for tier in Tier}


class GraphTools(Toolbox):
    """Read the graph."""

    @offered(
        "Read the graph of memories",
        "Read how memories are connected: titles, scores and relations, a page at a time; or what lies around"
        " one memory_id. include_content gives whole texts.",
        idempotent=True,
        core=False,
    )
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
    ) -> Told[ReadGraph]:
        """Read a page of the graph, or the neighbourhood of one memory."""
        app = self._opening.complete_app()
        paged = page is not None or page_size is not None
        size = (page_size or _DEFAULT_SIZE) if paged else min(limit or _DEFAULT_SIZE, _MOST)
        tiers = _LIVE if status is None else _TIERS[status]
        if memory_id is None:
            offset = ((page or 1) - 1) * size if paged else 0
            graph = app.relations.graph(tiers, offset=offset, limit=size)
            counted = [entry for entry in app.memories.all(*tiers) if app.memories.may_read(entry)]
        else:
            graph = app.relations.neighbourhood(memory_id, depth=depth, limit=size)
            counted = list(graph.nodes)
        room = (USUAL if size <= _DEFAULT_SIZE else MOST) - AROUND
        shown = Shown(scores=include_scores, whole=include_content, room=room)
        number = pagination(page=page or 1, page_size=size, total=graph.total)
        is_page = paged and memory_id is None
        return answers.read(app, graph, counted, status or "live", shown, page=number if is_page else ABSENT)
