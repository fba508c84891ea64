"""What the session brief answers: as many memories as fit 1,200 tokens, from every section some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from mnemex_vault.app import App
from mnemex_vault.mcp.budget import size_of, some, title_of
from mnemex_vault.mcp.facts import age_days, day, epoch, origin_of
from mnemex_vault.mcp.present_search import review_priority
from mnemex_vault.mcp.views_search import FoundMemories, FoundNote
from mnemex_vault.memories.brief import MAX_CHARACTERS, BriefItem

# keys of the answer around the list
_AROUND = 300
_TAGS = 100


def brief_view(app: App, *, project: str | None, notes: Sequence[str]) -> FoundMemories:
    """Return the brief, in the order of its sections; both forms of the answer keep to its limit."""
    memories = [_brief_memory(app, item) for item in app.brief.make(project=project)]
    shown = _fitting(memories)
    first = "What matters now" if shown else "No memories yet"
    return FoundMemories(
        success=True, count=len(shown), results=shown, hidden={}, message="; ".join([first, *notes]) + "."
    )


def _fitting(memories: Sequence[FoundNote]) -> list[FoundNote]:
    """Take from the sections in turn what there is room for."""
    sections: defaultdict[str, list[FoundNote]] = defaultdict(list)
    for memory in memories:
        sections[memory.section or ""].append(memory)
    room = MAX_CHARACTERS - _AROUND
    taken = set()
    for memory in (each for turn in zip_longest(*sections.values()) for each in turn if each is not None):
        size = size_of(memory) + 1
        if size <= room:
            room -= size
            taken.add(memory.id)
    return [memory for memory in memories if memory.id in taken]


def _brief_memory(app: App, item: BriefItem) -> FoundNote:
    entry = item.entry
    usage = app.store.usage(entry)
    return FoundNote(
        section=item.section,
        id=entry.memory_id or "",
        title=title_of(entry.title),
        tier=entry.tier.value,
        content=item.text,
        score=round(item.score, 4),
        tags=some(entry.tags, _TAGS),
        origin=origin_of(entry),
        fades_on=day(app.store.fades_on(usage, tier=entry.tier)),
        similarity=None,
        use_count=usage.use_count,
        last_used=epoch(usage.last_used),
        age_days=age_days(usage, now=app.store.clock()),
        review_priority=review_priority(app, item.score, entry.tier),
    )
