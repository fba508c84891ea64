"""What relating memories answers."""

from __future__ import annotations

from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp.budget import title_of
from mnemex_vault.mcp.facts import origin_of
from mnemex_vault.mcp.views_relations import Related, Unrelated
from mnemex_vault.memories.graph import Edge
from mnemex_vault.memories.recalled import Recalled


def related_view(edge: Edge, *, new: bool) -> Related:
    """Return a relation, and whether it was there already."""
    facts: dict[str, object] = {
        "success": new,
        "relation_id": edge.id,
        "from": edge.source.item_id,
        "to": edge.target.item_id,
        "type": edge.type,
        "strength": edge.strength,
        "message": f"{_sentence(edge)}{'' if new else ' (it was so already; nothing was changed)'}.",
    }
    if not new:
        facts["existing_relation_id"] = edge.id
    return Related.model_validate(facts)


def unrelated_view(edge: Edge) -> Unrelated:
    """Return a relation that is no more."""
    return Unrelated(success=True, relation_id=edge.id, message=f"No longer: {_sentence(edge)}. undo takes this back.")


def _sentence(edge: Edge) -> str:
    """Say it with the ids; of a note, which has its path as one, only that it is meant."""
    return f"{_named(edge.source)} {edge.type} {_named(edge.target)}"


def _named(entry: Entry) -> str:
    return f"[{entry.item_id}]" if entry.is_memory else "the note"


def related_notes(edge: Edge) -> list[Recalled]:
    """Return both ends of a relation."""
    return [
        Recalled(name=each.item_id, origin=origin_of(each), title=title_of(each.title))
        for each in (edge.source, edge.target)
    ]
