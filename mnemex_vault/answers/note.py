"""What every answer says of a note in the same form: epoch seconds for inherited times, ISO days for new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.domain.scoring import review_priority
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.memories import recalled
from mnemex_vault.memories.recalled import Recalled, shorten

if TYPE_CHECKING:
    from pathlib import Path

    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, Memories

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


def age_days(usage: Usage, *, now: datetime) -> float:
    """Return how long ago the memory was made, in days with one digit, never negative."""
    return round(max(0.0, (now - usage.created) / timedelta(days=1)), 1)


def origin_of(entry: Entry | Memory) -> str:
    """Return who wrote a note: a person unless the note says otherwise."""
    return recalled.origin_of(entry.origin)


def priority(app: App, score: float | None, tier: Tier) -> float | None:
    """Return how much a memory is worth showing again, None for what does not fade."""
    if score is None or tier is not Tier.SHORT_TERM:
        return None
    return round(review_priority(score, app.memories.policy), 4)


def beginning(memories: Memories, entry: Entry, length: int) -> str:
    """Return the beginning of a note, "" if it cannot be read (any more): what is said of the others is shown."""
    try:
        return shorten(memories.note(entry).content, length)
    except MnemexError:
        return ""


def obsidian_url(root: Path, path: str) -> str:
    """Return the link that opens a note in Obsidian.

    >>> from pathlib import Path
    >>> obsidian_url(Path("/notes/My vault"), "Memories/Was Zoë mag.md")
    'obsidian://open?vault=My%20vault&file=Memories%2FWas%20Zo%C3%AB%20mag'
    """
    return f"obsidian://open?vault={quote(root.name, safe='')}&file={quote(path.removesuffix('.md'), safe='')}"


def left_words(left: Sequence[Entry]) -> str:
    """Return a sentence on notes whose links could not follow a move, "" if all did."""
    if not left:
        return ""
    return f" Links in {counted(len(left), 'note')} could not be rewritten, and lead nowhere now."


def left_notes(left: Iterable[Entry]) -> Iterator[Recalled]:
    """Give the first notes whose links could not follow a move; a private one is not named."""
    for entry in [each for each in left if each.searchable][:_NAMED]:
        yield Recalled(mark="Not rewritten: ", name=entry.path, origin=origin_of(entry))
