"""A human-like memory for assistants, kept as notes in the person's own vault."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemex_vault.app import open_vault
    from mnemex_vault.domain.memory import RelationType, Tier
    from mnemex_vault.errors import MnemexError
    from mnemex_vault.memories.draft import Draft
    from mnemex_vault.memories.editing import Revision
    from mnemex_vault.memories.face import Memories
    from mnemex_vault.memories.recall import Request

__all__ = ["Draft", "Memories", "MnemexError", "RelationType", "Request", "Revision", "Tier", "open_vault"]
__version__ = "0.1.0"

_HOMES = {
    "Draft": "memories.draft",
    "Memories": "memories.face",
    "MnemexError": "errors",
    "RelationType": "domain.memory",
    "Request": "memories.recall",
    "Revision": "memories.editing",
    "Tier": "domain.memory",
    "open_vault": "app",
}


if not TYPE_CHECKING:  # a checker knows the names above, and no others

    def __getattr__(name: str) -> object:
        """Import a public name when it is asked for, so that a quick command starts quickly."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
