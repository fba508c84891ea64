"""Facts of notes in the forms that answers use: epoch seconds for inherited times, ISO days for new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.domain.words import counted
from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp.views import Pagination
from mnemex_vault.mcp.views_memories import RelationFrom, Relations, RelationTo
from mnemex_vault.memories import recalled
from mnemex_vault.memories.graph import Relations as Web

_NAMED = 5


def epoch(moment: datetime) -> int:
    """Return whole seconds since 1970."""
    return int(moment.timestamp())


def epoch_or_none(moment: datetime | None) -> int | None:
    """Return whole seconds since 1970, or None."""
    return None if moment is None else epoch(moment)


def day(value: date | None) -> str | None:
    """Return a day as ISO writes it, or None."""
    return None if value is None else value.isoformat()


def left_words(left: Sequence[Entry]) -> str:
    """Return a sentence on notes whose links could not follow a move, "" if all did."""
    if not left:
        return ""
    return f" Links in {counted(len(left), 'note')} could not be rewritten, and lead nowhere now."


def left_notes(left: Sequence[Entry]) -> Iterator[recalled.Recalled]:
    """Give the first notes whose links could not follow a move; a private one is not named."""
    for entry in [each for each in left if each.searchable][:_NAMED]:
        yield recalled.Recalled(mark="Not rewritten: ", name=entry.path, origin=origin_of(entry))


def age_days(usage: Usage, *, now: datetime) -> float:
    """Return how long ago the memory was made, in days with one digit, never negative."""
    return round(max(0.0, (now - usage.created) / timedelta(days=1)), 1)


def origin_of(entry: Entry | Memory) -> str:
    """Return who wrote a note: a person unless the note says otherwise."""
    return recalled.origin_of(entry.origin)


def obsidian_url(root: Path, path: str) -> str:
    """Return the link that opens a note in Obsidian.

    >>> obsidian_url(Path("/notes/My vault"), "Memories/Was Zoë mag.md")
    'obsidian://open?vault=My%20vault&file=Memories%2FWas%20Zo%C3%AB%20mag'
    """
    return f"obsidian://open?vault={quote(root.name, safe='')}&file={quote(path.removesuffix('.md'), safe='')}"


def pagination(*, page: int, page_size: int, total: int) -> Pagination:
    """Return where a page stands.

    >>> pagination(page=2, page_size=10, total=21).total_pages
    3
    """
    pages = -(-total // page_size)
    return Pagination(
        page=page,
        page_size=page_size,
        total_count=total,
        total_pages=pages,
        has_more=page < pages,
        has_previous=page > 1,
    )


def relations(web: Web, entry: Entry) -> Relations:
    """Return the typed relations of a note in both directions."""
    outgoing = [
        RelationTo(to=edge.target.item_id, type=edge.type, strength=edge.strength) for edge in web.outgoing(entry)
    ]
    incoming = [
        RelationFrom.model_validate({"from": edge.source.item_id, "type": edge.type, "strength": edge.strength})
        for edge in web.incoming(entry)
    ]
    return Relations(outgoing=outgoing, incoming=incoming)
