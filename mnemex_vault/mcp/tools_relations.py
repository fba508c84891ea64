"""Tools on how memories belong together."""

from __future__ import annotations

from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.domain.memory import RelationType
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_relations import Related, Unrelated


class RelationTools:
    """Create and delete relations."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.create_relation,
                description=texts.CREATE_RELATION,
                title="Relate two memories",
                idempotent=True,
            ),
            Spec(
                answer=self.delete_relation,
                description=texts.DELETE_RELATION,
                title="Remove a relation",
                destructive=True,
                idempotent=True,
                core=False,
            ),
        ]

    def create_relation(
        self,
        from_memory_id: take.MemoryId,
        to_memory_id: take.MemoryId,
        relation_type: take.RelationWord,
        strength: take.RelationStrength = 1.0,
        metadata: take.Metadata | None = None,
    ) -> Annotated[CallToolResult, Related]:
        """Relate a memory to another note."""
        from mnemex_vault.mcp.present_relations import related_notes, related_view

        relations = self._opening.complete_app().relations
        kind = RelationType(relation_type)
        edge, new = relations.create(from_memory_id, to_memory_id, kind, strength=strength, metadata=metadata)
        view = related_view(edge, new=new)
        return answer(view, view.message, related_notes(edge))

    def delete_relation(
        self, from_memory_id: take.MemoryId, to_memory_id: take.MemoryId, relation_type: take.RelationWord
    ) -> Annotated[CallToolResult, Unrelated]:
        """Remove a relation."""
        from mnemex_vault.mcp.present_relations import related_notes, unrelated_view

        relations = self._opening.complete_app().relations
        edge = relations.delete(from_memory_id, to_memory_id, RelationType(relation_type))
        view = unrelated_view(edge)
        return answer(view, view.message, related_notes(edge))
