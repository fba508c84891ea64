"""How much room the index takes, in the words of the predecessors' maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemex_vault.app import App

# from so many outdated lines on they advised to compact
_MANY = 100


def room_taken(app: App) -> dict[str, object]:
    """Return what is alive and what is outdated: memories in the index's catalog, relations in the notes themselves."""
    memories = app.store.catalog.memories()
    lines, size = app.catalog_file.extent()
    outdated = max(0, lines - len(app.store.catalog))
    relations = relations_of(app)
    return {
        "memories": {
            "active": len(memories),
            "total_lines": lines,
            "file_size_bytes": size,
            "compaction_savings": outdated,
        },
        "relations": {
            "active": relations,
            "total_lines": relations,
            "file_size_bytes": 0,
            "compaction_savings": 0,
        },
        "should_compact": outdated > _MANY,
    }


def relations_of(app: App) -> int:
    """Return how many relations stand in the notes of memories."""
    return sum(len(entry.relations) for entry in app.store.catalog.memories())
