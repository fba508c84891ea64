"""What the session brief answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mnemex_vault.answers.note import origin_of
from mnemex_vault.answers.search import FoundMemories, FoundNote
from mnemex_vault.answers.view import Told

if TYPE_CHECKING:
    from mnemex_vault.app import App


def brief(app: App, *, project: str | None, notes: Sequence[str]) -> Told[FoundMemories]:
    """Tell what matters now, in the order of its sections, each memory on a line."""
    from mnemex_vault.memories.brief import told

    items = app.brief.make(project=project)
    shown = [
        FoundNote(section=item.section, id=item.entry.memory_id or "", content=item.text, origin=origin_of(item.entry))
        for item in items
    ]
    first = "What matters now" if shown else "No memories yet"
    view = FoundMemories(
        success=True, count=len(shown), results=shown, hidden={}, message="; ".join([first, *notes]) + "."
    )
    return Told(view, view.message, told(items))
