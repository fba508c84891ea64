"""Uses that a caller reports on the side, with the next search or save."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemex_vault.app import App
from mnemex_vault.mcp.budget import name_of


def count_uses(app: App, ids: Sequence[str] | None) -> tuple[str, ...]:
    """Strengthen the memories that an earlier answer relied on; return a remark on those that are unknown."""
    if not ids or not app.settings.auto_reinforce or app.settings.read_only:
        return ()
    unknown = app.collection.use(ids, now=app.store.clock())
    return (f"used_ids not found: {', '.join(name_of(each) for each in unknown)}",) if unknown else ()
