"""All that calls import when they are made, imported beforehand.

So the first call is answered sooner, and a server goes on with one version of this package when it is upgraded.
"""

from mnemex_vault.mcp import (
    full_set,
    present_brief,
    present_memories,
    present_relations,
    present_search,
    present_upkeep,
    present_uses,
)

__all__ = [
    "full_set",
    "present_brief",
    "present_memories",
    "present_relations",
    "present_search",
    "present_upkeep",
    "present_uses",
]
