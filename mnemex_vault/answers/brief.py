"""What the session brief answers: as many memories as fit 1,200 tokens, from every section some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import size_of, some, title_of
from mnemex_vault.answers.note import age_days, day, epoch, origin_of, priority
from mnemex_vault.answers.search import FoundMemories, FoundNote
from mnemex_vault.answers.view import Told
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.brief import BriefItem

# keys of the answer around the list
_AROUND = 300
_TAGS = 100


def brief(app: App, *, project: str | None, notes: Sequence[str]) -> Told[FoundMemories]:
    """Tell what matters now, in the order of its sections; both voices keep to the limit."""
    from mnemex_vault.memories.brief import MAX_CHARACTERS

    made = [_memory(app, item) for item in app.brief.make(project=project)]
    shown = _fitting(made, MAX_CHARACTERS - _AROUND)
    first = "What matters now" if shown else "No memories yet"
    view = FoundMemories(
        success=True, count=len(shown), results=shown, hidden={}, message="; ".join([first, *notes]) + "."
    )
    return Told(view, view.message, _notes(view))


def _fitting(memories: Sequence[FoundNote], room: int) -> list[FoundNote]:
    """Take from the sections in turn what there is room for."""
    sections: defaultdict[str, list[FoundNote]] = defaultdict(list)
    for memory in memories:
        sections[memory.section or ""].append(memory)
    taken = set()
    for memory in (each for turn in zip_longest(*sections.values()) for each in turn if each is not None):
        size = size_of(memory) + 1
        if size <= room:
            room -= size
            taken.add(memory.id)
    return [memory for memory in memories if memory.id in taken]


def _memory(app: App, item: BriefItem) -> FoundNote:
    entry = item.entry
    usage = app.memories.usage(entry)
    return FoundNote(
        section=item.section,
        id=entry.memory_id or "",
        title=title_of(entry.title),
        tier=entry.tier.value,
        content=item.text,
        score=round(item.score, 4),
        tags=some(entry.tags, _TAGS),
        origin=origin_of(entry),
        fades_on=day(app.memories.fades_on(usage, tier=entry.tier)),
        similarity=None,
        use_count=usage.use_count,
        last_used=epoch(usage.last_used),
        age_days=age_days(usage, now=app.memories.now()),
        review_priority=priority(app, item.score, entry.tier),
    )


def _notes(view: FoundMemories) -> Iterator[Recalled]:
    """Give the memories, each with the reason why it is shown."""
    for memory in view.results:
        facts = [memory.section] if memory.section else []
        yield Recalled(name=memory.id, origin=memory.origin, title=memory.title, facts=facts, text=memory.content)
